"""The actions that are tried suffice: ways are as short as with all actions on all objects."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import Action, State
from homebody.core.formula import And, Atom, Exists, Forall, Formula, Implies, Not, Or, evaluate
from homebody.planning.search import Budget, Node, shortest
from homebody.worlds.behavior import Behavior, Thing, scene
from homebody.worlds.behavior.relevance import Relevance
from homebody.worlds.behavior.world import View

WORLD = Behavior()
ACTIONS = frozenset(WORLD.schemas)
DEPTH = 5


def thing(name: str, category: str, *abilities: str, **more: object) -> Thing:
    return Thing(name, f"{category}.n.01", f"{category}.n.01", frozenset(abilities), **more)  # type: ignore[arg-type]


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
SCENES = {"kitchen": KITCHEN, "washing": WASHING, "cooking": COOKING, "machine": MACHINE}

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


def way(initial: State, wish: Formula, depth: int, *, everything: bool) -> tuple[Action, ...] | None:
    """The shortest way to a wish, with all actions or with those that matter."""
    listed = every_action(initial)
    relevance = Relevance(WORLD, (), ACTIONS)

    def relevant(node: Node[int]) -> list[Action]:
        if everything:
            return listed
        return relevance.doable(wish, WORLD.view(node.state), View(WORLD, node.state))

    found = shortest(
        WORLD,
        Node(initial, 0),
        relevant=relevant,
        remember=lambda memory, action: memory,
        reached=lambda node: evaluate(wish, WORLD.view(node.state)),
        depth=depth,
        most=1,
        budget=Budget(10**7),
    )
    if not found:
        return None
    return tuple(node.action for node in found[0].path() if node.action is not None)


def literals(initial: State) -> list[Formula]:
    names = [name for name in initial.objects if name != WORLD.agent]
    positive = [Atom(p, (name,)) for p in (*UNARY, *HELD) for name in names]
    positive += [Atom(p, pair) for p in BINARY for pair in product(names, repeat=2)]
    return [*positive, *map(Not, positive)]


@pytest.mark.parametrize("name", SCENES)
def test_wishes_of_one_literal_take_as_few_actions_as_with_all_actions(name: str) -> None:
    """Every literal that all actions bring about in four steps."""
    initial = SCENES[name]
    wanted = {str(wish): wish for wish in literals(initial)}
    reached: dict[str, int] = {}
    seen = {0}
    level: list[Node[int]] = [Node(initial, 0)]
    listed = every_action(initial)
    for depth in range(4):
        for node in level:
            view = WORLD.view(node.state)
            for text, wish in wanted.items():
                if text not in reached and evaluate(wish, view):
                    reached[text] = depth
        level = [child for node in level for child in children(node, listed, seen)]
    for node in level:
        view = WORLD.view(node.state)
        for text, wish in wanted.items():
            if text not in reached and evaluate(wish, view):
                reached[text] = 4
    assert sum(depth > 1 for depth in reached.values()) > 20
    for text, depth in reached.items():
        found = way(initial, wanted[text], depth, everything=False)
        assert found is not None, text
        assert len(found) == depth, (text, found)


def children(node: Node[int], actions: Sequence[Action], seen: set[int]) -> list[Node[int]]:
    from homebody.planning.search import step

    found = []
    for action in actions:
        child = step(WORLD, node, action, lambda memory, _: memory)
        if child is not None and child.key not in seen:
            seen.add(child.key)
            found.append(child)
    return found
