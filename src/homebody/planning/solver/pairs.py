"""A second proof that a goal cannot be reached, by the pairs of literals that can hold together.

The relaxation of :mod:`.reachability` treats literals separately. For example, it does not detect
that a door has to be open for one part of the goal and closed for another. This proof computes an
upper bound of the set of pairs that can hold at the same time. A goal with an impossible pair has
no plan.

Source: the heuristic h2, Haslum and Geffner, "Admissible Heuristics for Optimal Planning", AIPS
2000; extended to negative literals and conditional effects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homebody.planning.solver.grounding import BitAction, BitTask, Choice
from homebody.planning.solver.reachability import TooLargeError

MAX_WORK = 3_000_000
"""Maximum number of operations on masks (about a second)."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Effects of an action in one context.

    Attributes:
        context: The literals that hold before.
        effects: The literals that hold after.
        lost: Literals that certainly do not hold after the action.
    """

    context: int
    effects: int
    lost: int


def goal_is_impossible(task: BitTask) -> bool:
    """Return whether every alternative of the goal contains an impossible pair. Raises
    TooLargeError."""
    return _Pairs(task).run()


class _Pairs:
    """Literals as bits: the lower half for true atoms, the upper half for false ones."""

    def __init__(self, task: BitTask) -> None:
        self.task = task
        self.size = task.size
        every = (1 << task.size) - 1
        state = self.literals((task.initial, every & ~task.initial))
        self.together = [state if state >> i & 1 else 0 for i in range(2 * task.size)]
        self.groups = [group for action in task.actions for group in self.rules(action) if group]
        self.work = 0

    def literals(self, masks: tuple[int, int]) -> int:
        true, false = masks
        return true | false << self.size

    def negate(self, literals: int) -> int:
        low = literals & ((1 << self.size) - 1)
        return low << self.size | literals >> self.size

    def rules(self, action: BitAction) -> Iterator[list[_Rule]]:
        """For each alternative of the precondition, yield the unconditional effects, then each
        conditional effect."""
        always = self.literals((action.add, action.delete & ~action.add))
        lost = self.negate(always)  # conditional effects may restore them
        for before in map(self.literals, action.condition):
            group = [_Rule(before, always, lost)]
            for when, adds, deletes in action.conditional:
                for condition in map(self.literals, when):
                    effects = self.literals((adds, deletes & ~adds))
                    group.append(_Rule(before | condition, effects, lost))
            yield group

    def run(self) -> bool:
        changed = True
        while changed:
            changed = False
            for group in self.groups:
                changed |= self.apply(group)
        return not self.possible(self.task.goal)

    def possible(self, condition: Choice) -> bool:
        return any(self.companions(self.literals(masks)) is not None for masks in condition)

    def companions(self, context: int) -> int | None:
        """Return the literals that can hold together with a set of literals; None if the set itself
        cannot hold."""
        result = -1
        for number in _numbers(context):
            result &= self.together[number]
            self.work += 1
        if self.work > MAX_WORK:
            raise TooLargeError
        return None if context & ~result else result

    def apply(self, group: list[_Rule]) -> bool:
        """Add the pairs that an action achieves. Return whether there are new pairs."""
        able: list[tuple[_Rule, int]] = []
        for rule in group:
            beside = self.companions(rule.context)
            if beside is None:
                if rule is group[0]:
                    return False
                continue
            able.append((rule, self.everything() if beside == -1 else beside))
        changed = False
        for rule, beside in able:
            after = rule.effects | (beside & ~rule.lost)
            for other, _ in able:
                self.work += 1
                if not other.context & ~beside:
                    after |= other.effects
            changed |= self.join(rule.effects, after)
        return changed

    def everything(self) -> int:
        """Return the literals that can hold at all, the companions of an empty context."""
        return sum(1 << number for number, row in enumerate(self.together) if row)

    def join(self, effects: int, after: int) -> bool:
        changed = False
        for number in _numbers(effects):
            bit = 1 << number
            new = after & ~self.negate(bit) & ~self.together[number]
            if new:
                changed = True
                self.together[number] |= new
                for other in _numbers(new):
                    self.together[other] |= bit
                    self.work += 1
        return changed


def _numbers(literals: int) -> Iterator[int]:
    while literals:
        bit = literals & -literals
        yield bit.bit_length() - 1
        literals ^= bit
