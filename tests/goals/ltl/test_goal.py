"""LTL goals of tasks: simple goals, judging against brute force, and what the verdict says."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, permutations, product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from homebody.core import Action, Object, Part, State, Trace
from homebody.core.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Structure,
    Then,
    free_variables,
)
from homebody.core.truth import evaluate as evaluate_state
from homebody.goals import LTLGoal, NotSimpleError, SimpleGoal, ltl, simple_goals
from homebody.goals.ltl.simple_goals import check_simple, count_simple_goals, is_subsequence
from patience import calls

OBJECTS = ("a", "b", "c")
UNIVERSE = [Object(name, "thing") for name in OBJECTS]
ACTIONS = frozenset({"GRAB", "PUT", "SLEEP", "WASH", "RINSE"})


def partial_success(goal: SimpleGoal, actions: Iterable[Action], final: Structure) -> float:
    """Return PartialSucc of section 2.5; the action sequence counts as one condition."""
    total = bool(goal.actions) + len(goal.propositions)
    met = bool(goal.actions) and is_subsequence(goal.actions, actions)
    return (met + sum(evaluate_state(p, final) for p in goal.propositions)) / total if total else 1


def goals(text: str, names: tuple[str, ...] = OBJECTS) -> list[str]:
    return [ltl.show(g.formula) for g in simple_goals(ltl.parse(text), names, ACTIONS)]


def goal(text: str) -> LTLGoal:
    return LTLGoal.parse(text, actions=ACTIONS)


def trace_of(*steps: str | list[tuple[str, ...]]) -> Trace:
    """Facts and actions, e.g. ``trace_of([("P", "a")], "GRAB(a)", [])``."""
    states = [State.from_facts(UNIVERSE, facts) for facts in steps[::2]]
    actions = []
    for text in steps[1::2]:
        atom = ltl.parse(str(text))
        assert isinstance(atom, Atom)
        actions.append(Action(atom.predicate, atom.args))
    return Trace(tuple(states), tuple(actions), tuple(range(len(actions))))


# --- Simple goals -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(a)", ["P(a)"]),
        ("P(a) and P(b) and P(a)", ["P(a) and P(b)"]),
        (
            "GRAB(a) then SLEEP() then (P(a) and not P(b))",
            ["GRAB(a) then SLEEP() then P(a) and not P(b)"],
        ),
        ("P(a) or P(b)", ["P(a)", "P(b)"]),
        ("exists x. (P(x))", ["P(a)", "P(b)", "P(c)"]),
        ("forall x. (P(x))", ["P(a) and P(b) and P(c)"]),
        ("not exists x. (P(x))", ["not P(a) and not P(b) and not P(c)"]),
        ("not forall x. (P(x))", ["not P(a)", "not P(b)", "not P(c)"]),
        ("P(a) implies Q(a)", ["not P(a)", "Q(a)"]),
        ("not (P(a) implies Q(a))", ["P(a) and not Q(a)"]),
        ("P(a) implies GRAB(a)", ["not P(a)", "GRAB(a)"]),
        (
            "(P(a) or P(b)) and (Q(a) or Q(b))",
            [f"P({x}) and Q({y})" for x, y in product("ab", repeat=2)],
        ),
        ("exists x. (GRAB(x) then P(x))", [f"GRAB({x}) then P({x})" for x in OBJECTS]),
        ("WASH(a) and P(b)", ["WASH(a) then P(b)"]),
        ("WASH(a) and RINSE(b)", ["WASH(a) then RINSE(b)", "RINSE(b) then WASH(a)"]),
        ("WASH(a) and WASH(a)", ["WASH(a)"]),
        ("WASH(a) then WASH(a)", ["WASH(a) then WASH(a)"]),
        (
            "(GRAB(a) then P(a)) and (GRAB(b) then P(b))",
            [
                "GRAB(a) then GRAB(b) then P(a) and P(b)",
                "GRAB(b) then GRAB(a) then P(a) and P(b)",
            ],
        ),
        (
            "exists=1 x. (P(x))",
            [
                "P(a) and not P(b) and not P(c)",
                "not P(a) and P(b) and not P(c)",
                "not P(a) and not P(b) and P(c)",
            ],
        ),
        ("exists=3 x. (P(x))", ["P(a) and P(b) and P(c)"]),
        ("exists=4 x. (P(x))", []),
    ],
)
def test_simple_goals(text: str, expected: list[str]) -> None:
    assert goals(text) == expected
    if not any(action in text for action in ACTIONS):  # orders of actions are counted once
        assert count_simple_goals(ltl.parse(text), 3) == len(expected)


def test_negated_count() -> None:
    text = "not exists=1 x. (P(x))"
    found = goals(text)
    assert len(found) == len(set(found)) == 2**3 - 3
    assert count_simple_goals(ltl.parse(text), 3) == len(found)


def test_merged_actions_are_exactly_the_shared_supersequences() -> None:
    text = "(WASH(a) then WASH(b) then WASH(a)) and (WASH(b) then WASH(a) then WASH(c))"
    wanted = [
        [Action("WASH", (x,)) for x in "aba"],
        [Action("WASH", (x,)) for x in "bac"],
    ]
    found = list(simple_goals(ltl.parse(text), OBJECTS, ACTIONS))
    initial = State.from_facts(UNIVERSE, [])

    def inside(short: list[Action], long: tuple[Action, ...]) -> bool:
        rest = iter(long)
        return all(action in rest for action in short)

    for order in product([Action("WASH", (x,)) for x in OBJECTS], repeat=5):
        expected = all(inside(w, order) for w in wanted)
        assert expected == any(partial_success(g, order, initial) == 1 for g in found)


def test_simple_goals_are_lazy() -> None:
    names = tuple(f"thing.{i}" for i in range(290))
    everywhere = "forall x. (exists y. (INSIDE(x, y)))"
    first = next(simple_goals(ltl.parse(everywhere), names, ACTIONS))
    assert len(first.propositions) == 290
    assert count_simple_goals(ltl.parse(everywhere), 290, cap=10**6) == 10**6
    half = next(simple_goals(ltl.parse("exists=145 x. (P(x))"), names, ACTIONS))
    assert sum(isinstance(p, Not) for p in half.propositions) == 145
    touched = next(simple_goals(ltl.parse("forall x. (WASH(x))"), names, ACTIONS))
    assert len(touched.actions) == 290


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("P(a) then Q(a)", "a state condition comes before"),
        ("P(a) then GRAB(a)", "a state condition comes before"),
        ("(GRAB(a) or P(a)) then SLEEP()", "a state condition comes before"),
        ("(GRAB(a) then P(a)) then Q(a)", "a state condition comes before"),
        ("not GRAB(a)", "an action is not done"),
        ("GRAB(a) implies P(a)", "an action is not done"),
        ("exists=1 x. (GRAB(x))", "an action is not done"),
        ("not (P(a) then Q(a))", "negates a 'then'"),
    ],
)
def test_not_simple(text: str, reason: str) -> None:
    with pytest.raises(NotSimpleError) as caught:
        simple_goals(ltl.parse(text), OBJECTS, ACTIONS)
    assert reason in caught.value.reason
    with pytest.raises(NotSimpleError):
        goal(text)


def test_unbound_variable() -> None:
    with pytest.raises(ValueError, match="nothing binds"):
        LTLGoal(Atom("P", ("?x",)), ACTIONS)


# --- Judging ------------------------------------------------------------------------------------

VARIABLES = ("?x", "?y")
terms = st.sampled_from((*OBJECTS[:2], *VARIABLES))
FACTS = [(p, o) for p in "PQ" for o in OBJECTS[:2]] + [("R", "a", "b"), ("R", "b", "a")]
DOINGS = [Action("SLEEP")] + [Action(n, (o,)) for n in ("GRAB", "WASH") for o in "ab"]


def atoms_of(predicates: dict[str, int]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        [
            st.builds(Atom, st.just(name), st.tuples(*[terms] * arity))
            for name, arity in predicates.items()
        ]
    )


def grown(leaves: st.SearchStrategy[Formula], *, states: bool) -> st.SearchStrategy[Formula]:
    def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
        options = [
            st.builds(And, parts),
            st.builds(Or, parts),
            st.builds(Exists, st.sampled_from(VARIABLES), inner),
            st.builds(Forall, st.sampled_from(VARIABLES), inner),
        ]
        if states:
            options.append(st.builds(Not, inner))
            options.append(st.builds(Implies, inner, inner))
            variable = st.sampled_from(VARIABLES)
            options.append(st.builds(Exactly, st.integers(0, 2), variable, inner))
        else:
            options.append(st.builds(Then, parts))
        return st.one_of(options)

    return st.recursive(leaves, grow, max_leaves=5)


doing = grown(atoms_of({"GRAB": 1, "WASH": 1, "SLEEP": 0}), states=False)
being = grown(atoms_of({"P": 1, "Q": 1, "R": 2}), states=True)


def close(formula: Formula) -> Formula:
    for variable in VARIABLES:
        if variable in free_variables(formula):
            formula = Exists(variable, formula)
    return formula


# Apart, actions and states are judged without listing simple goals; together they are listed.
apart = st.one_of(
    doing.map(close),
    being.map(close),
    st.builds(lambda a, s: Then((close(a), close(s))), doing, being),
    st.builds(lambda a, s: And((close(a), close(s))), doing, being),
)
together = st.one_of(
    st.builds(lambda a, s: close(Then((a, s))), doing, being),
    st.builds(lambda a, s, o: close(Or((And((a, s)), o))), doing, being, being),
    st.builds(lambda a, s: close(Implies(s, a)), doing, being),
)
two = [Object(name, "thing") for name in "ab"]
states = st.frozensets(st.sampled_from(FACTS)).map(lambda facts: State.from_facts(two, facts))
traces = st.builds(
    lambda actions, first, last: Trace((first,) * len(actions) + (last,), tuple(actions)),
    st.lists(st.sampled_from(DOINGS), max_size=6),
    states,
    states,
)


@pytest.mark.slow
@given(st.one_of(apart, together), traces)
@example(
    Exists("?x", And((Atom("SLEEP"), Or((Atom("SLEEP"), Atom("GRAB", ("?x",))))))),
    Trace((State.from_facts(two, ()),) * 2, (Action("SLEEP"),)),
)
@settings(max_examples=500)
def test_judge_is_brute_force(formula: Formula, trace: Trace) -> None:
    check_simple(formula, ACTIONS)
    assume(count_simple_goals(formula, 2) <= 300)
    found = list(islice(simple_goals(formula, "ab", ACTIONS), 3001))  # orders are not counted above
    assume(len(found) <= 3000)
    scores = [partial_success(g, trace.actions, trace.final) for g in found]
    verdict = LTLGoal(formula, ACTIONS).judge(trace)
    assert LTLGoal(formula, ACTIONS).progress(trace) == verdict.progress
    assert verdict.success == (max(scores, default=0.0) == 1.0)
    assert verdict.success == all(part.satisfied for part in verdict.parts)
    assert verdict.success == (verdict.progress == 1.0)
    if found:
        assert verdict.progress == pytest.approx(max(scores))
    # With no room to list anything, success is the same and progress is still a share.
    coarse = LTLGoal(formula, ACTIONS, limit=0).judge(trace)
    assert coarse.success == verdict.success
    assert 0 <= coarse.progress <= 1
    assert coarse.success == (coarse.progress == 1.0)


@pytest.mark.slow
@given(doing.map(close), traces)
@settings(max_examples=200)
def test_an_action_goal_reached_in_the_trace_is_true_of_it(formula: Formula, trace: Trace) -> None:
    """Without ``and`` and ``forall`` the task's reading of actions is that of appendix C.3."""
    assume("and" not in ltl.show(formula) and "forall" not in ltl.show(formula))
    success = LTLGoal(formula, ACTIONS).judge(trace).success
    assert success == ltl.evaluate(formula, trace, actions=ACTIONS)


def test_success() -> None:
    trace = trace_of([], "GRAB(a)", [], "WASH(b)", [("P", "a"), ("R", "a", "b")])
    text = "exists x. (GRAB(x)) then exists x. ((RINSE(x) or WASH(x))) then P(a) and R(a, b)"
    verdict = goal(text).judge(trace)
    assert verdict.success
    assert verdict.progress == 1
    assert verdict.parts == (
        Part("GRAB(a)", "action", True),
        Part("WASH(b)", "action", True),
        Part("P(a)", "state", True),
        Part("R(a, b)", "relation", True),
    )
    assert verdict.explanation == "All 4 goal conditions hold."


def test_partial_success_counts_the_actions_once() -> None:
    trace = trace_of([], "GRAB(a)", [("P", "a")])
    verdict = goal("GRAB(a) then WASH(a) then (P(a) and P(b))").judge(trace)
    assert verdict.progress == pytest.approx(1 / 3)
    assert [p.satisfied for p in verdict.parts] == [True, False, True, False]


def test_undone_condition_is_explained() -> None:
    trace = trace_of([], "GRAB(a)", [], "WASH(a)", [("P", "a")], "SLEEP()", [("P", "a")])
    trace = Trace(
        (*trace.states, trace.initial), (*trace.actions, Action("PUT", ("a", "b"))), (0, 2, 3, 4)
    )
    verdict = goal("P(a) and Q(b)").judge(trace)
    assert not verdict.success
    assert verdict.progress == 0
    assert verdict.explanation == (
        "2 of 2 goal conditions are unmet: "
        "P(a) was true after step 3, but PUT(a, b) undid it in step 5; Q(b) does not hold."
    )
    kept = goal("not P(a)").judge(trace_of([], "SLEEP()", [("P", "a")]))
    assert kept.explanation == (
        "The goal condition is unmet: "
        "not P(a) was true at the start, but SLEEP() undid it in step 1."
    )


def test_actions_out_of_order_are_explained() -> None:
    trace = trace_of([], "WASH(a)", [], "GRAB(a)", [])
    text = "exists x0. (GRAB(x0)) then exists x0. (WASH(x0) or RINSE(x0)) then SLEEP()"
    verdict = goal(text).judge(trace)
    assert verdict.parts == (
        Part("GRAB(a)", "action", True),
        Part("exists x0. (WASH(x0) or RINSE(x0))", "action", False),
        Part("SLEEP()", "action", False),
    )
    assert verdict.explanation == (
        "2 of 3 goal conditions are unmet: WASH or RINSE was done in step 1, "
        "but it only counts after GRAB; SLEEP was not done."
    )


def test_one_object_for_several_actions() -> None:
    text = "exists x. (GRAB(x) then WASH(x)) then P(a)"
    trace = trace_of([], "GRAB(a)", [], "GRAB(b)", [], "WASH(b)", [("P", "a")])
    verdict = goal(text).judge(trace)
    assert [p.text for p in verdict.parts] == ["GRAB(b)", "WASH(b)", "P(a)"]
    assert verdict.success
    verdict = goal(text).judge(trace_of([], "WASH(b)", [], "GRAB(b)", []))
    assert [(p.text, p.satisfied) for p in verdict.parts] == [
        ("GRAB(b)", True),
        ("WASH(b)", False),
        ("P(a)", False),
    ]
    verdict = goal(text).judge(trace_of([], "SLEEP()", []))
    assert [p.text for p in verdict.parts] == ["exists x. (GRAB(x))", "exists x. (WASH(x))", "P(a)"]


@pytest.mark.parametrize("order", list(permutations(["GRAB(a)", "WASH(a)", "SLEEP()"])))
def test_and_between_actions_leaves_their_order_open(order: tuple[str, str, str]) -> None:
    verdict = goal("(GRAB(a) and WASH(a)) then SLEEP()").judge(
        trace_of([], order[0], [], order[1], [], order[2], [])
    )
    assert verdict.success == (order[2] == "SLEEP()")
    assert len(verdict.parts) == 3


def test_nothing_to_do_and_nothing_to_be_done() -> None:
    trace = trace_of([])
    verdict = LTLGoal(TRUE, ACTIONS).judge(trace)
    assert (verdict.success, verdict.progress, verdict.parts) == (True, 1.0, ())
    verdict = LTLGoal(FALSE, ACTIONS).judge(trace)
    assert (verdict.success, verdict.progress) == (False, 0.0)
    assert LTLGoal(Then(()), ACTIONS).judge(trace).success
    assert SimpleGoal().formula == TRUE
    assert partial_success(SimpleGoal(), (), trace.final) == 1


def test_too_many_simple_goals_are_not_listed() -> None:
    names = [Object(f"thing.{i}", "thing") for i in range(40)]
    facts = [("R", f"thing.{i}", "thing.0") for i in range(40)]
    text = "forall x. (exists y. (R(x, y))) and P(thing.0)"
    verdict = goal(text).judge(Trace((State.from_facts(names, facts),)))
    assert not verdict.success
    assert verdict.progress == 0.5
    assert verdict.parts[0] == Part("forall x. (exists y. (R(x, y)))", "relation", True)
    coupled = goal("forall x. (P(x) implies WASH(x))")
    assert not coupled.judge(Trace((State.from_facts(names, [("P", "thing.3")]),))).success
    done = State.from_facts(names, [("P", "thing.3")])
    trace = Trace((done, done), (Action("WASH", ("thing.3",)),))
    assert coupled.judge(trace).success


def test_a_choice_between_doing_and_being() -> None:
    text = "(WASH(a) or P(a)) and Q(a)"
    verdict = goal(text).judge(trace_of([("Q", "a")], "WASH(a)", [("Q", "a")]))
    assert [p.text for p in verdict.parts] == ["WASH(a)", "Q(a)"]
    assert verdict.success
    verdict = goal(text).judge(trace_of([("P", "a")]))
    assert verdict.progress == 0.5
    assert [(p.text, p.satisfied) for p in verdict.parts] == [("P(a)", True), ("Q(a)", False)]


def test_repeated_conditions_count_once() -> None:
    """As in the published goal of task 540_1."""
    verdict = goal("R(a, b) and R(a, b) and P(a)").judge(trace_of([("R", "a", "b")]))
    assert [p.text for p in verdict.parts] == ["R(a, b)", "P(a)"]
    assert verdict.progress == 0.5


def test_long_explanations_are_cut() -> None:
    text = " and ".join(f"P(thing.{i})" for i in range(20))
    explanation = goal(text).judge(trace_of([])).explanation
    assert explanation.startswith("20 of 20 goal conditions are unmet: P(thing.0) does not hold;")
    assert explanation.endswith("; and 8 more.")


def test_number_of_arguments_matters() -> None:
    assert not goal("exists x. (GRAB(x))").judge(trace_of([], "GRAB(a, b)", [])).success


def test_view_and_kind_are_used() -> None:
    class Everything:
        """Every fact holds."""

        names = OBJECTS

        def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
            return True

        def match(self, predicate: str, args: tuple[str | None, ...]) -> list[tuple[str, ...]]:
            return []

    def view(state: State) -> Structure:
        return Everything()

    made = LTLGoal(ltl.parse("P(a)"), ACTIONS, view, kind=lambda atom: atom.predicate)
    assert made.judge(trace_of([])).parts == (Part("P(a)", "P", True),)


def test_goals_with_the_same_meaning_are_equal() -> None:
    assert goal("P(a)") == goal("( P(a) )")
    assert hash(goal("P(a)")) == hash(goal("( P(a) )"))


@pytest.mark.parametrize("reached", [True, False])
def test_judge_is_fast(reached: bool) -> None:
    names = [Object(f"thing.{i}", "thing") for i in range(292)]
    facts = [("ON", "thing.1"), ("PLUGGED_IN", "thing.1"), ("FACING", "thing.0", "thing.1")]
    start = State.from_facts(names, facts)
    actions = [Action("WALK", (f"thing.{i}",)) for i in range(19)]
    actions.append(Action("WATCH" if reached else "WALK", ("thing.1",)))
    trace = Trace((start,) * 21, tuple(actions), tuple(range(20)))
    made = LTLGoal.parse(
        "(exists x0. ((LOOKAT(x0) or WATCH(x0))) then (ON(thing.1) and PLUGGED_IN(thing.1)"
        " and FACING(thing.0, thing.1)))",
        actions={"LOOKAT", "WATCH", "WALK"},
    )
    assert made.judge(trace).success == reached
    assert calls(lambda: made.judge(trace)) < 1000


def test_equal_conditions_may_be_met_differently() -> None:
    """One may ask for both facts and the other for neither, as G(g, U) has it: 2 of 5."""
    text = "SLEEP() then (not exists=1 x. (R(b, x)) and not exists=1 x. (R(b, x)))"
    final = State.from_facts(two, [("R", "b", "a")])
    found = simple_goals(ltl.parse(text), "ab", ACTIONS)
    assert max(partial_success(goal, (), final) for goal in found) == 0.4
    assert goal(text).judge(Trace((final,), ())).progress == 0.4
