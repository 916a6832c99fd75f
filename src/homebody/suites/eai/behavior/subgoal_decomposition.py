"""Subgoal decomposition on BEHAVIOR: the judged goal, and agents (EAI paper, 2.4 and D.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from homebody.core import Action, ErrorType, Prompting, Protocol, State
from homebody.goals.bddl import kind_of, parse_problem
from homebody.suites.eai.agents import random_calls
from homebody.suites.eai.behavior import published_subgoals as published
from homebody.suites.eai.behavior.baselines import frequent_plan
from homebody.suites.eai.behavior.goals import KINDS
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.prompts import (
    listed_goals,
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.behavior.refinement import make_setting
from homebody.suites.eai.behavior.subgoals import ARITY, read_subgoals, render
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted_name, shares
from homebody.suites.eai.behavior.world import LAYOUT, WORLD
from homebody.suites.eai.plan_results import GoalCounts
from homebody.suites.eai.subgoal_decomposition import scoring
from homebody.suites.eai.subgoal_decomposition.scoring import RulesFollowed, SubgoalScoring
from homebody.worlds.behavior.actions import HANDS

if TYPE_CHECKING:
    import numpy as np

# -- scoring -------------------------------------------------------------------------------------


def _judged_task(task: BehaviorTask, protocol: Protocol) -> BehaviorTask:
    return task if protocol.keeps("changed_goals_judged") else task.as_instructed


def _use_prompt_names(task: BehaviorTask, text: str) -> str:
    """Rename objects and the state ``toggled_on`` in a string as in the prompt."""
    text = text.replace("toggled_on(", "toggledon(")
    either = "|".join(map(re.escape, task.task.initial.objects))
    return re.sub(rf"(?<![\w.])(?:{either})(?!\w)", lambda name: dotted_name(name[0]), text)


def _unread_goals(task: BehaviorTask, protocol: Protocol) -> GoalCounts:
    """Return the goals that count as met for an unreadable output; see the protocol."""
    if not protocol.keeps("unread_subgoals_meet_stored_verdicts"):
        return WORLD.unread_goals(task, protocol)
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


SCORING: SubgoalScoring[BehaviorTask] = SubgoalScoring(
    WORLD,
    read=read_subgoals,
    setting=make_setting,
    follow_rules=lambda task, subgoals, protocol, limits: RulesFollowed(
        published.refine(task, subgoals, protocol)
    ),
    judge=WORLD.judge,
    unread_goals=_unread_goals,
    judged_task=_judged_task,
    with_prompt_names=_use_prompt_names,
)
score = partial(scoring.score, SCORING)

# -- agents that need no model -------------------------------------------------------------------


_REACHED_BY = {
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
    """Return the states that the actions of the annotated plan achieve."""
    return as_states(task, task.task.reference)


def frequent(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the states that the most frequent plan for such goals achieves."""
    return as_states(task, frequent_plan(task))


def as_states(task: BehaviorTask, plan: Iterable[Action]) -> str:
    """Return an output with the states that the actions of a plan achieve."""
    world, state = task.task.world, task.task.initial
    subgoals: list[str] = []
    for action in plan:
        if action.name not in world.schemas:
            continue
        outcome = world.step(state, action)
        failure = outcome.failure
        if failure is None or failure.error is not ErrorType.ADDITIONAL_STEP:
            subgoals += _subgoals_of(action, state)
        state = outcome.state
    return render(subgoals)


def _subgoals_of(action: Action, before: State) -> list[str]:
    """Return the subgoals that an action reaches."""
    names = [dotted_name(name) for name in action.args]
    if action.name in _REACHED_BY:
        return [_REACHED_BY[action.name].format(names[0])]
    if action.name == "CLEAN":  # one subgoal suffices: cleaning does both
        dirt = "stained" if before.holds("stained", action.args) else "dusty"
        return [f"not {dirt}({names[0]})"]
    side, _, deed = action.name.partition("_")
    if side not in HANDS:
        return []
    hand = HANDS[side]
    if deed in ("GRASP", "RELEASE"):
        return [f"{'not ' if deed == 'RELEASE' else ''}{hand}({names[0]})"]
    held = [row[0] for row in before.match(hand, (None,))]
    if deed.startswith("TRANSFER"):
        lying = [n for box in held for r in ("inside", "ontop") for n in before.sources(r, box)]
        relation = (
            "inside" if deed.endswith("INSIDE") else _resting_relation(before, action.args[0])
        )
        return [" and ".join(f"{relation}({dotted_name(n)}, {names[0]})" for n in sorted(lying))]
    moved = [dotted_name(name) for name in held]
    if not moved:
        return []
    if deed == "PLACE_NEXTTO_ONTOP":
        relation = _resting_relation(before, action.args[1])
        return [f"nextto({moved[0]}, {names[0]}) and {relation}({moved[0]}, {names[1]})"]
    relation = {
        "PLACE_INSIDE": "inside",
        "PLACE_ONTOP": _resting_relation(before, action.args[0]),
        "PLACE_NEXTTO": "nextto",
        "PLACE_UNDER": "under",
    }[deed]
    return [f"{relation}({moved[0]}, {names[0]})"]


def _resting_relation(state: State, place: str) -> str:
    return "onfloor" if state.holds("FLOOR", (place,)) else "ontop"


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return random subgoals, one for each action of the annotated plan."""
    objects = [thing.name for thing in task.things]
    calls = random_calls(ARITY, objects, len(task.task.reference), generator)
    return render([f"{name}({', '.join(map(dotted_name, args))})" for name, args in calls])


def copycat(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the goal as stated in the prompt, as the only subgoal."""
    goals = (f"({goal})" if " or " in goal else goal for goal in listed_goals(task))
    return render([" and ".join(goals)])


SUITE = scoring.make_suite(
    SCORING,
    100,
    prompting=Prompting(subgoal_decomposition_prompt, system=subgoal_decomposition_system),
    pipeline=PIPELINE,
    layout=LAYOUT,
    agents={"oracle": oracle, "random": random, "copycat": copycat, "frequent": frequent},
    empty=render([]),
)
