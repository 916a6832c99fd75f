"""Languages as targets: LTL, BDDL, PDDL, PARTNR's annotations, and what models write as authors.

Whatever is read is also used: printed and read again, counted, solved, placed in a house.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from homebody.authoring.partnr.draft import Rejected
from homebody.authoring.partnr.prompting.propositions import read_propositions, write_proposition
from homebody.authoring.partnr.prompting.tasks import read_drafts
from homebody.authoring.partnr.situation import situation
from homebody.core import CORRECTED
from homebody.data import behavior, eai
from homebody.goals import bddl, ltl
from homebody.goals.partnr import Annotation, EvaluationError, read_annotation, write_annotation
from homebody.planning import pddl
from homebody.planning.solver.solve import Limits, solve_here
from homebody.suites import get_suite
from homebody.suites.eai.virtualhome.transition_modeling import reference
from homebody.suites.partnr.episodes.scene import scene
from homebody.suites.partnr.tasks import load
from hostile.corpus import nested
from hostile.readers import reader
from hostile.target import Broken, Prepared, Target

_LANGUAGES = "eai.virtualhome.transition_modeling"
_DEEP = tuple(
    nested(left, right, depth, "(p a)")
    for left, right in (
        *(("(", ")"), ("[", "]"), ("(not ", ")"), ("not ", ""), ("(and (p a) ", ")")),
        *(("(forall (?x - object) ", ")"), ("exists x. (", ")"), ("is_on_top(", ")")),
    )
    for depth in (30, 900, 50_000)
)
_BETWEEN = "\n;; --- problem ---\n"


def language_targets() -> Iterator[Target]:
    """A target for each language."""

    def target(
        name: str,
        valid: Callable[[], Sequence[str]],
        read: Callable[[str], object],
        *errors: type[Exception],
    ) -> Target:
        def prepare() -> Prepared:
            return reader(valid(), read, *errors, crafted=_DEEP)

        return Target(name, prepare)

    yield target("LTL", _formulas, _ltl, ltl.LTLError)
    yield target("BDDL", _problems, _bddl, bddl.BDDLError)
    yield target("PDDL operators", _operators, _pddl_operators, pddl.PddlError)
    yield target("PDDL domain and problem", _domains, _pddl, pddl.PddlError)
    yield target("PARTNR annotation", _annotations, read_annotation)
    yield target("PARTNR author", _drafts, _author, Rejected)
    yield target("PARTNR propositions", _propositions, _proposition, Rejected)


# -- languages of goals ----------------------------------------------------------------------------


def _formulas() -> list[str]:
    return sorted({task["ltl"] for task in eai.load()["tasks"]} - {None})


def _ltl(text: str) -> object:
    formula = ltl.parse(text)
    again = ltl.to_text(formula)
    if len(again) <= ltl.MAX_LENGTH and ltl.parse(again) != formula:
        raise Broken("what is printed is read as something else")
    return again


def _problems() -> list[str]:
    return [task["problem"] for task in behavior.load("tasks")]


def _bddl(text: str) -> object:
    problem = bddl.parse_problem(text)
    try:
        counted = bddl.count_options(bddl.ground(problem.goal, bddl.universe(problem)))
    except bddl.TooLargeError:
        counted = 0
    return counted, bddl.sentence(problem.conditions)


# -- PDDL ------------------------------------------------------------------------------------------


def _operators() -> list[str]:
    suite = get_suite(_LANGUAGES)
    tasks = suite.tasks.load(CORRECTED)[::10]
    return [json.loads(suite.answer("oracle", task))["output"] for task in tasks]


def _pddl_operators(text: str) -> object:
    operators = [op for op in pddl.read_operators(text) if isinstance(op, pddl.Operator)]
    printed = [pddl.operator_text(operator) for operator in operators]
    if pddl.parse_operators("\n".join(printed)) != operators:
        raise Broken("what is printed is read as something else")
    return printed


def _domains() -> list[str]:
    """Domains each with a problem, in one text."""
    domain = pddl.domain_text(reference().domain)
    tasks = get_suite(_LANGUAGES).tasks.load(CORRECTED)[::10]
    return [domain + _BETWEEN + task.problem_text for task in tasks]


def _pddl(text: str) -> object:
    first, _, second = text.partition(_BETWEEN)
    result = solve_here(pddl.parse_domain(first), pddl.parse_problem(second), Limits(nodes=2_000))
    return result.status, len(result.plan or ())


# -- PARTNR's authors ------------------------------------------------------------------------------


def _annotations() -> list[str]:
    texts = []
    for task in load("val")[:200]:
        annotation = Annotation(task.episode.instruction, task.episode.evaluation)
        try:
            texts.append(write_annotation(annotation))
        except EvaluationError:  # some have an order that cannot be written so
            continue
    return texts


@cache
def _house() -> Any:
    return scene(3)


def _drafts() -> list[str]:
    rooms = [room.name for room in _house().rooms]
    return [
        json.dumps([_task(piece.name, rooms[at % len(rooms)])])
        for at, piece in enumerate(_house().furniture[:20])
    ]


def _task(piece: str, room: str) -> dict[str, Any]:
    cups = {"number": 2, "object_classes": ["cup"], "furniture_names": [piece]}
    bowl = {"number": 1, "object_classes": ["bowl"], "furniture_names": ["fridge"]}
    return {
        "instruction": "Put both cups on the table and wash the bowl.",
        "initial_state": [
            {**cups, "allowed_regions": [room]},
            {**bowl, "location": "in", "object_states": {"is_clean": False}},
        ],
        "initial_furniture_state": [
            {"furniture_names": [piece], "object_states": {"clean": False}}
        ],
    }


def _author(text: str) -> object:
    return [repr(draft)[:300] for draft in read_drafts(text, _house())]


@cache
def _situation() -> Any:
    task = load("val")[0]
    return situation(task.episode, task.house)


def _propositions() -> list[str]:
    propositions = [task.episode.evaluation.propositions for task in load("val")[:40]]
    return ["\n".join(map(write_proposition, listed)) for listed in propositions]


def _proposition(text: str) -> object:
    return read_propositions(text, _situation())
