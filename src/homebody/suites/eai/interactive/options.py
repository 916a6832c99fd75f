"""Which actions look possible, read from the schemas and what is known.

An action is offered if its affordances and preconditions are known to hold and what it is for is
not. Conditions on one object are looked up before those on two, and those that only what is near
or in a hand can meet before others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from homebody.core import Action, ActionSchema
from homebody.core.formula import Atom, Formula, Not, Structure, evaluate, free_variables


def possible(
    schema: ActionSchema, agent: str, known: Structure, names: Sequence[str]
) -> Iterator[Action]:
    """The actions of a schema on known objects that look possible, in the order of the objects."""
    me, *objects = (parameter.name for parameter in schema.parameters)
    intended = () if schema.intended is None else (Not(schema.intended),)
    conditions = (*schema.affordances, *intended, *schema.preconditions)
    about = [(condition, free_variables(condition) - {me}) for condition in conditions]

    def met(of: set[str], binding: dict[str, str]) -> bool:
        return all(evaluate(c, known, binding) for c, wanted in about if wanted == of)

    if not met(set(), {me: agent}):
        return
    chosen = []
    for place in objects:
        candidates = _candidates([c for c, of in about if of == {place}], me, agent, known, names)
        chosen.append([n for n in candidates if met({place}, {me: agent, place: n})])
    if not objects:
        yield Action(schema.name)
    elif len(objects) == 1:
        yield from (Action(schema.name, (name,)) for name in chosen[0])
    else:
        for first in chosen[0]:
            for second in chosen[1]:
                binding = {me: agent, objects[0]: first, objects[1]: second}
                if first != second and met(set(objects), binding):
                    yield Action(schema.name, (first, second))


def _candidates(
    conditions: Iterable[Formula], me: str, agent: str, known: Structure, names: Sequence[str]
) -> Sequence[str]:
    """The objects that can meet the first condition of the kind ``HOLDS(agent, object)``."""
    for condition in conditions:
        if isinstance(condition, Atom) and len(condition.args) == 2 and condition.args[0] == me:
            related = {row[1] for row in known.match(condition.predicate, (agent, None))}
            return [name for name in names if name in related]
    return names
