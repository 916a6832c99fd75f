"""Partners: the expert with traits, to play beside somebody.

A partner knows the house and the task as the expert does, but it takes another part of the work, or
does it in another way. Each trait is a rule of its own; :mod:`.expert.partner` follows them. All
chance depends on the task, its seed and the role."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits of a partner. The defaults are the expert's.

    *Work* is a placement or a change of state that succeeded. To *set out* is to begin a job with
    another object than before.

    Attributes:
        part: The jobs that it takes: ``all``; ``share``, which are every second object, what only
            it can do and what the instruction assigns to it; or ``room``, which are those in the
            room where it stands, what only it can do and what the instruction assigns to it.
        order: The job that it takes first: the ``near``, those of one room after the other
            (``rooms``), or any (``random``).
        yields: False if it also takes what its partner is about to handle (these jobs first) and
            what the instruction assigns to its partner.
        slowness: It waits after each action, at least this multiple of the action's duration.
        rest: Seconds that it waits at least after work.
        searches: Probability that it goes to a wrong piece of furniture first when it sets out,
            drawn from those that can hold objects.
        wavers: Probability that it takes an object, puts it back and turns to another job when it
            sets out. Each object once.
        repeats: Probability, after work, that it picks up an object again that it has put down.
            Each object once.
        corrects: Probability that it picks up an object that its partner has put down, and puts it
            down itself. Each object once.
        closes: True if it closes what it opened, after work.
        returns: Number of works after which it walks to its own room, which is drawn; 0 for never.
    """

    part: Literal["all", "share", "room"] = "all"
    order: Literal["near", "rooms", "random"] = "near"
    yields: bool = True
    slowness: float = 0.0
    rest: float = 0.0
    searches: float = 0.0
    wavers: float = 0.0
    repeats: float = 0.0
    corrects: float = 0.0
    closes: bool = False
    returns: int = 0


FAIR: Final = "fair"
PARTNERS: Final[Mapping[str, Traits]] = {
    FAIR: Traits(part="share"),
    "slow": Traits(slowness=1.0),
    "lazy": Traits(part="room", rest=30.0),
    "forgetful": Traits(searches=0.5, repeats=0.25),
    "fickle": Traits(order="random", wavers=0.5),
    "bossy": Traits(yields=False, corrects=0.5),
    "habitual": Traits(order="rooms", closes=True, returns=2),
}
"""Name -> the traits of a partner. The first does its share and leaves the rest to others."""
