"""Reading subgoals on BEHAVIOR: formulas over the states of the prompt, objects and categories."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from homebody.core import ErrorType, Protocol
from homebody.core.formula import Atom, Formula, Or, is_variable
from homebody.suites.eai.behavior import published_subgoals as published
from homebody.suites.eai.behavior.subgoal_syntax import (
    Category,
    Grounder,
    SubgoalError,
    parse,
    plain,
)
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted
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
from homebody.worlds.behavior import action_schemas
from homebody.worlds.behavior.actions import HANDS, RELATIONS, STATES

ACTIONS = frozenset(action_schemas())
_BURNT = "burnt"
"""In the official vocabulary; no action burns."""
ARITY: Mapping[str, int] = {
    **dict.fromkeys((*STATES, _BURNT, *HANDS.values()), 1),
    **dict.fromkeys(RELATIONS, 2),
}
"""States and relations of the official prompt -> number of objects."""
_ALIASES = {"toggledon": "toggled_on", "toggleon": "toggled_on"}


@parsing_as_grammar_error()
def read_subgoals(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
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
    categories = _categories(task)
    objects = spellings(task.task.initial.objects)
    kinds = dict.fromkeys(task.task.initial.objects, "")  # halves belong to no category
    kinds |= {thing.name: thing.category for thing in task.things}
    grounder = Grounder(kinds)
    subgoals: list[Subgoal] = []
    for index, text in enumerate(subgoal_texts(output, reading)):
        try:
            parts = _parsed(text, tuple(categories.items()))
        except SubgoalError as error:
            reason = f"{text[:60]!r} is not a formula: {error}"
            raise GrammarError(ErrorType.PARSING, reason, index, text[:60]) from None
        for part in parts:
            if weight(part, len(task.task.initial.objects)) > MAX_WEIGHT:
                reason = "the quantifiers of a subgoal are nested too deep"
                raise GrammarError(ErrorType.PARSING, reason, index, text[:60])
            checked = _Reader(categories, objects, index, text, reading).read(part)
            subgoals.append(Subgoal(text, grounder.grounded(checked)))
    check_count(subgoals)
    return subgoals


@lru_cache(maxsize=20_000)
def _parsed(text: str, categories: tuple[tuple[str, Category], ...]) -> tuple[Formula, ...]:
    return parse(text, dict(categories))


def _categories(task: BehaviorTask) -> dict[str, Category]:
    sizes: dict[str, int] = {}
    for thing in task.things:
        sizes[thing.category] = sizes.get(thing.category, 0) + 1
    return {plain(name): Category(name, size) for name, size in sizes.items()}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks the atoms of one subgoal and looks up its objects.

    Attributes:
        categories: Plain name -> category.
        objects: Spelling -> object.
        index: Of the subgoal in the output.
        text: The subgoal as written.
        reading: Notes what was read through.
    """

    categories: Mapping[str, Category]
    objects: Mapping[str, str]
    index: int
    text: str
    reading: Reading

    def read(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return self._atom(formula)
        changes: dict[str, Any] = {
            name: self.read(getattr(formula, name))
            for name in ("body", "left", "right")
            if hasattr(formula, name)
        }
        if hasattr(formula, "parts"):
            changes["parts"] = tuple(self.read(part) for part in formula.parts)
        return replace(formula, **changes)

    def _atom(self, atom: Atom) -> Formula:
        if "." in atom.predicate or atom.predicate == "=":  # of a quantifier over a category
            return atom
        written = atom.predicate
        name = _ALIASES.get(written.lower(), written.lower())
        if written in self.categories:
            name, arity = self.categories[written].name, 1
        elif name in ARITY:
            arity = ARITY[name]
            if written != written.lower():
                self.reading.note(Deviation.CASE, f"{written[:60]!r} for {name!r}")
        elif name.upper() in ACTIONS:
            name = name.upper()
            arity = _action_arity()[name]
        else:
            reason = f"there is no state or action {written!r}"
            raise self._error(ErrorType.ACTION_HALLUCINATION, reason)
        if len(atom.args) != arity:
            reason = wrong_number(written, arity, len(atom.args))
            raise self._error(ErrorType.ARGUMENT_NUMBER, reason)
        args = tuple(arg if is_variable(arg) else self._object(arg) for arg in atom.args)
        if name == "touching":  # the prompt: touching or next to
            return Or((Atom(name, args), Atom("nextto", args)))
        return Atom(name, args)

    def _object(self, name: str) -> str:
        found = self.objects.get(spelling(name))
        if found is None:
            raise self._error(
                ErrorType.OBJECT_HALLUCINATION, f"there is no object {dotted(name)!r}"
            )
        asked = dotted(found)
        if asked not in self.text:  # of names in formulas, dots are not kept
            note_name([name], [asked], self.reading)
        return found

    def _error(self, kind: ErrorType, reason: str) -> GrammarError:
        return GrammarError(kind, reason, self.index, self.text[:60])


@cache
def _action_arity() -> Mapping[str, int]:
    """Action -> number of objects."""
    return {name: schema.arity for name, schema in action_schemas().items()}


def render(subgoals: Sequence[str]) -> str:
    """Subgoals as the prompt asks for them."""
    return json.dumps({"output": list(subgoals)})
