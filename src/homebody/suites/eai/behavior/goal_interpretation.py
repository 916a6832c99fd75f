"""Goal interpretation on BEHAVIOR (EAI paper, section 2.3 and appendix D.1)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core import Prompting, Protocol, Score
from homebody.core.formula import Atom, Literal, Not, atom_of, negation
from homebody.core.ground.seeds import choose
from homebody.core.suite import Summary
from homebody.suites.eai.behavior.goal_options import (
    gold_options,
    most_met_options,
    nearest_option,
    option_groups,
    sort_symmetric,
)
from homebody.suites.eai.behavior.goals import (
    KINDS,
    LISTS,
    OTHER,
    RELATIONS,
    STATES,
    Entry,
    Predicted,
    count_of_kind,
    kind_of,
    read,
    render,
    text_of,
)
from homebody.suites.eai.behavior.prompts import (
    goal_interpretation_prompt,
    goal_interpretation_system,
)
from homebody.suites.eai.behavior.tasks import ALIASES, BehaviorTask, load_tasks
from homebody.suites.eai.behavior.world import WORLD
from homebody.suites.eai.goal_interpretation import (
    compared_text,
    goals_score,
    make_suite,
    odd_keys,
)
from homebody.suites.eai.measures import percent_measures, precision_recall_f1
from homebody.suites.eai.plan_results import sentence
from homebody.suites.eai.reading import ParsingError, Reading

if TYPE_CHECKING:
    import numpy as np

Groups: TypeAlias = Sequence[Sequence[tuple[Literal, ...]]]


@dataclass(frozen=True, slots=True)
class _Compared:
    """The predicted goals, and their comparison with an option: right, wrong and missed."""

    predicted: tuple[Entry, ...]
    right: tuple[Literal, ...]
    wrong: tuple[Entry, ...]
    missed: tuple[Literal, ...]

    def counts(self, kind: str) -> list[int]:
        wrong = sum(entry.kind == kind for entry in self.wrong)
        return [count_of_kind(kind, self.right), wrong, count_of_kind(kind, self.missed)]


def score(
    task: BehaviorTask, output: str, protocol: Protocol, groups: Groups | None = None
) -> Score:
    """Compare the predicted goals with the annotated ones; any text gets a score.

    Args:
        task: The task.
        output: Output of a model.
        protocol: Protocol that judges it.
        groups: Options of the goal, as in :func:`.goal_options.option_groups`; None for the
            annotated ones.
    """
    predicted = Predicted()
    unread, crash = "", ""
    reading = Reading.of(protocol)
    try:
        predicted = read(task, output, protocol, reading)
    except ParsingError as error:
        unread = str(error)
    except (TypeError, LookupError) as error:
        if not protocol.keeps("value_types_unchecked"):
            raise
        crash = f"{type(error).__name__}: {error}"
    compared = _compare(task, predicted.entries, protocol, groups)
    return _make_score(task, predicted, compared, unread, crash, protocol, reading)


def _compare(
    task: BehaviorTask, entries: Sequence[Entry], protocol: Protocol, groups: Groups | None
) -> _Compared:
    if not protocol.keeps("unsound_goals_compared"):
        entries = [entry for entry in entries if entry.is_sound]
    both_ways = not protocol.keeps("symmetric_relations_directed")
    stated = [(entry, _literal(entry, both_ways)) for entry in entries]
    if not protocol.keeps("repeated_goals_counted"):
        first = {literal: place for place, (_, literal) in reversed(list(enumerate(stated)))}
        stated = [
            (entry, literal)
            for place, (entry, literal) in enumerate(stated)
            if literal is None or first[literal] == place
        ]
    predicted = frozenset(literal for _, literal in stated if literal is not None)
    fulfillable = not protocol.keeps("self_relations_asked_for")
    if protocol.keeps("options_chosen_one_by_one"):
        conditions = gold_options(task.id, fulfillable)
        if both_ways:
            conditions = tuple(tuple(tuple(map(sort_symmetric, o)) for o in c) for c in conditions)
        option = most_met_options(conditions, predicted)
    else:
        groups = groups or option_groups(task.id, fulfillable, both_ways)
        option = nearest_option(groups, predicted, len(stated))
    if not protocol.keeps("repeated_goals_counted"):
        option = tuple(dict.fromkeys(option))
    goals = set(option)
    return _Compared(
        predicted=tuple(entry for entry, _ in stated),
        right=tuple(literal for literal in option if literal in predicted),
        wrong=tuple(entry for entry, literal in stated if literal not in goals),
        missed=tuple(literal for literal in option if literal not in predicted),
    )


def _literal(entry: Entry, both_ways: bool) -> Literal | None:
    if entry.literal is None or not both_ways or len(atom_of(entry.literal).args) != 2:
        return entry.literal
    return sort_symmetric(entry.literal)


# -- numbers -------------------------------------------------------------------------------------


def _make_score(
    task: BehaviorTask,
    read_from: Predicted,
    compared: _Compared,
    unread: str,
    crash: str,
    protocol: Protocol,
    reading: Reading,
) -> Score:
    entries = read_from.entries
    counts = {kind: compared.counts(kind) for kind in KINDS}
    wrong = sum(entry.kind == OTHER for entry in compared.wrong)
    overall = [sum(numbers[at] for numbers in counts.values()) for at in range(3)]
    overall[1] += wrong
    grammar = {
        # the published count does not check that the objects exist
        "valid": sum(
            not (entry.malformed or entry.unknown_predicate)
            if protocol.keeps("unsound_goals_compared")
            else entry.is_sound
            for entry in entries
        ),
        "malformed": sum(entry.malformed for entry in entries),
        "unknown_predicate": sum(entry.unknown_predicate for entry in entries),
        "unknown_object": sum(entry.unknown_object for entry in entries),
        "entries": len(entries),
    }
    if crash:
        explanation = f"The published evaluator breaks down: {crash}."
    else:
        explanation = sentence(unread) if unread else _explain(compared, read_from)
    return goals_score(
        task,
        overall,
        {
            "counts": counts,
            "wrong_of_no_kind": wrong,
            "predicted": {
                kind: sum(entry.kind == kind for entry in compared.predicted)
                for kind in (*KINDS, OTHER)
            },
            "grammar": grammar,
            "readable": not unread,
            **reading.record,
        },
        format_errors=grammar["malformed"] + (1 if unread else 0),
        hallucinations=sum(entry.unknown_predicate or entry.unknown_object for entry in entries),
        explanation=explanation,
        crash=crash,
    )


def _explain(compared: _Compared, predicted: Predicted) -> str:
    entries = predicted.entries
    return compared_text(
        (len(compared.right), len(compared.wrong), len(compared.missed)),
        {
            "Missed": [text_of(literal) for literal in compared.missed],
            "Wrong": [entry.text for entry in compared.wrong if entry.is_sound],
            "No such state or relation": [e.text for e in entries if e.unknown_predicate],
            "No such object": [
                e.text for e in entries if e.unknown_object and not e.unknown_predicate
            ],
            "Malformed": [e.text for e in entries if e.malformed],
            **(odd_keys(LISTS.values(), predicted.keys) if predicted.keys else {}),
        },
    )


_GRAMMAR = {
    "grammatically_valid": "valid",
    "format_error": "malformed",
    "state_hallucination": "unknown_predicate",
    "object_hallucination": "unknown_object",
}


def count(score: Score) -> Counter[str]:
    """Count the goals of one output in the summary."""
    record = score.record
    sums: Counter[str] = Counter({f"{key} goals": n for key, n in record["grammar"].items()})
    for kind in KINDS:
        right, wrong, missed = record["counts"][kind]
        sums.update({f"{kind} right": right, f"{kind} wrong": wrong, f"{kind} missed": missed})
    sums["other wrong"] += record["wrong_of_no_kind"]
    sums.update({f"{kind} predicted": n for kind, n in record["predicted"].items()})
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Compute numbers and micro-averaged shares, in the schema of the published summary.

    Shares are between 0 and 1, and 0 of 0 is 0, as published. If ``exact``, for tables, they are
    percentages, and 0 of 0 is NaN.
    """

    def section(kinds: Sequence[str], name: str) -> dict[str, Any]:
        right, wrong, missed = (
            sum(sums.get(f"{kind} {number}", 0) for kind in kinds)
            for number in ("right", "wrong", "missed")
        )
        return {
            "num_predicted_conditions": sum(sums.get(f"{kind} predicted", 0) for kind in kinds),
            "num_GT_conditions": right + missed,
            "num_satisfied_conditions": right,
            "num_unsatisfied_conditions": missed,
            "num_false_positive_conditions": wrong,
            f"{name}_confusion_metrics": _measures(right, wrong, missed, exact),
        }

    entries = sums.get("entries goals", 0)
    grammar: dict[str, Any] = {}
    for name, key in _GRAMMAR.items():
        number = sums.get(f"{key} goals", 0)
        grammar[f"{name}_num"] = number
        grammar[f"{name}_rate"] = _share(number, entries, exact)
    return {
        "overall": section((*KINDS, OTHER), "overall"),
        "state_goal": section(("state",), "state_goal"),
        "relation_goal": section(("relation",), "relation_goal"),
        "grammatical_errors": grammar,
    }


def _measures(right: float, wrong: float, missed: float, exact: bool) -> dict[str, float]:
    counts = (right, wrong, missed)
    if exact:
        values = percent_measures(counts, exact=True)
    else:
        f1 = precision_recall_f1(counts)[2] if right else 0
        values = (_share(right, right + wrong, False), _share(right, right + missed, False), f1)
    return dict(zip(("precision", "recall", "f1_score"), values, strict=True))


def _share(part: float, whole: float, exact: bool) -> float:
    if exact:
        return 100 * part / whole if whole else math.nan
    return part / whole if whole else 0


# -- agents that need no model -------------------------------------------------------------------


def oracle(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the first option of the goal that can be met."""
    return render(_first_option(task))


def _first_option(task: BehaviorTask) -> list[Literal]:
    groups = option_groups(task.id, True, False)
    return [literal for options in groups for literal in options[0]]


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return random goals over the listed objects, the same number of each kind as in the
    annotation."""
    first = [literal for options in gold_options(task.id) for literal in options[0]]
    names = [row["bddl"] for row in task.objects]
    return random_goals(first, STATES, RELATIONS, names, generator)


def random_goals(
    like: Iterable[Literal],
    states: Sequence[str],
    relations: Sequence[str],
    names: Sequence[str],
    generator: np.random.Generator,
) -> str:
    """Return a random goal of the kind of each given literal."""
    literals: list[Literal] = []
    for literal in like:
        if kind_of(literal) == "state":
            atom = Atom(choose(generator, states), (choose(generator, names),))
        else:
            relation = choose(generator, relations)
            atom = Atom(relation, (choose(generator, names), choose(generator, names)))
        literals.append(Not(atom) if generator.integers(4) == 0 else atom)
    return render(literals)


def copycat(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the negations of the initial states in the prompt, without relations."""
    return render([negation(literal) for literal in _initial_states(task)])


Case: TypeAlias = tuple[str | bool | None, ...]
"""The features of a possible goal that the agent uses.

For a state: the state, its wanted value, and its initial value in the prompt (None if not stated).
For a relation: the relation and the category of its second object.
"""
Tally: TypeAlias = tuple[Counter[Case], Counter[Case]]
"""Case -> number of its occurrences, and number of occurrences that are goals."""


def frequent(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the possible goals whose case is a goal in most of its occurrences in other tasks."""
    all_cases, all_goals = _all_tasks()
    own_cases, own_goals = _tally(task)
    cases, goals = all_cases - own_cases, all_goals - own_goals
    return render([goal for goal, case in _cases(task).items() if 2 * goals[case] > cases[case]])


@cache
def _all_tasks() -> Tally:
    tallies = [_tally(task) for task in load_tasks()]
    cases, goals = Counter[Case](), Counter[Case]()
    for of_task, met in tallies:
        cases.update(of_task)
        goals.update(met)
    return cases, goals


def _tally(task: BehaviorTask) -> Tally:
    cases = _cases(task)
    goals = dict.fromkeys(_first_option(task))
    return Counter(cases.values()), Counter(cases[goal] for goal in goals if goal in cases)


def _cases(task: BehaviorTask) -> dict[Literal, Case]:
    """Return the case of every possible goal over the listed objects, except negated relations."""
    stated = {atom_of(lit): isinstance(lit, Atom) for lit in _initial_states(task)}
    names = {row["bddl"]: row["category"] for row in task.objects}
    cases: dict[Literal, Case] = {}
    for atom in (Atom(state, (name,)) for name in names for state in STATES):
        cases[atom] = (atom.predicate, True, stated.get(atom))
        cases[Not(atom)] = (atom.predicate, False, stated.get(atom))
    for first, second in permutations(names, 2):
        for relation in RELATIONS:
            cases[Atom(relation, (first, second))] = (relation, names[second])
    return cases


def _initial_states(task: BehaviorTask) -> list[Literal]:
    """Return the initial states of single objects in the prompt."""
    literals: list[Literal] = []
    for words in task.raw["initial"]:
        *denied, state, name = words
        if state in STATES and denied in ([], ["not"]):
            atom = Atom(state, (name,))
            literals.append(Not(atom) if denied else atom)
    return literals


SUITE = make_suite(
    WORLD,
    100,
    score=score,
    summary=Summary(
        count,
        rates,
        {
            f"{title} {short}": (name, f"{name}_confusion_metrics", metric)
            for title, name in (
                ("State", "state_goal"),
                ("Relation", "relation_goal"),
                ("Overall", "overall"),
            )
            for short, metric in (("P", "precision"), ("R", "recall"), ("F1", "f1_score"))
        },
    ),
    prompting=Prompting[BehaviorTask](
        goal_interpretation_prompt, system=goal_interpretation_system
    ),
    agents={"oracle": oracle, "random": random, "copycat": copycat, "frequent": frequent},
    empty=render(()),
    aliases=ALIASES,
)
