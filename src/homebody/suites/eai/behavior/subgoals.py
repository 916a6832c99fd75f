"""Reading subgoals on BEHAVIOR: formulas over the states of the prompt, objects and categories."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from homebody.core import ErrorType, Protocol
from homebody.core.formula import Atom, Formula, Or, is_variable
from homebody.suites.eai.behavior import published_subgoals as published
from homebody.suites.eai.behavior.subgoal_syntax import Category, Grounder, parse, plain_name
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted_name
from homebody.suites.eai.plan_results import GrammarError, wrong_number_text
from homebody.suites.eai.plans import note_name, spelling, spellings
from homebody.suites.eai.reading import Deviation, Reading
from homebody.suites.eai.subgoal_decomposition.reading import read_formulas
from homebody.suites.eai.subgoal_decomposition.refinement import Subgoal
from homebody.worlds.behavior import action_schemas
from homebody.worlds.behavior.actions import HANDS, RELATIONS, STATES

ACTIONS = frozenset(action_schemas())
_BURNT = "burnt"
"""A state of the official vocabulary that no action achieves."""
ARITY: Mapping[str, int] = {
    **dict.fromkeys((*STATES, _BURNT, *HANDS.values()), 1),
    **dict.fromkeys(RELATIONS, 2),
}
"""States and relations of the official prompt -> number of objects."""
_ALIASES = {"toggledon": "toggled_on", "toggleon": "toggled_on"}


def read_subgoals(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> list[Subgoal]:
    """Read the subgoals of an output, over the objects of the scene. Raises GrammarError."""
    if protocol.keeps("subgoals_read_by_pattern"):
        return published.read(task, output)
    noted = reading or Reading.of(protocol)
    categories = _categories(task)
    objects = spellings(task.task.initial.objects)
    kinds = dict.fromkeys(task.task.initial.objects, "")  # halves belong to no category
    kinds |= {thing.name: thing.category for thing in task.things}
    grounder = Grounder(kinds)
    listed = tuple(categories.items())
    subgoals = read_formulas(
        task,
        output,
        noted,
        lambda text: [(text, part) for part in _parse(text, listed)],
        lambda text, atom: _resolve(text, atom, categories, objects, noted),
    )
    return [Subgoal(each.text, grounder.ground(each.formula)) for each in subgoals]


@lru_cache(maxsize=20_000)
def _parse(text: str, categories: tuple[tuple[str, Category], ...]) -> tuple[Formula, ...]:
    return parse(text, dict(categories))


def _categories(task: BehaviorTask) -> dict[str, Category]:
    sizes: dict[str, int] = {}
    for thing in task.things:
        sizes[thing.category] = sizes.get(thing.category, 0) + 1
    return {plain_name(name): Category(name, size) for name, size in sizes.items()}


def _resolve(
    text: str,
    atom: Atom,
    categories: Mapping[str, Category],
    objects: Mapping[str, str],
    reading: Reading,
) -> Formula:
    """Resolve an atom over the objects of the scene. Raises GrammarError.

    Args:
        text: The subgoal as written.
        atom: The atom as read.
        categories: Plain name -> category.
        objects: Spelling -> object.
        reading: Notes deviations from the requested format.
    """
    if "." in atom.predicate or atom.predicate == "=":  # from a quantifier over a category
        return atom
    written = atom.predicate
    name = _ALIASES.get(written.lower(), written.lower())
    if written in categories:
        name, arity = categories[written].name, 1
    elif name in ARITY:
        arity = ARITY[name]
        if written != written.lower():
            reading.note(Deviation.CASE, f"{written[:60]!r} for {name!r}")
    elif name.upper() in ACTIONS:
        name = name.upper()
        arity = _action_arity()[name]
    else:
        reason = f"there is no state or action {written!r}"
        raise GrammarError(ErrorType.ACTION_HALLUCINATION, reason)
    if len(atom.args) != arity:
        reason = wrong_number_text(written, arity, len(atom.args))
        raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason)
    args = tuple(
        a if is_variable(a) else _find_object(text, a, objects, reading) for a in atom.args
    )
    if name == "touching":  # the prompt: touching or next to
        return Or((Atom(name, args), Atom("nextto", args)))
    return Atom(name, args)


def _find_object(text: str, name: str, objects: Mapping[str, str], reading: Reading) -> str:
    found = objects.get(spelling(name))
    if found is None:
        reason = f"there is no object {dotted_name(name)!r}"
        raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason)
    expected = dotted_name(found)
    if expected not in text:  # names in formulas do not keep their dots
        note_name([name], [expected], reading)
    return found


@cache
def _action_arity() -> Mapping[str, int]:
    """Map each action to its number of objects."""
    return {name: schema.arity for name, schema in action_schemas().items()}


def render(subgoals: Sequence[str]) -> str:
    """Write subgoals in the format of the prompt."""
    return json.dumps({"output": list(subgoals)})
