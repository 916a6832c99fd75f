"""Subgoal decomposition on BEHAVIOR: from a goal to the states on the way to it.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from homebody.core import Action, ErrorType, Protocol, Score, State, Suite
from homebody.data import behavior as data
from homebody.goals.bddl import kind_of, parse_problem
from homebody.suites.eai.behavior import published_subgoals as published
from homebody.suites.eai.behavior.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.behavior.judging import (
    COLUMNS,
    KINDS,
    at_start,
    conditions_met,
    count_conditions,
    judge,
    rates,
)
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.prompts import (
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.behavior.protocol import PROTOCOLS
from homebody.suites.eai.behavior.refinement import refine
from homebody.suites.eai.behavior.subgoals import ARITY, read_subgoals
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted, load_tasks, shares
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    Limits,
    Subgoal,
    limits_of,
)
from homebody.suites.eai.subgoal_decomposition.scoring import (
    Telling,
    followed,
    searched,
)
from homebody.suites.eai.trajectory import GrammarError, Result, count, make_score, unreadable
from homebody.worlds.behavior.actions import HANDS

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.behavior.subgoal_decomposition"

# -- scoring -------------------------------------------------------------------------------------


def score(task: BehaviorTask, output: str, protocol: Protocol, limits: Limits = LIMITS) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    if not protocol.keeps("changed_goals_judged"):
        task = task.as_instructed
    extra: dict[str, Any] = {
        "subgoals": [],
        "failed_subgoal": None,
        "search_limit": False,
        **conditions_met(None, task),
    }
    try:
        subgoals = read_subgoals(task, output, protocol)
        extra["subgoals"] = [subgoal.text for subgoal in subgoals]
        if protocol.keeps("subgoals_refined_by_rules"):
            result = _follow_rules(task, subgoals, protocol, extra)
        else:
            result = _search(task, subgoals, protocol, limits, extra)
    except GrammarError as error:
        result = replace(unreadable(task, error, "Subgoal"), goals=_at_first(task, protocol))
    made = make_score(task, result, valid=True)
    return replace(made, record={**made.record, **extra})


def _at_first(task: BehaviorTask, protocol: Protocol) -> dict[str, tuple[float, float]]:
    """What an output that is not read has met: see the protocol."""
    if not protocol.keeps("unread_subgoals_meet_stored_verdicts"):
        return at_start(task, protocol)
    text = task.raw["original"] or task.raw["problem"]
    conditions = parse_problem(text).conditions
    weights = [shares(kind_of(condition)) for condition in conditions]
    flags = task.raw["at_first"]
    return {
        kind: (
            sum(share[kind] for share, met in zip(weights, flags, strict=True) if met),
            sum(share[kind] for share in weights),
        )
        for kind in KINDS
    }


def _search(
    task: BehaviorTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by search, and judge the best refinement like a plan."""
    outcome = refine(task, subgoals, limits)
    judging = partial(judge, task, protocol=protocol)
    result, verdict = searched(outcome, subgoals, judging, _TELLING, extra)
    extra |= conditions_met(verdict, task)
    return result


_TELLING = Telling(goals=count_conditions, line=str)


def _follow_rules(
    task: BehaviorTask, subgoals: Sequence[Subgoal], protocol: Protocol, extra: dict[str, Any]
) -> Result:
    """Refine by the published rules, and judge as the published evaluator does."""
    try:
        run = published.refine(task, subgoals, protocol)
    except published.Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    verdict = judge(task, run.trace, protocol)
    extra |= conditions_met(verdict, task)
    success = run.finished and verdict.success
    all_counted = not protocol.keeps("additional_steps_of_failed_plans_uncounted")
    return followed(run, verdict, _TELLING, extra, success=success, all_counted=all_counted)


# -- agents that need no model -------------------------------------------------------------------


def render(subgoals: Sequence[str]) -> str:
    """Subgoals as the prompt asks for them."""
    return json.dumps({"output": list(subgoals)})


_TOLD = {
    "OPEN": "open({})",
    "CLOSE": "not open({})",
    "TOGGLE_ON": "toggledon({})",
    "TOGGLE_OFF": "not toggledon({})",
    "SLICE": "sliced({})",
    "SOAK": "soaked({})",
    "DRY": "not soaked({})",
    "FREEZE": "frozen({})",
    "UNFREEZE": "not frozen({})",
    "COOK": "cooked({})",
}


def oracle(task: BehaviorTask, generator: np.random.Generator) -> str:
    """The annotated plan, told as the states that its actions bring about."""
    world, state = task.task.world, task.task.initial
    told: list[str] = []
    for action in task.task.reference:
        if action.name not in world.schemas:
            continue
        outcome = world.step(state, action)
        failure = outcome.failure
        if failure is None or failure.error is not ErrorType.ADDITIONAL_STEP:
            told += _told(action, state)
        state = outcome.state
    return render(told)


def _told(action: Action, before: State) -> list[str]:
    """An action as the subgoal it reaches."""
    names = [dotted(name) for name in action.args]
    if action.name in _TOLD:
        return [_TOLD[action.name].format(names[0])]
    if action.name == "CLEAN":  # one is enough: cleaning does both
        dirt = "stained" if before.holds("stained", action.args) else "dusty"
        return [f"not {dirt}({names[0]})"]
    side, _, what = action.name.partition("_")
    if side not in HANDS:
        return []
    hand = HANDS[side]
    if what in ("GRASP", "RELEASE"):
        return [f"{'not ' if what == 'RELEASE' else ''}{hand}({names[0]})"]
    held = [row[0] for row in before.match(hand, (None,))]
    if what.startswith("TRANSFER"):
        lying = [n for one in held for r in ("inside", "ontop") for n in before.sources(r, one)]
        relation = "inside" if what.endswith("INSIDE") else _resting(before, action.args[0])
        return [" and ".join(f"{relation}({dotted(n)}, {names[0]})" for n in sorted(lying))]
    moved = [dotted(name) for name in held]
    if not moved:
        return []
    if what == "PLACE_NEXTTO_ONTOP":
        relation = _resting(before, action.args[1])
        return [f"nextto({moved[0]}, {names[0]}) and {relation}({moved[0]}, {names[1]})"]
    relation = {
        "PLACE_INSIDE": "inside",
        "PLACE_ONTOP": _resting(before, action.args[0]),
        "PLACE_NEXTTO": "nextto",
        "PLACE_UNDER": "under",
    }[what]
    return [f"{relation}({moved[0]}, {names[0]})"]


def _resting(state: State, place: str) -> str:
    return "onfloor" if state.holds("FLOOR", (place,)) else "ontop"


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """As many random subgoals as the annotated plan has actions."""
    vocabulary = sorted(ARITY)
    objects = [thing.name for thing in task.things]
    told = []
    for _ in task.task.reference:
        name = vocabulary[generator.integers(len(vocabulary))]
        picked = generator.integers(len(objects), size=ARITY[name])
        told.append(f"{name}({', '.join(dotted(objects[i]) for i in picked)})")
    return render(told)


def empty(task: BehaviorTask, generator: np.random.Generator) -> str:
    """No subgoal at all."""
    return render([])


def _rebound(bounds: Mapping[str, float]) -> Callable[[BehaviorTask, str, Protocol], Score]:
    return partial(score, limits=limits_of(bounds))


SUITE: Suite[BehaviorTask] = Suite(
    name=NAME,
    title="Turn a goal into subgoals that lead to it (EAI, BEHAVIOR, 100 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.task.name}: {task.task.instruction}",
    prompt=subgoal_decomposition_prompt,
    system=subgoal_decomposition_system,
    score=score,
    count=count,
    rates=rates,
    columns=COLUMNS,
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    bounds=asdict(LIMITS),
    rebound=_rebound,
    pipeline=PIPELINE,
    demands=SUBGOAL_DEMANDS,
)
