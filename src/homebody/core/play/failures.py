"""Failure analysis: the labels of a failed run, by stated rules.

A rule reads the facts of a finished run (:class:`RunFacts`): what was done, how it ended, and when
each part of the goal held. A replay of the transcript gives all of them, so scoring an old
transcript labels it. A run that succeeded has no labels. A run that failed has at least one, and
may have several: a label says what happened in a run, and not that it was the only cause.

:data:`LABELS` has the rules of all suites. A suite provides the parts of its goal and may add rules
of its own (:class:`FailureAnalysis`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from homebody.core.play.run_facts import (
    EndingKind,
    GoalFacts,
    GoalPart,
    RunFacts,
    count_common_waits,
    kind_of,
)
from homebody.core.play.session import ALL_DONE, GOAL_MET, Event, Session
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


@dataclass(frozen=True, slots=True)
class FailureLabel:
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
    """The labelling of failed runs of a suite.

    Attributes:
        facts: ``facts(session, record)`` -> what it knows of a finished session; ``record`` is that
            of the score.
        labels: Rules of its own, after :data:`LABELS`.
    """

    facts: Callable[[Any, Mapping[str, Any]], GoalFacts] = _no_facts
    labels: tuple[FailureLabel, ...] = ()

    @property
    def all(self) -> tuple[FailureLabel, ...]:
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
            best: The highest progress after any of them, if it rose above that at the start;
                otherwise 0.
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


def find_labels(facts: RunFacts, own: Iterable[FailureLabel] = ()) -> list[str]:
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
    if not facts.goal.parts:
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


LABELS: Final[tuple[FailureLabel, ...]] = (
    FailureLabel(
        "never found",
        "No role ever saw enough of the objects that an unmet condition is about.",
        _never_found,
    ),
    FailureLabel(
        "not attempted",
        "The objects that an unmet condition is about were known, but no role tried to handle any"
        " of them.",
        _not_attempted,
    ),
    FailureLabel(
        "refused",
        "An action on an object that an unmet condition is about failed or was refused, and never"
        " succeeded.",
        _refused,
    ),
    FailureLabel(
        "wrong object",
        "An object that no condition is about was put where an unmet condition wants another, or"
        " got the state that it wants; or it is of the same kind as a missing object and was put"
        " down or changed anywhere.",
        _wrong_object,
    ),
    FailureLabel(
        "wrong place",
        "The object of an unmet condition was last put where no condition wants it, or not with the"
        " same or another object or place as the goal requires.",
        _wrong_place,
    ),
    FailureLabel(
        "wrong order",
        "A condition does not count because it was met before something that has to come first, or"
        " after something that has to come later. In EAI, an action was refused with the error type"
        " `wrong_order`.",
        _wrong_order,
    ),
    FailureLabel(
        "undone later",
        "An unmet condition held before the end. Where a suite does not follow its conditions, the"
        " progress rose and was higher than at the end.",
        _undone,
    ),
    FailureLabel(
        "duplicated work",
        "More was done for a condition than it asks for: the same object was put there again, or"
        " more objects were.",
        _duplicated,
    ),
    FailureLabel(
        "waited for each other",
        f"All roles that had not ended their part, at least two, waited (`Wait`) at the same time;"
        f" at least {SPELLS} times.",
        _waited,
    ),
    FailureLabel(
        "gave up",
        "All roles ended their part themselves (`Done`, `Impossible`, `Refuse`).",
        lambda facts: facts.ending == "roles",
    ),
    FailureLabel(
        "ran out of steps",
        "A limit ended the run: of steps, actions, planning cycles or time.",
        lambda facts: facts.ending == "limit",
    ),
    FailureLabel(
        "unfinished",
        "The transcript stops before the session has ended.",
        lambda facts: facts.ending == "open",
    ),
)
"""The labels of all suites, in the order in which runs have them."""


def _never(facts: RunFacts) -> bool:
    return False


_FALLBACKS: Final = (
    FailureLabel(
        NOT_PLAYED,
        "The output is no transcript of the task, or the task cannot be played.",
        _never,
    ),
    FailureLabel(OTHER, "No rule applies.", _never),
)
