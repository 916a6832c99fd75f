"""The objects and places in the picture of a task: labels, colours and first places.

Names in an episode or its evaluation function need not be in the house; those are shown too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.goals.partnr import Episode
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.suites.partnr.pictures.svg_elements import cut_label
from homebody.worlds.house.model.house import House

MAX_PROPOSITIONS: Final = 60
"""Maximum number of propositions that are drawn; a note gives the number of the others."""
MAX_LISTED: Final = 24
"""Maximum number of alternatives of a list that are drawn."""
MAX_NAMES: Final = 240
MAX_LABEL: Final = 22
NOWHERE: Final = "?"
"""The room that is used for names that are not in the house."""

Where = tuple[str, str]
"""Station, and ``on`` or ``within``."""
Places = Mapping[str, tuple[Where, bool]]
"""Object -> its place, and whether that is certain."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The objects and places of a task: the house, the episode, and colours by name."""

    house: House
    episode: Episode
    colours: dict[str, int]
    """Object -> its first proposition; only these names are drawn."""
    own: tuple[int, ...]
    """Colour of each proposition."""
    left: int
    """Number of objects that are not drawn."""

    def label(self, name: str) -> str:
        """Return a label. It has a number only if the house or the task has other objects of the
        kind."""
        return label_of(name, self.house, self.episode)

    def is_object(self, name: str) -> bool:
        """Return whether a name is neither furniture nor room nor floor."""
        house = self.house
        return name not in house.piece and name not in house.room and name not in house.floors


def label_of(name: str, house: House, episode: Episode) -> str:
    """Return the label of a name: ``cup``, or ``cup 1`` if it is not unique or not in the house."""
    kind, _, digits = name.rpartition("_")
    groups = (house.piece, house.room, episode.receptacles or house.thing)
    group_of_name = next((group for group in groups if name in group), ())
    alone = digits.isdigit() and not any(
        other in group_of_name for other in (f"{kind}_{n}" for n in range(12)) if other != name
    )
    words = kind if group_of_name and kind and alone else name
    return cut_label(words.replace("_", " "), MAX_LABEL)


def cast_of(episode: Episode, house: House) -> Cast:
    """Return the cast, with each object in the colour of its first proposition.

    A proposition without new objects has the colour of its first object, so that few colours are
    needed."""
    colours: dict[str, int] = {}
    own: list[int] = []
    everything: set[str] = set()
    fresh = 0
    for proposition in episode.evaluation.propositions[:MAX_PROPOSITIONS]:
        lists = (
            proposition.lists
            if proposition.predicate in ("is_next_to", CLUSTERED)
            else proposition.lists[:1]
        )
        everything.update(*lists)
        names = [name for listed in lists for name in listed_names(listed)]
        new = [name for name in names if name not in colours]
        coloured = [name for name in names if name in colours]
        if new and len(colours) < MAX_NAMES:
            colours.update((name, fresh) for name in new[: MAX_NAMES - len(colours)])
            own.append(fresh)
            fresh += 1
        else:
            own.append(colours[coloured[0]] if coloured else 0)
    return Cast(house, episode, colours, tuple(own), len(everything) - len(colours))


def listed_names(names: Sequence[str]) -> list[str]:
    """Return the alternatives that are drawn."""
    return list(dict.fromkeys(names))[:MAX_LISTED]


def initial_place(name: str, cast: Cast) -> Where:
    """Return an object's first place."""
    place = cast.episode.receptacles.get(name)
    thing = cast.house.thing.get(name)
    if place is not None:
        station, _, part = place.partition("|")
    elif thing is not None:
        station, part = thing.place
    else:
        return NOWHERE, "on"
    piece = cast.house.piece.get(station)
    holder = cast.house.thing.get(station)
    parts = piece.receptacles if piece else holder.receptacles if holder else ()
    kinds = {part.name: part.kind for part in parts}
    return station, "within" if kinds.get(part) == "within" else "on"


def describe_station(name: str, cast: Cast, where: Places) -> tuple[str, str, str]:
    """Return label, kind of icon and room of a station, given the objects' places."""
    house = cast.house
    if name in house.piece:
        return cast.label(name), house.piece[name].category, house.piece[name].room
    if name in house.floors:
        return "floor", "floor", house.floors[name].name
    if name in house.room:
        return "anywhere", "room", name
    if name == NOWHERE:
        return "unknown place", "unknown", NOWHERE
    room = station_room(name, cast, where)
    return cast.label(name), "unknown" if room == NOWHERE else "container", room


def station_room(name: str, cast: Cast, where: Places) -> str:
    """Return the room of a place (furniture, floor or object), given the places of all objects;
    :data:`NOWHERE` if it has none."""
    for _ in range(8):  # objects in objects
        if name in cast.house.piece:
            return cast.house.piece[name].room
        if name in cast.house.floors:
            return cast.house.floors[name].name
        if name in cast.house.room:
            return name
        name = where[name][0][0] if name in where else initial_place(name, cast)[0]
    return NOWHERE
