"""Traces judged by criteria."""

from __future__ import annotations

import random
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Object, State, Trace
from homebody.goals.etplan import CLOSE, Condition, Criterion, EtplanGoal, read_criterion
from thorough import examples

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


ORDERED = (
    "STEP_1: (CLOSE, robot, apple)(CLOSE, robot, cup)(INSIDE, apple, cup) "
    "STEP_2: (CLOSE, robot, bed)(ON, cup, bed)(INSIDE, apple, cup)"
)
NEAR = "CLOSE robot apple_1, CLOSE robot cup_1, CLOSE robot bed_1"
FILLED, SET = "INSIDE apple_1 cup_1", "ON cup_1 bed_1"


def test_what_a_step_puts_is_put_after_the_step_before() -> None:
    done = (True, 1, "All 2 steps are reached, in order.")
    early = (
        False, 0.833,
        "Step 2 of 2 is not reached: cup_1 was on bed_1 too early, before step 1 was reached.",
    )  # fmt: skip
    both = f"{NEAR}, {FILLED}, {SET}"
    assert judged(ORDERED, NEAR, f"{NEAR}, {FILLED}", both) == done
    assert judged(ORDERED, NEAR, f"{NEAR}, {SET}", both) == early
    assert judged(ORDERED, NEAR, both) == early, "both at once"
    assert judged(ORDERED, f"{NEAR}, {SET}", both) == early, "as it was at the start"
    lifted = f"{NEAR}, {FILLED}"
    assert judged(ORDERED, f"{NEAR}, {SET}", both, lifted, both) == done, "done again"
    undone = judged(ORDERED, NEAR, lifted, both, lifted)
    assert undone == (False, 0.833, "Step 2 of 2 is not reached: cup_1 is not on bed_1.")


def test_what_stays_from_an_earlier_step_is_not_put_again() -> None:
    third = f"{ORDERED} STEP_3: (CLOSE, robot, cup)(CLOSE, robot, fridge)(INSIDE, cup, fridge)"
    steps = [f"{NEAR}, {FILLED}", f"{NEAR}, {FILLED}, {SET}"]
    end = f"{NEAR}, CLOSE robot fridge_1, {FILLED}, INSIDE cup_1 fridge_1"
    assert judged(f"{third}(INSIDE, apple, cup)", NEAR, *steps, end)[0]
    again = f"{third} STEP_4: (CLOSE, robot, bed)(ON, cup, bed)"
    assert judged(again, NEAR, *steps, end, f"{NEAR}, {SET}")[0]
    kept = f"{end}, {SET}"
    assert not judged(again, NEAR, *steps, kept)[0], "it has to be put on the bed once more"


def test_what_the_first_step_puts_may_be_there_from_the_start() -> None:
    text = "(CLOSE, robot, apple)(CLOSE, robot, cup)(INSIDE, apple, cup)"
    assert judged(text, f"{NEAR}, {FILLED}")[0]


def test_the_search_knows_which_of_two_was_put_too_early() -> None:
    other = "INSIDE apple_2 cup_2, ON cup_2 bed_2"
    near = f"{NEAR}, CLOSE robot apple_2, CLOSE robot cup_2, CLOSE robot bed_2"
    run = [near, f"{near}, {FILLED}, {SET}", f"{near}, {FILLED}, {SET}, INSIDE apple_2 cup_2"]
    assert not judged(ORDERED, *run)[0]
    assert judged(ORDERED, *run, f"{near}, {FILLED}, {SET}, {other}")[0]


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


def placed_in(criterion: Criterion, number: int) -> list[Condition]:
    """What a step puts on or in something: the robot was close to the one, and now to the other."""
    so_far = {c.second for stage in criterion.stages[:number] for c in stage if c.first == "robot"
              if c.relation == CLOSE}  # fmt: skip
    stage = criterion.stages[number - 1]
    now = {c.second for c in stage if c.first == "robot" and c.relation == CLOSE}
    return [
        c for c in stage
        if c.relation != CLOSE and c.first in so_far and c.second in now and c.first != c.second
    ]  # fmt: skip


def by_trying(criterion: Criterion, run: Trace) -> float:
    """The progress, as the words say it, with all choices tried."""
    kinds = {k: [o.name for o in run.initial.objects.values() if o.category == k]
             for k in criterion.classes}  # fmt: skip
    best = 0
    for names in product(*kinds.values()):
        chosen = dict(zip(kinds, names, strict=True))
        at, met = 0, 0
        there: set[Condition] = set()
        for number, stage in enumerate(criterion.stages, 1):
            truth = [
                [s.holds(c.relation, (chosen[c.first], chosen[c.second]))
                 or (c.relation == CLOSE and s.holds(CLOSE, (chosen[c.second], chosen[c.first])))
                 for c in stage]
                for s in run.states
            ]  # fmt: skip
            puts = [c for c in placed_in(criterion, number) if c not in there]
            for column in map(stage.index, puts if number > 1 else ()):
                held = [row[column] for row in truth]
                for i, row in enumerate(truth):  # did it become true after the step before?
                    row[column] = held[i] and any(
                        held[k] and not held[k - 1] for k in range(at + 1, i + 1)
                    )
            there = {c for c in there if c.first not in {p.first for p in puts}} | {*puts}
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


ITEMS = ("apple", "cup", "bed")
PUTS = [(one, other) for one in ITEMS for other in ITEMS if one != other]
STEPS = st.lists(
    st.tuples(st.sampled_from(("ON", "INSIDE")), st.sampled_from(PUTS)), min_size=1, max_size=2
)
FACTS = st.frozensets(
    st.tuples(st.sampled_from(("ON", "INSIDE")), st.sampled_from(PUTS), st.booleans()), max_size=6
)


@examples(300)
@given(st.lists(STEPS, min_size=1, max_size=3), st.lists(FACTS, min_size=1, max_size=6))
def test_steps_that_put_things_are_judged_as_trying_all_does(steps: list, states: list) -> None:
    """The robot is close to everything; the steps put things, and the states change."""
    text = "".join(
        f"STEP_{i}: "
        + "".join(
            f"(CLOSE, robot, {a})(CLOSE, robot, {b})({how}, {a}, {b})" for how, (a, b) in step
        )
        for i, step in enumerate(steps, 1)
    )
    criterion = read_criterion(text)
    near = [f"CLOSE robot {name}_{n}" for name in ITEMS for n in (1, 2)]
    run = trace(*(
        ",".join([*near, *(f"{how} {a}_{1 + x} {b}_{1 + x}" for how, (a, b), x in sorted(state))])
        for state in states
    ))  # fmt: skip
    assert EtplanGoal(criterion).progress(run) == by_trying(criterion, run)


@examples(100)
@given(st.permutations(PUTS).flatmap(lambda puts: st.tuples(
    st.just(puts[:4]), st.permutations(range(4)), st.lists(st.booleans(), min_size=4, max_size=4)
)))  # fmt: skip
def test_only_one_order_of_steps_succeeds(drawn: tuple) -> None:
    """Four things are put somewhere, one after the other, and each stays; some are put twice."""
    puts, order, again = drawn
    steps = [f"(CLOSE, robot, {a})(CLOSE, robot, {b})(ON, {a}, {b})" for a, b in puts]
    text = "".join(f"STEP_{i}: {step}" for i, step in enumerate(steps, 1))
    states, done = ["CLOSE robot apple_1, CLOSE robot cup_1, CLOSE robot bed_1"], list[str]()
    for number in order:
        fact = "ON {}_1 {}_1".format(*puts[number])
        done.append(fact)
        states.append(",".join([states[0], *done]))
        if again[number]:
            states += [",".join([states[0], *done[:-1]]), states[-1]]
    assert judged(text, *states)[0] == (list(order) == sorted(order))
    states += [states[0], *(",".join([states[0], *map("ON {0[0]}_1 {0[1]}_1".format, puts[:n])])
                            for n in range(1, 5))]  # fmt: skip
    assert judged(text, *states)[0], "undone, and done once more in order"


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
