"""An agent's knowledge of the world as text, with the content of appendix A.15 of the PARTNR paper.

    kitchen_0: floor_kitchen_0, wall_cabinet_0 (closed)
      counter_1: plate_0 (dirty), spoon_0 to spoon_3
      fridge_0 (open): within: apple_2
    held: cup_0 by you (filled)
    Ways between rooms: kitchen_0 and hallway_0 (door_0, closed)
    With a faucet: sink_0
    Objects go within, not on: fridge

The line of a room lists the furniture without known objects. Each other piece has a line with the
objects on it, and then those within it. States of furniture and doors are known once they were
seen. Only unusual states are listed, and whether furniture and doors are closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from homebody.core import Action, Observation
from homebody.suites.partnr.prompting.calls import format_call
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph

LEGEND = (
    "Rooms, their furniture, and the known objects on it or within it, as last seen. Objects are"
    " clean, empty, closed and powered off unless noted."
)
"""The first line of a description."""
NOTHING_FOUND = "No objects found so far."
_WORDS = {
    "clean": ("clean", "dirty"),
    "filled": ("filled", "empty"),
    "powered_on": ("powered on", "powered off"),
    "open": ("open", "closed"),
    "locked": ("locked", ""),
}
_SPACES: Sequence[tuple[str, set[str]]] = (
    ("Objects go within, not on", {"within"}),
    ("Objects go on or within", {"on", "within"}),
    ("Nothing can be put on or in", set()),
)
"""Heading of a list of furniture -> the relations that the furniture has."""
_ORDINARY = ("clean", "empty", "powered off")
_MIN_RANGE = 3
"""Minimum number of consecutive names that are written as a range."""


def describe_world(known: WorldGraph, roles: Sequence[str]) -> str:
    """Describe the knowledge of an agent, or of several agents with shared knowledge.

    Objects are in the order of rooms, places and names, which says nothing about the task.
    Shared knowledge: :mod:`homebody.suites.partnr.shared_knowledge`."""
    objects = sorted(known.of_kind("object"), key=_number)
    at: dict[tuple[str, str], list[Node]] = {}
    for node in objects:
        if node.relation != "held" and node.holder:
            at.setdefault((node.room, node.holder), []).append(node)
    pieces: dict[str, list[Node]] = {}
    for node in known.of_kind("furniture"):
        pieces.setdefault(node.room, []).append(node)
    lines = [LEGEND]
    for room in known.house.rooms:
        places = {room.floor_name: room.floor_name}
        places |= {piece.name: _piece(piece) for piece in pieces.get(room.name, ())}
        empty = [text for place, text in places.items() if (room.name, place) not in at]
        lines.append(f"{room.name}: {_join(empty)}")
        for at_room, holder in at:  # objects that hold others come last
            if at_room == room.name:
                places.setdefault(holder, holder)
        lines += [
            f"  {text}: {_contents(at[room.name, place])}"
            for place, text in places.items()
            if (room.name, place) in at
        ]
    rooms = known.house.room
    for (at_room, holder), nodes in at.items():
        if at_room not in rooms:
            lines.append(f"{holder} in an unknown room: {_contents(nodes)}")
    if held := [node for node in objects if node.relation == "held"]:
        you = dict.fromkeys(roles, "you") if len(roles) == 1 else {}
        words = [
            f"{node.name} by {you.get(node.holder, node.holder)}{_format(node)}" for node in held
        ]
        lines.append(f"held: {_join(words)}")
    if lost := [node for node in objects if not node.holder]:
        lines.append(f"no longer where seen: {_list(lost)}")
    if not objects:
        lines.append(NOTHING_FOUND)
    if ways := _ways(known):
        lines.append(f"Ways between rooms: {'; '.join(ways)}")
    faucets = [node.name for node in known.of_kind("furniture") if has_faucet(node)]
    lines.append(f"With a faucet: {_join(faucets) or 'nothing known'}")
    return "\n".join([*lines, *_spaces(known.house)])


def describe_positions(
    seen: Sequence[Observation], busy: Callable[[str], Action | None] = lambda role: None
) -> str:
    """Describe the places and held objects of agents. For several agents, also describe their
    actions.

    Args:
        seen: The observation of each.
        busy: Role -> its current action; for several.
    """
    lines = []
    for observation in seen:
        role, known, gaze = observation.role, observation.knowledge, observation.gaze
        held = " and ".join(known.held_objects) or "nothing"
        room = known.own_room or "a doorway"
        if len(seen) == 1:
            lines.append(f"You are in {room} and hold {held}.")
            if gaze is not None:
                lines.append(gaze.text)
            continue
        doing = busy(role)
        about = f"; it is still busy with {format_call(doing)}" if doing is not None else ""
        lines.append(f"The {role} is in {room} and holds {held}{about}.")
        if gaze is not None:
            lines.append(f"The {role} tells: {gaze.text}")
    return "\n".join(lines)


def describe_object(node: Node, roles: Sequence[str]) -> str:
    """Describe an object: ``cup_0: counter_1 in kitchen_0 (dirty)``."""
    if node.relation == "held":
        at = f"held by {'you' if [node.holder] == list(roles) else node.holder}"
    elif not node.holder:
        at = "no longer where it was seen"
    else:
        at = f"{node.holder} in {node.room or 'an unknown room'}"
    notes = ["within"] if node.relation == "within" else []
    notes += [*state_words(node), *_other_category(node)]
    return f"{node.name}: {at}{f' ({_join(notes)})' if notes else ''}"


def state_words(node: Node) -> list[str]:
    """Return words for the known states of an object: ``open``, ``dirty``, ``filled``."""
    state_words = [_WORDS.get(name, (name, ""))[not holds] for name, holds in node.states.items()]
    return [word for word in state_words if word]


def has_faucet(node: Node) -> bool:
    """Return whether objects can be filled at a piece of furniture."""
    kinds = catalogue().furniture
    return node.category in kinds and "faucet" in kinds[node.category].affords


def _spaces(house: House) -> list[str]:
    """Describe the kinds of furniture that take objects inside, and the kinds that take no
    objects."""
    kinds: dict[str, set[str]] = {}
    for piece in house.furniture:
        kinds.setdefault(piece.category, set()).update(
            receptacle.kind for receptacle in piece.receptacles
        )
    lines = []
    for words, spaces in _SPACES:
        categories = [
            category for category, kinds_of_category in kinds.items() if kinds_of_category == spaces
        ]
        if categories:
            lines.append(f"{words}: {_join(categories)}")
    return lines


def _ways(known: WorldGraph) -> list[str]:
    """Describe the connections between rooms, with their doors."""
    doors = {node.name: node for node in known.of_kind("door")}
    ways = []
    for opening in known.house.openings:
        if opening.is_passage and len(opening.rooms) == 2:
            notes = [opening.name, *_notes(doors[opening.name])] if opening.name in doors else []
            by = f" ({_join(notes)})" if notes else ""
            ways.append(f"{' and '.join(opening.rooms)}{by}")
    return ways


def _piece(node: Node) -> str:
    return f"{node.name}{_format(node)}"


def _format(node: Node) -> str:
    """Return the notes about a node in brackets, after a space; empty without any."""
    notes = _notes(node)
    return f" ({_join(notes)})" if notes else ""


def _notes(node: Node) -> list[str]:
    """Return the notable states of a node.

    For furniture these are unusual and closed states; for objects unusual ones; for both, their
    perceived category if the name has another; for doors, whether they are closed."""
    usual = {"door": (*_ORDINARY, "open"), "object": (*_ORDINARY, "closed")}
    ordinary = usual.get(node.kind, _ORDINARY)
    notes = [word for word in state_words(node) if word not in ordinary]
    return [*notes, *(_other_category(node) if node.kind != "door" else ())]


def _other_category(node: Node) -> list[str]:
    """Return the perceived category of an object or of furniture if its name has another."""
    return [] if node.name.startswith(f"{node.category}_") else [f"a {node.category}"]


def _contents(nodes: Sequence[Node]) -> str:
    """List the objects at a place: those on it, then those within it."""
    on = [node for node in nodes if node.relation != "within"]
    within = [node for node in nodes if node.relation == "within"]
    parts = [_list(on)] if on else []
    return "; ".join([*parts, f"within: {_list(within)}"] if within else parts)


def _list(nodes: Sequence[Node]) -> str:
    """List objects; consecutive names without notes are written as a range."""
    runs: list[list[Node]] = []
    for node in nodes:
        before = runs[-1][-1] if runs else None
        if (
            before is not None
            and not _notes(before)
            and not _notes(node)
            and _number(node) == (_number(before)[0], _number(before)[1] + 1)
        ):
            runs[-1].append(node)
        else:
            runs.append([node])
    words: list[str] = []
    for run in runs:
        if len(run) >= _MIN_RANGE:
            words.append(f"{run[0].name} to {run[-1].name}")
        else:
            words += [f"{node.name}{_format(node)}" for node in run]
    return _join(words)


def _number(node: Node) -> tuple[str, int]:
    """Return the parts of a name: ``("cup", 2)``."""
    stem, _, number = node.name.rpartition("_")
    return (stem, int(number)) if number.isdecimal() else (node.name, -1)


def _join(notes: Sequence[str]) -> str:
    return ", ".join(notes)
