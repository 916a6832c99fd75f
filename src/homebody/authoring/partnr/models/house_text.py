"""A house, and where things are in it, as text for prompts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from homebody.authoring.partnr.draft import Draft, Placement
from homebody.goals.partnr import Episode
from homebody.worlds.house.model.catalogue import Catalogue, catalogue
from homebody.worlds.house.model.house import Furniture, House


@dataclass(frozen=True)
class Situation:
    """Where the objects of a draft or an episode are at first, as far as sentences go.

    Attributes:
        house: Without the objects.
        category: Object -> category, in order.
        holder: Object -> furniture or floor that it is on or in.
        within: Objects that are in something rather than on it.
        states: Object or furniture -> states that are given, such as ``{"clean": False}``.
    """

    house: House
    category: Mapping[str, str]
    holder: Mapping[str, str]
    within: frozenset[str] = frozenset()
    states: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    def room(self, name: str) -> str:
        """The room of an object, piece or floor; empty if there is none such."""
        at = self.holder.get(name, name)
        if at in self.house.piece:
            return self.house.piece[at].room
        return self.house.floors[at].name if at in self.house.floors else ""

    def of_kind(self, category: str) -> tuple[str, ...]:
        """The objects of a category."""
        return tuple(name for name, own in self.category.items() if own == category)

    def pieces(self, category: str, rooms: Iterable[str] | None = None) -> tuple[str, ...]:
        """Furniture of a category, in some rooms or all."""
        wanted = None if rooms is None else frozenset(rooms)
        return tuple(
            one.name
            for one in self.house.furniture
            if one.category == category and (wanted is None or one.room in wanted)
        )


def situation(subject: Draft | Episode, house: House) -> Situation:
    """What is where. The objects of a draft are named in the order of its placements."""
    if isinstance(subject, Episode):
        holder = {name: place.partition("|")[0] for name, place in subject.receptacles.items()}
        within = {name for name, place in subject.receptacles.items() if _is_within(house, place)}
        states: dict[str, dict[str, bool]] = {}
        for state, values in subject.states.items():
            for name, value in values.items():
                states.setdefault(name, {})[state.removeprefix("is_")] = value
        names = {name: name.rpartition("_")[0] for name, _ in subject.objects}
        return Situation(house, names, holder, frozenset(within), states)
    named = dict(objects_of(subject.placements))
    states = {name: dict(one.states) for name, one in named.items() if one.states}
    states |= {name: dict(given) for name, given in subject.furniture_states.items()}
    return Situation(
        house,
        {name: one.category for name, one in named.items()},
        {name: one.furniture for name, one in named.items()},
        frozenset(name for name, one in named.items() if one.relation == "within"),
        states,
    )


def objects_of(placements: Iterable[Placement]) -> list[tuple[str, Placement]]:
    """The objects of placements: ``category_0``, ``category_1`` ... in their order."""
    counts: dict[str, int] = {}
    found = []
    for one in placements:
        for _ in range(one.number):
            index = counts.get(one.category, 0)
            counts[one.category] = index + 1
            found.append((f"{one.category}_{index}", one))
    return found


def bears(piece: Furniture, relation: str) -> bool:
    """Whether things can be ``on`` or ``within`` a piece."""
    return any(one.kind == relation for one in piece.receptacles)


def describe_house(house: House) -> str:
    """A line for each room with the furniture that objects can be on or in, ``~`` before what
    cannot bear any."""
    lines = []
    for room in house.rooms:
        names = [
            one.name if one.receptacles else f"~{one.name}"
            for one in house.furniture
            if one.room == room.name
        ]
        lines.append(f"{room.name}: {', '.join([*names, room.floor_name])}")
    return "\n".join(lines)


def describe_objects(known: Catalogue | None = None) -> str:
    """The kinds of objects there are, by what can be done with them besides moving."""
    things = (known or catalogue()).things
    lines = [", ".join(things)]
    for word, affordance in (
        ("can be cleaned", "cleanable"),
        ("can be filled", "fillable"),
        ("can be switched on and off", "powerable"),
    ):
        names = [name for name, one in things.items() if affordance in one.affords]
        lines.append(f"Of these {word}: {', '.join(names)}")
    return "\n".join(lines)


def describe_situation(where: Situation, full: bool = False) -> str:
    """The objects and where they are, and the furniture by room.

    Args:
        where: What is described.
        full: Also furniture that bears nothing.
    """
    lines = ["Objects:"]
    for name in where.category:
        word = "in" if name in where.within else "on"
        text = f"- {name} {word} {where.holder.get(name, '?')} in {where.room(name) or '?'}"
        lines.append(text + _stated(where.states.get(name, {})))
    lines.append("Furniture by room:")
    for room in where.house.rooms:
        names = [
            one.name + _stated(where.states.get(one.name, {}))
            for one in where.house.furniture
            if one.room == room.name and (full or one.receptacles or one.name in where.states)
        ]
        lines.append(f"- {room.name}: {', '.join(names) or 'nothing'}")
    return "\n".join(lines)


def bounded(text: str, most: int) -> str:
    """The start of a text, for a sentence about it."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most else flat[:most] + "..."


def listed(names: Sequence[str], word: str = "and", most: int = 8) -> str:
    """``a, b and c``."""
    some = list(names[:most])
    if len(names) > most:
        some.append(f"{len(names) - most} more")
    return "".join(some) if len(some) < 2 else f"{', '.join(some[:-1])} {word} {some[-1]}"


def _stated(states: Mapping[str, bool]) -> str:
    words = [name if value else f"not {name}" for name, value in states.items()]
    return f" ({', '.join(words)})" if words else ""


def _is_within(house: House, place: str) -> bool:
    owner, _, receptacle = place.partition("|")
    piece = house.piece.get(owner)
    kinds = {one.name: one.kind for one in piece.receptacles} if piece is not None else {}
    return kinds.get(receptacle) == "within"
