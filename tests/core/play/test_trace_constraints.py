"""Constraints on a trace, step by step, against their definitions over the whole trace."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Object, State
from homebody.core.formula import And, Atom, Exists, Not
from homebody.core.play.trace_constraints import After, Before, Never, Watch, judge

Moment = tuple[int, frozenset[str]]


def p(now: frozenset[str]) -> bool:
    return "p" in now


def q(now: frozenset[str]) -> bool:
    return "q" in now


def trace(*moments: str) -> list[Moment]:
    return [(10 * number, frozenset(moment)) for number, moment in enumerate(moments)]


def clocks(watch: Watch) -> list[int]:
    return [breach.clock for breach in watch.breaches]


def test_never_counts_each_time_that_it_becomes_true() -> None:
    watch = judge([Never(p, "keep it dry", cost=2.0)], trace("", "p", "p", "", "p"))
    assert clocks(watch) == [10, 40]
    assert watch.cost == 4.0
    assert watch.breaches[0].explanation == "keep it dry: p became true at step 10"
    assert judge([Never(p)], trace("", "q")).cost == 0.0


def test_before_asks_for_an_earlier_step() -> None:
    assert clocks(judge([Before(p, q)], trace("", "p", "q"))) == []
    assert clocks(judge([Before(p, q)], trace("", "pq"))) == [10]
    early = judge([Before(p, q)], trace("q", "", "q", "p", "", "q"))
    assert clocks(early) == [0, 20]
    assert early.breaches[0].explanation == "q came before p at step 0"


def test_after_has_a_deadline() -> None:
    rule = [After(q, p, within=20)]
    assert clocks(judge(rule, trace("q", "", "p"))) == []
    assert clocks(judge(rule, trace("pq", "", "", ""))) == []
    late = judge(rule, trace("q", "", "", "p"))
    assert clocks(late) == [20]
    assert late.breaches[0].explanation == "p did not follow q within 20 steps at step 20"
    assert clocks(judge(rule, trace("q", "", ""))) == [], "it is still due at the end"
    assert clocks(judge(rule, trace("q", "", "q", "", "", ""))) == [20, 40]


def test_predicates_can_be_formulas() -> None:
    facts = ([], [("on", "stove")], [("on", "stove"), ("alone", "stove")])
    states = [State.from_facts([Object("stove", "stove")], each) for each in facts]
    formula = Exists("?x", And((Atom("on", ("?x",)), Atom("alone", ("?x",)))))
    assert clocks(judge([Never(formula)], enumerate(states))) == [2]
    assert clocks(judge([Never(Not(Atom("on", ("stove",))))], enumerate(states))) == [0]


MOMENTS = st.lists(st.tuples(st.integers(0, 4), st.frozensets(st.sampled_from("pq"))), max_size=30)


@given(MOMENTS, st.integers(0, 6))
def test_step_by_step_is_as_the_definitions_say(
    steps: Sequence[tuple[int, frozenset[str]]], within: int
) -> None:
    clock, moments = 0, []
    for passed, facts in steps:
        clock += passed
        moments.append((clock, facts))

    def risen(name: str) -> list[int]:
        was = [frozenset[str](), *(facts for _, facts in moments)]
        return [n for n, (_, facts) in enumerate(moments) if name in facts and name not in was[n]]

    assert clocks(judge([Never(p)], moments)) == [moments[n][0] for n in risen("p")]
    early = [n for n in risen("q") if not any("p" in facts for _, facts in moments[:n])]
    assert clocks(judge([Before(p, q)], moments)) == [moments[n][0] for n in early]
    last = moments[-1][0] if moments else 0
    late = []
    for n in risen("q"):
        deadline = moments[n][0] + within
        met = any("p" in facts for at, facts in moments[n:] if at <= deadline)
        if not met and deadline < last:
            late.append(deadline)
    assert clocks(judge([After(q, p, within)], moments)) == late
