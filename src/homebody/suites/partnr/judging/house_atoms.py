"""The ground atoms that hold in a house, such as ``("is_on_top", ("cup_1", "table_2"))``.

A carried object is nowhere until it is put down: in no room, on no floor, next only to objects in
the same hand. The published evaluation takes its place from the simulator instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from homebody.goals.partnr import Holds
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.worlds.house.model.house import Pose, to_world
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation import relations
from homebody.worlds.house.simulation.conditions import bearer

_BETWEEN: Final = ("is_on_top", "is_inside", "is_next_to")
_RELATIONS: Final[Mapping[str, Callable[..., bool]]] = {
    name: getattr(relations, name)
    for name in (
        *_BETWEEN,
        "is_in_room",
        "is_on_floor",
        *STATES,
    )
}


def holds_put_down(state: HouseState) -> Holds:
    """Return the truth function of atoms for which carried objects are nowhere."""

    def holds(predicate: str, arguments: tuple[str | float, ...]) -> bool:
        try:
            if predicate == "is_in_room":
                name = str(arguments[0])
                if name in state.places and bearer(state, name) in state.bodies:
                    return False
            elif predicate in _BETWEEN:
                name_, other = str(arguments[0]), str(arguments[1])
                if name_ in state.places and other in state.places:
                    holder = bearer(state, name_)
                    if holder in state.bodies and bearer(state, other) == holder:
                        return _in_hand(state, holder, predicate, arguments)
            return _RELATIONS[predicate](state, *arguments)
        except KeyError:
            return False

    return holds


def holds_while_carried(state: HouseState) -> Holds:
    """Return the truth function of atoms for which carried objects are at their actual position."""
    # without agents nothing is held
    free = HouseState(state.house, {}, state.poses, state.places, state.states)

    def holds(predicate: str, arguments: tuple[str | float, ...]) -> bool:
        try:
            return _RELATIONS[predicate](free, *arguments)
        except KeyError:
            return False

    return holds


def _in_hand(
    state: HouseState, role: str, predicate: str, arguments: tuple[str | float, ...]
) -> bool:
    """Return whether a relation holds between two objects that an agent holds in one hand.

    Axis-parallel boxes of turned objects are larger. Therefore the agent is turned to the north
    first, so that the result does not depend on its direction."""
    body = state.bodies[role].pose
    poses = {}
    for name in (str(arguments[0]), str(arguments[1])):
        pose = state.poses[name]
        x, y, z = (a - b for a, b in zip(pose.position, body.position, strict=True))
        back = to_world(Pose((0.0, 0.0, 0.0), -body.yaw), (x, y, z))
        a, b, c = (round(value, 9) for value in back)
        poses[name] = Pose((a, b, c), round(pose.yaw - body.yaw, 6))
    turned = HouseState(state.house, state.bodies, poses, state.places, {})
    return _RELATIONS[predicate](turned, *arguments)
