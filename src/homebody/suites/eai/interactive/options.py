"""Which actions look possible, read from the schemas and what is known.

An action is offered if its affordances and preconditions are known to hold and what it is for is
not. Schemas share conditions: each is asked once of an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from homebody.core import ActionSchema
from homebody.core.formula import Atom, Binding, Formula, Not, Structure, free_variables
from homebody.core.play.options import ActionBlock
from homebody.core.truth import PLAIN, Meaning, meaning


class _Needs(NamedTuple):
    """The conditions of a schema, as functions, by what they are about.

    Attributes:
        me: The parameter that stands for the agent.
        objects: The other parameters.
        about: For the agent, for each object and for both objects together: its conditions.
    """

    me: str
    objects: tuple[str, ...]
    about: tuple[tuple[Meaning, ...], ...]


_remembered: Final[dict[int, tuple[ActionSchema, _Needs]]] = {}


def _needs(schema: ActionSchema) -> _Needs:
    """What a schema needs; worked out once (by identity: to hash a schema is to walk it)."""
    known = _remembered.get(id(schema))
    if known is None:
        me, *objects = (parameter.name for parameter in schema.parameters)
        intended = () if schema.intended is None else (Not(schema.intended),)
        conditions: list[Formula] = [*schema.affordances, *intended, *schema.preconditions]
        # few things are near or in a hand: that is asked first
        conditions.sort(key=lambda c: not (isinstance(c, Atom) and me in c.args))
        free = [(free_variables(condition) - {me}, condition) for condition in conditions]
        subjects: list[set[str]] = [set(), *({name} for name in objects), set(objects)]
        about = tuple(
            tuple(meaning(condition) for names, condition in free if names == subject)
            for subject in subjects[: 3 if len(objects) < 2 else 4]
        )
        known = _remembered[id(schema)] = (schema, _Needs(me, tuple(objects), about))
    return known[1]


def possible(
    schemas: Iterable[ActionSchema], agent: str, known: Structure, names: Sequence[str]
) -> Iterator[ActionBlock]:
    """The actions on known objects that look possible, a block for each schema, in the order of
    schemas and objects."""
    asked: dict[tuple[Meaning, str], bool] = {}
    fitting: dict[tuple[Meaning, ...], Sequence[str]] = {(): names}

    def fits(condition: Meaning, name: str, binding: Binding) -> bool:
        """Whether a condition on the agent and one object holds."""
        truth = asked.get((condition, name))
        if truth is None:
            truth = asked[condition, name] = condition(known, binding, PLAIN)
        return truth

    def those(conditions: tuple[Meaning, ...], me: str, variable: str) -> Sequence[str]:
        """The objects of which conditions hold; many schemas begin with the same ones."""
        found = fitting.get(conditions)
        if found is None:
            *before, last = conditions
            found = fitting[conditions] = [
                name
                for name in those(tuple(before), me, variable)
                if fits(last, name, {me: agent, variable: name})
            ]
        return found

    for schema in schemas:
        me, objects, about = _needs(schema)
        if not all(fits(condition, agent, {me: agent}) for condition in about[0]):
            continue
        chosen = [
            those(conditions, me, variable)
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
