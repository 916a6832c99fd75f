"""What no plan can break, right or wrong, in the worlds of both protocols and between."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import Action, ErrorType, State
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior, Thing, scene

SLICEABLE = frozenset({"sliceable", "cookable", "freezable", "dustyable"})
THINGS = (
    Thing("floor_0", "floor.n.01", "floor.n.01", frozenset({"dustyable"}), floor=True),
    Thing("sink_0", "sink.n.01", "sink.n.01", frozenset({"toggleable", "waterSource"}), fixed=True),
    Thing("fridge_0", "electric_refrigerator.n.01", "fridge", frozenset({"openable"}), fixed=True),
    Thing("apple_0", "apple.n.01", "apple.n.01", SLICEABLE),
    Thing("plate_0", "plate.n.04", "plate.n.04", frozenset({"dustyable", "stainable"})),
    Thing("saucepan_0", "saucepan.n.01", "saucepan.n.01"),
    Thing("knife_0", "knife.n.01", "knife.n.01", frozenset({"slicer"})),
    Thing("rag_0", "rag.n.01", "rag.n.01", frozenset({"cleaningTool", "soakable"})),
)
START = scene(
    THINGS,
    [
        ("ontop", "apple_0", "plate_0"),
        ("ontop", "rag_0", "plate_0"),
        ("inside", "plate_0", "fridge_0"),
        ("onfloor", "saucepan_0", "floor_0"),
        ("nextto", "saucepan_0", "fridge_0"),
        ("dusty", "plate_0"),
        ("open", "fridge_0"),
    ],
)
WORLD = Behavior()
NAMES = [name for name in START.objects if name != WORLD.agent]
SUPPORTS = ("inside", "ontop")


@st.composite
def actions(draw: st.DrawFn) -> Action:
    schema = draw(st.sampled_from(sorted(WORLD.schemas.values(), key=lambda s: s.name)))
    size = schema.arity
    return Action(
        schema.name, tuple(draw(st.lists(st.sampled_from(NAMES), min_size=size, max_size=size)))
    )


PLANS = st.lists(actions(), max_size=30)


def states(world: Behavior, plan: list[Action]) -> list[State]:
    """The states of a plan, whatever fails."""
    found = [START]
    for action in plan:
        found.append(world.step(found[-1], action, found[:-1]).state)
    return found


def supports(state: State, name: str) -> list[str]:
    return [place for relation in SUPPORTS for place in sorted(state.targets(relation, name))]


def chain(state: State, name: str) -> list[str]:
    found: list[str] = []
    below = supports(state, name)
    while below:
        assert below[0] not in (name, *found), "a cycle of supports"
        found.append(below[0])
        below = supports(state, below[0])
    return found


@pytest.mark.slow
@given(PLANS)
@settings(max_examples=150)
def test_each_thing_is_in_one_place(plan: list[Action]) -> None:
    for state in states(WORLD, plan):
        held = [row[0] for hand in ("holds_lh", "holds_rh") for row in state.match(hand, (None,))]
        assert len(set(held)) == len(held) <= 2
        for name in NAMES:
            places = [*supports(state, name), *state.targets("onfloor", name)]
            assert len(places) <= 1
            assert not (name in held and places)
            chain(state, name)
            for other in state.targets("nextto", name):
                assert name in state.targets("nextto", other)
        cut = state.holds("sliced", ("apple_0",))
        for half in ("apple_0_part_0", "apple_0_part_1"):
            assert state.holds("sliced", (half,)) == cut
            if not cut:
                assert not supports(state, half)
                assert half not in held
                assert not state.targets("nextto", half)
                assert not state.targets("onfloor", half)


@given(PLANS)
@settings(max_examples=80)
def test_contents_move_along(plan: list[Action]) -> None:
    """Grasping and placing moves one thing: what lies in or on it stays there."""
    found = states(WORLD, plan)
    for before, after, action in zip(found, found[1:], plan, strict=False):
        if "TRANSFER" in action.name or action.name == "SLICE" or after is before:
            continue
        held = {n for hand in ("holds_lh", "holds_rh") for (n,) in before.match(hand, (None,))}
        moved = held | ({action.args[0]} if "GRASP" in action.name else set())
        for name in NAMES:
            if name not in moved:
                assert supports(before, name) == supports(after, name)


@pytest.mark.slow
@given(PLANS, st.sets(st.sampled_from(sorted(WORLD_QUIRKS))))
@settings(max_examples=120)
def test_any_set_of_quirks_runs_and_is_deterministic(plan: list[Action], quirks: set[str]) -> None:
    world = Behavior(quirks=frozenset(quirks))
    first, second = states(world, plan), states(Behavior(quirks=frozenset(quirks)), plan)
    assert [list(s.facts()) for s in first] == [list(s.facts()) for s in second]
    assert set(first[-1].objects) == set(START.objects)
    view = world.view(first[-1])
    for relation in (*SUPPORTS, "under", "nextto", "onfloor", "touching"):
        rows = list(view.match(relation, (None, None)))
        assert all(view.holds(relation, row) for row in rows)


@given(PLANS)
@settings(max_examples=60)
def test_failures_change_nothing_and_say_why(plan: list[Action]) -> None:
    for quirks in (frozenset[str](), WORLD_QUIRKS):
        world, state, past = Behavior(quirks=quirks), START, list[State]()
        for action in plan:
            outcome = world.step(state, action, past)
            if outcome.failure is None:
                past.append(state)
            else:
                assert outcome.state is state
                assert outcome.failure.message.startswith("Not ")
                for internal in ("Atom(", "Exists(", "?"):
                    assert internal not in outcome.failure.message
            state = outcome.state


@pytest.mark.slow
@given(PLANS, st.sampled_from(NAMES))
@settings(max_examples=100)
def test_going_where_one_is_would_change_nothing(plan: list[Action], name: str) -> None:
    *earlier, before = states(WORLD, plan)
    going = Action("NAVIGATE_TO", (name,))
    there = WORLD.step(before, going, earlier)
    if there.failure is None:
        again = WORLD.step(there.state, going, [*earlier, before])
        assert again.failure is not None
        assert again.failure.error is ErrorType.ADDITIONAL_STEP
        schema, now = WORLD.schemas[going.name], WORLD.conditions(there.state)
        binding = schema.bind(WORLD.agent, going)
        assert set(WORLD.after(there.state, schema, binding, now).facts()) == set(
            there.state.facts()
        )
