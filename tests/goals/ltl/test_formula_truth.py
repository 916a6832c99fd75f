"""The truth of formulas over traces, against the definition itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goals.ltl_formulas import ACTIONS, LEAVES, OBJECTS, close, formulas
from homebody.core import Action, Object, State, Trace
from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    has_then,
    is_variable,
    normalise,
)
from homebody.goals import ltl

A, B, C, D = (Atom(name, ("a",)) for name in "ABCD")


Pairs = Sequence[tuple[State, Action | None]]


def naive_step(
    formula: Formula, pair: tuple[State, Action | None], binding: dict[str, str]
) -> bool:
    """Truth in one pair, by the book."""
    state, action = pair
    match formula:
        case Atom(predicate, args):
            ground = tuple(binding[a] if is_variable(a) else a for a in args)
            if predicate in ACTIONS:
                return action == Action(predicate, ground)
            return state.holds(predicate, ground)
        case Not(body):
            return not naive_step(body, pair, binding)
        case And(parts):
            return all(naive_step(p, pair, binding) for p in parts)
        case Or(parts):
            return any(naive_step(p, pair, binding) for p in parts)
        case Implies(left, right):
            return not naive_step(left, pair, binding) or naive_step(right, pair, binding)
        case Forall(v, body):
            return all(naive_step(body, pair, {**binding, v: n}) for n in state.names)
        case Exists(v, body):
            return any(naive_step(body, pair, {**binding, v: n}) for n in state.names)
        case Exactly(count, v, body):
            return count == sum(naive_step(body, pair, {**binding, v: n}) for n in state.names)
    raise AssertionError(formula)


def naive(formula: Formula, pairs: Pairs, binding: dict[str, str]) -> bool:
    """Truth on a sub-trajectory, by the book: every cut is tried."""
    if not has_then(formula):
        return any(naive_step(formula, pair, binding) for pair in pairs)
    names = OBJECTS
    match formula:
        case Then((only,)):
            return naive(only, pairs, binding)
        case Then((first, *rest)):
            return any(
                naive(first, pairs[:k], binding) and naive(Then(tuple(rest)), pairs[k:], binding)
                for k in range(len(pairs) + 1)
            )
        case Not(body):
            return not naive(body, pairs, binding)
        case And(parts):
            still = [p for p in parts if not has_then(p)]
            return (not still or naive(And(tuple(still)), pairs, binding)) and all(
                naive(p, pairs, binding) for p in parts if has_then(p)
            )
        case Or(parts):
            return any(naive(p, pairs, binding) for p in parts)
        case Implies(left, right):
            return not naive(left, pairs, binding) or naive(right, pairs, binding)
        case Forall(v, body):
            return all(naive(body, pairs, {**binding, v: n}) for n in names)
        case Exists(v, body):
            return any(naive(body, pairs, {**binding, v: n}) for n in names)
        case Exactly(count, v, body):
            return count == sum(naive(body, pairs, {**binding, v: n}) for n in names)
    raise AssertionError(formula)


FACTS = [(p, o) for p in "PQ" for o in OBJECTS] + [("R", "a", "b"), ("R", "b", "b")]
DOINGS = [
    Action("SLEEP"),
    *[Action("GRAB", (o,)) for o in OBJECTS],
    *[Action("PUT", pair) for pair in product("ab", repeat=2)],
]
UNIVERSE = [Object(name, "thing") for name in OBJECTS]

states = st.frozensets(st.sampled_from(FACTS)).map(lambda facts: State.from_facts(UNIVERSE, facts))


@st.composite
def traces(draw: st.DrawFn, most: int = 5) -> Trace:
    actions = draw(st.lists(st.sampled_from(DOINGS), max_size=most))
    count = len(actions) + 1
    return Trace(
        tuple(draw(st.lists(states, min_size=count, max_size=count))),
        tuple(actions),
        tuple(range(len(actions))),
    )


def pairs_of(trace: Trace) -> Pairs:
    return list(zip(trace.states, (None, *trace.actions), strict=True))


@pytest.mark.slow
@given(formulas(LEAVES).map(close), traces())
@settings(max_examples=400)
def test_evaluate_is_the_definition(formula: Formula, trace: Trace) -> None:
    # A 'then' must be there for the table to be used.
    for goal in (formula, Then((formula, A)), Then((Not(Then((formula, B))), formula))):
        expected = naive(normalise(goal), pairs_of(trace), {})
        assert ltl.evaluate(goal, trace, actions=ACTIONS) == expected


@given(st.permutations(["P(a)", "Q(c)", "(GRAB(a) then P(a))", "(P(b) then SLEEP())"]), traces())
@settings(max_examples=100)
def test_and_is_commutative_and_associative(parts: list[str], trace: Trace) -> None:
    one, two, three, four = parts
    truths = {
        ltl.evaluate(ltl.parse(text), trace, actions=ACTIONS)
        for text in (
            f"{one} and {two} and {three} and {four}",
            f"({one} and {two}) and ({three} and {four})",
            f"{one} and ({two} and ({three} and {four}))",
            "P(a) and Q(c) and (GRAB(a) then P(a)) and (P(b) then SLEEP())",
        )
    }
    assert len(truths) == 1


def small_trace() -> Trace:
    """P(a), grab a -> P(b), put a on b -> Q(c)."""
    facts = [[("P", "a")], [("P", "b")], [("Q", "c")]]
    return Trace(
        tuple(State.from_facts(UNIVERSE, fact) for fact in facts),
        (Action("GRAB", ("a",)), Action("PUT", ("a", "b"))),
    )


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("P(a)", True),
        ("P(a) and P(b)", False),
        ("P(a) then P(b) then Q(c)", True),
        ("P(b) then P(a)", False),
        ("P(a) then P(a)", False),
        ("GRAB(a) and P(b)", True),  # a pair holds the action and the state after it
        ("P(b) then GRAB(a)", False),
        ("GRAB(a) then P(b)", False),
        ("GRAB(a) then Q(c)", True),
        ("exists x. (GRAB(x) then exists y. (PUT(x, y)))", True),
        ("exists x. (PUT(x, b) then GRAB(x))", False),
        ("not (Q(c) then P(a))", True),
        ("(Q(c) then P(a)) or P(b)", True),
        ("(P(a) then P(b)) and (GRAB(a) then Q(c))", True),
        ("P(a) and P(b) and (GRAB(a) then Q(c))", False),  # never true in the same step
        ("(P(a) then P(b)) implies (Q(c) then P(a))", False),
        ("exists=1 x. (P(a) then P(x))", True),
        ("exists=2 x. (P(a) then P(x))", False),
        ("forall x. (P(a) then P(x))", False),
        ("forall x. (not P(x)) then Q(c)", False),
        ("exists x. (not P(x)) then exists x. (not P(x)) then Q(c)", True),
    ],
)
def test_evaluate_examples(text: str, truth: bool) -> None:
    assert ltl.evaluate(ltl.parse(text), small_trace(), actions=ACTIONS) is truth


def test_evaluate_is_polynomial() -> None:
    """Alternations of ``then`` under ``not`` and quantifiers over a long trace."""
    start = State.from_facts(UNIVERSE, [])
    trace = Trace((start,) * 61, (Action("GRAB", ("a",)),) * 60)
    inner = "exists x. (GRAB(x) then PUT(x, x))"
    for _ in range(6):
        inner = f"not (({inner}) then GRAB(a) then not ({inner if len(inner) < 500 else 'P(a)'}))"
    ltl.evaluate(ltl.parse(inner), trace, actions=ACTIONS)


def test_unbound_variable_is_an_error() -> None:
    with pytest.raises(ValueError, match="not bound"):
        ltl.evaluate(Then((Atom("P", ("?x",)), A)), small_trace(), actions=ACTIONS)


def test_view_and_step_structure() -> None:
    trace = small_trace()
    seen: list[State] = []

    def view(state: State) -> State:
        seen.append(state)
        return state

    _, first, second = ltl.steps(trace, actions=ACTIONS, view=view)
    assert seen == list(trace.states)
    assert list(first.names) == list(OBJECTS)
    assert list(second.match("PUT", (None, "b"))) == [("a", "b")]
    assert list(second.match("PUT", (None, "a"))) == []
    assert list(second.match("GRAB", (None,))) == []
    assert list(first.match("P", (None,))) == [("b",)]
    assert first.holds("GRAB", ("a",))
    assert not second.holds("GRAB", ("a",))


def test_names_of_states_and_actions() -> None:
    """VirtualHome has a state OPEN and an action OPEN; in a formula it is the state."""
    assert ltl.action_predicates(["OPEN", "GRAB"], ["OPEN", "ON"]) == {"GRAB"}
