"""The current activity of an agent, and its future positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from homebody.core.action import Action
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.simulation.walking.destinations import Walk
from homebody.worlds.house.simulation.walking.trajectories import Knot

STEP_ASIDE = Action("StepAside")
"""The action of an idle agent that steps aside because it blocks another agent's only way. It is
not a skill."""


@dataclass(slots=True)
class Activity:
    """The current activity of an agent: ``parts[0]`` now, the others after it.

    Attributes:
        action: The chosen action.
        parts: Its remaining parts.
        start: The clock at which the action began.
        begun: The clock at which this part began.
        end: The clock at which this part ends.
        deadline: The clock at which this part times out; 0 if it does not.
        walk: The walk of this part, if any.
        face: The point to look at on arrival; None for straight on.
        looks: The clocks at which its walk enters another room, the first last.
        opened: Doors opened on its way, each with the key that unlocked it or an empty string.
        stalled: True while there is no way for this part; it is given up at ``end``.
        known: The number of nodes in its graph when the action began.
        intended: The resolved action: the action itself, or the action on the target in the middle
            of the picture.
    """

    action: Action
    parts: list[Action]
    start: int
    begun: int = 0
    end: int = 0
    deadline: int = 0
    walk: Walk | None = None
    face: Point | None = None
    looks: list[int] = field(default_factory=list)
    opened: list[tuple[str, str]] = field(default_factory=list)
    stalled: bool = False
    known: int = 0
    intended: Action | None = None

    @property
    def next_event(self) -> int:
        """The clock of its next event."""
        return self.looks[-1] if self.looks else self.end

    def is_door_on_the_way(self, part: Action) -> bool:
        """Return whether a part opens a door only to carry out another action."""
        return part.name == "Open" and self.action.name not in ("Open", "OpenAhead")

    def gives_way(self, clock: int) -> bool:
        """Return whether it can be interrupted by a walk out of somebody's way."""
        waits = self.stalled or self.parts[0].name in ("Wait", "Follow")
        return waits and (
            self.walk is None or not self.walk.path.length or clock >= self.begun + self.walk.steps
        )

    def set_out(self, walk: Walk, face: Point | None, clock: int, looks: bool) -> None:
        """Begin a walk.

        Args:
            walk: The walk.
            face: The point to look at in the end.
            clock: Now.
            looks: True to look around on the way.
        """
        self.walk, self.face, self.begun = walk, face, clock
        self.looks = [clock + steps for steps in reversed(list(walk.looks))] if looks else []


def knots_of(activity: Activity | None, standing: Point, clock: int) -> tuple[Knot, ...]:
    """Return the positions of an agent from now on.

    Args:
        activity: Its current activity, if any.
        standing: Its position.
        clock: Now.
    """
    if activity is None or activity.walk is None:
        return ((0.0, *standing),)
    return activity.walk.knots(activity.begun - clock)
