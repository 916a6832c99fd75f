"""Failure analysis: the labels of a failed run, by stated rules.

A rule reads the facts of a finished run (:class:`RunFacts`): what was done, how it ended, and when
each part of the goal held. A replay of the transcript gives all of them, so scoring an old
transcript labels it. A run that succeeded has no labels. A run that failed has at least one, and
may have several: a label says what happened in a run, and not that it was the only cause.

:data:`LABELS` has the rules of all suites. A suite provides the parts of its goal and may add rules
of its own (:class:`FailureAnalysis`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

from homebody.core.play.session import ALL_DONE, GOAL_MET, WAIT, Event, Session, is_done
from homebody.core.score import Score

KEY: Final = "labels"
"""Key of the labels in the record of a score."""
NOT_PLAYED: Final = "not played"
"""The label of an output that is no transcript of its task, and of a task that cannot be played."""
OTHER: Final = "other"
"""The label of a failed run to which no rule applies."""
MAX_LABELS: Final = 40
"""Maximum number of labels that are read from a record."""
SPELLS: Final = 3
"""Least number of times that all active roles wait together in "waited for each other"."""
ROUNDS: Final = 3
"""Least number of returns in "walked in circles"; see :func:`count_returns`."""

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
class Change:
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
    """What a suite knows of a finished session.

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
    changes: tuple[Change, ...] = ()
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
        best: The highest progress after any event, and ``progress`` that at the end.
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


@dataclass(frozen=True, slots=True)
class Label:
    """A label with its rule.

    Attributes:
        name: The label.
        meaning: The rule in words.
        applies: Returns whether the rule applies to a failed run.
    """

    name: str
    meaning: str
    applies: Callable[[RunFacts], bool]


def _no_facts(session: Session, record: Mapping[str, Any]) -> GoalFacts:
    return GoalFacts()


@dataclass(frozen=True)
class FailureAnalysis:
    """How a suite labels failed runs.

    Attributes:
        facts: ``facts(session, record)`` -> what it knows of a finished session; ``record`` is that
            of the score.
        labels: Rules of its own, after :data:`LABELS`.
    """

    facts: Callable[[Any, Mapping[str, Any]], GoalFacts] = _no_facts
    labels: tuple[Label, ...] = ()

    @property
    def all(self) -> tuple[Label, ...]:
        """All labels that a run can have, in order."""
        return (*LABELS, *self.labels, *_FALLBACKS)

    def label(
        self, session: Session, record: Mapping[str, Any], events: Sequence[Event], best: float
    ) -> list[str]:
        """Return the labels of a failed run.

        Args:
            session: The session after its last action.
            record: The record of its score.
            events: All finished actions.
            best: The highest progress after any of them.
        """
        goal = self.facts(session, record)
        progress = session.progress()
        facts = RunFacts(
            _ending_kind(session.ending, goal.over),
            tuple(session.roles),
            tuple(events),
            max(best, progress),
            progress,
            goal,
        )
        return find_labels(facts, self.labels)


def find_labels(facts: RunFacts, own: Iterable[Label] = ()) -> list[str]:
    """Return the labels of a failed run, in the order of :data:`LABELS` and then of a suite's own;
    :data:`OTHER` if no rule applies."""
    return [label.name for label in (*LABELS, *own) if label.applies(facts)] or [OTHER]


def read_labels(record: Mapping[str, Any]) -> list[str]:
    """Return the labels in a record, which may be damaged; empty if it has none."""
    labels = record.get(KEY)
    if not isinstance(labels, Sequence) or isinstance(labels, str):
        return []
    return list(dict.fromkeys(label for label in labels if isinstance(label, str)))[:MAX_LABELS]


def drop_labels(score: Score) -> Score:
    """Return a score without labels, as sessions give it."""
    return replace(score, record={k: v for k, v in score.record.items() if k != KEY})


def kind_of(name: str) -> str:
    """Return the kind of an object in the name of an instance: ``cup`` for ``cup_0`` and
    ``cup.306``."""
    return name.rstrip("0123456789").rstrip("._")


def count_returns(stops: Sequence[Hashable]) -> int:
    """Return how many stops of a walk are at a place where an earlier stop was; staying in a place
    is no return."""
    moves = [stop for before, stop in pairwise((None, *stops)) if stop != before]
    return len(moves) - len(set(moves))


def _ending_kind(ending: str | None, over: bool) -> EndingKind:
    if ending is None:
        return "open"
    if over:
        return "rule"
    return {GOAL_MET: "goal", ALL_DONE: "roles"}.get(ending, "limit")  # type: ignore[return-value]


# --- The rules ----------------------------------------------------------------------------------


def _never_found(facts: RunFacts) -> bool:
    known = facts.goal.known
    return known is not None and any(
        part.things and not part.held and len(part.things & known) < part.number
        for part in facts.unmet
    )


def _wrong_object(facts: RunFacts) -> bool:
    wanted = frozenset[str]().union(*(part.things for part in facts.goal.parts))
    missing = [part for part in facts.unmet if part.things and not part.held]
    kinds = {kind_of(name) for part in missing for name in part.things}
    return any(
        change.thing not in wanted
        and (
            kind_of(change.thing) in kinds
            or any(not change.ends.isdisjoint(part.ends) for part in missing)
        )
        for change in facts.goal.changes
    )


def _wrong_place(facts: RunFacts) -> bool:
    if any(part.unequal for part in facts.unmet):
        return True
    last = {change.thing: change for change in facts.goal.changes if change.put}
    about_places = [
        part for part in facts.unmet if not part.held and not part.early and _is_placed(part)
    ]
    return any(
        change.thing in part.things and not any(map(change.fits, facts.goal.parts))
        for part in about_places
        for change in last.values()
    )


def _is_placed(part: GoalPart) -> bool:
    return bool(part.rooms) or any(" " in end for end in part.ends)


def _not_attempted(facts: RunFacts) -> bool:
    known, tried = facts.goal.known, facts.goal.tried
    return any(
        not part.held
        and tried.isdisjoint(part.things)
        and (known is None or len(part.things & known) >= part.number)
        for part in facts.unmet
        if part.things
    )


def _refused(facts: RunFacts) -> bool:
    things = frozenset[str]().union(*(part.things for part in facts.unmet))
    done = {event.action for event in facts.events if event.ok}
    return any(
        not event.ok and event.action not in done and not things.isdisjoint(event.action.args)
        for event in facts.events
    )


def _wrong_order(facts: RunFacts) -> bool:
    return facts.goal.out_of_order or any(part.early for part in facts.unmet)


def _undone(facts: RunFacts) -> bool:
    if not any(part.things for part in facts.goal.parts):
        return facts.best > facts.progress
    return any(part.held and not part.holds and not part.early for part in facts.unmet)


def _duplicated(facts: RunFacts) -> bool:
    parts = facts.goal.parts
    for part in parts:
        asked = sum(
            other.number
            for other in parts
            if other.things & part.things and (other.ends & part.ends or other.rooms & part.rooms)
        )
        if sum(change.fits(part) for change in facts.goal.changes) > asked > 0:
            return True
    return False


def _waited(facts: RunFacts) -> bool:
    return count_common_waits(facts.roles, facts.events) >= SPELLS


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


LABELS: Final[tuple[Label, ...]] = (
    Label(
        "never found",
        "No role ever saw enough of the objects that an unmet condition is about.",
        _never_found,
    ),
    Label(
        "not attempted",
        "The objects that an unmet condition is about were known, but no role tried to handle any"
        " of them.",
        _not_attempted,
    ),
    Label(
        "refused",
        "An action on an object that an unmet condition is about failed or was refused, and never"
        " succeeded.",
        _refused,
    ),
    Label(
        "wrong object",
        "An object that no condition is about was put where an unmet condition wants another, or"
        " got the state that it wants; or it is of the same kind as a missing object and was put"
        " down or changed anywhere.",
        _wrong_object,
    ),
    Label(
        "wrong place",
        "The object of an unmet condition was last put where no condition wants it, or not with the"
        " same or another object or place as the goal requires.",
        _wrong_place,
    ),
    Label(
        "wrong order",
        "A condition does not count because it was met before something that has to come first, or"
        " after something that has to come later. In EAI, an action was refused with the error type"
        " `wrong_order`.",
        _wrong_order,
    ),
    Label(
        "undone later",
        "An unmet condition held before the end. Where conditions are not followed one by one, the"
        " progress was higher than at the end.",
        _undone,
    ),
    Label(
        "duplicated work",
        "More was done for a condition than it asks for: the same object was put there again, or"
        " more objects were.",
        _duplicated,
    ),
    Label(
        "waited for each other",
        f"All roles that had not ended their part, at least two, waited (`Wait`) at the same time;"
        f" at least {SPELLS} times.",
        _waited,
    ),
    Label(
        "gave up",
        "All roles ended their part themselves (`Done`, `Impossible`, `Refuse`).",
        lambda facts: facts.ending == "roles",
    ),
    Label(
        "ran out of steps",
        "A limit ended the run: of steps, actions, planning cycles or time.",
        lambda facts: facts.ending == "limit",
    ),
    Label(
        "unfinished",
        "The transcript stops before the session has ended.",
        lambda facts: facts.ending == "open",
    ),
)
"""The labels of all suites, in the order in which runs have them."""


def _never(facts: RunFacts) -> bool:
    return False


_FALLBACKS: Final = (
    Label(
        NOT_PLAYED,
        "The output is no transcript of the task, or the task cannot be played.",
        _never,
    ),
    Label(OTHER, "No rule applies.", _never),
)
