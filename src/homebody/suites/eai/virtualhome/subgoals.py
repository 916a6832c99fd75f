"""Reading subgoals on VirtualHome: formulas in EAI's LTL, over the objects of the scene."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from homebody.core import ErrorType, Protocol
from homebody.core.formula import And, Atom, Formula, Then, conjunction, has_then, is_variable
from homebody.goals import ltl
from homebody.suites.eai.plan_results import (
    GrammarError,
    parsing_as_grammar_error,
    wrong_number,
)
from homebody.suites.eai.plans import note_name, spelling, spellings
from homebody.suites.eai.reading import Deviation, Reading
from homebody.suites.eai.subgoal_decomposition.refinement import (
    MAX_WEIGHT,
    Subgoal,
    weight,
)
from homebody.suites.eai.subgoal_decomposition.scoring import (
    check_count,
    subgoal_texts,
)
from homebody.suites.eai.virtualhome import published_subgoals as published
from homebody.suites.eai.virtualhome.plans import object_of_class
from homebody.suites.eai.virtualhome.tasks import (
    VirtualHomeTask,
    subgoal_vocabulary,
)

_BETWEEN = "BETWEEN"


@parsing_as_grammar_error()
def read_subgoals(
    task: VirtualHomeTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> list[Subgoal]:
    """The subgoals of an output, over the objects of the scene.

    Args:
        task: Whose objects are meant.
        output: What a model wrote.
        protocol: How it is read.
        reading: Notes what was read through, unless it is read as published.

    Raises:
        GrammarError: it is no list of formulas, or a predicate, a number of arguments or an
            object is wrong.
    """
    if protocol.keeps("subgoals_read_by_pattern"):
        return published.read(task, output)
    reading = reading or Reading.of(protocol)
    subgoals: list[Subgoal] = []
    for index, text in enumerate(subgoal_texts(output, reading)):
        formula = _formula(text, index)
        parts = formula.parts if isinstance(formula, Then) else (formula,)
        for part in parts:
            if weight(part, len(task.task.initial.objects)) > MAX_WEIGHT:
                reason = "the quantifiers of a subgoal are nested too deep"
                raise GrammarError(ErrorType.PARSING, reason, index, text[:60])
            checked = _Reader(task, index, text, reading).read(part, frozenset())
            subgoals.append(Subgoal(text if len(parts) == 1 else ltl.show(part), checked))
    check_count(subgoals)
    return subgoals


def _formula(text: str, index: int) -> Formula:
    try:
        return _parse(text)
    except ltl.LTLError as error:
        reason = f"{text[:60]!r} is not a formula: in column {error.column}, {error.problem}"
        raise GrammarError(ErrorType.PARSING, reason, index, text[:60]) from None


_OBJECT = r"[a-zA-Z_]\w*(?:\.[0-9]+)?"
_CALL = re.compile(rf"([a-zA-Z_]\w*)\(({_OBJECT}(?:, ?{_OBJECT})*)?\)")


@lru_cache(maxsize=20_000)
def _parse(text: str) -> Formula:
    """A formula; an action without objects may be written without parentheses."""
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


class _Reader:
    """Checks the atoms of one subgoal and looks up its objects."""

    def __init__(self, task: VirtualHomeTask, index: int, text: str, reading: Reading) -> None:
        self._reading = reading
        self._task = task
        self._index = index
        self._text = text

    def read(self, formula: Formula, bound: frozenset[str]) -> Formula:
        match formula:
            case Atom():
                return self._atom(formula, bound)
        changes: dict[str, Any] = {}
        for name in ("body", "left", "right"):
            if hasattr(formula, name):
                inner = bound | {formula.variable} if hasattr(formula, "variable") else bound
                changes[name] = self.read(getattr(formula, name), inner)
        if hasattr(formula, "parts"):
            changes["parts"] = tuple(self.read(part, bound) for part in formula.parts)
        return replace(formula, **changes)

    def _atom(self, atom: Atom, bound: frozenset[str]) -> Formula:
        name = atom.predicate.upper()
        if name != atom.predicate:
            self._reading.note(Deviation.CASE, f"{atom.predicate[:60]!r} for {name[:60]!r}")
        arity = self._arity_of(name)
        if arity is None:
            raise self._error(
                ErrorType.ACTION_HALLUCINATION, f"there is no state or action {atom.predicate!r}"
            )
        if len(atom.args) != arity and not (name == _BETWEEN and len(atom.args) == 3):
            reason = wrong_number(name, arity, len(atom.args))
            raise self._error(ErrorType.ARGUMENT_NUMBER, reason)
        args = tuple(a if is_variable(a) else self._object(a) for a in atom.args)
        if name == _BETWEEN and len(args) == 3:  # between the second and the third
            return And((Atom(name, args[:2]), Atom(name, (args[0], args[2]))))
        return Atom(name, args)

    def _arity_of(self, name: str) -> int | None:
        if name in self._task.goal_actions and name not in subgoal_vocabulary():
            return self._task.task.world.schemas[name].arity
        return subgoal_vocabulary().get(name)

    def _object(self, name: str) -> str:
        objects = self._task.task.initial.objects
        if name in objects:
            return name
        found = _spellings(tuple(objects)).get(spelling(name))
        if found is None and "." not in name:
            found = object_of_class(self._task, name, tuple(objects))
        if found is None:
            raise self._error(ErrorType.OBJECT_HALLUCINATION, f"there is no object {name!r}")
        note_name([name], [found], self._reading)
        return found

    def _error(self, kind: ErrorType, reason: str) -> GrammarError:
        return GrammarError(kind, reason, self._index, self._text[:60])


def render(subgoals: Sequence[str], actions: Sequence[str] = ()) -> str:
    """Subgoals as the prompt asks for them."""
    answer = {
        "necessity_to_use_action": "yes" if actions else "no",
        "actions_to_include": list(actions),
        "output": list(subgoals),
    }
    return json.dumps(answer)
