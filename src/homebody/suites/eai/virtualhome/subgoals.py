"""Reading subgoals on VirtualHome: formulas in EAI's LTL, over the objects of the scene."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache, partial

from homebody.core import ErrorType, Protocol
from homebody.core.formula import And, Atom, Formula, Then, conjunction, has_then, is_variable
from homebody.goals import ltl
from homebody.suites.eai.plan_results import GrammarError, wrong_number_text
from homebody.suites.eai.plans import note_name, spelling, spellings
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.subgoal_decomposition.reading import SubgoalError, read_formulas
from homebody.suites.eai.subgoal_decomposition.refinement import Subgoal
from homebody.suites.eai.virtualhome import published_subgoals as published
from homebody.suites.eai.virtualhome.plans import object_of_class
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, subgoal_vocabulary

_BETWEEN = "BETWEEN"


def read_subgoals(
    task: VirtualHomeTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> list[Subgoal]:
    """Read the subgoals of an output, over the objects of the scene. Raises GrammarError."""
    if protocol.keeps("subgoals_read_by_pattern"):
        return published.read(task, output)
    reading = reading or Reading.of(protocol)
    return read_formulas(task, output, reading, _parse, partial(_resolve, task, reading))


def _parse(text: str) -> list[tuple[str, Formula]]:
    try:
        formula = _formula(text)
    except ltl.LTLError as error:
        raise SubgoalError(error.problem, error.column) from None
    if isinstance(formula, Then):
        return [(ltl.show(part), part) for part in formula.parts]
    return [(text, formula)]


_OBJECT = r"[a-zA-Z_]\w*(?:\.[0-9]+)?"
_CALL = re.compile(rf"([a-zA-Z_]\w*)\(({_OBJECT}(?:, ?{_OBJECT})*)?\)")


@lru_cache(maxsize=20_000)
def _formula(text: str) -> Formula:
    """Parse a formula; an action without objects may be written without parentheses."""
    if re.fullmatch(r"[A-Za-z_]+", text):
        return Atom(text)
    calls = []
    for part in text.split(" and "):  # nearly all subgoals are plain calls
        call = _CALL.fullmatch(part)
        if call is None or call[1] in ltl.KEYWORDS:
            break
        args = tuple(a.strip() for a in call[2].split(",")) if call[2] else ()
        if any(a in ltl.KEYWORDS for a in args):
            break
        calls.append(Atom(call[1], args))
    else:
        return conjunction(*calls)
    formula = ltl.parse(text)
    if has_then(formula) and not isinstance(formula, Then):
        raise ltl.LTLSyntaxError("'then' inside a state formula", text, 1, 1)
    if isinstance(formula, Then) and any(has_then(part) for part in formula.parts):
        raise ltl.LTLSyntaxError("'then' inside a state formula", text, 1, 1)
    return formula


_spellings = lru_cache(maxsize=8)(spellings)


def _resolve(task: VirtualHomeTask, reading: Reading, text: str, atom: Atom) -> Formula:
    """Resolve an atom over the objects of the scene. Raises GrammarError."""
    name = reading.upper(atom.predicate)
    arity = _arity_of(task, name)
    if arity is None:
        reason = f"there is no state or action {atom.predicate!r}"
        raise GrammarError(ErrorType.ACTION_HALLUCINATION, reason)
    if len(atom.args) != arity and not (name == _BETWEEN and len(atom.args) == 3):
        reason = wrong_number_text(name, arity, len(atom.args))
        raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason)
    args = tuple(a if is_variable(a) else _find_object(task, a, reading) for a in atom.args)
    if name == _BETWEEN and len(args) == 3:  # between the second and the third
        return And((Atom(name, args[:2]), Atom(name, (args[0], args[2]))))
    return Atom(name, args)


def _arity_of(task: VirtualHomeTask, name: str) -> int | None:
    if name in task.goal_actions and name not in subgoal_vocabulary():
        return task.task.world.schemas[name].arity
    return subgoal_vocabulary().get(name)


def _find_object(task: VirtualHomeTask, name: str, reading: Reading) -> str:
    objects = task.task.initial.objects
    if name in objects:
        return name
    found = _spellings(tuple(objects)).get(spelling(name))
    if found is None and "." not in name:
        found = object_of_class(task, name, tuple(objects))
    if found is None:
        raise GrammarError(ErrorType.OBJECT_HALLUCINATION, f"there is no object {name!r}")
    note_name([name], [found], reading)
    return found


def render(subgoals: Sequence[str], actions: Sequence[str] = ()) -> str:
    """Write subgoals in the format of the prompt."""
    answer = {
        "necessity_to_use_action": "yes" if actions else "no",
        "actions_to_include": list(actions),
        "output": list(subgoals),
    }
    return json.dumps(answer)
