"""Every quirk of success in a case that shows it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from homebody.core import Action, Object, State, Trace
from homebody.goals.etplan import QUIRKS, Criterion, EtplanGoal, read_criterion
from thorough import examples

OBJECTS = [
    Object("robot", "robot"),
    *(Object(f"{name}_{n}", name) for name in ("apple", "cup", "fridge") for n in (1, 2)),
]


def run(*steps: str) -> Trace:
    """Facts of the first state, then "Action a b: facts" for each action."""
    states, actions = [], []
    for step in steps:
        action, _, facts = step.rpartition(":")
        if action:
            name, *args = action.split()
            actions.append(Action(name, tuple(args)))
        found = [tuple(fact.split()) for fact in facts.split(",") if fact.strip()]
        states.append(State.from_facts(OBJECTS, found))
    return Trace(tuple(states), tuple(actions))


CASES = {
    # quirk -> criterion, run, success with it, success without any
    "actions_decide": [
        ("(CLOSE, robot, apple)", run("", "Navigate apple_1: CLOSE robot apple_1", "Open cup_1:"),
         True, False),  # not close any more
        ("(CLOSE, robot, apple)", run("", "Navigate cup_1: CLOSE robot apple_1"), False, True),
        ("(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
         run("", "Pick apple_1:", "Place apple_1 on fridge_1: ON apple_1 fridge_1"),
         True, False),  # on it, not in it
        ("(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
         run("", "Pick apple_1:", "Navigate fridge_1:"), False, False),
        ("STEP_1: (CLOSE, apple, cup) STEP_2: (CLOSE, robot, apple)",
         run("CLOSE apple_1 cup_1", "Navigate apple_2: CLOSE robot apple_2"),
         True, False),  # another apple
        ("STEP_1: (CLOSE, robot, apple) STEP_2: (CLOSE, robot, cup)",
         run("", "Navigate cup_1: CLOSE robot cup_1", "Navigate apple_1: CLOSE robot apple_1"),
         False, False),  # in order all the same
        ("STEP_1: (CLOSE, robot, apple) STEP_2: (CLOSE, robot, cup)",
         run("", "Open cup_1: CLOSE robot cup_1",
             "Navigate apple_1: CLOSE robot apple_1, CLOSE robot cup_1"),
         False, True),  # it handled the cup before
        ("(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
         run("INSIDE apple_1 fridge_1", "Open fridge_1: INSIDE apple_1 fridge_1",
             "Navigate apple_1: CLOSE robot apple_1, CLOSE robot fridge_1,"
             "INSIDE apple_1 fridge_1"),
         False, True),  # it was there already
        ("(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
         run("", "Place apple_1 within cup_1: CLOSE robot apple_1",
             "Place cup_1 within fridge_1: CLOSE robot apple_1, CLOSE robot fridge_1,"
             "INSIDE apple_1 fridge_1"),
         False, True),  # it came there in the cup
    ],
    "steps_are_one_list": [
        ("STEP_1: (CLOSE, robot, apple) STEP_2: (CLOSE, robot, cup)",
         run("CLOSE robot apple_1", "Navigate cup_1: CLOSE robot cup_1"), False, True),
    ],
    "candidates_are_narrowed": [
        ("(CLOSE, robot, apple)(INSIDE, apple, fridge)(CLOSE, robot, fridge)",
         run("CLOSE robot apple_1, CLOSE robot apple_2, INSIDE apple_1 fridge_1,"
             "INSIDE apple_2 fridge_2, CLOSE robot fridge_2"), True, True),
        ("(CLOSE, robot, apple)(CLOSE, apple, cup)(CLOSE, robot, cup)(CLOSE, apple, fridge)",
         run("CLOSE robot apple_1, CLOSE robot apple_2, CLOSE apple_1 cup_1, CLOSE apple_2 cup_2,"
             "CLOSE robot cup_1, CLOSE apple_2 fridge_1"), True, False),  # one apple each
        ("STEP_1: (CLOSE, robot, apple) STEP_2: (CLOSE, apple, cup)",
         run("CLOSE robot apple_1", "Wait: CLOSE apple_2 cup_1"), False, False),
        ("(CLOSE, robot, cup)(CLOSE, robot, apple)", run("CLOSE robot apple_1"), False, False),
    ],
    "only_close_ever_holds": [
        ("(CLOSE, robot, apple)(INSIDE, apple, fridge)",
         run("CLOSE robot apple_1, INSIDE apple_1 fridge_1"), False, True),
        ("(CLOSE, robot, apple)", run("CLOSE robot apple_1"), True, True),
    ],
}  # fmt: skip


def test_every_quirk_has_a_case() -> None:
    assert list(CASES) == list(QUIRKS)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_what_a_quirk_changes(quirk: str) -> None:
    seen = set()
    for text, trace, with_it, without in CASES[quirk]:
        criterion = read_criterion(text)
        for quirks, success in ((frozenset({quirk}), with_it), (frozenset(), without)):
            goal = EtplanGoal(criterion, quirks)
            verdict = goal.judge(trace)
            assert verdict.success == success, (text, quirks)
            assert goal.progress(trace) == verdict.progress
            assert verdict.explanation
        seen.add(with_it == without)
    assert False in seen, "a quirk that changes nothing"


NAMES = [item.name for item in OBJECTS if item.name != "robot"]
MOVES = st.one_of(
    st.tuples(st.just("Navigate"), st.sampled_from(NAMES)),
    st.tuples(st.sampled_from(("on", "within")), st.sampled_from(NAMES), st.sampled_from(NAMES)),
)
STEPS = st.tuples(
    st.sampled_from(("", "ON", "INSIDE")), st.permutations(("apple", "cup", "fridge"))
)


def play(moves: list[tuple[str, ...]]) -> Trace:
    """Move objects of a world in which nothing is where the robot did not put it itself. The robot
    is close to what it handled or last walked to."""
    holders: dict[str, tuple[str, str]] = {}
    handled: set[str] = set()
    steps = [""]
    for kind, name, *others in moves:
        action, at = f"{kind} {name}", {name}
        if others:
            (other,) = others
            if other == name:
                continue
            holders[name] = kind, other
            handled |= {name, other}
            action = f"Place {name} {kind} {other}"
        facts = [f"CLOSE robot {each}" for each in sorted(handled | at)]
        facts += [
            f"{'ON' if relation == 'on' else 'INSIDE'} {each} {holder}"
            for each, (relation, holder) in holders.items()
        ]
        steps.append(f"{action}: {', '.join(facts)}")
    return run(*steps)


def was_only_close_before(criterion: Criterion, trace: Trace) -> bool:
    """Whether a step approaches what the robot walked to or handled only before that step."""
    done = [{arg.rpartition("_")[0] for arg in action.args} for action in trace.actions]
    for number, stage in enumerate(criterion.stages[1:], 1):
        first = EtplanGoal(Criterion(criterion.stages[:number]))
        reached = next(
            i
            for i in range(len(trace.states))
            if first.judge(Trace(trace.states[: i + 1], trace.actions[:i])).success
        )
        since = frozenset[str]().union(*done[max(reached - 1, 0) :])
        if any(c.reaches and c.second not in since for c in stage):
            return True
    return False


@examples(300)
@given(st.lists(MOVES, max_size=10), st.lists(STEPS, min_size=1, max_size=3))
def test_what_succeeds_by_states_succeeds_by_actions_but_for_the_three_cases_above(
    moves: list, steps: list
) -> None:
    text = "".join(
        f"STEP_{i}: (CLOSE, robot, {a})" + (f"(CLOSE, robot, {b})({how}, {a}, {b})" if how else "")
        for i, (how, (a, b, _)) in enumerate(steps, 1)
    )
    criterion, trace = read_criterion(text), play(moves)
    assume(len(criterion.puts) == sum(map(len, criterion.new_puts)))  # nothing was there already
    if EtplanGoal(criterion).judge(trace).success:
        by_actions = EtplanGoal(criterion, frozenset(QUIRKS)).judge(trace).success
        assert by_actions or was_only_close_before(criterion, trace)


def test_the_checker_as_a_whole() -> None:
    """All at the end, by narrowing, and no relation but CLOSE."""
    quirks = frozenset(QUIRKS) - {"actions_decide"}
    steps = read_criterion("STEP_1: (CLOSE, robot, apple) STEP_2: (CLOSE, robot, cup)")
    assert EtplanGoal(steps, quirks).judge(run("CLOSE robot apple_1, CLOSE robot cup_1")).success
    verdict = EtplanGoal(steps, quirks).judge(run("CLOSE robot cup_1"))
    assert verdict.explanation.startswith("The goal is not reached: (CLOSE, robot, apple) is not")
    on = read_criterion("(CLOSE, robot, apple)(ON, apple, cup)")
    verdict = EtplanGoal(on, quirks).judge(run("CLOSE robot apple_1, ON apple_1 cup_1"))
    assert verdict.progress == 0.5
