"""States against a model that is nothing but a set of facts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Fact, Object, State

NAMES = ("a", "b", "c", "d")
HEAVY = "HEAVY"
OBJECTS = [
    Object("a", "thing", frozenset({HEAVY})),
    Object("b", "thing", frozenset({HEAVY, "ROUND"})),
    Object("c", "thing"),
    Object("d", "other"),
]
PROPERTIES = {(p, item.name) for item in OBJECTS for p in item.properties}
ALL_FACTS = [
    *[(p, name) for p in ("ON", "OPEN", HEAVY) for name in NAMES],
    *[(p, *pair) for p in ("INSIDE", "NEAR") for pair in product(NAMES, NAMES)],
]

Facts = frozenset[Fact]
Change = tuple[list[Fact], list[Fact]]

some_facts = st.lists(st.sampled_from(ALL_FACTS), max_size=8)
changes = st.lists(st.tuples(some_facts, some_facts), max_size=5)


def state_of(facts: Iterable[Fact]) -> State:
    return State.from_facts(OBJECTS, facts)


def run(facts: Iterable[Fact], history: list[Change]) -> tuple[list[State], list[Facts]]:
    """Every state on the way, and the set of facts that each should be."""
    states, models = [state_of(facts)], [frozenset(facts)]
    for delete, add in history:
        states.append(states[-1].change(delete, add))
        models.append((models[-1] - set(delete)) | set(add))
    return states, models


# --- A state is its facts -----------------------------------------------------------------------


@given(some_facts, changes)
def test_change_deletes_then_adds(facts: list[Fact], history: list[Change]) -> None:
    states, models = run(facts, history)
    for state, model in zip(states, models, strict=True):  # also the ones changed since
        assert list(state.facts()) == sorted(model, key=lambda f: (len(f), f))


@given(some_facts, changes)
def test_equal_facts_make_equal_states(facts: list[Fact], history: list[Change]) -> None:
    states, models = run(facts, history)
    for state, model in zip(states, models, strict=True):
        rebuilt = state_of(model)
        assert state == rebuilt
        assert hash(state) == hash(rebuilt)
        for other, others_model in zip(states, models, strict=True):
            assert (state == other) == (model == others_model)


@given(some_facts, changes)
def test_queries_agree_with_the_facts(facts: list[Fact], history: list[Change]) -> None:
    states, models = run(facts, history)
    state, model = states[-1], models[-1] | PROPERTIES
    for predicate in ("ON", "OPEN", HEAVY, "ROUND", "INSIDE", "NEAR", "UNHEARD_OF"):
        for first in NAMES:
            assert state.holds(predicate, (first,)) == ((predicate, first) in model)
            targets = state.targets(predicate, first)
            sources = state.sources(predicate, first)
            assert targets == {f[2] for f in model if f[:2] == (predicate, first) and len(f) == 3}
            assert sorted(sources) == sorted(
                f[1] for f in model if f[0] == predicate and f[2:] == (first,)
            )
            for second in NAMES:
                held = (predicate, first, second) in model
                assert state.holds(predicate, (first, second)) == held
        for pattern in [*product((None, *NAMES)), *product((None, *NAMES), repeat=2)]:
            expected = sorted(
                f[1:]
                for f in model
                if f[0] == predicate
                and len(f) == len(pattern) + 1
                and all(p in (None, a) for p, a in zip(pattern, f[1:], strict=True))
            )
            assert sorted(state.match(predicate, pattern)) == expected


@given(some_facts, changes, st.lists(st.tuples(st.integers(0, 5), st.sampled_from(NAMES))))
def test_sources_do_not_depend_on_what_was_asked_when(
    facts: list[Fact], history: list[Change], asked: list[tuple[int, str]]
) -> None:
    states = [state_of(facts)]
    for step, (delete, add) in enumerate(history):
        for at, second in asked:
            if at <= step:  # states that are left behind too
                states[at].sources("INSIDE", second)
        states.append(states[-1].change(delete, add))
    for state in states:
        for second in NAMES:
            stated = {f[1] for f in state.facts() if f[0] == "INSIDE" and f[2] == second}
            assert state.sources("INSIDE", second) == stated


@given(some_facts, some_facts, some_facts)
def test_a_state_remembers_what_changed(
    facts: list[Fact], delete: list[Fact], add: list[Fact]
) -> None:
    first = state_of(facts)
    assert first.previous is None
    second = first.change(delete, add)
    assert second.previous is first
    assert second.change_from == (tuple(delete), tuple(add))
    assert first.change(*second.change_from) == second


def test_change_takes_generators() -> None:
    state = state_of([("ON", "a")])
    changed = state.change((f for f in [("ON", "a")]), (f for f in [("ON", "b")]))
    assert list(changed.facts()) == [("ON", "b")]
    assert changed.change_from == ((("ON", "a"),), (("ON", "b"),))


def test_deleting_what_is_not_there_changes_nothing() -> None:
    state = state_of([("ON", "a")])
    absent = [("OPEN", "a"), ("ON", "b"), ("NEAR", "a", "b"), ("ON", "nobody")]
    assert state.change(delete=absent) == state


# --- Properties ---------------------------------------------------------------------------------


def test_properties_are_facts_that_no_change_touches() -> None:
    state = state_of([("ON", "c")]).change(delete=[(HEAVY, "a")], add=[(HEAVY, "c")])
    assert state.holds(HEAVY, ("a",))
    assert state.holds(HEAVY, ("c",))
    assert list(state.facts()) == [(HEAVY, "c"), ("ON", "c")]  # properties are not listed
    assert list(state.match(HEAVY, (None,))) == [("a",), ("b",), ("c",)]


def test_unary_facts_are_found_in_order() -> None:
    names = ["d", "b", "a", "c"]
    state = State.from_facts([Object(name, "x") for name in names], [("ON", n) for n in names])
    assert list(state.match("ON", (None,))) == [("a",), ("b",), ("c",), ("d",)]


def test_a_fact_that_is_a_property_too_is_found_once() -> None:
    state = state_of([(HEAVY, "b"), (HEAVY, "d")])
    assert list(state.match(HEAVY, (None,))) == [("a",), ("b",), ("d",)]


def test_properties_of_other_objects_make_another_state() -> None:
    assert State.from_facts([Object("a", "x")], []) != State.from_facts([Object("a", "y")], [])
    assert state_of([]) != State.from_facts([], [])
    assert state_of([]) != "a state"


# --- Building -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("objects", "facts", "message"),
    [
        ([Object("a", "x"), Object("a", "y")], [], "two objects are named 'a'"),
        ([Object("a", "x")], [("ON",)], "one or two arguments"),
        ([Object("a", "x")], [()], "one or two arguments"),
        ([Object("a", "x")], [("ON", "a", "a", "a")], "one or two arguments"),
        ([Object("a", "x")], [("ON", "b")], "unknown object 'b'"),
        ([Object("a", "x")], [("NEAR", "a", "b")], "unknown object 'b'"),
    ],
)
def test_from_facts_refuses(objects: list[Object], facts: list[Fact], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        State.from_facts(objects, facts)


def test_names_keep_the_order_of_the_objects() -> None:
    state = State.from_facts([Object(name, "thing") for name in "cab"], [("ON", "a")])
    assert list(state.names) == ["c", "a", "b"]
    assert list(state.change(add=[("ON", "b")]).names) == ["c", "a", "b"]


def test_facts_of_other_arity_do_not_hold() -> None:
    state = state_of([("ON", "a"), ("NEAR", "a", "b")])
    assert not state.holds("NEAR", ("a",))
    assert not state.holds("ON", ("a", "a"))
    assert not state.holds("ON", ())
    assert not state.holds("NEAR", ("a", "b", "c"))
    assert list(state.match("NEAR", ())) == []


def test_repr_is_short() -> None:
    assert repr(state_of([("ON", "a"), ("NEAR", "a", "b")])) == "<State: 4 objects, 2 facts>"
