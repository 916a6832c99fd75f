"""The options of goals, and the one that a prediction is compared with."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, Protocol, Score
from homebody.core.formula import Atom, Literal, Not, negation
from homebody.goals.bddl import ground, options, parse_problem, universe
from homebody.suites.eai.behavior import goal_interpretation as gi
from homebody.suites.eai.behavior import goals
from homebody.suites.eai.behavior.goal_options import gold_options
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks

pytestmark = pytest.mark.usefixtures("behavior_data")


@cache
def tasks() -> dict[str, BehaviorTask]:
    return {task.task.name: task for task in load_tasks()}


def said(node: Any = (), edge: Any = ()) -> str:
    return json.dumps({"node goals": node, "edge goals": edge})


def score(name: str, output: str, protocol: Protocol = CORRECTED) -> Score:
    return gi.score(tasks()[name], output, protocol)


def test_options_are_all_that_the_goals_have() -> None:
    """Those of the official file and those that the BDDL of bddl 1.0.1 means are the same."""
    for task in tasks().values():
        problem = parse_problem(task.raw["original"] or task.raw["problem"])
        official = gold_options(task.id, fulfillable=False)
        for condition, listed in zip(problem.conditions, official, strict=True):
            ours = set(map(frozenset, options(ground(condition, universe(problem), exact=False))))
            assert ours == set(map(frozenset, listed))


SMALL = (
    *("bottling_fruit", "packing_lunches", "cleaning_kitchen_cupboard", "laying_wood_floors"),
    *("cleaning_up_after_a_meal", "cleaning_up_the_kitchen_only", "organizing_boxes_in_garage"),
)


def one_way(literal: Literal) -> Literal:
    atom = literal if isinstance(literal, Atom) else literal.body
    assert isinstance(atom, Atom)
    if atom.predicate not in ("nextto", "touching"):
        return literal
    turned = Atom(atom.predicate, tuple(sorted(atom.args)))
    return turned if literal is atom else Not(turned)


@cache
def whole_options(name: str) -> list[frozenset[Literal]]:
    """The options of a whole goal, listed, each as the set of what has to be so."""
    found = []
    for parts in islice(product(*gold_options(tasks()[name].id)), 20_000):
        option = frozenset(one_way(literal) for part in parts for literal in part)
        if not any(negation(literal) in option for literal in option):
            found.append(option)
    return list(dict.fromkeys(found))


def some_literals(name: str) -> list[Literal]:
    every = {
        literal for options in gold_options(tasks()[name].id) for o in options for literal in o
    }
    return sorted(every | {negation(literal) for literal in every}, key=str)


@settings(max_examples=60)
@given(st.data())
def test_no_option_of_the_whole_goal_is_nearer(draw: st.DataObject) -> None:
    name = draw.draw(st.sampled_from(SMALL))
    literals = some_literals(name)
    picked = draw.draw(st.lists(st.sampled_from(literals), max_size=14))
    if draw.draw(st.booleans()):  # near an option
        picked += draw.draw(st.sampled_from(whole_options(name)))
    predicted = frozenset(map(one_way, picked))
    best = max(
        2 * len(o & predicted) / max(len(o) + len(predicted), 1) for o in whole_options(name)
    )
    assert score(name, goals.render(picked)).metrics["f1"] == pytest.approx(best)


@settings(max_examples=60)
@given(st.data())
def test_order_and_repetitions_do_not_matter_and_wrong_goals_do_not_help(
    draw: st.DataObject,
) -> None:
    name = draw.draw(st.sampled_from(sorted(tasks())))
    picked = draw.draw(st.lists(st.sampled_from(some_literals(name)), max_size=10))
    counts = score(name, goals.render(picked)).record["counts"]
    shuffled = draw.draw(st.permutations(picked + picked[:3]))
    assert score(name, goals.render(shuffled)).record["counts"] == counts
    f1 = score(name, goals.render(picked)).metrics["f1"]
    wrong = Atom("under", (tasks()[name].objects[0]["bddl"],) * 2)
    assert score(name, goals.render([*picked, wrong])).metrics["f1"] <= f1


def test_options_that_contradict_each_other_are_not_taken_together() -> None:
    """Jar 1 cannot have the strawberry and not have it, which the published choice asks for."""
    name, jar = "bottling_fruit", "jar.n.01_1"
    fruit = [["inside", "strawberry.n.01_1", jar], ["inside", "peach.n.03_1", jar]]
    published = score(name, said([], fruit), PUBLISHED).record
    corrected = score(name, said([], fruit)).record
    assert published["counts"]["relation"][0] == 2
    assert corrected["counts"]["relation"][0] == 1
    assert corrected["counts"]["relation"][1] == 1
