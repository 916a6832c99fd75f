"""Tracks which predicates hold after each step of a run, and whether the run succeeded.

All predicates are checked after every step, in no particular order. Once met, ``choose``,
``agent_pass``, ``grab_once`` and ``special_action_success`` stay met. The other predicates are
about the current step. A predicate with ``again`` is met only after a step at which it did not
hold. A run succeeds as soon as all predicates are met. It fails if they are not all met after an
answer (appendix 6.2, algorithm 1). Two quirks of the published code change when they are met.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Final

from homebody.goals.embodiedeval.predicate import AGENT, Predicate

AT: Final = 0.3
"""Distance in metres below which an object or agent is at a point."""
NEAR: Final = 1.5
"""Distance in metres below which two objects are near each other."""
CLOSER: Final = 2.0
"""Minimum decrease of a distance in metres that counts as closer."""
FURTHER: Final = 1.0
"""Minimum increase of a distance in metres that counts as further."""
_LASTING: Final = frozenset({"choose", "agent_pass", "grab_once", "special_action_success"})
CHOICE_ENDS: Final = "choice-of-one-step"
"""The quirk that ``choose`` is about the current step."""
START_SKIPPED: Final = "start-not-judged"
"""The quirk that nothing is met before the first step."""


@dataclass(frozen=True, slots=True)
class Step:
    """The observations of a world after a step that predicates need.

    Attributes:
        chosen: Text of the chosen option; empty before the first step and for movement.
        answered: True if the option was an answer.
        succeeded: True if the action took effect.
        held: Name of the object in the agent's hand, or an empty string.
        distance: Returns the horizontal distance in metres between two objects or points; one of
            them can be :data:`AGENT`.
        distance_in_space: Returns the distance in three dimensions.
        is_placed: ``is_placed(relation, thing, place)`` is True if the object lies ``on`` or
            ``inside``.
        is_in_state: Returns whether an object is in a state.
        is_walled_off: Returns whether there is a wall between the agent and an object. Such an
            object is not near. Runs that were recorded in other simulators lack this information.
    """

    chosen: str
    answered: bool
    succeeded: bool
    held: str
    distance: Callable[[str, str], float]
    distance_in_space: Callable[[str, str], float]
    is_placed: Callable[[str, str, str], bool]
    is_in_state: Callable[[str, str], bool]
    is_walled_off: Callable[[str], bool] = lambda name: False


class Judge:
    """Follows a run.

    Args:
        predicates: The goal's predicates.
        first: The observations before the first step.
        quirks: The kept quirks.

    Attributes:
        met: For each predicate, whether it is met after the last step.
        answered: True once an answer was given.
        wrong: True once an answer was given that is not the right one.
    """

    def __init__(
        self, predicates: Sequence[Predicate], first: Step, quirks: Set[str] = frozenset()
    ) -> None:
        self._predicates = tuple(predicates)
        self._at_first = {
            predicate: first.distance(*predicate.arguments)
            for predicate in self._predicates
            if predicate.name in ("closer", "further")
        }
        self.met: tuple[bool, ...] = (False,) * len(self._predicates)
        self._counts = tuple(not predicate.again for predicate in self._predicates)
        self._lasting = _LASTING - {"choose"} if CHOICE_ENDS in quirks else _LASTING
        self.answered = self.wrong = False
        self.follow(first)
        if START_SKIPPED in quirks:
            self.met = (False,) * len(self._predicates)

    @property
    def success(self) -> bool:
        """True if all predicates are met."""
        return all(self.met)

    @property
    def progress(self) -> float:
        """Share of predicates that are met: goal-condition success."""
        return sum(self.met) / len(self.met)

    def follow(self, step: Step) -> None:
        """Update the predicates with the next step."""
        self.answered |= step.answered
        self.wrong |= step.answered and any(
            predicate.name == "choose" and predicate.arguments[0] != step.chosen
            for predicate in self._predicates
        )
        holds = [
            (before and predicate.name in self._lasting) or self._holds(predicate, step)
            for predicate, before in zip(self._predicates, self.met, strict=True)
        ]
        self._counts = tuple(
            counts or not held for counts, held in zip(self._counts, holds, strict=True)
        )
        self.met = tuple(held and counts for held, counts in zip(holds, self._counts, strict=True))

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
                return step.distance(AGENT, one) < AT
            case "agent_near":
                return step.distance(AGENT, one) < NEAR and not step.is_walled_off(one)
            case "at":
                return step.distance(one, *others) < AT
            case "not_at":
                return step.distance_in_space(one, *others) > AT
            case "near":
                return step.distance(one, *others) < NEAR
            case "not_near":
                return step.distance(one, *others) > NEAR
            case "closer":
                return self._at_first[predicate] - step.distance(one, *others) > CLOSER
            case "further":
                return step.distance(one, *others) - self._at_first[predicate] > FURTHER
            case "on" | "inside":
                return step.is_placed(name, one, *others)
            case _:  # is
                return step.is_in_state(one, others[0]) == (others[1] == "yes")
