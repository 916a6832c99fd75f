"""Task files in EmbodiedEval's published format, checked and translated.

Their scenes are not available, so they cannot be played. They are read to score recorded runs
(:mod:`.recorded`), and to look at them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from homebody.core import HomebodyError
from homebody.core.ground.files import read_bounded
from homebody.goals.embodiedeval import ARGUMENTS, Predicate
from homebody.suites.embodiedeval.tasks import ANSWER

MAX_BYTES: Final = 4 * 1024**2
_CATEGORY: Final = {
    "attr": "attribute_qa",
    "spatial": "spatial_qa",
    "nav": "navigation",
    "object": "object_interaction",
    "social": "social_interaction",
}
"""Part of a task folder's name -> homebody's category."""
_QUOTED: Final = re.compile(r'^answer "(.*)"$', re.DOTALL)

T = TypeVar("T")
_Text = Annotated[str, Meta(max_length=10_000)]


class PublishedPosition(msgspec.Struct, frozen=True):
    """Three numbers by name, as in the simulator; a file may also list them."""

    x: float
    y: float
    z: float


_Vector = Annotated[tuple[float, ...], Meta(min_length=3, max_length=4)] | PublishedPosition


class PublishedOption(msgspec.Struct, frozen=True):
    """An option: of type ``Answer``, or an interaction."""

    option_type: _Text
    option_text: _Text = ""

    @property
    def text(self) -> str:
        """The text; for an answer, without the word answer and the quotation marks."""
        return _unquote(self.option_text)


class PublishedPredicate(msgspec.Struct, frozen=True):
    """A predicate. Only their simulator can evaluate predicates other than ``choose``."""

    predicate_type: _Text
    right_answer_content: _Text = ""

    def __post_init__(self) -> None:
        if self.predicate_type not in ARGUMENTS:
            raise ValueError(f"unknown predicate: {self.predicate_type[:40]!r}")
        if self.predicate_type == "choose" and not self.right_answer_content:
            raise ValueError("choose has no right_answer_content")

    @property
    def choice(self) -> Predicate | None:
        """The predicate in homebody's terms, if it is about an answer."""
        if self.predicate_type != "choose":
            return None
        return Predicate("choose", (_unquote(self.right_answer_content),))


class PublishedHuman(msgspec.Struct, frozen=True):
    """A person in the scene."""

    asset: _Text
    human_position: _Vector
    human_rotation: _Vector


class PublishedTask(msgspec.Struct, frozen=True):
    """A task with the fields of its file; others are ignored.

    Attributes:
        task_text: The instruction.
        scene_path: The file of its scene.
        agent_position: In metres, y upwards.
        agent_rotation: In degrees.
        options: Options besides movement.
        predicates: The goal.
        humans: People in the scene.
    """

    task_text: _Text
    scene_path: _Text
    agent_position: _Vector
    agent_rotation: _Vector
    options: Annotated[tuple[PublishedOption, ...], Meta(max_length=200)]
    predicates: Annotated[tuple[PublishedPredicate, ...], Meta(min_length=1, max_length=100)]
    humans: Annotated[tuple[PublishedHuman, ...], Meta(max_length=100)] = ()

    def __post_init__(self) -> None:
        for predicate in self.predicates:
            choice = predicate.choice
            if choice is not None and choice.arguments[0] not in self.answers:
                raise ValueError(f"the right answer {choice.arguments[0][:40]!r} is not an option")

    @property
    def answers(self) -> tuple[str, ...]:
        """The possible answers."""
        return tuple(each.text for each in self.options if each.option_type.lower() == ANSWER)


def category_of(name: str) -> str | None:
    """Return our category for the name of a task folder, such as ``AttrQA``; None if unknown."""
    own = name.lower()
    return next((category for part, category in _CATEGORY.items() if part in own), None)


def read_json(path: Path, kind: type[T]) -> T:
    """Return the content of a file. Raises HomebodyError that names it."""
    if not path.is_file():  # a pipe might never end
        raise HomebodyError(f"file not found: {path}")
    try:
        data = read_bounded(path, MAX_BYTES)
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}") from error
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError, OverflowError) as error:
        raise HomebodyError(f"{path} is not as EmbodiedEval has it: {error}") from error


def _unquote(text: str) -> str:
    quoted = _QUOTED.match(text)
    return quoted[1] if quoted else text
