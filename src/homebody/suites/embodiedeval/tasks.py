"""A task: the instruction, the scene, the start, the options and the goal."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape
from homebody.core.ground.files import read_bounded, sha256
from homebody.core.ground.json_lines import decode_lines, encode_lines
from homebody.core.ground.sharing import never_changes
from homebody.goals.embodiedeval import read_predicate
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.bounds import MaybeName, Name, Seed
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Person, StateName
from homebody.worlds.house.model.recipe import VERSIONS

CATEGORIES: Final = {
    "attribute_qa": "Attribute QA",
    "spatial_qa": "Spatial QA",
    "navigation": "Navigation",
    "object_interaction": "Object Interaction",
    "social_interaction": "Social Interaction",
}
"""The paper's categories (section 3.1), as in its table 2."""
CAPABILITIES: Final = (
    "base",
    "common_sense",
    "complex_instruction",
    "spatial",
    "visual",
    "long_horizon",
)
"""The main capability that a task requires."""
ANSWER: Final = "answer"
"""Verb of options that are answers."""
MAX_BYTES: Final = 64 * 1024**2

Line = Annotated[str, Meta(min_length=1, max_length=1_000)]
OptionText = Annotated[str, Meta(pattern=r"^[^\s,\[\]][^,\[\]\n]*$", max_length=200)]
"""An action's argument: no commas and no brackets."""
_Names = Annotated[tuple[Name, ...], Meta(max_length=8)]


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scene of a task: the origin of its house, and additional people.

    Attributes:
        kind: Kind of scene.
        seed: Seed of the house.
        rooms: Number of rooms; the default of the kind if omitted.
        type: Type of the kind, if it has types.
        people: Additional people. They replace people of the same name.
    """

    kind: Name
    seed: Seed
    rooms: Annotated[int, Meta(ge=1, le=12)] | None = None
    type: MaybeName = ""
    people: Annotated[tuple[Person, ...], Meta(max_length=10)] = ()

    def __post_init__(self) -> None:
        kind = catalogue().scenes.get(self.kind)
        if kind is None or self.type not in ("", *kind.types):
            raise ValueError(f"unknown kind of scene: {self.kind} {self.type}".rstrip())


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An option besides movement, available at every step.

    Attributes:
        verb: :data:`ANSWER`, or an interaction (:mod:`.interactions`).
        text: Its text; answers are listed in quotation marks after the word answer.
        objects: Objects of the interaction, in its order.
        reply: The reply of a person, or the result of a search, on success.
    """

    verb: Name
    text: OptionText
    objects: _Names = ()
    reply: Annotated[str, Meta(max_length=300)] = ""


class StateChange(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A state of an object or piece that is different in a task and in its house."""

    name: Name
    state: StateName
    value: bool


@never_changes
class EmbodiedTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A task, and a line of a file of tasks.

    Attributes:
        id: Unique.
        category: One of :data:`CATEGORIES`.
        family: Kind of task, one of about sixty.
        capabilities: Some of :data:`CAPABILITIES`.
        scene: Its scene.
        start: Point of the navigation graph, and index of its heading.
        instruction: The instruction.
        options: Options besides movement.
        predicates: The goal, in the notation of the published task files.
        states: States that differ from the house at the start.
        plan: Texts of the options of a shortest successful run.
    """

    id: Name
    category: Name
    family: Name
    capabilities: _Names
    scene: Scene
    start: tuple[Annotated[int, Meta(ge=0, le=10_000)], Annotated[int, Meta(ge=0, le=64)]]
    instruction: Line
    options: Annotated[tuple[Option, ...], Meta(max_length=40)]
    predicates: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=40)]
    states: Annotated[tuple[StateChange, ...], Meta(max_length=40)] = ()
    plan: Annotated[tuple[Line, ...], Meta(max_length=200)] = ()

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES:
            raise ValueError(f"unknown category: {self.category!r}")
        for capability in self.capabilities:
            if capability not in CAPABILITIES:
                raise ValueError(f"unknown capability: {capability!r}")
        twice = [text for text, count in Counter(o.text for o in self.options).items() if count > 1]
        if twice:
            raise ValueError(f"the option is listed twice: {twice[0]!r}")
        for predicate in self.predicates:
            read_predicate(predicate)
        texts = (text for option in self.options for text in (option.text, option.reply))
        for text in (self.instruction, *texts):
            if escape(text) != text:
                raise ValueError(f"it contains invisible characters: {escape(text, 60)}")

    @property
    def answers(self) -> tuple[Option, ...]:
        """The options that are answers."""
        return tuple(option for option in self.options if option.verb == ANSWER)


@lru_cache(16)
def house_of(scene: Scene) -> House:
    """Return the house of a scene with its additional people. Raises HomebodyError."""
    house = _generate(scene.kind, scene.seed, scene.rooms, scene.type)
    if not scene.people:
        return house
    people = {person.name: person for person in (*house.people, *scene.people)}
    return replace(house, people=tuple(people.values()))


@lru_cache(16)
def _generate(kind: str, seed: int, rooms: int | None, type: str) -> House:
    return generate(seed, kind, rooms, type=type)


def encode_tasks(tasks: Sequence[EmbodiedTask], *, packed: bool) -> bytes:
    """Encode tasks as the content of a file: the same tasks, the same bytes."""
    lines = encode_lines(tasks)
    return gzip.compress(lines, 9, mtime=0) if packed else lines


def decode_tasks(data: bytes) -> tuple[EmbodiedTask, ...]:
    """Return the tasks of a file, one per line of JSON. Raises HomebodyError."""
    decoder = msgspec.json.Decoder(EmbodiedTask)
    ids: set[str] = set()

    def read(line: bytes) -> EmbodiedTask:
        task = decoder.decode(line)
        if task.id in ids:
            raise ValueError(f"another task has the id {task.id}")
        ids.add(task.id)
        return task

    return tuple(decode_lines(data, read))


def read_tasks(path: Path) -> tuple[EmbodiedTask, ...]:
    """Return the tasks of a file. Raises HomebodyError."""
    return decode_tasks(read_bounded(path, MAX_BYTES))


@cache
def load(split: str) -> tuple[EmbodiedTask, ...]:
    """Return the tasks of a split. Raises HomebodyError if its file is missing or invalid."""
    with resources.as_file(_file(split)) as path:
        if not path.is_file():
            raise HomebodyError(
                f"the tasks of the split {split[:40]} are missing: {path}",
                "reinstall homebody",
            )
        return decode_tasks(read_bounded(path, MAX_BYTES))


@cache
def versions() -> dict[str, str]:
    """Return the versions of the tasks' data: the digest of their file, and those of houses."""
    with resources.as_file(_file("test")) as path:
        digest = sha256(path)[:16] if path.is_file() else "none"
    return {"embodiedeval": digest, **VERSIONS}


def _file(split: str) -> resources.abc.Traversable:
    return resources.files("homebody.suites.embodiedeval") / "data" / f"{split}.jsonl.gz"
