"""What criteria ask for, as things to find and where to put them."""

from __future__ import annotations

from homebody.goals.etplan import Condition, Job, Target, jobs, read_criterion


def test_what_is_put_somewhere_is_something_the_robot_is_close_to() -> None:
    lamp = read_criterion("(CLOSE, robot, desk)(ON, lamp, desk)")
    assert lamp.puts == ()
    assert jobs(lamp) == (Job(Target("desk")),)
    moved = read_criterion("(CLOSE, robot, lamp)(CLOSE, robot, desk)(ON, lamp, desk)")
    assert moved.puts == (Condition("ON", "lamp", "desk"),)
    assert jobs(moved) == (Job(Target("lamp"), "ON", Target("desk")),)


def test_what_was_gone_to_before_can_be_put_and_what_comes_later_is_no_place_yet() -> None:
    cup, put = Condition("ON", "cup", "bed"), Condition("INSIDE", "cup", "sink")
    text = f"STEP_1: (CLOSE, robot, cup){cup} STEP_2: (CLOSE, robot, sink){put}"
    assert read_criterion(text).puts == (put,)
    assert jobs(read_criterion(text)) == (Job(Target("cup", (cup,)), "INSIDE", Target("sink")),)
    later = read_criterion(f"STEP_1: (CLOSE, robot, cup){cup} STEP_2: (CLOSE, robot, bed)")
    assert later.puts == ()
    assert jobs(later) == (Job(Target("cup", (cup,))), Job(Target("bed")))


def test_nothing_is_put_on_itself() -> None:
    assert read_criterion("(CLOSE, robot, cup)(ON, cup, cup)").puts == ()
