"""The facts of a finished run in a house, for failure analysis.

The results of changes are written in the words of :attr:`.WorldChange.ends`:
``on table_1``, ``within fridge_0``, ``next_to plate_2``, ``with person_0``, ``on the floor``,
``clean``, ``filled``, ``powered_on``, ``powered_off``, ``open``; ``not_`` before a state negates
it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import Action
from homebody.core.play.run_facts import GoalFacts, GoalPart, WorldChange
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.simulation.conditions import NONE
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import WALKING

ON_FLOOR: Final = "on the floor"
_STATES: Final = {
    "Clean": ("clean", "not_dirty"),
    "Fill": ("filled",),
    "Pour": ("filled",),
    "PowerOn": ("powered_on",),
    "PowerOff": ("powered_off", "not_powered_on"),
    "Open": ("open",),
    "Close": ("not_open",),
}
"""Skill -> the states that it brings about."""


def find_facts(session: HouseSession, record: Mapping[str, Any]) -> GoalFacts:
    """Return the facts of a finished session whose goal is the placements of its task."""
    simulation, roles = session.simulation, session.roles
    changes = list_changes(simulation, roles)
    parts = [
        place_part(
            str(each),
            each.name,
            frozenset({f"{each.relation} {each.target}"}),
            each.holds(simulation.state),
            changes,
        )
        for each in session.task.placements
    ]
    return GoalFacts(
        tuple(parts), changes, known_names(simulation, roles), tried_names(simulation, roles)
    )


def place_part(
    text: str, name: str, ends: frozenset[str], holds: bool, changes: Iterable[WorldChange]
) -> GoalPart:
    """Return the part of a goal that wants one object in a place at the end.

    Args:
        text: The part in words.
        name: The object.
        ends: The wanted results.
        holds: True if one of them holds at the end.
        changes: All changes of the run.
    """
    part = GoalPart(text, holds, frozenset({name}), ends, holds=holds, held=holds)
    return replace(part, held=holds or any(change.fits(part) for change in changes))


def list_changes(simulation: Simulation, roles: Iterable[str]) -> tuple[WorldChange, ...]:
    """Return what roles put down, gave away or changed the state of, in order.

    Rooms, and the bearers of a target that is an object, are those at the end of the run."""
    own = frozenset(roles)
    made: list[WorldChange] = []
    for event, action in zip(simulation.log, simulation.carried_out, strict=True):
        if event.ok and event.role in own:
            made += changes_of(simulation.state, event.role, event.end, action)
    return tuple(made)


def known_names(simulation: Simulation, roles: Sequence[str]) -> frozenset[str] | None:
    """Return the names that any role knows; None if one knows everything."""
    graphs = [simulation.graphs[role] for role in roles]
    if not all(graph.partial for graph in graphs):
        return None
    return frozenset(name for graph in graphs for name in graph.nodes)


def tried_names(simulation: Simulation, roles: Iterable[str]) -> frozenset[str]:
    """Return the objects that roles tried to handle, with success or not."""
    own = frozenset(roles)
    return frozenset(
        name
        for event, action in zip(simulation.log, simulation.carried_out, strict=True)
        if event.role in own and (action.name not in WALKING or action.name == "Rearrange")
        for name in action.args[:1]
    )


def changes_of(state: HouseState, role: str, clock: int, action: Action) -> Iterator[WorldChange]:
    """Yield the change of a successful action.

    Args:
        state: The state at the end of the run.
        role: The role that acted.
        clock: The clock when it ended.
        action: The action with its targets resolved.
    """
    name, arguments = action.name, action.args
    if name in _STATES:
        yield WorldChange(clock, role, arguments[0], frozenset(_STATES[name]), put=False)
        return
    if name == "Give":
        ends, at = {f"with {arguments[1]}"}, arguments[1]
    elif name in ("Put", "PutIn"):
        ends, at = (
            set(_ends(state, "on" if name == "Put" else "within", arguments[1])),
            arguments[1],
        )
    elif name in ("Place", "Rearrange"):
        relation, at, reference = arguments[1], arguments[2], "".join(arguments[4:5])
        ends = set(_ends(state, relation, at))
        if reference not in NONE:
            ends.add(f"next_to {reference}")
    else:
        return
    yield WorldChange(clock, role, arguments[0], frozenset(ends), room_of(state, at))


def _ends(state: HouseState, relation: str, target: str) -> Iterator[str]:
    """Yield the relations of an object that was put ``relation`` a target."""
    if target in state.house.floors:
        yield ON_FLOOR
        return
    yield f"{relation} {target}"
    at, house = target, state.house
    while at in state.places:
        at, receptacle = state.places[at]
        if at in house.piece or at in house.thing:
            inside = (space.name for space in receptacles(state, at, "within"))
            yield f"{'within' if receptacle in inside else 'on'} {at}"
