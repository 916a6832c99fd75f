"""What changes in a house while agents act: where things are, who holds them, their states.

A :class:`HouseState` is changed in place, by few methods, each of which keeps it whole: an object
is in exactly one place (on or in a receptacle, on a floor, or in a hand). It keeps a journal of
what changed, so that what is derived from a state (world graphs, goals, images) need only look at
that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from homebody.core.ground.sharing import copy_flat
from homebody.worlds.house.model.change_log import Journal
from homebody.worlds.house.model.doors import shut_leaf
from homebody.worlds.house.model.house import Box, House, Person, Pose, Vector, box_at, to_world

Place: TypeAlias = tuple[str, str]
"""(furniture or object, receptacle), (floor, ""), (agent, hand) or (person, "hand")."""


PITCH = -15.0
"""Degrees above the horizon to which agents look at first."""
CHEST = 0.6
"""Share of its bearer's height at which a thing in a hand is."""
ASIDE = 0.15
"""Metres from the middle of its bearer to that of a thing in a left or right hand, at least."""


@dataclass(slots=True)
class Body:
    """An agent in the house.

    Attributes:
        pose: On the floor, facing ``yaw``.
        size: Of its box; its radius on the plan is half the larger of width and depth.
        hands: Names of its hands, in the order in which they are used ("right", "left").
        view: Degrees from left to right that it sees at once.
        pitch: Degrees above the horizon to which it looks.
        turning: Whether it is looking all around just now.
        looks: The person that it is; None for a robot.
    """

    pose: Pose
    size: Vector = (0.5, 0.5, 1.5)
    hands: tuple[str, ...] = ("right",)
    view: float = 360.0
    pitch: float = PITCH
    turning: bool = False
    looks: Person | None = None


@copy_flat("_boxes", "places", "poses", "states", nested=("_contents",))
class HouseState:
    """The state of a house; :meth:`start` makes the first one.

    Attributes:
        house: What never changes.
        bodies: Agent -> where it is.
        states: Thing, piece or door -> its states. Inner mappings are replaced, never changed.
        journal: When things, furniture and agents last changed.
        memory: What others have worked out, and keep up to date by the journal.
    """

    __slots__ = (
        *("_boxes", "_contents", "_first", "bodies", "house", "journal", "memory"),
        *("places", "poses", "states"),
    )

    def __init__(
        self,
        house: House,
        bodies: Mapping[str, Body],
        poses: dict[str, Pose],
        places: dict[str, Place],
        states: dict[str, Mapping[str, bool]],
    ) -> None:
        self.house = house
        self.bodies = dict(bodies)
        self.poses = poses
        self.places = places
        self.states = states
        self.journal = Journal()
        self.memory: dict[str, Any] = {}
        self._first = False
        self._boxes: dict[str, Box] = {}
        self._contents: dict[Place, dict[str, None]] = {}
        for name, place in places.items():
            self._contents.setdefault(place, {})[name] = None

    @classmethod
    def start(cls, house: House, bodies: Mapping[str, Body] | None = None) -> HouseState:
        """The state in which a house is at first."""
        state = cls(
            house,
            bodies or {},
            {thing.name: thing.pose for thing in house.things},
            {thing.name: thing.place for thing in house.things},
            {
                **{piece.name: piece.states for piece in house.furniture},
                **{thing.name: thing.states for thing in house.things},
                **{name: door.states for name, door in house.door.items()},
            },
        )
        state._first = True
        return state

    def copy(self) -> HouseState:
        """Another state with the same content; changing one does not change the other."""
        bodies = {name: replace(body) for name, body in self.bodies.items()}
        return HouseState(
            self.house, bodies, dict(self.poses), dict(self.places), dict(self.states)
        )

    # -- what is so -------------------------------------------------------------------------------

    @property
    def is_first(self) -> bool:
        """Whether all but the agents is still as the house has it."""
        return self._first and not self.journal.version

    def is_as_at_first(self, name: str) -> bool:
        """Whether nothing ever changed about a thing or piece since the house was as it has it."""
        return self._first and name not in self.journal

    def box(self, name: str) -> Box:
        """The box of an object, a piece of furniture, a person or an agent; of a door, open or
        not, that of its leaf when it is shut. Raises KeyError."""
        box = self._boxes.get(name)
        if box is None:
            if name in self.poses:
                box = box_at(self.poses[name], self.house.thing[name].size)
            elif name in self.bodies:
                box = box_at(self.bodies[name].pose, self.bodies[name].size)
            elif name in self.house.door:
                box = shut_leaf(self.house, self.house.door[name])
            elif name in self.house.person:
                person = self.house.person[name]
                box = box_at(person.pose, person.size)
            else:
                return self.house.boxes[name]
            self._boxes[name] = box
        return box

    def on(self, place: Place) -> tuple[str, ...]:
        """The objects at a place, in the order in which they came."""
        return tuple(self._contents.get(place, ()))

    def held(self, agent: str) -> dict[str, str]:
        """Hand -> the object in it; empty hands are left out."""
        held: dict[str, str] = {}
        for hand in self.bodies[agent].hands:
            for name in self._contents.get((agent, hand), ()):
                held[hand] = name
                break
        return held

    def bears(self, name: str) -> bool:
        """Whether it is somebody who can hold things: an agent or a person of the scene."""
        return name in self.bodies or name in self.house.person

    def carried(self, agent: str, hand: str, name: str) -> Pose:
        """Where an object is that an agent holds in a hand. Raises KeyError."""
        return carried(self.bodies[agent], hand, self.house.thing[name].size)

    def is_so(self, name: str, state: str) -> bool:
        """Whether a thing is in a state (``open``, ``powered_on`` ...); False if it has none."""
        return self.states.get(name, {}).get(state, False)

    # -- what changes it --------------------------------------------------------------------------

    def move(self, name: str, place: Place, pose: Pose) -> None:
        """Put an object somewhere, with all that is in it. Whether it fits is the caller's to
        check.

        Raises:
            ValueError: it would be in itself.
        """
        around: str | None = place[0]
        while around is not None:
            if around == name:
                raise ValueError(f"{name} cannot be put in itself")
            around = self.places[around][0] if around in self.places else None
        self._put(name, place)
        self._shift(name, pose)

    def assume(self, name: str, place: Place, pose: Pose) -> None:
        """Have an object somewhere, known before or not; what is in it stays where it is. For
        states that are beliefs: nothing is written into the journal."""
        self._put(name, place)
        self.poses[name] = pose
        self._boxes.pop(name, None)

    def assume_body(self, agent: str, body: Body) -> None:
        """Have an agent in a state that is a belief, known before or not."""
        self.bodies[agent] = body
        self._boxes.pop(agent, None)

    def walk(self, agent: str, pose: Pose) -> None:
        """Put an agent somewhere; what it holds moves with it (kept at its front)."""
        self.bodies[agent].pose = pose
        self._touch(agent)
        for hand, name in self.held(agent).items():
            self._shift(name, self.carried(agent, hand, name))

    def look(self, agent: str, pitch: float) -> None:
        """Have an agent look up or down, to so many degrees above the horizon."""
        self.bodies[agent].pitch = pitch
        self._touch(agent)

    def leave_off(self, agent: str) -> None:
        """Have a person who is an agent do no more what it did at first."""
        body = self.bodies[agent]
        if body.looks is not None and body.looks.activity:
            body.looks = replace(body.looks, activity="")
            self._touch(agent)

    def set(self, name: str, state: str, value: bool) -> None:
        """Change a state of a thing that has it. Raises KeyError if it has none such."""
        own = self.states[name]
        if state not in own:
            raise KeyError(state)
        if own[state] != value:
            self.states[name] = {**own, state: value}
            self._touch(name)

    def _put(self, name: str, place: Place) -> None:
        old = self.places.get(name)
        if old is not None:
            self._contents[old].pop(name)
        self.places[name] = place
        self._contents.setdefault(place, {})[name] = None

    def _shift(self, name: str, pose: Pose) -> None:
        """Give a thing another pose; what is in it keeps its place in it."""
        old = self.poses[name]
        self.poses[name] = pose
        self._touch(name)
        for receptacle in self.house.thing[name].receptacles:
            for inner in self.on((name, receptacle.name)):
                self._shift(inner, _moved_along(self.poses[inner], old, pose))

    def _touch(self, name: str) -> None:
        self.journal.note(name)
        self._boxes.pop(name, None)


def carried(body: Body, hand: str, size: Vector) -> Pose:
    """Where a thing of a size is in a hand: just in front of its bearer, at the height of its
    chest, to the right or left (things in both hands do not touch), ahead of hands of other names.
    """
    side = {"right": 1.0, "left": -1.0}.get(hand, 0.0)
    across = side * max(ASIDE, size[0] / 2 + 0.01)
    ahead = max(body.size[0], body.size[1]) / 2 + size[1] / 2
    return Pose(to_world(body.pose, (across, ahead, CHEST * body.size[2])), body.pose.yaw)


def _moved_along(pose: Pose, old: Pose, new: Pose) -> Pose:
    """A pose that keeps its place relative to one that changed from ``old`` to ``new``."""
    x, y, z = (a - b for a, b in zip(pose.position, old.position, strict=True))
    back = Pose((0.0, 0.0, 0.0), new.yaw - old.yaw)
    x, y, z = to_world(back, (x, y, z))
    position = new.position[0] + x, new.position[1] + y, new.position[2] + z
    return Pose(position, pose.yaw + new.yaw - old.yaw)
