"""Tasks in a room. Their instructions refer to pictures of the room or to its scene graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from homebody.core import CORRECTED, Action, Protocol, Task, Tasks
from homebody.core.formula import And, Atom, Formula, Not
from homebody.core.formula import Literal as Goal
from homebody.core.ground.files import read_bounded, sha256
from homebody.core.ground.json_lines import decode_lines
from homebody.core.play.conversation import Image
from homebody.core.play.transcript import read_call
from homebody.goals.bddl import BDDLGoal, Problem
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.house.rooms import Room, images
from homebody.worlds.behavior import Behavior, scene
from homebody.worlds.house.model.bounds import Name
from homebody.worlds.house.model.recipe import VERSIONS

HOMES: Final = range(39, 49)
"""Seeds of the homes."""
AGENT: Final = "agent.n.01_1"
MAX_BYTES: Final = 16 * 1024**2
SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {"given": ("pictures", "graph", "both")}
"""The information about a room that a model receives, besides the names of its objects."""

Kind: TypeAlias = Literal["clear", "swap", "if"]
_Text = Annotated[str, Meta(min_length=1, max_length=2_000)]
_Words = Annotated[tuple[Name, ...], Meta(min_length=2, max_length=4)]


class TaskLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the file of tasks.

    Attributes:
        id: Unique id.
        kind: ``clear`` (move everything on one object to another), ``swap`` (close open objects and
            open closed objects) or ``if`` (the destination depends on a state).
        room: The room.
        instruction: The instruction in words.
        goals: Predicate and objects of each goal; a first word ``not`` negates it.
        untouched: Objects that must not be at the final places of the other objects.
        plan: A plan that meets the goals, as calls: ``OPEN[fridge_0]``.
    """

    id: Name
    kind: Kind
    room: Room
    instruction: _Text
    goals: Annotated[tuple[_Words, ...], Meta(min_length=1, max_length=20)]
    untouched: Annotated[tuple[Name, ...], Meta(max_length=100)]
    plan: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=100)]


@dataclass(frozen=True)
class HouseTask(BehaviorTask):
    """A task in the BEHAVIOR world, whose scene is a room of a home.

    Attributes:
        stored_line: Its line in the file of tasks.
        given: The information that a model receives about the room; one of :data:`SETTINGS`.
    """

    stored_line: TaskLine | None = None
    given: str = "pictures"

    @property
    def line(self) -> TaskLine:
        """The task's line in the file."""
        assert self.stored_line is not None
        return self.stored_line

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals of the instruction."""
        return tuple(map(_literal, self.line.goals))


def _literal(words: Sequence[str]) -> Goal:
    if words[0] == "not":
        return Not(_atom(words[1:]))
    return _atom(words)


def _atom(words: Sequence[str]) -> Atom:
    return Atom(words[0], tuple(words[1:]))


def build(line: TaskLine) -> HouseTask:
    """Build the task of a line. Raises ValueError if its facts contradict."""
    room, world = line.room, Behavior(AGENT)
    goals: list[Formula] = [*map(_literal, line.goals)]
    places = dict.fromkeys((words[0], words[2]) for words in line.goals if len(words) == 3)
    if line.untouched and places:  # else moving everything would meet the goals
        stay = [
            Not(Atom(relation, (name, place)))
            for relation, place in places
            for name in line.untouched
        ]
        goals.append(And(tuple(stay)))
    problem = Problem(
        line.id,
        "igibson",
        {each.name: each.category for each in room.objects},
        (),
        tuple(goals),
    )
    task = Task(
        id=line.id,
        name=line.kind,
        instruction=line.instruction,
        world=world,
        initial=scene(room.things, room.stated_facts, AGENT),
        goal=BDDLGoal.of(problem, world.view),
        reference=tuple(act for step in line.plan if (act := read_call(step)) is not None),
    )
    names = {each.name: each.name for each in room.objects}
    rows = [
        {"bddl": each.name, "name": each.name, "category": each.category} for each in room.objects
    ]
    return HouseTask(
        task=task,
        problem=problem,
        names=names,
        things=room.things,
        unstated=(),
        categories=(line.kind,),
        raw={"objects": rows},
        stored_line=line,
    )


def with_settings(task: HouseTask, settings: Mapping[str, str]) -> HouseTask:
    """Return the task with the settings for the information that a model receives about the
    room."""
    return replace(task, given=settings.get("given", task.given))


def shown_images(task: HouseTask) -> Sequence[Image]:
    """Return the pictures that a model receives. Needs the extra ``house`` if there are any."""
    return () if task.given == "graph" else images(task.line.room)


def decode(data: bytes) -> tuple[TaskLine, ...]:
    """Read a file of tasks. Raises HomebodyError, which names the line."""
    return tuple(decode_lines(data, msgspec.json.Decoder(TaskLine).decode))


@cache
def _load() -> tuple[HouseTask, ...]:
    with resources.as_file(resources.files(__package__) / "data" / "tasks.jsonl") as path:
        return tuple(map(build, decode(read_bounded(path, MAX_BYTES))))


def load_tasks(protocol: Protocol = CORRECTED) -> Sequence[HouseTask]:
    """Load all tasks, home by home."""
    return _load()


def load_rooms(protocol: Protocol = CORRECTED) -> Sequence[HouseTask]:
    """Load the first task of each room."""
    rooms: dict[tuple[int, str], HouseTask] = {}
    for task in _load():
        rooms.setdefault((task.line.room.house, task.line.room.name), task)
    return tuple(rooms.values())


def calls(plan: Sequence[Action]) -> tuple[str, ...]:
    """Write a plan in the format of files."""
    return tuple(f"{action.name}[{', '.join(action.args)}]" for action in plan)


@cache
def versions() -> dict[str, str]:
    """Return the versions of the tasks' sources: the digest of their file, and the generator."""
    with resources.as_file(resources.files(__package__) / "data" / "tasks.jsonl") as path:
        return {"eai.house": sha256(path)[:16], **VERSIONS}


TASKS: Final[Tasks[HouseTask]] = Tasks(
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: task.task.instruction,
    categories=lambda task: task.categories,
    cluster=lambda task: str(task.line.room.house),
    data=versions,
)
"""The tasks of goal interpretation and action sequencing."""
