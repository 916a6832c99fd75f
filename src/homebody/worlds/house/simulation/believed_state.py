"""The believed state of a house, kept up to date with an agent's knowledge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.people import HAND
from homebody.worlds.house.model.state import Body, HouseState, Place
from homebody.worlds.house.simulation.graph_node import Node

_ASSUMED: Final = ("furniture", "door", "object")
"""Kinds of nodes that have states; agents are taken from the graph each time."""


class Known(Protocol):
    """The part of :class:`.knowledge.WorldGraph` that is needed here."""

    agent: str

    @property
    def nodes(self) -> Mapping[str, Node]:
        """Known nodes by name."""
        ...

    @property
    def version(self) -> int:
        """A number that grows with each change."""
        ...

    def changed_since(self, version: int) -> list[str]:
        """Return the names of nodes that are new or changed since a version."""
        ...


class Belief:
    """The state of :meth:`.knowledge.WorldGraph.believed_state`, kept between calls.

    A call updates only changed nodes, unless beliefs are tangled (:func:`imagine_state`).
    """

    __slots__ = ("_known", "_state", "_tangled", "_true")

    def __init__(self) -> None:
        self._state: HouseState | None = None
        self._tangled = False
        self._known = self._true = 0  # versions of the graph and of the true state

    def now(self, graph: Known, true: HouseState) -> HouseState:
        """Return the state in which known objects are at their places in the graph.

        Args:
            graph: The agent's knowledge.
            true: The true state. It provides facts about known objects that nodes do not have, such
                as their yaw.
        """
        changed = [*graph.changed_since(self._known), *true.journal.since(self._true)]
        self._known, self._true = graph.version, true.journal.version
        state = self._state
        if state is not None and not self._tangled:
            known = [graph.nodes[name] for name in changed if name in graph.nodes]
            nodes = [node for node in known if node.kind in _ASSUMED]
            for node in nodes:
                _assume(state, node, true)
            self._tangled = any(_is_tangled(state, node.name, true) for node in nodes)
        if state is None or (self._tangled and changed):
            state, self._tangled = imagine_state(graph, true)
            self._state = state
        for name, body in _bodies(graph, true).items():
            state.assume_body(name, body)
        return state


def imagine_state(graph: Known, true: HouseState) -> tuple[HouseState, bool]:
    """Build the believed state from all that an agent knows.

    Returns:
        The state, and True if it is tangled: it needs facts that the agent does not know, or old
        and new beliefs contradict each other (A is in B and B is in A).
    """
    state = HouseState(true.house, {}, {}, {}, {})
    for node in graph.nodes.values():
        _assume(state, node, true)
    tangled = False
    for holder, _ in list(state.places.values()):  # a visible object has a visible bearer
        while holder in true.places and holder not in state.places:
            state.assume(holder, true.places[holder], true.poses[holder])
            state.states[holder] = true.states[holder]
            holder = true.places[holder][0]
            tangled = True
    for name in list(state.places):  # old and new beliefs may form a circle
        if _is_circular(state.places, name):
            state.assume(name, ("", ""), state.poses[name])
            tangled = True
    for name, body in _bodies(graph, true).items():
        state.assume_body(name, body)
    return state, tangled


def _assume(state: HouseState, node: Node, true: HouseState) -> None:
    """Copy the place, position and states of a node into the state."""
    if node.kind in _ASSUMED:
        state.states[node.name] = node.states
    if node.kind == "object":
        pose = Pose(node.position, true.poses[node.name].yaw)
        state.assume(node.name, _place(node, true), pose)


def _place(node: Node, true: HouseState) -> Place:
    if node.relation == "held" and node.holder in true.house.person:
        return node.holder, HAND
    if node.relation == "held":
        hands = true.held_by(node.holder)
        return node.holder, next((hand for hand, held in hands.items() if held == node.name), "")
    whole = true.house.piece.get(node.holder) or true.house.thing.get(node.holder)
    for space in whole.receptacles if whole is not None else ():
        if space.kind == node.relation:
            return node.holder, space.name
    return node.holder, ""


def _bodies(graph: Known, true: HouseState) -> Mapping[str, Body]:
    return {
        name: body
        if name == graph.agent or name not in graph.nodes
        else replace(body, pose=Pose(graph.nodes[name].position, body.pose.yaw))
        for name, body in true.bodies.items()
    }


def _is_tangled(state: HouseState, name: str, true: HouseState) -> bool:
    """Return whether a bearer of an object is unknown, or the bearers form a circle."""
    if name not in state.places:
        return False
    holder = state.places[name][0]
    return (holder in true.places and holder not in state.places) or _is_circular(
        state.places, name
    )


def _is_circular(places: Mapping[str, Place], name: str) -> bool:
    """Return whether the bearers of an object form a circle."""
    seen, at = {name}, places[name][0]
    while at in places and at not in seen:
        seen.add(at)
        at = places[at][0]
    return at in seen
