"""Actions that look possible, given the schemas and the agent's knowledge.

An action is offered if its affordances and preconditions are known to hold and its intended effect
is not. Schemas share conditions, so each is evaluated once per object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from homebody.core import ActionSchema
from homebody.core.formula import Atom, Binding, Formula, Not, Structure, free_variables
from homebody.core.play.options import ActionBlock
from homebody.core.truth import PLAIN, Meaning, meaning


class _Needs(NamedTuple):
    """The conditions of a schema, as functions, grouped by their subjects.

    Attributes:
        me: The parameter that stands for the agent.
        objects: The other parameters.
        about: The conditions on the agent, on each object, and on both objects together.
    """

    me: str
    objects: tuple[str, ...]
    about: tuple[tuple[Meaning, ...], ...]


_remembered: Final[dict[int, tuple[ActionSchema, _Needs]]] = {}


def _needs_of(schema: ActionSchema) -> _Needs:
    """Return the conditions of a schema. They are cached by the schema's identity, because hashing
    it would be slow."""
    known = _remembered.get(id(schema))
    if known is None:
        me, *objects = (parameter.name for parameter in schema.parameters)
        intended = () if schema.intended is None else (Not(schema.intended),)
        conditions: list[Formula] = [*schema.affordances, *intended, *schema.preconditions]
        # few objects are near or in a hand: these conditions come first
        conditions.sort(key=lambda c: not (isinstance(c, Atom) and me in c.args))
        free = [(free_variables(condition) - {me}, condition) for condition in conditions]
        subjects: list[set[str]] = [set(), *({name} for name in objects), set(objects)]
        about = tuple(
            tuple(meaning(condition) for names, condition in free if names == subject)
            for subject in subjects[: 3 if len(objects) < 2 else 4]
        )
        known = _remembered[id(schema)] = (schema, _Needs(me, tuple(objects), about))
    return known[1]


def possible_actions(
    schemas: Iterable[ActionSchema], agent: str, known: Structure, names: Sequence[str]
) -> Iterator[ActionBlock]:
    """Yield the actions on known objects that look possible, a block for each schema, in order."""
    truths: dict[tuple[Meaning, str], bool] = {}
    fitting: dict[tuple[Meaning, ...], Sequence[str]] = {(): names}

    def is_met(condition: Meaning, name: str, binding: Binding) -> bool:
        """Return whether a condition on the agent and one object holds."""
        truth = truths.get((condition, name))
        if truth is None:
            truth = truths[condition, name] = condition(known, binding, PLAIN)
        return truth

    def objects_meeting(conditions: tuple[Meaning, ...], me: str, variable: str) -> Sequence[str]:
        """Return the objects that meet conditions; many schemas begin with the same ones."""
        found = fitting.get(conditions)
        if found is None:
            *before, last = conditions
            found = fitting[conditions] = [
                name
                for name in objects_meeting(tuple(before), me, variable)
                if is_met(last, name, {me: agent, variable: name})
            ]
        return found

    for schema in schemas:
        me, objects, about = _needs_of(schema)
        if not all(is_met(condition, agent, {me: agent}) for condition in about[0]):
            continue
        chosen = [
            objects_meeting(conditions, me, variable)
            for variable, conditions in zip(objects, about[1:], strict=False)
        ]
        if not chosen:
            yield ActionBlock((schema.name,), [()])
        elif len(chosen) == 1:
            yield ActionBlock.of_each(schema.name, chosen[0])
        else:
            first, second = objects
            pairs = [
                (one, other)
                for one in chosen[0]
                for other in chosen[1]
                if one != other
                and all(
                    condition(known, {me: agent, first: one, second: other}, PLAIN)
                    for condition in about[3]
                )
            ]
            yield ActionBlock((schema.name,), pairs)
