"""Agents: their skills, speed, reach and hands."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.bounds import Name
from homebody.worlds.house.model.house import Size

HANDLING = ("Navigate", "Explore", "Pick", "Place", "Open", "Close", "Rearrange", "Wait")
"""Skills that every agent has."""
STATES = ("Clean", "Fill", "Pour", "PowerOn", "PowerOff")
"""Skills that change states: people have them, PARTNR's robot does not."""
SOCIAL = ("Ask", "Give", "Take", "Request", "Follow")
"""Skills that involve people and other agents. PARTNR's agents lack them; :meth:`Agent.with_skills`
adds them."""
ARMS = ("Grab", "Put", "PutIn")
"""Names of Pick and Place in worlds whose agents have two arms."""
MOTIONS = ("MoveAhead", "TurnLeft", "TurnRight", "LookUp", "LookDown")
"""Small steps of walking and looking; :meth:`Agent.low_level` adds them."""
AIMED = {f"{skill}Ahead": skill for skill in ("Pick", "Place", "Open", "Close", *STATES)}
"""Action on the target in the middle of the picture -> the skill that carries it out."""


@dataclass(frozen=True, slots=True)
class Agent:
    """The body and skills of an agent; :data:`ROBOT` and :data:`HUMAN` are ready-made.

    Attributes:
        skills: Names of its skills.
        speed: Metres per second.
        reach: Reach in metres on the plan from its middle.
        size: Box size; width and depth must be equal.
        hands: Names of its hands in the order of use; "right" and "left" hold objects on that side.
        view: Horizontal field of view in degrees; 360 is all around.

    Raises:
        HomebodyError: An attribute is out of range.
    """

    skills: Annotated[frozenset[Name], Meta(max_length=64)] = frozenset(HANDLING + ARMS)
    speed: Annotated[float, Meta(ge=0.01, le=20.0)] = 1.0
    reach: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.8
    size: Size = (0.5, 0.5, 1.5)
    hands: Annotated[tuple[Name, ...], Meta(max_length=8)] = ("right",)
    view: Annotated[float, Meta(gt=0.0, le=360.0)] = 360.0

    def __post_init__(self) -> None:
        for quantity, number in (("speed", self.speed), ("reach", self.reach)):
            if not (math.isfinite(number) and number > 0):
                raise HomebodyError(f"the {quantity} of an agent must be above 0, not {number}")
        if len(self.size) != 3 or not all(math.isfinite(side) and side > 0 for side in self.size):
            raise HomebodyError(f"the size of an agent must be above 0, not {self.size}")
        if self.size[0] != self.size[1]:
            raise HomebodyError(
                f"an agent must have equal width and depth, not {self.size[0]} x {self.size[1]} m"
            )
        if len(set(self.hands)) < len(self.hands) or "" in self.hands:
            raise HomebodyError(f"the hands of an agent need distinct names, not {self.hands}")
        if not 0 < self.view <= 360:
            raise HomebodyError(
                f"the view of an agent must be above 0 and up to 360 degrees, not {self.view}"
            )

    @property
    def radius(self) -> float:
        """Half its width in metres, which is its minimum distance from walls."""
        return max(self.size[0], self.size[1]) / 2

    def with_skills(self, *skills: str) -> Agent:
        """Return the same agent with more skills."""
        return replace(self, skills=self.skills | set(skills))

    def low_level(self) -> Agent:
        """Return the same agent with :data:`MOTIONS` and :data:`AIMED` in place of its skills."""
        aimed = {name for name, skill in AIMED.items() if skill in self.skills}
        kept = self.skills & {"Wait", *SOCIAL}
        return replace(self, skills=frozenset({*MOTIONS, *aimed, *kept}))

    def with_hands(self, *hands: str) -> Agent:
        """Return the same agent with other hands."""
        return replace(self, hands=hands)


ROBOT = Agent()
HUMAN = Agent(frozenset(HANDLING + ARMS + STATES), speed=1.2, size=(0.5, 0.5, 1.7))
COMPANION = HUMAN.with_skills(*SOCIAL)
"""A human who also asks, gives, takes, requests and follows."""
