"""The facts of a finished run that the rules of failure analysis read (:mod:`.failures`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from homebody.core.play.session import WAIT, Event, is_done

EndingKind: TypeAlias = Literal["goal", "roles", "limit", "rule", "open"]


@dataclass(frozen=True, slots=True)
class GoalPart:
    """A condition of a goal, at the end of a run.

    Attributes:
        text: The condition in words.
        met: True if it counts as met.
        things: The objects that it is about; any ``number`` of them meet it.
        ends: The results that meet it, in the world's words: ``on table_1``, ``clean``.
        rooms: The rooms that meet it, if it is about rooms.
        number: Number of objects that it needs.
        held: True if it held at some time, whether it counted or not.
        holds: True if it holds at the end, whether it counts or not.
        early: True if it does not count because it held before something else that has to come
            first, or after something else that has to come later.
        unequal: True if it does not count because it was met with another object or place than the
            goal requires.
    """

    text: str
    met: bool
    things: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    rooms: frozenset[str] = frozenset()
    number: int = 1
    held: bool = False
    holds: bool = False
    early: bool = False
    unequal: bool = False


@dataclass(frozen=True, slots=True)
class WorldChange:
    """An object that a role put down or whose state it changed.

    Attributes:
        clock: The clock when it ended.
        role: The role.
        thing: The object.
        ends: The results, in the words of :attr:`GoalPart.ends`.
        room: The room, if the object was put down.
        put: True if it was put down or given to somebody, False for a change of state.
    """

    clock: int
    role: str
    thing: str
    ends: frozenset[str]
    room: str = ""
    put: bool = True

    def fits(self, part: GoalPart) -> bool:
        """Return whether the change brings about what a part is about."""
        return self.thing in part.things and self.reaches(part)

    def reaches(self, part: GoalPart) -> bool:
        """Return whether the change brings about what a part wants, with whatever object."""
        return not self.ends.isdisjoint(part.ends) or self.room in part.rooms


@dataclass(frozen=True, slots=True)
class GoalFacts:
    """The knowledge of a suite about a finished session.

    Attributes:
        parts: The parts of the goal; empty if the suite does not provide them.
        changes: The changes of the world, in order.
        known: The names that any role knew of at the end; None if roles know everything.
        tried: The objects that a role tried to handle, with success or not; walking to one is no
            try.
        out_of_order: True if an action was refused because it came too late or too early (the
            error type ``wrong_order`` of symbolic worlds).
        over: True if the session was ended by an action that decides it, such as an answer.
        own: The suite's own facts, for its own rules.
    """

    parts: tuple[GoalPart, ...] = ()
    changes: tuple[WorldChange, ...] = ()
    known: Set[str] | None = None
    tried: Set[str] = frozenset()
    out_of_order: bool = False
    over: bool = False
    own: Any = None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The facts of a finished run that rules read.

    Attributes:
        ending: ``goal`` (the goal is met), ``roles`` (all ended their part), ``rule`` (an action
            decided it), ``limit``, or ``open`` if the session has not ended.
        roles: The roles.
        events: All finished actions, refused ones included, in order of their ends.
        best: The highest progress after any event, if it rose above that at the start.
        progress: The progress at the end.
        goal: What the suite knows.
    """

    ending: EndingKind
    roles: tuple[str, ...]
    events: tuple[Event, ...] = ()
    best: float = 0.0
    progress: float = 0.0
    goal: GoalFacts = field(default_factory=GoalFacts)

    @property
    def unmet(self) -> Iterator[GoalPart]:
        """The parts that are not met."""
        return (part for part in self.goal.parts if not part.met)


def kind_of(name: str) -> str:
    """Return the kind of an object in the name of an instance: ``cup`` for ``cup_0`` and
    ``cup.306``."""
    return name.rstrip("0123456789").rstrip("._")


def count_returns(stops: Sequence[Hashable]) -> int:
    """Return how many stops of a walk are at a place where an earlier stop was; staying in a place
    is no return."""
    moves = [stop for before, stop in pairwise((None, *stops)) if stop != before]
    return len(moves) - len(set(moves))


def count_common_waits(roles: Sequence[str], events: Iterable[Event]) -> int:
    """Return how often all roles that had not ended their part, at least two, waited at the same
    time."""
    gone: dict[str, int] = {}
    waits: list[tuple[int, int, str]] = []
    for event in events:
        if event.ok and is_done(event.action):
            gone[event.role] = event.end
        elif event.ok and event.action.name == WAIT.name and event.end > event.start:
            waits.append((event.start, event.end, event.role))
    spells, waiting = 0, Counter[str]()
    steps = [(start, 1, role) for start, _, role in waits]
    steps += [(end, -1, role) for _, end, role in waits]
    together = False
    for clock, change, role in sorted(steps):  # ends come before starts of the same clock
        waiting[role] += change
        active = [each for each in roles if gone.get(each, clock + 1) > clock]
        before, together = together, len(active) > 1 and all(waiting[each] for each in active)
        spells += together and not before
    return spells
