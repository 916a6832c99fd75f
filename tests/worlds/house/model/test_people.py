"""From boxes to hips and hands."""

import pytest

from homebody.worlds.house.model.house import GESTURES, POSTURES, Person, Pose
from homebody.worlds.house.model.people import box_size, grip, held_pose, hips, stature


@pytest.mark.parametrize("posture", POSTURES)
@pytest.mark.parametrize("height", [1150, 1720])
def test_a_box_tells_how_tall_somebody_is(posture: str, height: int) -> None:
    size = box_size(posture, height, height * 28 // 100, height // 5, 460)
    person = Person("person_0", posture, "den_0", Pose((0.0, 0.0, 0.0)), size)
    assert stature(person) == pytest.approx(height / 1000, abs=0.003)
    if posture != "lying":
        assert 0.15 * height < hips(person)[2] * 1000 < 0.65 * height


@pytest.mark.parametrize("gesture", GESTURES)
def test_what_is_held_is_near_the_body(gesture: str) -> None:
    size = box_size("sitting", 1700, 480, 340, 460)
    person = Person("p", "sitting", "den_0", Pose((2.0, 1.0, 0.0), 90.0), size, gesture=gesture)
    across, ahead, up = grip(person)
    assert abs(across) < 0.3
    assert -0.4 < ahead < 0.4
    assert 0.4 < up < 1.75
    x, y, _ = held_pose(person, (0.2, 0.1, 0.02)).position
    assert abs(x - 2.0) < 0.7
    assert abs(y - 1.0) < 0.7
