"""An agent's knowledge of the world as text, in the format of appendix A.15 of the PARTNR paper.

    Furniture:
    kitchen_0: floor_kitchen_0, counter_1, fridge_0 (open)
    Ways between rooms: kitchen_0 and hallway_0 (door_0, closed)
    With a faucet: sink_0
    Objects go within, not on: fridge
    Objects:
    cup_0: counter_1 in kitchen_0 (dirty, empty)
    apple_1: held by you

The place of an object is followed by its states and by ``within`` if it is inside something. States
of furniture and doors are known once they were seen. Only unusual states and closed furniture and
doors are listed. The feedback after each output lists them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from homebody.core import Action, Observation
from homebody.suites.partnr.prompting.calls import format_call
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph

NOTHING_FOUND = "none found so far"
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


def describe_world(known: WorldGraph, roles: Sequence[str]) -> str:
    """Describe the knowledge of an agent, or of several agents with shared knowledge.

    Shared knowledge: :mod:`homebody.suites.partnr.shared_knowledge`."""
    return f"Furniture:\n{describe_furniture(known)}\nObjects:\n{describe_objects(known, roles)}"


def describe_furniture(known: WorldGraph) -> str:
    """Describe each room with its floor and furniture, and list the furniture with a faucet."""
    nodes = known.nodes.values()
    lines = []
    for room in known.house.rooms:
        pieces = [node for node in nodes if node.kind == "furniture" and node.room == room.name]
        lines.append(f"{room.name}: {', '.join([room.floor_name, *map(_piece, pieces)])}")
    if ways := _ways(known):
        lines.append(f"Ways between rooms: {'; '.join(ways)}")
    faucets = [node.name for node in nodes if has_faucet(node)]
    lines.append(f"With a faucet: {', '.join(faucets) or 'nothing known'}")
    return "\n".join([*lines, *_spaces(known.house)])


def describe_states(known: WorldGraph) -> str:
    """Describe furniture by room, and doors, with notable states; empty without any."""
    notable = [
        ("" if node.kind == "door" else node.room, _piece(node))
        for node in known.nodes.values()
        if node.kind in ("furniture", "door") and _notes(node)
    ]
    rooms = [*known.house.room, ""]
    pieces = {room: [text for at, text in notable if at == room] for room in rooms}
    return "\n".join(
        f"{room or 'doors'}: {_join(texts)}" for room, texts in pieces.items() if texts
    )


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


def describe_objects(known: WorldGraph, roles: Sequence[str]) -> str:
    """Describe each known object on a line."""
    lines = [describe_object(node, roles) for node in known.of_kind("object")]
    return "\n".join(lines) or NOTHING_FOUND


def describe_object(node: Node, roles: Sequence[str]) -> str:
    """Describe an object: ``cup_0: counter_1 in kitchen_0 (dirty)``."""
    if node.relation == "held":
        at = f"held by {'you' if [node.holder] == list(roles) else node.holder}"
    elif not node.holder:
        at = "no longer where it was seen"
    else:
        at = f"{node.holder} in {node.room or 'an unknown room'}"
    notes = ["within"] if node.relation == "within" else []
    notes += state_words(node)
    if not node.name.startswith(f"{node.category}_"):  # the perceived category
        notes.append(f"a {node.category}")
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
    notes = _notes(node)
    return f"{node.name} ({_join(notes)})" if notes else node.name


def _notes(node: Node) -> list[str]:
    """Return the notable states of a piece of furniture or a door.

    For furniture these are unusual and closed states; for doors, whether they are open."""
    ordinary = (*_ORDINARY, "open") if node.kind == "door" else _ORDINARY
    return [word for word in state_words(node) if word not in ordinary]


def _join(notes: Sequence[str]) -> str:
    return ", ".join(notes)
