"""The search for shortest ways, and which actions it tries, against trying everything."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import Action, Object, State, execute
from homebody.core.formula import And, Atom, Formula, Not, Or
from homebody.core.truth import evaluate
from homebody.planning.search import Budget, Node, change_key, shortest, step, to_trace
from homebody.worlds.virtualhome import VirtualHome
from homebody.worlds.virtualhome.relevance import relevance

ME, KITCHEN, BEDROOM = "character.1", "kitchen.2", "bedroom.3"
FRIDGE, MILK, LAMP, CHAIR = "fridge.4", "milk.5", "lamp.6", "chair.7"
HOME = VirtualHome(ME)
START = State.from_facts(
    [
        Object(ME, "character"),
        Object(KITCHEN, "kitchen", frozenset({"ROOM"})),
        Object(BEDROOM, "bedroom", frozenset({"ROOM"})),
        Object(FRIDGE, "fridge", frozenset({"CAN_OPEN", "CONTAINERS"})),
        Object(MILK, "milk", frozenset({"GRABBABLE", "DRINKABLE"})),
        Object(LAMP, "lamp", frozenset({"HAS_SWITCH", "HAS_PLUG"})),
        Object(CHAIR, "chair", frozenset({"SITTABLE"})),
    ],
    [
        ("INSIDE", ME, BEDROOM),
        ("INSIDE", FRIDGE, KITCHEN),
        ("INSIDE", MILK, FRIDGE),
        ("INSIDE", LAMP, BEDROOM),
        ("INSIDE", CHAIR, KITCHEN),
        ("CLOSED", FRIDGE),
        ("OFF", LAMP),
        ("PLUGGED_OUT", LAMP),
        ("DIRTY", CHAIR),
        ("SITTING", ME),
        ("ONTOP", ME, CHAIR),
    ],
)
THINGS = (KITCHEN, BEDROOM, FRIDGE, MILK, LAMP, CHAIR)
EFFECTIVE = (
    *("WALK", "FIND", "TURNTO", "SIT", "STANDUP", "GRAB", "DROP", "PUTBACK", "PUTIN", "OPEN"),
    *("CLOSE", "SWITCHON", "SWITCHOFF", "PLUGIN", "PLUGOUT", "WASH"),
)
EVERYTHING = [
    Action(name, args)
    for name in EFFECTIVE
    for args in itertools.product(THINGS, repeat=HOME.schemas[name].arity)
]
DEPTH = 4


def remember_none(memory: int, action: Action) -> int:
    return memory


@pytest.fixture(scope="module")
def exhaustive() -> list[list[Node[int]]]:
    """Every state that any actions reach, by the fewest actions to it."""
    seen = {0}
    levels: list[list[Node[int]]] = [[Node(START, 0)]]
    for _ in range(DEPTH):
        level = []
        for node in levels[-1]:
            for action in EVERYTHING:
                child = step(HOME, node, action, remember_none)
                if child is not None and child.key not in seen:
                    seen.add(child.key)
                    level.append(child)
        levels.append(level)
    return levels


LITERALS = [
    *(Atom(p, (LAMP,)) for p in ("ON", "OFF", "PLUGGED_IN", "PLUGGED_OUT")),
    *(Atom(p, (FRIDGE,)) for p in ("OPEN", "CLOSED")),
    Atom("CLEAN", (CHAIR,)),
    Atom("SITTING", (ME,)),
    Atom("ONTOP", (ME, CHAIR)),
    *(Atom("NEXT_TO", (ME, thing)) for thing in (FRIDGE, MILK, LAMP, CHAIR)),
    *(Atom("INSIDE", (ME, room)) for room in (KITCHEN, BEDROOM)),
    Atom("HOLDS", (ME, MILK)),
    Atom("FACING", (ME, LAMP)),
    Atom("INSIDE", (MILK, FRIDGE)),
    Atom("ONTOP", (MILK, CHAIR)),
]


def refine(wish: Formula, depth: int = DEPTH, nodes: int = 5_000) -> list[Node[int]]:
    """As subgoals are refined: with the actions that are needed or, failing that, all relevant."""
    relevant = relevance(HOME, THINGS, frozenset())
    for wide in (False, True):
        found = shortest(
            HOME,
            Node(START, 0),
            relevant=lambda node, wide=wide: relevant.doable(
                wish, *(HOME.view(node.state),) * 2, wide=wide
            ),
            remember=remember_none,
            reached=lambda node: evaluate(wish, HOME.view(node.state)),
            depth=depth,
            most=5,
            budget=Budget(nodes),
        )
        if found:
            return found
    return []


def fewest(wish: Formula, levels: list[list[Node[int]]]) -> int | None:
    for depth, level in enumerate(levels):
        if any(evaluate(wish, HOME.view(node.state)) for node in level):
            return depth
    return None


@pytest.mark.sampled
@pytest.mark.parametrize("size", [1, 2, 3])
def test_refinements_are_as_short_as_trying_everything(
    size: int, exhaustive: list[list[Node[int]]]
) -> None:
    """Over all wishes for up to three things, wanted or not, the relevant actions are enough."""
    wishes = [
        And(tuple(atom if want else Not(atom) for atom, want in zip(chosen, wanted, strict=True)))
        for chosen in itertools.combinations(LITERALS, size)
        for wanted in ((True,) * size, (True,) * (size - 1) + (False,))
    ]
    wishes = wishes[:: max(1, len(wishes) // 150)]
    reached = 0
    for wish in wishes:
        expected = fewest(wish, exhaustive)
        found = refine(wish)
        assert (len(found[0].path()) - 1 if found else None) == expected, wish
        reached += expected is not None
    assert reached > len(wishes) // 6


@given(st.lists(st.sampled_from(LITERALS), min_size=1, max_size=4, unique=True))
@settings(max_examples=60)
def test_a_refinement_is_executable_and_reaches_what_is_wanted(wanted: list[Atom]) -> None:
    wish = Or((And(tuple(wanted[:2])), And(tuple(wanted[2:] or wanted[:1]))))
    for node in refine(wish, depth=6):
        trace = to_trace(node)
        again = execute(HOME, START, trace.actions)
        assert again.failure is None
        assert again.final == trace.final == node.state
        assert evaluate(wish, HOME.view(again.final))


@given(st.lists(st.sampled_from(EVERYTHING), max_size=25))
@settings(max_examples=60)
def test_equal_keys_mean_equal_states(plan: list[Action]) -> None:
    node = Node(START, 0)
    by_key = {0: START}
    for action in plan:
        child = step(HOME, node, action, remember_none)
        if child is not None:
            node = child
            known = by_key.setdefault(node.key, node.state)
            assert known == node.state
    assert len({node.key for node in node.path()}) == len(set(map(hash, by_key.values())))


def test_the_budget_ends_a_search_the_same_way_every_time() -> None:
    wish = Atom("ONTOP", (MILK, CHAIR))
    found = refine(wish, depth=12)
    assert len(found[0].path()) - 1 == 6  # stand up, find, open, grab, find, put
    spent = Budget(3)
    nodes = shortest(
        HOME,
        Node(START, 0),
        relevant=lambda node: EVERYTHING,
        remember=remember_none,
        reached=lambda node: False,
        depth=50,
        most=1,
        budget=spent,
    )
    assert nodes == []
    assert spent.is_spent


def test_what_no_action_brings_about_is_given_up_at_once() -> None:
    budget = Budget(1_000)
    relevant = relevance(HOME, THINGS, frozenset())
    view = HOME.view(START)
    for wish in (Atom("DIRTY", (LAMP,)), Atom("ON", (MILK,)), Atom("BETWEEN", (LAMP, KITCHEN))):
        assert relevant.doable(wish, view, view) == []
        assert refine(wish) == []
    assert budget.left == 1_000


def test_keys_do_not_count_what_did_not_change() -> None:
    same = START.change(delete=[("ON", LAMP)], add=[("OFF", LAMP)])
    assert change_key(START, same) == 0
    assert change_key(START, START) == 0
