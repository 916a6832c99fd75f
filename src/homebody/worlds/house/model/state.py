"""The changing state of a house: the places of objects, the objects in hands, and the states of
objects.

A :class:`HouseState` is changed in place by a few methods that keep it consistent: each object is
in exactly one place. Its journal of changes lets derived data (world graphs, goals, images) update
incrementally.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from homebody.core.ground.sharing import copy_flat, never_changes
from homebody.worlds.house.model.change_log import Journal
from homebody.worlds.house.model.doors import shut_leaf
from homebody.worlds.house.model.house import Box, House, Person, Pose, Vector, box_at, to_world
from homebody.worlds.house.model.people import HAND, Response, stand_up, turn_to

Place: TypeAlias = tuple[str, str]
"""(furniture or object, receptacle), (floor, ""), (agent, hand) or (person, "hand")."""


PITCH = -15.0
"""Degrees above the horizon at which agents look initially."""
EYES = 0.9
"""Height of the eyes of agents as a share of their height."""
CHEST = 0.6
"""Height of a held object as a share of its bearer's height."""
ASIDE = 0.15
"""Minimum distance in metres from the bearer's middle to an object in its left or right hand."""


@dataclass(slots=True)
class Body:
    """The body of an agent in the house.

    Attributes:
        pose: Position on the floor and facing direction.
        size: Box size; the radius on the plan is half the larger of width and depth.
        hands: Names of its hands in the order of use ("right", "left").
        view: Horizontal field of view in degrees.
        pitch: Degrees above the horizon at which it looks.
        turning: True while it looks all around.
        looks: The person, if the agent is one; None for a robot.
    """

    pose: Pose
    size: Vector = (0.5, 0.5, 1.5)
    hands: tuple[str, ...] = ("right",)
    view: float = 360.0
    pitch: float = PITCH
    turning: bool = False
    looks: Person | None = None


@never_changes
@dataclass(frozen=True, slots=True)
class Reaction:
    """A person's reaction to somebody who speaks, greets or hands something over.

    Attributes:
        to: The agent whom the person looks at.
        gesture: See :class:`.people.Response`.
        until: The clock at which it ends.
    """

    to: str
    gesture: str = "look"
    until: int = 0


@copy_flat("_boxes", "places", "poses", "reactions", "states", nested=("_contents",))
class HouseState:
    """The state of a house; :meth:`start` makes the first one.

    Attributes:
        house: The scene, which never changes.
        bodies: Agent -> body.
        states: Object, piece or door -> its states. Inner mappings are replaced, never changed.
        journal: The changes to objects, furniture and agents.
        memory: Derived data that other modules update from the journal.
        reactions: Person or agent -> its reaction now. They are only drawn: they are not in the
            journal, and no skill, goal or perception depends on them.
    """

    __slots__ = (
        "_boxes", "_contents", "_first", "bodies", "house", "journal", "memory",
        "places", "poses", "reactions", "states",
    )  # fmt: skip

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
        self.reactions: dict[str, Reaction] = {}
        self._first = False
        self._boxes: dict[str, Box] = {}
        self._contents: dict[Place, dict[str, None]] = {}
        for name, place in places.items():
            self._contents.setdefault(place, {})[name] = None

    @classmethod
    def start(cls, house: House, bodies: Mapping[str, Body] | None = None) -> HouseState:
        """Return the initial state of a house."""
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
        """Return an independent copy of this state."""
        bodies = {name: replace(body) for name, body in self.bodies.items()}
        made = HouseState(
            self.house, bodies, dict(self.poses), dict(self.places), dict(self.states)
        )
        made.reactions = dict(self.reactions)
        return made

    # -- what is so -------------------------------------------------------------------------------

    @property
    def is_first(self) -> bool:
        """True if only agents have changed since the start."""
        return self._first and not self.journal.version

    def is_as_at_first(self, name: str) -> bool:
        """Return whether an object or piece has not changed since the start."""
        return self._first and name not in self.journal

    def box(self, name: str) -> Box:
        """Return the box of anything with a name. The box of a door is its shut leaf. Raises
        KeyError."""
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

    def objects_at(self, place: Place) -> tuple[str, ...]:
        """Return the objects at a place in the order of their arrival."""
        return tuple(self._contents.get(place, ()))

    def held_by(self, agent: str) -> dict[str, str]:
        """Return the held objects of an agent by hand; empty hands are omitted."""
        held: dict[str, str] = {}
        for hand in self.bodies[agent].hands:
            for name in self._contents.get((agent, hand), ()):
                held[hand] = name
                break
        return held

    def can_hold(self, name: str) -> bool:
        """Return whether this is an agent or a person of the scene, who can hold objects."""
        return name in self.bodies or name in self.house.person

    def carried_pose(self, agent: str, hand: str, name: str) -> Pose:
        """Return the pose of an object in a hand of an agent. Raises KeyError."""
        return carried_pose(self.bodies[agent], hand, self.house.thing[name].size)

    def visible_states(self, name: str, reactions: bool = True) -> Mapping[str, Any]:
        """Return the states of something; of agents and people, whether they are ``holding``, and
        their :class:`.people.Response` if they are ``reacting``, unless not ``reactions``."""
        if name in self.bodies:
            holding = bool(self.held_by(name))
        elif name in self.house.person:
            holding = bool(self.objects_at((name, HAND)))
        else:
            return self.states.get(name, {})
        response = self._response(name, holding) if reactions and self.reactions else None
        return (
            {"holding": holding} if response is None else {"holding": holding, "reacting": response}
        )

    def person(self, name: str) -> Person | None:
        """Return a person of the scene, or an agent who is a person where it stands; else None."""
        body = self.bodies.get(name)
        if body is None:
            return self.house.person.get(name)
        return body.looks and replace(stand_up(body.looks), pose=body.pose)

    def _response(self, name: str, holding: bool) -> Response | None:
        """Return what is seen of a person's reaction, if there is one. Who holds something does not
        reach out."""
        reaction, person = self.reactions.get(name), self.person(name)
        if reaction is None or person is None or reaction.to not in self.bodies:
            return None
        other = self.bodies[reaction.to]
        eyes = to_world(other.pose, (0.0, 0.0, EYES * other.size[2]))
        gesture = "look" if holding and reaction.gesture == "reach" else reaction.gesture
        return Response(gesture, *turn_to(person, eyes))

    def is_in_state(self, name: str, state: str) -> bool:
        """Return whether something is in a state such as ``open``; False if it lacks that state."""
        return self.states.get(name, {}).get(state, False)

    # -- what changes it --------------------------------------------------------------------------

    def move(self, name: str, place: Place, pose: Pose) -> None:
        """Put an object, with its contents, at a place. The caller checks that it fits. Raises
        ValueError if it would be in itself."""
        around: str | None = place[0]
        while around is not None:
            if around == name:
                raise ValueError(f"{name} cannot be put in itself")
            around = self.places[around][0] if around in self.places else None
        self._put(name, place)
        self._shift(name, pose)

    def assume(self, name: str, place: Place, pose: Pose) -> None:
        """Place a known or new object in a belief, without its contents or a journal entry."""
        self._put(name, place)
        self.poses[name] = pose
        self._boxes.pop(name, None)

    def assume_body(self, agent: str, body: Body) -> None:
        """Set the body of a known or new agent in a belief."""
        self.bodies[agent] = body
        self._boxes.pop(agent, None)

    def walk(self, agent: str, pose: Pose) -> None:
        """Move an agent to a pose, with the objects that it holds."""
        self.bodies[agent].pose = pose
        self._touch(agent)
        for hand, name in self.held_by(agent).items():
            self._shift(name, self.carried_pose(agent, hand, name))

    def look(self, agent: str, pitch: float) -> None:
        """Set the pitch of an agent, in degrees above the horizon."""
        self.bodies[agent].pitch = pitch
        self._touch(agent)

    def stop_activity(self, agent: str) -> None:
        """End the initial activity of an agent who is a person."""
        body = self.bodies[agent]
        if body.looks is not None and body.looks.activity:
            body.looks = replace(body.looks, activity="")
            self._touch(agent)

    def set(self, name: str, state: str, value: bool) -> None:
        """Set a state of an object, piece or door. Raises KeyError if it lacks that state."""
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
        """Move an object to a pose; its contents keep their relative places."""
        old = self.poses[name]
        self.poses[name] = pose
        self._touch(name)
        for receptacle in self.house.thing[name].receptacles:
            for inner in self.objects_at((name, receptacle.name)):
                self._shift(inner, _moved_along(self.poses[inner], old, pose))

    def _touch(self, name: str) -> None:
        self.journal.note(name)
        self._boxes.pop(name, None)


def carried_pose(body: Body, hand: str, size: Vector) -> Pose:
    """Return the pose of an object in a hand: before the bearer's chest, on the hand's side."""
    side = {"right": 1.0, "left": -1.0}.get(hand, 0.0)
    across = side * max(ASIDE, size[0] / 2 + 0.01)
    ahead = max(body.size[0], body.size[1]) / 2 + size[1] / 2
    return Pose(to_world(body.pose, (across, ahead, CHEST * body.size[2])), body.pose.yaw)


def _moved_along(pose: Pose, old: Pose, new: Pose) -> Pose:
    """Return a pose after it has moved along with another pose that changed from ``old`` to
    ``new``."""
    x, y, z = (a - b for a, b in zip(pose.position, old.position, strict=True))
    back = Pose((0.0, 0.0, 0.0), new.yaw - old.yaw)
    x, y, z = to_world(back, (x, y, z))
    position = new.position[0] + x, new.position[1] + y, new.position[2] + z
    return Pose(position, pose.yaw + new.yaw - old.yaw)
