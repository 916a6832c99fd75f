"""The trace of a run in any world, as far as a criterion depends on it.

Only the target of the robot's last walk and the objects that it has handled count as close to the
robot. A robot that walks past an object, or stands in front of the drawer that contains it, has not
found it (appendix A.9: the target object has to be found)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homebody.core import Action, Fact, Object, State, Trace
from homebody.core.play.transcript import write_call
from homebody.goals.etplan import ROBOT, Criterion
from homebody.suites.etplan.facts import Facts


class CriterionTrace:
    """The trace of a run for a criterion: a state at the start and after each executed action.

    Args:
        criterion: The criterion.
        facts: The world at the start; read again after each action.

    Attributes:
        facts: The world.
        classes: Classes in the criterion.
        trace: The trace so far.
        stops: Robot positions at the start and after each walk.
        walked_to: Target of each walk.
    """

    def __init__(self, criterion: Criterion, facts: Facts) -> None:
        self.facts = facts
        self.classes = frozenset(criterion.classes)
        classes = {name: facts.instances(name) for name in criterion.classes}
        pairs = [
            (condition.relation, first, second)
            for condition in criterion.conditions
            for first in classes[condition.first]
            for second in classes[condition.second]
            if first != second
        ]
        self._pairs = list(dict.fromkeys(pairs))
        self._robots = frozenset(facts.instances(ROBOT))
        objects = [Object(name, category) for category in classes for name in classes[category]]
        self.stops = [facts.robot_position()]
        self.walked_to: list[str] = []
        self._at = ""
        self._handled: set[str] = set()
        self.trace = Trace((State.from_facts(objects, self._facts()),))

    def add(self, action: Action) -> None:
        """Record an action of the robot."""
        if action.name == "Navigate":
            self._at = action.args[0]
            self.stops.append(self.facts.robot_position())
            self.walked_to.append(self._at)
        else:
            self._handled.update(action.args)
        states, actions = self.trace.states, (*self.trace.actions, action)
        before, facts = set(states[-1].facts()), set(self._facts())
        state = states[-1].change(before - facts, facts - before)
        self.trace = Trace((*states, state), actions, tuple(range(len(actions))))

    def _facts(self) -> Iterator[Fact]:
        found = self._handled | {self._at}
        for relation, first, second in self._pairs:
            if not self._robots.isdisjoint((first, second)) and found.isdisjoint((first, second)):
                continue
            if self.facts.holds(relation, first, second):
                yield relation, first, second


@dataclass(frozen=True, slots=True)
class PlayedRun:
    """A finished run in any world.

    Attributes:
        seen: Its trace.
        tried: Attempted actions in order, each with the reason for the refusal, which is empty for
            successful actions.
        length: Number of attempted actions, unreadable ones included, without ``Done``.
        metres: Metres walked; None if distances are unknown.
    """

    seen: CriterionTrace
    tried: tuple[tuple[Action, str], ...]
    length: int
    metres: float | None

    @property
    def refusal(self) -> str:
        """The last refused action on an object of the goal that never succeeded; may be empty."""
        facts, wanted = self.seen.facts, self.seen.classes
        done = {action for action, why in self.tried if not why}
        for action, why in reversed(self.tried):
            if (
                why
                and action not in done
                and not wanted.isdisjoint(map(facts.category, action.args))
            ):
                return f"{write_call(action)} failed: {why}"
        return ""
