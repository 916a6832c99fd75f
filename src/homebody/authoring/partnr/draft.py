"""A draft of an author: an instruction, the initial places of objects, and an evaluation function.

Authors are the built-in grammar and models. Their drafts are instantiated and verified in the
simulator, and rejected for one of the reasons of the paper's table 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homebody.goals.partnr import Evaluation

MAX_OBJECTS = 60
"""Maximum objects of a draft; its house has more."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Objects of one kind at their initial place; ``initial_state`` of published seed tasks.

    Attributes:
        category: Category of homebody's catalogue.
        number: Number of objects.
        furniture: Name of a piece of furniture of the house, or of a floor.
        relation: ``on`` or ``within``.
        states: Initial states of these objects (``clean filled powered_on open``), if they are
            relevant.
        names: Their names; if empty, names are made from category and number.
    """

    category: str
    number: int
    furniture: str
    relation: str = "on"
    states: Mapping[str, bool] = field(default_factory=dict)
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """An episode before its objects are placed in a house.

    Objects whose placement does not name them are ``category_0``, ``category_1`` ... in the order
    of the placements; the evaluation function uses these names, and the names of furniture and
    rooms.

    Attributes:
        instruction: A person's words.
        placements: Initial places of the task's objects.
        evaluation: None if it is not written yet (a model writes it in three steps).
        furniture_states: Furniture -> initial states.
        assigned: Agent -> propositions that the instruction assigns to it.
        staying: The house's own objects that may stay. None means all objects that cannot be
            confused with the draft's objects.
    """

    instruction: str
    placements: tuple[Placement, ...]
    evaluation: Evaluation | None = None
    furniture_states: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    assigned: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    staying: frozenset[str] | None = None


class FailureMode(StrEnum):
    """Reasons to reject a draft: the failure modes of table 8 (appendix A.5.1), and others."""

    HALLUCINATION = "hallucination"
    AMBIGUITY = "unresolvable ambiguity"
    CONTRADICTION = "contradiction"
    SATISFIED = "already satisfied"
    TEMPORAL_GROUPING = "incorrect temporal grouping"
    PREDICATE = "incorrect predicate (other)"
    ROOM_OR_FURNITURE = "incorrect predicate (room vs furniture)"
    ENTITY = "incorrect object/furniture/room"
    INCORRECT_AMBIGUITY = "incorrect ambiguity"
    UNREADABLE = "unreadable"
    """A model's output is not a draft."""
    NO_ROOM = "no room"
    """Objects do not fit at their initial places."""
    UNSOLVED = "not solved"
    """The expert did not solve it in time."""


class Rejected(Exception):
    """Raised when a draft cannot become an episode, with the failure mode and the reason."""

    def __init__(self, failure: FailureMode, why: str) -> None:
        super().__init__(f"{failure.value}: {why}")
        self.failure = failure
        self.why = why


def excerpt(text: str, most: int) -> str:
    """Return the start of a string on one line, for a message."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most else flat[:most] + "..."
