"""Makes the tasks of ``eai.house``: instructions about rooms, whose meaning is clear from pictures
of the room.

    python -m homebody.authoring.eai_house FILE

The objects of a goal are clearly visible in the pictures, and each is the only one of its category.
The states of a goal visibly change the pictures.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import numpy as np

from homebody.core import Action, execute
from homebody.core.ground.files import write_whole
from homebody.core.ground.json_lines import encode_lines
from homebody.core.ground.seeds import choose, shuffle
from homebody.suites.eai.house.rooms import (
    ABILITIES,
    SEEN,
    STATES,
    Room,
    VisibleObject,
    home,
    make_state,
    pictures,
    pixels,
    visible_contents,
)
from homebody.suites.eai.house.scene_graph import UNCOUNTED
from homebody.suites.eai.house.tasks import HOMES, Kind, TaskLine, build, calls
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.viewpoints import good_view

Change: TypeAlias = tuple[str, str, bool]
View: TypeAlias = tuple[float, float, float, float, float]
CLEAR: Final = 350
"""Minimum pixels of a goal's object in a picture, about 19 by 19."""
GLIMPSED: Final = 40
"""An object with at least this number of pixels could be mistaken for the intended one."""
CHANGED: Final = 600
"""Minimum pixels that a state changes in a picture."""
MOST_CLEARED: Final = 5
NO_PLACE: Final = frozenset(
    {"floor", "sink", "dishwasher", "stove", "toilet", "microwave", "fridge", "washing_machine"}
    | {
        "dryer",
        "radiator",
        "trash_bin",
        "fireplace",
        "rug",
        "bath_mat",
        "doormat",
        "bathtub",
        "shower",
    }
)
"""Furniture that no task uses as a destination."""
NOT_CLEARED: Final = frozenset(
    {"sofa", "loveseat", "armchair", "recliner", "bed", "kids_bed", "crib", "dishwasher"}
)
"""Furniture whose cushions look like separate objects, or that is below a worktop."""
PER_HOME: Final = {"clear": 2, "swap": 2, "if": 3}
"""Maximum number of tasks of a kind in a home."""
_KINDS: Final = {"open": ("OPEN", "CLOSE"), "powered_on": ("TOGGLE_ON", "TOGGLE_OFF")}


def views_of(seed: int, room: str) -> tuple[View, ...]:
    """Return the views of a room: four directions from a place with a good view. Views that show
    nothing new are omitted."""
    camera = good_view(Renderer.of(home(seed)), room)
    x, y, z = camera.position
    state = make_state(home(seed), ())
    views: list[View] = []
    known: set[str] = set()
    for turn in (0.0, 90.0, 180.0, 270.0):
        view = (x, y, z, (camera.yaw + turn) % 360.0, camera.pitch)
        most = pixels(pictures(seed, (), (view,)))
        seen = {each.name for each in visible_contents(state, room, most)[0]}
        if seen - known:
            views.append(view)
            known |= seen
    return tuple(views)


class Look:
    """A room in one state, and its pictures from some views."""

    def __init__(
        self, seed: int, room: str, views: tuple[View, ...], changes: Sequence[Change]
    ) -> None:
        self.house = home(seed)
        self.state = make_state(self.house, changes)
        drawn = pictures(seed, changes, views)
        self.most = pixels(drawn)
        self._whole: dict[str, int] = {}  # pixels in pictures whose edges do not cut it off
        for each in drawn:
            rows = (each.ids[0], each.ids[-1], each.ids[:, 0], each.ids[:, -1])
            cut = {each.names[number] for number in np.unique(np.concatenate(rows))}
            for name, number in pixels([each]).items():
                if name not in cut:
                    self._whole[name] = max(number, self._whole.get(name, 0))
        self.rgb = np.stack([each.rgb for each in drawn]).astype(np.int16)
        objects, facts = visible_contents(self.state, room, self.most)
        self.room = Room(seed, room, tuple(changes), views, objects, facts)
        glimpsed = {name: number * SEEN // GLIMPSED for name, number in self.most.items()}
        there, _ = visible_contents(self.state, room, glimpsed)
        self._number = Counter(each.category for each in there)

    def is_only(self, each: VisibleObject) -> bool:
        """Return whether an object is well visible and the only one of its category."""
        seen = self.most if each.fixed else self._whole
        return self._number[each.category] == 1 and seen.get(each.name, 0) >= CLEAR

    def shows_whole(self, name: str) -> bool:
        """Return whether an object is visible without being cut off."""
        return self._whole.get(name, 0) >= SEEN

    def bearers(self) -> list[VisibleObject]:
        """Return the furniture on which objects can be put and that is the only one of its
        category."""
        return [
            each
            for each in self.room.objects
            if each.category not in NO_PLACE
            and each.fixed
            and self.is_only(each)
            and any(space.kind == "on" for space in self.house.piece[each.name].receptacles)
        ]


def drafts(seed: int, room: str) -> Iterator[TaskLine]:
    """Yield the tasks of a room, at most one of each kind."""
    look = Look(seed, room, views_of(seed, room), ())
    at = [each.name for each in home(seed).rooms].index(room)
    rng = np.random.default_rng((17, seed, at))
    for make in _MAKERS:
        for line in make(look, rng):
            task = build(line)
            trace = execute(task.task.world, task.task.initial, task.task.reference)
            if trace.failure is None and task.task.goal.judge(trace).success:
                yield msgspec.structs.replace(line, room=add_unclear(line.room))
                break


def add_unclear(room: Room) -> Room:
    """Return a room without the states that its pictures do not show."""
    look = Look(room.house, room.name, room.cameras, room.changes)
    unclear = [
        (fact, each.name)
        for each in room.objects
        for state, fact in STATES.items()
        if ABILITIES[state] in each.abilities and not shows(look, each.name, state)
    ]
    return msgspec.structs.replace(room, unclear=tuple(unclear))


def shows(look: Look, name: str, state: str) -> bool:
    """Return whether the pictures would look different if an object had the opposite state."""
    other = (name, state, not look.state.is_in_state(name, state))
    room = look.room
    kept = [change for change in room.changes if change[:2] != other[:2]]
    drawn = pictures(room.house, (*kept, other), room.cameras)
    rgb = np.stack([each.rgb for each in drawn]).astype(np.int16)
    differs = np.abs(rgb - look.rgb).max(axis=-1) > 24
    return bool(differs.sum(axis=(1, 2)).max() >= CHANGED)


def _task_line(
    kind: Kind,
    look: Look,
    instruction: str,
    goals: Sequence[tuple[str, ...]],
    plan: Sequence[Action],
    untouched: Sequence[str] = (),
) -> TaskLine:
    name = f"{kind}-{look.room.house}-{look.room.name}"
    return TaskLine(name, kind, look.room, instruction, tuple(goals), tuple(untouched), calls(plan))


def clear(look: Look, rng: np.random.Generator) -> Iterator[TaskLine]:
    """Yield tasks that move everything on one piece of furniture to another."""
    shown = {each.name: each for each in look.room.objects}
    targets = look.bearers()
    for support in shuffle(rng, sorted(shown)):
        bearer = shown[support]
        floor = bearer.category == "floor"
        if (
            not bearer.fixed
            or bearer.category in NOT_CLEARED
            or not (floor or look.is_only(bearer))
        ):
            continue
        spaces = (
            [""]
            if floor
            else [
                space.name
                for space in look.house.piece[bearer.name].receptacles
                if space.kind == "on"
            ]
        )
        there = [name for space in spaces for name in look.state.objects_at((bearer.name, space))]
        if not 1 <= len(there) <= MOST_CLEARED or not all(map(look.shows_whole, there)):
            continue
        kinds = {shown[name].category for name in there}
        others = [each for each in look.room.objects if not each.fixed and each.name not in there]
        if any(each.category in kinds for each in others):
            continue
        onto = [each for each in targets if each.name != bearer.name]
        if not onto:
            continue
        target = choose(rng, onto)
        whole = (
            "Pick up everything that lies on the floor"
            if floor
            else (f"Take everything that is on the {noun(bearer)}")
        )
        goals = [("ontop", name, target.name) for name in there]
        plan = [
            Action(name, (of,))
            for moved in there
            for name, of in (("RIGHT_GRASP", moved), ("RIGHT_PLACE_ONTOP", target.name))
        ]
        already = {
            fact[1] for fact in look.room.facts if fact[0] == "ontop" and fact[2] == target.name
        }
        stay = [each.name for each in others if each.name not in already]
        text = f"{whole} and put it on the {noun(target)}. Move nothing else there."
        yield _task_line("clear", look, text, goals, plan, stay)


def _switchable(look: Look, state: str) -> Iterator[VisibleObject]:
    """Yield furniture that is the only one of its category and whose state the pictures show."""
    for each in look.room.objects:
        if not each.fixed or not look.is_only(each) or "door" in each.category:
            continue
        states = look.house.piece[each.name].states if each.abilities else {}
        if state not in states or states.get("locked"):
            continue
        if state == "open" and states.get("powered_on"):
            continue  # a device that is on cannot be opened
        if state == "powered_on" and states.get("open"):
            continue
        if ABILITIES[state] in each.abilities and shows(look, each.name, state):
            yield each


def swap(look: Look, rng: np.random.Generator) -> Iterator[TaskLine]:
    """Yield tasks in which several pieces change a state to its opposite."""
    for state, text in _SWAPS.items():
        able = list(_switchable(look, state))
        if len(able) < 2:
            continue
        chosen = shuffle(rng, able)[:3]
        values = [bool(rng.integers(2)) for _ in chosen]
        values[-1] = not values[0]
        changes = [
            (each.name, state, value)
            for each, value in zip(chosen, values, strict=True)
            if value != look.state.is_in_state(each.name, state)
        ]
        changed = Look(look.room.house, look.room.name, look.room.cameras, changes)
        names = {each.name for each in changed.room.objects if changed.is_only(each)}
        if not names.issuperset(each.name for each in chosen):
            continue
        fact = STATES[state]
        goals = [
            ("not", fact, each.name) if value else (fact, each.name)
            for each, value in zip(chosen, values, strict=True)
        ]
        plan = [
            Action(_KINDS[state][value], (each.name,))
            for each, value in zip(chosen, values, strict=True)
        ]
        listed = f"{', '.join(f'the {noun(e)}' for e in chosen[:-1])} and the {noun(chosen[-1])}"
        yield _task_line("swap", changed, text.format(listed), goals, plan)


_SWAPS: Final = {
    "open": "Look at {}: close what stands open and open what is closed.",
    "powered_on": "Look at {}: switch off what is on and switch on what is off.",
}


def conditional(look: Look, rng: np.random.Generator) -> Iterator[TaskLine]:
    """Yield tasks in which the place of an object depends on a state."""
    for state in shuffle(rng, _SWAPS):
        able = list(_switchable(look, state))
        if not able:
            continue
        telling = choose(rng, able)
        value = bool(rng.integers(2))
        changes: list[Change] = []
        if value != look.state.is_in_state(telling.name, state):
            changes = [(telling.name, state, value)]
        changed = Look(look.room.house, look.room.name, look.room.cameras, changes)
        targets = [each for each in changed.bearers() if each.name != telling.name]
        lies = {fact[1]: fact[2] for fact in changed.room.facts if len(fact) == 3}
        moved = [
            each
            for each in changed.room.objects
            if not each.fixed
            and each.category not in UNCOUNTED
            and changed.is_only(each)
            and lies.get(each.name) != telling.name
        ]
        if not moved:
            continue
        thing = choose(rng, moved)
        targets = [each for each in targets if each.name != lies.get(thing.name)]
        if len(targets) < 2:
            continue
        yes, no = shuffle(rng, targets)[:2]
        where = yes if value else no
        text = (
            f"If the {noun(telling)} {_IS[state]}, put the {noun(thing)} on the {noun(yes)};"
            f" if not, put it on the {noun(no)}."
        )
        plan = [
            Action("RIGHT_GRASP", (thing.name,)),
            Action("RIGHT_PLACE_ONTOP", (where.name,)),
        ]
        yield _task_line("if", changed, text, [("ontop", thing.name, where.name)], plan)


_IS: Final = {"open": "stands open", "powered_on": "is switched on"}
_MAKERS: Final = (clear, swap, conditional)


def noun(each: VisibleObject) -> str:
    """Return the name of an object in words."""
    return each.category.replace("_", " ")


def make(seed: int) -> Iterator[TaskLine]:
    """The tasks of a home."""
    made: Counter[str] = Counter()
    house: House = home(seed)
    for room in house.rooms:
        for line in drafts(seed, room.name):
            if made[line.kind] < PER_HOME[line.kind]:
                made[line.kind] += 1
                yield line


def main(arguments: Sequence[str]) -> None:
    """Write the file of tasks."""
    tasks = [task for seed in HOMES for task in islice(make(seed), 100)]
    write_whole(Path(arguments[0]), encode_lines(tasks))


if __name__ == "__main__":
    main(sys.argv[1:])
