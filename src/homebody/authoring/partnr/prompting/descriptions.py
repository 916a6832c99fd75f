"""A house and its objects as text for prompts."""

from __future__ import annotations

from collections.abc import Mapping

from homebody.authoring.partnr.situation import Situation
from homebody.worlds.house.model.catalogue import Catalogue, catalogue
from homebody.worlds.house.model.house import House


def describe_house(house: House) -> str:
    """Return one line per room with its furniture; ``~`` marks pieces that cannot hold objects."""
    lines = []
    for room in house.rooms:
        names = [
            piece.name if piece.receptacles else f"~{piece.name}"
            for piece in house.furniture
            if piece.room == room.name
        ]
        lines.append(f"{room.name}: {', '.join([*names, room.floor_name])}")
    return "\n".join(lines)


def describe_objects(kinds: Catalogue | None = None) -> str:
    """Return all kinds of objects, and for each affordance except moving the kinds that have it."""
    things = (kinds or catalogue()).things
    lines = [", ".join(things)]
    for word, affordance in (
        ("can be cleaned", "cleanable"),
        ("can be filled", "fillable"),
        ("can be switched on and off", "powerable"),
    ):
        names = [name for name, kind in things.items() if affordance in kind.affords]
        lines.append(f"Kinds that {word}: {', '.join(names)}")
    return "\n".join(lines)


def describe_situation(where: Situation, full: bool = False) -> str:
    """Return the objects with their places, and the furniture by room; with ``full``, also
    furniture that cannot hold objects."""
    lines = ["Objects:"]
    for name in where.category:
        word = "in" if name in where.within else "on"
        text = f"- {name} {word} {where.holder.get(name, '?')} in {where.room(name) or '?'}"
        lines.append(text + _describe_states(where.states.get(name, {})))
    lines.append("Furniture by room:")
    for room in where.house.rooms:
        names = [
            piece.name + _describe_states(where.states.get(piece.name, {}))
            for piece in where.house.furniture
            if piece.room == room.name and (full or piece.receptacles or piece.name in where.states)
        ]
        lines.append(f"- {room.name}: {', '.join(names) or 'nothing'}")
    return "\n".join(lines)


def _describe_states(states: Mapping[str, bool]) -> str:
    words = [name if value else f"not {name}" for name, value in states.items()]
    return f" ({', '.join(words)})" if words else ""
