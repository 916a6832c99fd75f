"""Plans for the BEHAVIOR world: found where there are any, and what the world confirms."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import Action, Fact, State, execute
from homebody.core.formula import FALSE, TRUE, And, Atom, Formula, Not, Or
from homebody.core.truth import evaluate
from homebody.planning.solver import fast_downward
from homebody.worlds.behavior import Behavior, Thing, scene
from homebody.worlds.behavior.planning_problem import simplify, translate
from worlds.behavior.test_world import THINGS, start, thing

needs_fast_downward = pytest.mark.skipif(
    fast_downward.find_spec("up_fast_downward") is None, reason="Fast Downward is not installed"
)
WORLD = Behavior()


def atom(text: str) -> Formula:
    """``"inside pea fridge"``, or ``"not dusty plate"``."""
    words = text.split()
    if words[0] == "not":
        return Not(atom(" ".join(words[1:])))
    return Atom(words[0], tuple(words[1:]))


def find(state: State, goal: Formula) -> tuple[Action, ...] | None:
    """A plan that the world has confirmed; None if the planner proves that there is none."""
    formula, definitions = simplify(WORLD, state, goal, {})
    if formula in (TRUE, FALSE):
        return () if formula == TRUE else None
    written = translate(WORLD, state, formula, definitions)
    answer = fast_downward.ask_text(
        written.domain,
        written.problem,
        seconds=60,
        memory_mb=1000,
        proof=fast_downward.PROOF,
    )
    assert answer.verdict in ("solved", "unsolvable"), answer.message
    if answer.verdict == "unsolvable":
        return None
    trace = execute(WORLD, state, written.actions(answer.plan))
    assert trace.failure is None, (goal, trace.failure)
    assert evaluate(goal, WORLD.view(trace.final)), (goal, trace.actions)
    return trace.actions


SOLVABLE = [
    ("inside pea car", ["OPEN"], ["RIGHT_PLACE_INSIDE"]),
    ("ontop pea floor_b", ["OPEN"], ["RIGHT_PLACE_ONTOP"]),
    ("not inside pea fridge", [], ["RIGHT_GRASP"]),
    ("inside apple jar & not open jar", [], ["CLOSE"]),
    ("ontop apple plate & inside apple fridge", [], ["RIGHT_PLACE_INSIDE"]),
    ("nextto pea jar", [], ["RIGHT_PLACE_NEXTTO"]),
    ("nextto pea plate & inside plate fridge", [], ["RIGHT_PLACE_NEXTTO"]),
    ("not nextto plate jar", [], ["RIGHT_GRASP"]),
    ("nextto pea soap_1 & onfloor pea floor_b", [], ["RIGHT_PLACE_NEXTTO_ONTOP"]),
    ("under soap_1 table", [], ["RIGHT_PLACE_UNDER"]),
    ("touching pea soap_1", [], ["RIGHT_PLACE_ONTOP"]),
    ("cooked pea", [], ["COOK"]),
    ("cooked pea & inside pea jar", [], ["COOK", "RIGHT_PLACE_INSIDE"]),
    ("frozen apple", [], ["FREEZE"]),
    ("frozen apple & ontop apple table", [], ["FREEZE", "RIGHT_PLACE_ONTOP"]),
    ("soaked rag", [], ["SOAK"]),
    ("soaked rag & not toggled_on sink_1", [], ["SOAK"]),
    ("not dusty plate", [], ["CLEAN"]),
    ("not stained plate", [], ["CLEAN"]),
    ("not stained plate & not dusty plate", [], ["CLEAN"]),
    ("not dusty floor_k", [], ["CLEAN"]),
    ("toggled_on stove", [], ["TOGGLE_ON"]),
    ("toggled_on dishwasher_1 & inside plate dishwasher_1", [], ["TOGGLE_ON"]),
    ("open box", [], ["OPEN"]),
    ("not open carton_1", [], ["CLOSE"]),
    ("sliced apple", [], ["SLICE"]),
    ("sliced apple & inside apple fridge", [], ["SLICE"]),
    ("cooked apple_part_0 & not cooked apple_part_1", [], ["SLICE", "COOK"]),
    ("ontop apple_part_0 soap_1 & inside apple_part_1 jar", [], ["SLICE"]),
    ("sliced apple & not ontop apple plate", [], ["SLICE"]),
]
DIRT = (("dusty", "plate"), ("stained", "plate"), ("dusty", "floor_k"))


def goal_of(text: str) -> Formula:
    return And(tuple(atom(part) for part in text.split(" & ")))


@pytest.mark.sampled
@needs_fast_downward
@pytest.mark.parametrize(("text", "first", "some"), SOLVABLE, ids=[row[0] for row in SOLVABLE])
def test_what_can_be_done_is_planned(text: str, first: list[str], some: list[str]) -> None:
    plan = find(start(*DIRT), goal_of(text))
    assert plan is not None
    names = [action.name for action in plan]
    assert names[: len(first)] == first
    assert all(any(name.startswith(one) for name in names) for one in some)
    assert not any("LEFT" in name for name in names)


@pytest.mark.sampled
@needs_fast_downward
@pytest.mark.parametrize(
    "text",
    [
        "inside frying_pan_1 jar",  # too small
        "nextto pea soap_1 & nextto pea rag & nextto soap_1 rag",  # one neighbour for each placing
        "ontop pea plate & ontop plate pea",
        "cooked apple_part_0 & not sliced apple",
        "toggled_on stove & open stove",
    ],
)
def test_what_cannot_be_done_is_not_planned(text: str) -> None:
    assert find(start(), goal_of(text)) is None


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("ontop apple plate", None),
        ("ontop fridge plate", FALSE),  # fixed
        ("not ontop fridge plate", TRUE),
        ("inside apple floor_k", FALSE),
        ("dusty table", FALSE),  # nothing makes things dusty
        ("not dusty table", TRUE),
        ("not dusty plate", None),
        ("cooked plate", FALSE),
        ("cooked pea", TRUE),  # is, and stays so
        ("not cooked pea", FALSE),
        ("filled plate soap_1", FALSE),
        ("open fridge", None),
        ("open plate", FALSE),
        ("inside knife apple_part_0", None),
        ("sliced apple_part_0", None),
    ],
)
def test_what_no_action_changes_is_known(text: str, known: Formula | None) -> None:
    state = start(("dusty", "plate"), ("cooked", "pea"))
    found, _ = simplify(WORLD, state, atom(text), {})
    assert found == (atom(text) if known is None else known)


def test_definitions_that_are_known_are_put_in() -> None:
    goal = And((Atom("one"), Not(Atom("two")), Atom("three")))
    definitions: dict[str, Formula] = {
        "one": Or((atom("cooked plate"), atom("open fridge"))),
        "two": And((atom("open plate"), atom("open fridge"))),
        "three": Or((Atom("one"), Atom("two"))),
    }
    found, left = simplify(WORLD, start(), goal, definitions)
    assert found == And((Atom("one"), Atom("three")))
    assert left == {"one": Or((atom("open fridge"),)), "three": Or((Atom("one"),))}


def test_hands_must_be_empty() -> None:
    state = start().change(add=[("holds_lh", "pea")])
    with pytest.raises(ValueError, match="hands"):
        translate(WORLD, state, atom("open fridge"), {})


@needs_fast_downward
def test_only_what_matters_is_written() -> None:
    written = translate(WORLD, start(), atom("inside soap_1 fridge"), {})
    assert set(written.names.values()) == {"floor_k", "soap_1", "table", "fridge"}


@needs_fast_downward
def test_names_that_pddl_cannot_write() -> None:
    things = [thing("floor", "floor", floor=True)]
    things += [Thing(name, "a", "a") for name in ("Ab c'", "ab-c'", "ab_c'", "1st", "é")]
    state = scene(things, [("onfloor", t.name, "floor") for t in things[1:]])
    goal = And(
        tuple(Atom("ontop", pair) for pair in itertools.pairwise(t.name for t in things[1:]))
    )
    plan = find(state, goal)
    assert plan is not None
    assert len(plan) == 8


@needs_fast_downward
def test_without_a_floor() -> None:
    things = [thing("box", "package", "openable"), thing("pea", "pea"), thing("bean", "bean")]
    state = scene(things, [("inside", "pea", "box"), ("inside", "bean", "box")])
    plan = find(state, goal_of("nextto pea box & not inside bean box & not open box"))
    assert plan is not None
    assert "CLOSE" in {action.name for action in plan}


# -- against a search that tries everything --------------------------------------------------------

TINY = tuple(  # all of one size: things get into what is too small for them beside what is there
    replace(one, litres=1.0)
    for one in (
        thing("floor", "floor", "dustyable", floor=True),
        thing("box", "box", "openable"),
        thing("pot", "saucepan"),
        thing("pea", "pea", "cookable", "dustyable"),
    )
)
TINY_FACTS: tuple[Fact, ...] = (
    ("onfloor", "box", "floor"),
    ("ontop", "pot", "box"),
    ("inside", "pea", "box"),
)
PLACES = ("floor", "box", "pot", "pea")
LITERALS = [
    *(
        f"{relation} {one} {other}"
        for relation in ("inside", "ontop")
        for one, other in itertools.permutations(PLACES, 2)
        if "floor" not in (one, other) or (relation, other) == ("ontop", "floor")
    ),
    *("open box", "cooked pea"),
]
ACTIONS = [
    Action(name, (obj,))
    for name in (
        *("RIGHT_GRASP", "RIGHT_PLACE_INSIDE", "RIGHT_PLACE_ONTOP", "RIGHT_PLACE_UNDER"),
        *("OPEN", "CLOSE", "COOK"),
    )
    for obj in PLACES
]


@cache
def reachable() -> Sequence[State]:
    """Every state that the right hand can bring about."""
    first = scene(TINY, TINY_FACTS)

    def key(state: State) -> frozenset[Fact]:
        return frozenset(fact for fact in state.facts() if WORLD.agent not in fact)

    seen = {key(first): first}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        for action in ACTIONS:
            outcome = WORLD.step(state, action)
            if outcome.failure is None and key(outcome.state) not in seen:
                seen[key(outcome.state)] = outcome.state
                queue.append(outcome.state)
    return list(seen.values())


@pytest.mark.slow
@needs_fast_downward
@settings(max_examples=15, derandomize=True)
@given(
    wanted=st.lists(
        st.sampled_from([*LITERALS, "not open box", "not cooked pea", "not inside pea box"]),
        min_size=1,
        max_size=4,
        unique=True,
    )
)
def test_a_plan_is_found_if_there_is_one(
    wanted: list[str],
) -> None:
    goal = And(tuple(map(atom, wanted)))
    possible = any(evaluate(goal, WORLD.view(state)) for state in reachable())
    assert (find(scene(TINY, TINY_FACTS), goal) is not None) == possible


def test_the_scene_of_the_tests_has_what_they_name() -> None:
    names = {one.name for one in THINGS} | {"apple_part_0", "apple_part_1"}
    for text, *_ in SOLVABLE:
        for part in text.split(" & "):
            assert set(part.removeprefix("not ").split()[1:]) <= names, part
