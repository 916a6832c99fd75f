"""Who acts: what an agent can do, how fast, how far it reaches, with how many hands."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.bounds import Name
from homebody.worlds.house.model.house import Size

HANDLING = ("Navigate", "Explore", "Pick", "Place", "Open", "Close", "Rearrange", "Wait")
"""What every agent can do."""
STATES = ("Clean", "Fill", "Pour", "PowerOn", "PowerOff")
"""What changes the state of things: people can, PARTNR's robot cannot."""
SOCIAL = ("Ask", "Give", "Take", "Request", "Follow")
"""What is done with people of the scene and other agents; who does it is made with
:meth:`Agent.with_skills`, since PARTNR's agents cannot."""
ARMS = ("Grab", "Put", "PutIn")
"""Pick and Place under the names of worlds whose agents have two arms."""
MOTIONS = ("MoveAhead", "TurnLeft", "TurnRight", "LookUp", "LookDown")
"""Walking and looking in small steps; who does it is made with :meth:`Agent.low_level`."""
AIMED = {f"{skill}Ahead": skill for skill in ("Pick", "Place", "Open", "Close", *STATES)}
"""What is done to what is in the middle of one's picture -> the skill by which it is done."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What an agent is and can do; :data:`ROBOT` and :data:`HUMAN` are made already.

    Attributes:
        skills: Names of its skills.
        speed: Metres per second.
        reach: Metres on the plan from its middle to what it can touch.
        size: Of its box; its width and depth must be the same.
        hands: Names of its hands, in the order in which they are used; "right" and "left" hold
            things to that side.
        view: Degrees from left to right that it sees at once; 360 is all around.

    Raises:
        HomebodyError: one of these is out of range.
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
                f"an agent must be as wide as deep, not {self.size[0]} x {self.size[1]} m"
            )
        if len(set(self.hands)) < len(self.hands) or "" in self.hands:
            raise HomebodyError(f"the hands of an agent need names of their own, not {self.hands}")
        if not 0 < self.view <= 360:
            raise HomebodyError(f"an agent sees above 0 and up to 360 degrees, not {self.view}")

    @property
    def radius(self) -> float:
        """Half its width, in metres: what it keeps from walls."""
        return max(self.size[0], self.size[1]) / 2

    def with_skills(self, *skills: str) -> Agent:
        """The same agent with more skills."""
        return replace(self, skills=self.skills | set(skills))

    def low_level(self) -> Agent:
        """The same agent with small steps in place of its skills: it walks and looks by
        :data:`MOTIONS`, and handles what is in the middle of its picture (:data:`AIMED`)."""
        aimed = {name for name, skill in AIMED.items() if skill in self.skills}
        kept = self.skills & {"Wait", *SOCIAL}
        return replace(self, skills=frozenset({*MOTIONS, *aimed, *kept}))

    def with_hands(self, *hands: str) -> Agent:
        """The same agent with other hands."""
        return replace(self, hands=hands)


ROBOT = Agent()
HUMAN = Agent(frozenset(HANDLING + ARMS + STATES), speed=1.2, size=(0.5, 0.5, 1.7))
COMPANION = HUMAN.with_skills(*SOCIAL)
"""A human who also asks, gives, takes, requests and follows."""
