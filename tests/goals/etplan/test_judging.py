"""Traces judged by criteria."""

from __future__ import annotations

import random
from itertools import product
from time import process_time

import pytest

from homebody.core import Object, State, Trace
from homebody.goals.etplan import CLOSE, Criterion, EtplanGoal, read_criterion

HOME = {"robot": "robot"} | {
    f"{name}_{number}": name for name in ("apple", "cup", "fridge", "bed") for number in (1, 2)
}


def trace(*states: str) -> Trace:
    """States as "CLOSE robot apple_1, ON cup_1 bed_1"."""
    objects = [Object(name, category) for name, category in HOME.items()]
    facts = [[tuple(fact.split()) for fact in state.split(",") if fact] for state in states]
    return Trace(tuple(State.from_facts(objects, some) for some in facts))


def judged(criterion: str, *states: str) -> tuple[bool, float, str]:
    goal, run = EtplanGoal(read_criterion(criterion)), trace(*states)
    verdict = goal.judge(run)
    assert verdict.progress == goal.progress(run)
    assert verdict.success == (verdict.progress == 1)
    assert verdict.success == all(part.satisfied for part in verdict.parts)
    return verdict.success, round(verdict.progress, 3), verdict.explanation


def test_the_last_stage_is_judged_at_the_end() -> None:
    near = "CLOSE robot apple_2"
    assert judged("(CLOSE, robot, apple)", "", near) == (True, 1, "The condition holds.")
    assert judged("(CLOSE, robot, apple)", near, "") == (
        False, 0, "The goal is not reached: the robot is not close to apple_2.",
    )  # fmt: skip


def test_one_thing_of_each_class_makes_all_true() -> None:
    asked = "(CLOSE, robot, apple)(INSIDE, apple, fridge)(CLOSE, robot, fridge)"
    same = "CLOSE robot apple_2, INSIDE apple_2 fridge_1, CLOSE robot fridge_1"
    assert judged(asked, same) == (True, 1, "All 3 conditions hold.")
    other = "CLOSE robot apple_1, INSIDE apple_2 fridge_1, CLOSE robot fridge_1"
    assert judged(asked, other)[:2] == (False, 0.667)


def test_stages_hold_in_order() -> None:
    asked = "STEP_1: (INSIDE, apple, cup) STEP_2: (INSIDE, cup, fridge)"
    first, second = "INSIDE apple_1 cup_1", "INSIDE cup_1 fridge_1"
    assert judged(asked, "", first, second) == (True, 1, "All 2 steps are reached, in order.")
    assert judged(asked, second, first) == (
        False, 0.5, "Step 2 of 2 is not reached: cup_1 is not inside fridge_1.",
    )  # fmt: skip
    assert judged(asked, f"{first},{second}")[0], "both at once"
    assert judged(asked, first, "INSIDE cup_2 fridge_1")[:2] == (False, 0.5), "another cup"
    assert judged(asked, first, second, "") == (
        False, 0.5, "Step 2 of 2 is not reached: cup_1 is not inside fridge_1.",
    )  # fmt: skip
    assert judged(asked, second)[:2] == (False, 0), "nothing counts before its step"


def test_a_step_counts_by_what_holds_now() -> None:
    asked = "STEP_1: (CLOSE, robot, apple)(CLOSE, apple, cup) STEP_2: (CLOSE, robot, bed)"
    verdict = EtplanGoal(read_criterion(asked)).judge(trace("CLOSE robot apple_1"))
    assert [(p.text, p.kind, p.satisfied) for p in verdict.parts] == [
        ("STEP_1: (CLOSE, robot, apple)", "intermediate", True),
        ("STEP_1: (CLOSE, apple, cup)", "intermediate", False),
        ("STEP_2: (CLOSE, robot, bed)", "final", False),
    ]
    assert verdict.explanation == (
        "Step 1 of 2 is not reached: apple_1 is not close to a wanted cup."
    )


def test_close_goes_both_ways_and_nothing_else_does() -> None:
    assert judged("(CLOSE, apple, cup)", "CLOSE cup_1 apple_2")[0]
    assert not judged("(ON, apple, cup)", "ON cup_1 apple_2")[0]


def test_two_of_a_class() -> None:
    assert judged("(CLOSE, robot, apple)(ON, apple, apple)",
                  "CLOSE robot apple_2, ON apple_2 apple_1")[0]  # fmt: skip
    assert not judged("(CLOSE, robot, apple)(ON, apple, apple)",
                      "CLOSE robot apple_1, ON apple_2 apple_1")[0]  # fmt: skip


def test_what_there_is_none_of() -> None:
    assert judged("(CLOSE, robot, tv)", "")[2] == "The goal is not reached: there is no tv."


def test_several_problems_are_all_told() -> None:
    asked = "(CLOSE, robot, apple)(ON, apple, bed)(FACING, bed, cup)"
    assert judged(asked, "CLOSE robot apple_1")[2] == (
        "The goal is not reached: apple_1 is not on a wanted bed,"
        " and a wanted bed does not face a wanted cup."
    )


def by_trying(criterion: Criterion, run: Trace) -> float:
    """The progress, as the words say it, with all choices tried."""
    kinds = {k: [o.name for o in run.initial.objects.values() if o.category == k]
             for k in criterion.classes}  # fmt: skip
    best = 0
    for names in product(*kinds.values()):
        chosen = dict(zip(kinds, names, strict=True))
        at, met = 0, 0
        for number, stage in enumerate(criterion.stages, 1):
            truth = [
                [s.holds(c.relation, (chosen[c.first], chosen[c.second]))
                 or (c.relation == CLOSE and s.holds(CLOSE, (chosen[c.second], chosen[c.first])))
                 for c in stage]
                for s in run.states
            ]  # fmt: skip
            whole = [i for i, row in enumerate(truth) if i >= at and all(row)]
            if number == len(criterion.stages):
                whole = [i for i in whole if i == len(truth) - 1]
            if not whole:
                met += sum(truth[-1])
                break
            at = whole[0]
            met += len(stage)
        best = max(best, met)
    return best / len(criterion.conditions)


@pytest.mark.parametrize("seed", range(60))
def test_the_search_finds_what_trying_all_finds(seed: int) -> None:
    rng = random.Random(seed)
    things = [name for name in HOME if name != "robot"]
    relations = ("CLOSE", "ON", "INSIDE")
    states = [
        ",".join(
            " ".join((rng.choice(relations), *rng.sample(["robot", *things], 2)))
            for _ in range(rng.randint(0, 25))
        )
        for _ in range(rng.randint(1, 6))
    ]
    classes = ["robot", "apple", "cup", "fridge", "bed"]
    stages = [
        "".join(
            "({}, {}, {})".format(rng.choice(relations), *rng.sample(classes, 2))
            for _ in range(rng.randint(1, 3))
        )
        for _ in range(rng.randint(1, 3))
    ]
    text = "".join(f"STEP_{i}: {stage}" for i, stage in enumerate(stages, 1))
    criterion, run = read_criterion(text), trace(*states)
    assert EtplanGoal(criterion).progress(run) == by_trying(criterion, run)


def test_the_search_is_bounded() -> None:
    """Sixteen classes of twelve things each, and more choices than anyone can try."""
    classes = [f"c{chr(97 + i)}" for i in range(16)]
    objects = [Object(f"{c}_{i}", c) for c in classes for i in range(12)]
    rng = random.Random(1)
    facts = [
        (relation, f"{a}_{rng.randrange(12)}", f"{b}_{rng.randrange(12)}")
        for a, b in product(classes, classes)
        for relation in ("ON", "CLOSE")
        for _ in range(12)
    ]
    run = Trace((State.from_facts(objects, facts),))
    text = "".join(
        f"(ON, {a}, {b})(CLOSE, {a}, {c})"
        for a, b, c in zip(classes, [*classes[1:], classes[0]], classes[::-1], strict=True)
    )
    before = process_time()
    assert 0.4 < EtplanGoal(read_criterion(text)).progress(run) < 1
    assert process_time() - before < 5
