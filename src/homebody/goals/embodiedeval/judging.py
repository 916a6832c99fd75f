"""Which predicates hold after each step of a run, and whether it is over.

All are looked at after every step, whatever their order. ``choose``, ``agent_pass``, ``grab_once``
and ``special_action_success`` stay met once they were; the others are about now. A run succeeds as
soon as all are met, and fails with an answer after which they are not (appendix 6.2, algorithm 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.goals.embodiedeval.predicate import AGENT, Predicate

AT: Final = 0.3
"""Metres under which something is at a point."""
NEAR: Final = 1.5
"""Metres under which something is near another."""
CLOSER: Final = 2.0
"""Metres by which two things must have come closer, at least."""
FURTHER: Final = 1.0
"""Metres by which two things must have come apart, at least."""
_LASTING: Final = frozenset({"choose", "agent_pass", "grab_once", "special_action_success"})


@dataclass(frozen=True, slots=True)
class Step:
    """What predicates ask of a world after a step.

    Attributes:
        chosen: The text of the option that was chosen; empty before the first step, and where it
            was movement.
        answered: Whether that was an answer.
        succeeded: Whether it did what it says.
        held: What the agent holds, or an empty string.
        apart: Metres between two things or points, or :data:`AGENT` and one, on the plan.
        apart_in_space: The same with heights.
        rests: ``rests(relation, thing, place)``: whether it lies ``on`` or ``inside`` a place.
        is_so: Whether a thing is in a state.
        walled_off: Whether a wall is between the agent and a thing, which is not near then; what
            was recorded by others does not tell.
    """

    chosen: str
    answered: bool
    succeeded: bool
    held: str
    apart: Callable[[str, str], float]
    apart_in_space: Callable[[str, str], float]
    rests: Callable[[str, str, str], bool]
    is_so: Callable[[str, str], bool]
    walled_off: Callable[[str], bool] = lambda name: False


class Judge:
    """Follows a run.

    Args:
        predicates: What is to be met.
        first: How it is before the first step.

    Attributes:
        met: Of each predicate, whether it is met after the last step.
        answered: Whether an answer was given.
    """

    def __init__(self, predicates: Sequence[Predicate], first: Step) -> None:
        self._predicates = tuple(predicates)
        self._at_first = {
            predicate: first.apart(*predicate.arguments)
            for predicate in self._predicates
            if predicate.name in ("closer", "further")
        }
        self.met: tuple[bool, ...] = (False,) * len(self._predicates)
        self.answered = False
        self.follow(first)

    @property
    def success(self) -> bool:
        """Whether all are met."""
        return all(self.met)

    @property
    def progress(self) -> float:
        """The share of predicates that are met: goal-condition success."""
        return sum(self.met) / len(self.met)

    def follow(self, step: Step) -> None:
        """Take a step into account."""
        self.answered |= step.answered
        self.met = tuple(
            (before and predicate.name in _LASTING) or self._holds(predicate, step)
            for predicate, before in zip(self._predicates, self.met, strict=True)
        )

    def _holds(self, predicate: Predicate, step: Step) -> bool:
        name, (one, *others) = predicate.name, predicate.arguments
        match name:
            case "choose":
                return step.answered and step.chosen == one
            case "special_action_success":
                return step.succeeded and not step.answered and step.chosen == one
            case "grab" | "grab_once":
                return step.held == one
            case "agent_at" | "agent_pass":
                return step.apart(AGENT, one) < AT
            case "agent_near":
                return step.apart(AGENT, one) < NEAR and not step.walled_off(one)
            case "at":
                return step.apart(one, *others) < AT
            case "not_at":
                return step.apart_in_space(one, *others) > AT
            case "near":
                return step.apart(one, *others) < NEAR
            case "not_near":
                return step.apart(one, *others) > NEAR
            case "closer":
                return self._at_first[predicate] - step.apart(one, *others) > CLOSER
            case "further":
                return step.apart(one, *others) - self._at_first[predicate] > FURTHER
            case "on" | "inside":
                return step.rests(name, one, *others)
            case _:  # is
                return step.is_so(one, others[0]) == (others[1] == "yes")
