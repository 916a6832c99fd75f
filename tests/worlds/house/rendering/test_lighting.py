"""Times of day."""

from __future__ import annotations

from homebody.worlds.house.rendering.lighting import TIMES
from homebody.worlds.house.rendering.shading import exposure_for


def test_eyes_adapt_no_further_than_to_a_dark_night() -> None:
    day, night = (exposure_for(1e-4, TIMES[time].darkest) for time in ("day", "night"))
    assert night < day / 5
    assert exposure_for(0.5, TIMES["night"].darkest) == exposure_for(0.5, TIMES["day"].darkest)
