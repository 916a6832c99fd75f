"""Judging a trace by a criterion: its stages in order, with the same objects throughout.

A criterion holds if there is a choice of objects, one for each class, that makes all stages true.
The last stage must be true in the last state. Each other stage must be true in some state, not
earlier than the previous stage. What a stage brings about (:attr:`.Criterion.new_puts`) must
become true after the previous stage was first reached. If it was done too early, it does not count
until it is undone and done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

from homebody.core.goal import Part, Verdict
from homebody.core.world import Trace
from homebody.goals.etplan.criterion import (
    CLOSE,
    RELATION_WORDS,
    ROBOT,
    Condition,
    Criterion,
    Members,
    members_of,
    pairs_of,
)
from homebody.goals.etplan.published import (
    ACTIONS_DECIDE,
    NARROWED,
    ONE_LIST,
    ONLY_CLOSE,
    judge_by_actions,
    judge_by_narrowing,
    merge_stages,
)

MOST_CHOICES: Final = 20_000
"""Maximum number of evaluated choices of objects; after it, the best choice so far counts. Typical
tasks need less than a hundred."""

Times: TypeAlias = Mapping[tuple[str | None, str | None], int]
"""Two objects (None for any) -> the states in which a condition holds for them; bit i is state
i."""


@dataclass(frozen=True)
class EtplanGoal:
    """A criterion as a goal.

    ``progress`` is the share of the conditions that are met with the best choice of objects. Met
    are all conditions of the stages that were reached, and the conditions of the next stage that
    hold now and were not met too early. ``parts`` are the conditions, of kind ``"intermediate"`` or
    ``"final"``.

    Attributes:
        criterion: The criterion, as read with the quirks.
        quirks: Names in :data:`~homebody.goals.etplan.published.QUIRKS` that are kept.
    """

    criterion: Criterion
    quirks: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if ONE_LIST in self.quirks and ACTIONS_DECIDE not in self.quirks:
            object.__setattr__(self, "criterion", merge_stages(self.criterion))

    def progress(self, trace: Trace) -> float:
        """Return the share of the conditions that are met, 1 if and only if all are met."""
        met = sum(map(sum, self._evaluate(trace)[0]))
        return met / len(self.criterion.conditions)

    def judge(self, trace: Trace) -> Verdict:
        """Judge a trace with the objects that meet most conditions, and explain what is unmet."""
        met, search = self._evaluate(trace)
        stages = self.criterion.stages
        parts: list[Part] = []
        explanation = ""
        for number, (stage, truths) in enumerate(zip(stages, met, strict=True), 1):
            step = f"STEP_{number}: " if len(stages) > 1 else ""
            kind = "final" if number == len(stages) else "intermediate"
            parts += [Part(f"{step}{c}", kind, ok) for c, ok in zip(stage, truths, strict=True)]
            unmet = [c for c, ok in zip(stage, truths, strict=True) if not ok]
            if unmet and not explanation:
                where = f"Step {number} of {len(stages)}" if len(stages) > 1 else "The goal"
                problems = [
                    search.explain_unmet(c, number) if search else f"{c} is not met" for c in unmet
                ]
                explanation = f"{where} is not reached: {', and '.join(problems)}."
        progress = sum(part.satisfied for part in parts) / len(parts)
        explanation = explanation or _success_text(len(stages), len(parts))
        return Verdict(progress == 1, progress, tuple(parts), explanation)

    def _evaluate(self, trace: Trace) -> tuple[list[list[bool]], _Search | None]:
        """Return whether each condition of each stage is met, and the search if there was one."""
        if ACTIONS_DECIDE in self.quirks:
            return judge_by_actions(self.criterion, trace), None
        only_close = ONLY_CLOSE in self.quirks
        if NARROWED in self.quirks:
            return judge_by_narrowing(self.criterion, trace, only_close=only_close), None
        search = _Search(self.criterion, trace, only_close).run()
        return search.evaluate_stages(), search


@dataclass
class _Search:
    """A branch-and-bound search for the objects that meet most of a criterion.

    A condition with unchosen objects counts as held if any choice makes it hold, so the count is an
    upper bound.
    """

    criterion: Criterion
    trace: Trace
    only_close: bool = False
    chosen: dict[str, str] = field(default_factory=dict)
    met: int = -1
    _choices: int = 0

    def run(self) -> _Search:
        self._extend({}, self.classes)
        return self

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The variables to choose: the classes, and the second of two objects of one class."""
        others = [_second_variable(c) for c in self.criterion.conditions if c.first == c.second]
        return tuple(dict.fromkeys((*self.criterion.classes, *others)))

    @cached_property
    def members(self) -> Members:
        """The objects of each class."""
        return members_of(self.trace.initial, self.criterion.classes)

    @cached_property
    def times(self) -> Mapping[Condition, Times]:
        """For each condition: pairs of objects -> the states in which it holds."""
        times: dict[Condition, dict[tuple[str | None, str | None], int]] = {}
        for condition in self.criterion.conditions:
            if condition in times:
                continue
            row = times[condition] = {}
            if self.only_close and condition.relation != CLOSE:
                continue
            key = ("etplan", str(condition))
            for index, state in enumerate(self.trace.states):
                pairs = state.cache.get(key)
                if pairs is None:  # goals are judged after every step
                    pairs = state.cache[key] = pairs_of(state, condition, self.members)
                for first, second in pairs:
                    for pair in product((first, None), (second, None)):
                        row[pair] = row.get(pair, 0) | 1 << index
        return times

    @cached_property
    def rises(self) -> Mapping[Condition, Times]:
        """For each condition that a stage brings about: pairs of objects -> the states in which it
        has just become true."""
        rises: dict[Condition, dict[tuple[str | None, str | None], int]] = {}
        for condition in frozenset[Condition]().union(*self.criterion.new_puts):
            row = rises[condition] = {}
            for (first, second), states in self.times[condition].items():
                if first is not None and second is not None:
                    for pair in product((first, None), (second, None)):
                        row[pair] = row.get(pair, 0) | (states & ~(states << 1))
        return rises

    @cached_property
    def candidates(self) -> Mapping[str, Sequence[str]]:
        """The objects of each class that meet a condition in some state; "" stands for all
        others."""
        found: dict[str, dict[str, None]] = {name: {} for name in self.classes}
        for condition, row in self.times.items():
            for first, second in row:
                if first is not None and second is not None:
                    found[condition.first][first] = None
                    found[_second_variable(condition)][second] = None
        return {name: (*sorted(names), "") for name, names in found.items()}

    def find_states(
        self, condition: Condition, chosen: Mapping[str, str], since: int | None = None
    ) -> int:
        """Return the states in which a condition holds, or can hold with some choice of the
        remaining objects; if ``since`` is given, only those after it became true later than in that
        state."""
        pair = chosen.get(condition.first), chosen.get(_second_variable(condition))
        states = self.times[condition].get(pair, 0)
        if since is None:
            return states
        rises = self.rises[condition].get(pair, 0) & (-2 << since)
        return states & -(rises & -rises)

    def evaluate_stages(self, chosen: Mapping[str, str] | None = None) -> list[list[bool]]:
        """Return the truth of each condition: true for all conditions of reached stages, and for
        the conditions of the next stage that hold at the end and were not met too early."""
        chosen = self.chosen if chosen is None else chosen
        now, last = 0, len(self.trace.states) - 1
        result: list[list[bool]] = []
        stages = self.criterion.stages
        for number, (stage, new) in enumerate(zip(stages, self.criterion.new_puts, strict=True), 1):
            if now < 0:
                result.append([False] * len(stage))
                continue
            in_order = new if number > 1 else ()
            held = [self.find_states(c, chosen, now if c in in_order else None) for c in stage]
            together = -1 << (last if number == len(stages) else now)
            for states in held:
                together &= states
            now = (together & -together).bit_length() - 1  # the first such state, or -1
            result.append([now >= 0 or bool(states >> last & 1) for states in held])
        return result

    def _extend(self, chosen: dict[str, str], left: Sequence[str]) -> None:
        """Evaluate all choices of the remaining variables."""
        self._choices += 1
        met = sum(sum(stage) for stage in self.evaluate_stages(chosen))
        if met <= self.met:
            return
        if not left:
            self.chosen, self.met = chosen, met
            return
        for candidate in self.candidates[left[0]]:
            if self._choices < MOST_CHOICES or self.met < 0:
                self._extend({**chosen, left[0]: candidate}, left[1:])

    # --- Words ----------------------------------------------------------------------------------

    def explain_unmet(self, condition: Condition, stage: int) -> str:
        """Return a clause on a condition of a stage that does not hold or was met too early."""
        for name in (condition.first, condition.second):
            if not self.members[name]:
                return f"there is no {name}"
        first = self._name_object(condition.first, condition.first)
        second = self._name_object(condition.second, _second_variable(condition))
        if self.find_states(condition, self.chosen) >> (len(self.trace.states) - 1) & 1:
            where = f"{first} was {RELATION_WORDS[condition.relation]} {second}"
            return f"{where} too early, before step {stage - 1} was reached"
        return f"{first} {_UNMET[condition.relation]} {second}"

    def _name_object(self, name: str, variable: str) -> str:
        if name == ROBOT:
            return "the robot"
        few = len(self.members[name]) == 1
        return self.chosen.get(variable) or (self.members[name][0] if few else f"a wanted {name}")


_UNMET: Final = {
    CLOSE: "is not close to",
    "ON": "is not on",
    "INSIDE": "is not inside",
    "FACING": "does not face",
}


def _second_variable(condition: Condition) -> str:
    """Return the variable of the second object of a condition."""
    same = condition.first == condition.second
    return f"another {condition.second}" if same else condition.second


def _success_text(stages: int, conditions: int) -> str:
    if stages > 1:
        return f"All {stages} steps are reached, in order."
    return "The condition holds." if conditions == 1 else f"All {conditions} conditions hold."
