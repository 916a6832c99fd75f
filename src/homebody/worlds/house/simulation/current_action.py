"""What an agent is doing, and where it will be meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

from homebody.core.action import Action
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.simulation.walking.destinations import Walk
from homebody.worlds.house.simulation.walking.trajectories import Knot

STEP_ASIDE = Action("StepAside")
"""What somebody does, unasked, who stood in another's only way. It is no skill."""


@dataclass(slots=True)
class Activity:
    """What an agent is doing: ``parts[0]`` now, the others after it.

    Attributes:
        action: What it wants.
        parts: What that is made of, as far as it is not done.
        start: The clock at which the action began.
        begun: The clock at which this part began.
        end: The clock at which this part ends.
        walk: Where it walks in this part, if it does.
        face: Where it looks when it has arrived; None for straight on.
        looks: When it comes into another room on its walk, the first last.
        opened: Doors that it has opened on its way, each with the key that unlocked it, if any.
        stalled: Whether there is no way for this part yet; at ``end`` that is given up.
        known: How many nodes its graph had when the action began.
        intended: What the action comes down to: itself, or that of what was in the middle.
    """

    action: Action
    parts: list[Action]
    start: int
    begun: int = 0
    end: int = 0
    walk: Walk | None = None
    face: Point | None = None
    looks: list[int] = field(default_factory=list)
    opened: list[tuple[str, str]] = field(default_factory=list)
    stalled: bool = False
    known: int = 0
    intended: Action | None = None

    @property
    def next_event(self) -> int:
        """When something happens next."""
        return self.looks[-1] if self.looks else self.end

    def is_door_on_the_way(self, part: Action) -> bool:
        """Whether a part is to open a door, and something else is wanted."""
        return part.name == "Open" and self.action.name not in ("Open", "OpenAhead")

    @property
    def gives_way(self) -> bool:
        """Whether it can be interrupted by a walk out of somebody's way."""
        waits = self.stalled or self.parts[0].name in ("Wait", "Follow")
        return waits and (self.walk is None or not self.walk.path.length)

    def set_out(self, walk: Walk, face: Point | None, clock: int, looks: bool) -> None:
        """Begin a walk.

        Args:
            walk: Where to.
            face: Where to look in the end.
            clock: Now.
            looks: Whether to look around on the way.
        """
        self.walk, self.face, self.begun = walk, face, clock
        self.looks = [clock + steps for steps in reversed(list(walk.looks))] if looks else []


def knots_of(activity: Activity | None, standing: Point, clock: int) -> tuple[Knot, ...]:
    """Where an agent will be from now on.

    Args:
        activity: What it is doing, if anything.
        standing: Where it is.
        clock: Now.
    """
    if activity is None or activity.walk is None:
        return ((0.0, *standing),)
    return activity.walk.knots(activity.begun - clock)
