"""The actions that are tried suffice: ways are as short as with all actions on all objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Action, ErrorType, State
from homebody.core.formula import And, Atom, Exists, Forall, Formula, Implies, Not, atoms
from homebody.core.truth import evaluate
from homebody.planning.search import Budget, Node, shortest, step
from homebody.worlds.behavior import Behavior, Thing, scene
from homebody.worlds.behavior.relevance import relevance

WORLD = Behavior()
ACTIONS = frozenset(WORLD.schemas)


def thing(name: str, category: str, *abilities: str, **more: Any) -> Thing:
    return Thing(name, f"{category}.n.01", f"{category}.n.01", frozenset(abilities), **more)


FLOOR = thing("floor_0", "floor", floor=True)
TABLE = thing("table_0", "table", "stainable", "dustyable", litres=900.0, fixed=True)
FRIDGE = thing("fridge_0", "fridge", "openable", litres=800.0, fixed=True)
SINK = thing("sink_0", "sink", "toggleable", litres=50.0, fixed=True)
JAR = thing("jar_0", "jar", "openable", litres=2.0)
PAN = thing("saucepan_0", "saucepan", "stainable", litres=4.0)
APPLE = thing("apple_0", "apple", "sliceable", "cookable", "freezable", litres=0.3)
PLATE = thing("plate_0", "plate", "stainable", "dustyable", litres=0.5)
KNIFE = thing("knife_0", "knife", "slicer", litres=0.2)
RAG = thing("rag_0", "rag", "cleaningTool", "soakable", litres=0.4)
DISHWASHER = thing("dishwasher_0", "dishwasher", "openable", "toggleable", litres=200.0, fixed=True)


def state(things: Sequence[Thing], *facts: str) -> State:
    return scene(things, [tuple(fact.split()) for fact in facts], WORLD.agent)


KITCHEN = state(
    [FLOOR, TABLE, FRIDGE, JAR, APPLE, KNIFE],
    *("onfloor table_0 floor_0", "onfloor fridge_0 floor_0", "ontop jar_0 table_0"),
    *("inside apple_0 fridge_0", "ontop knife_0 table_0"),
)
WASHING = state(
    [FLOOR, TABLE, SINK, RAG, PLATE],
    *("onfloor table_0 floor_0", "ontop rag_0 table_0", "ontop plate_0 table_0"),
    *("stained plate_0", "dusty plate_0", "dusty table_0"),
)
COOKING = state(
    [FLOOR, PAN, PLATE, APPLE, FRIDGE],
    *("onfloor fridge_0 floor_0", "inside plate_0 fridge_0", "ontop apple_0 plate_0"),
    *("onfloor saucepan_0 floor_0", "frozen apple_0"),
)
MACHINE = state(
    [FLOOR, DISHWASHER, PLATE, JAR],
    *("onfloor dishwasher_0 floor_0", "ontop jar_0 plate_0", "onfloor plate_0 floor_0"),
    *("stained plate_0", "open dishwasher_0"),
)
SCENES = {
    "kitchen": (KITCHEN, 3),
    "washing": (WASHING, 3),
    "cooking": (COOKING, 3),
    "machine": (MACHINE, 3),
}
"""Scene -> how many steps of it are explored."""

UNARY = ("open", "toggled_on", "cooked", "frozen", "sliced", "soaked", "dusty", "stained")
HELD = ("holds_lh", "holds_rh")
BINARY = ("inside", "ontop", "under", "nextto", "onfloor", "touching")


def every_action(initial: State) -> list[Action]:
    names = [name for name in initial.objects if name != WORLD.agent]
    return [
        Action(name, args)
        for name, schema in sorted(WORLD.schemas.items())
        for args in product(names, repeat=schema.arity)
    ]


def way(initial: State, wish: Formula, depth: int = 4) -> tuple[str, ...] | None:
    """The first of the shortest ways to a wish with the actions that matter."""
    relevant = relevance(WORLD, (), ACTIONS)
    found = shortest(
        WORLD,
        Node(initial, 0),
        relevant=lambda node: relevant.doable(
            wish, WORLD.view(node.state), WORLD.conditions(node.state)
        ),
        remember=lambda memory, action: memory,
        reached=lambda node: evaluate(wish, WORLD.view(node.state)),
        depth=depth,
        most=1,
        budget=Budget(10**6),
    )
    if not found:
        return None
    return tuple(str(node.action) for node in found[0].path() if node.action is not None)


def some_way(initial: State, wish: Formula, depth: int = 7) -> tuple[str, ...]:
    found = way(initial, wish, depth)
    assert found is not None, wish
    return found


@dataclass(frozen=True)
class Explored:
    """All that can be reached in a few steps.

    Attributes:
        wishes: Literals.
        masks: For each number of steps, what holds in the states that take as many: one bit for
            each wish.
    """

    wishes: tuple[Formula, ...]
    masks: tuple[frozenset[int], ...]

    def depth(self, *numbers: int) -> int | None:
        """Fewest steps after which these wishes hold at once."""
        wanted = sum(1 << number for number in numbers)
        found = (
            d for d, masks in enumerate(self.masks) if any(m & wanted == wanted for m in masks)
        )
        return next(found, None)


@cache
def explored(name: str) -> Explored:
    """Every state that any actions on any objects lead to."""
    initial, depth = SCENES[name]
    listed = every_action(initial)
    wishes = tuple(literals(initial))
    seen, level = {0}, [Node(initial, 0)]
    masks = []
    for remaining in range(depth, -1, -1):
        masks.append(frozenset(mask(node.state, wishes) for node in level))
        level = [child for node in level for child in children(node, listed, seen) if remaining]
    return Explored(wishes, tuple(masks))


def mask(state: State, wishes: Sequence[Formula]) -> int:
    view = WORLD.view(state)
    return sum(1 << number for number, wish in enumerate(wishes) if evaluate(wish, view))


def children(node: Node[int], actions: Sequence[Action], seen: set[int]) -> list[Node[int]]:
    found = []
    for action in actions:
        child = step(WORLD, node, action, lambda memory, _: memory)
        if child is not None and child.key not in seen:
            seen.add(child.key)
            found.append(child)
    return found


def literals(initial: State) -> list[Formula]:
    names = [name for name in initial.objects if name != WORLD.agent]
    positive = [Atom(p, (name,)) for p in (*UNARY, *HELD) for name in names]
    positive += [Atom(p, pair) for p in BINARY for pair in product(names, repeat=2)]
    return [*positive, *map(Not, positive)]


each_scene = pytest.mark.parametrize(
    "name", [pytest.param("kitchen", marks=pytest.mark.slow), "washing", "cooking", "machine"]
)


@pytest.mark.sampled
@each_scene
def test_single_literals_take_as_few_actions_as_with_all_actions(name: str) -> None:
    found = explored(name)
    depths = {number: found.depth(number) for number in range(len(found.wishes))}
    assert sum(depth is not None and depth > 1 for depth in depths.values()) > 20
    for number, depth in depths.items():
        if depth is not None:
            plan = some_way(SCENES[name][0], found.wishes[number], depth)
            assert len(plan) == depth, (found.wishes[number], plan)


@pytest.mark.sampled
@each_scene
def test_two_literals_take_as_few_actions_as_with_all_actions(name: str) -> None:
    """All but a few that take a thing next to or under another while it is put somewhere else:
    what is not tried is to put things aside for later, on what will be moved."""
    found = explored(name)
    generator = np.random.default_rng(1)
    possible = [n for n in range(len(found.wishes)) if (found.depth(n) or 0) > 0]
    compared, longer = 0, []
    for _ in range(400):
        pair = [int(n) for n in generator.choice(possible, size=2, replace=False)]
        depth = found.depth(*pair)
        if depth is None:
            continue
        compared += 1
        wish = And(tuple(found.wishes[number] for number in pair))
        if way(SCENES[name][0], wish, depth) is None:
            longer.append(wish)
    assert compared > 40
    assert len(longer) <= 0.05 * compared, longer
    for wish in longer:
        assert {"nextto", "under"} & {atom.predicate for atom in atoms(wish)}, wish


@pytest.mark.parametrize(
    ("wish", "plan"),
    [
        # opens what encloses, and takes the slicer besides
        ("sliced apple_0", 3),
        # a half is there once the whole is cut
        ("inside apple_0_part_0 jar_0", 6),
        ("not inside apple_0 fridge_0", 2),
        ("touching apple_0 floor_0", 3),
    ],
)
def test_ways_in_the_kitchen(wish: str, plan: int) -> None:
    found = some_way(KITCHEN, formula(wish), 6)
    assert len(found) == plan, found


@pytest.mark.parametrize(
    ("wish", "last", "steps"),
    [
        ("not dusty table_0", "CLEAN(table_0)", 2),
        # a rag is soaked in the sink that is switched on
        ("not stained plate_0", "CLEAN(plate_0)", 4),
        ("soaked rag_0", "SOAK(rag_0)", 4),
    ],
)
def test_ways_to_clean(wish: str, last: str, steps: int) -> None:
    found = some_way(WASHING, formula(wish), 6)
    assert (found[-1], len(found)) == (last, steps), found


def test_a_dishwasher_is_loaded_closed_and_switched_on() -> None:
    found = some_way(MACHINE, formula("not stained plate_0"), 6)
    assert [one.partition("(")[0] for one in found][-2:] == ["CLOSE", "TOGGLE_ON"]


def test_food_is_cooked_in_a_pan() -> None:
    found = some_way(COOKING, formula("cooked apple_0"), 6)
    assert (found[0], found[-1]) == ("OPEN(fridge_0)", "COOK(apple_0)")


def test_full_hands_let_go() -> None:
    held = KITCHEN
    for name, thing in (("RIGHT_GRASP", "knife_0"), ("LEFT_GRASP", "jar_0")):
        held = WORLD.step(held, Action(name, (thing,))).state
    found = some_way(held, formula("open fridge_0"))
    assert (len(found), found[-1]) == (2, "OPEN(fridge_0)")
    found = some_way(held, And((formula("open fridge_0"), formula("holds_rh knife_0"))))
    assert found[0] == "LEFT_RELEASE(jar_0)"


def test_quantified_wishes_are_about_what_fits_them() -> None:
    jar = Atom("part_of", ("?x", "apple_0"))
    every = Forall("?x", Implies(jar, Atom("ontop", ("?x", "table_0"))))
    found = some_way(KITCHEN, And((Atom("sliced", ("apple_0",)), every)), 7)
    assert found.count("SLICE(apple_0)") == 1
    some = Exists("?x", And((Atom("sliceable", ("?x",)), Atom("holds_lh", ("?x",)))))
    found = some_way(KITCHEN, some)
    assert found == ("OPEN(fridge_0)", "LEFT_GRASP(apple_0)")


def hopeless(state: State, wish: Formula) -> bool:
    relevant = relevance(WORLD, (), ACTIONS)
    return relevant.hopeless(wish, WORLD.view(state), WORLD.conditions(state)) is not None


@pytest.mark.parametrize(
    "wish",
    ["open apple_0", "holds_rh table_0", "inside fridge_0 jar_0", "dusty jar_0", "cooked jar_0"],
)
def test_what_no_action_brings_about_is_hopeless(wish: str) -> None:
    assert hopeless(KITCHEN, formula(wish))
    assert not hopeless(KITCHEN, Not(formula(wish)))  # that is so already


@pytest.mark.sampled
@each_scene
def test_what_can_be_reached_is_not_hopeless(name: str) -> None:
    found = explored(name)
    for number, wish in enumerate(found.wishes):
        assert found.depth(number) is None or not hopeless(SCENES[name][0], wish), wish


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4), st.booleans())
def test_all_that_is_listed_can_be_done(numbers: list[int], wide: bool) -> None:
    wishes = literals(COOKING)
    wish = And(tuple(wishes[number % len(wishes)] for number in numbers))
    relevant = relevance(WORLD, (), ACTIONS)
    view = WORLD.conditions(COOKING)
    listed = relevant.doable(wish, WORLD.view(COOKING), view, wide=wide)
    assert len(set(listed)) == len(listed)
    for action in listed:
        failure = WORLD.step(COOKING, action).failure
        assert failure is None or failure.error is ErrorType.ADDITIONAL_STEP
    assert listed == relevance(WORLD, (), ACTIONS).doable(
        wish, WORLD.view(COOKING), WORLD.conditions(COOKING), wide=wide
    )


def formula(text: str) -> Formula:
    words = text.split()
    if words[0] == "not":
        return Not(formula(" ".join(words[1:])))
    return Atom(words[0], tuple(words[1:]))
