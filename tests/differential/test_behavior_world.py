"""BEHAVIOR's world with all its quirks against the published graph simulator, step by step.

What it does with the plans is recorded (see :mod:`differential.recorded`).

The published simulator starts from homebody's own initial states: what iGibson would measure is
not to be had. It is compared on what each step prints, whether it raises an exception, the facts
and the goal's verdict at the end. Plans go on after failures, so that one plan checks many steps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from differential import behavior_scenes, perturb_behavior, published
from differential.recorded import SAMPLES, SEED, Recording, digest
from homebody.core import PUBLISHED, Action, ErrorType, Fact, Score, State
from homebody.core.formula import Atom, Not, Structure
from homebody.goals.bddl import parse_problem
from homebody.goals.bddl.published import Option
from homebody.suites.eai.behavior import action_sequencing
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior, Thing, scene
from homebody.worlds.behavior.actions import STATES
from homebody.worlds.behavior.sizes import HOLDABLE, litres

pytestmark = pytest.mark.usefixtures("eai_data")

PLANS = max(4, round(40 * SAMPLES / 1500))  # changed plans a task

PRINTED = {
    ErrorType.ADDITIONAL_STEP: "ADDITIONAL_STEP",
    ErrorType.AFFORDANCE: "AFFORDANCE_ERROR",
    ErrorType.WRONG_ORDER: "WRONG_TEMPORAL_ORDER",
    ErrorType.MISSING_STEP: "MISSING_STEP",
}
UNARY = frozenset(STATES)
BINARY = ("inside", "ontop", "under", "nextto", "onfloor")
HANDS = {"left_hand": "holds_lh", "right_hand": "holds_rh"}
FIRST_STATES = {
    "openable": "open",
    "toggleable": "toggled_on",
    "freezable": "frozen",
    "cookable": "cooked",
    "soakable": "soaked",
    "dustyable": "dusty",
    "stainable": "stained",
}
HUGE = 1e6
"""Litres of a floor: nothing is too big for it."""

UNBOUND = "UnboundLocalError"
"""How the published goal check fails if nothing at all is next to, under or on the floor of
anything and things are nested three deep. iGibson's scenes always have such facts."""

SELF_LOOP = "NetworkXError"
"""How grasping fails if a thing is next to itself: the relation is removed twice."""

TOOLS = ("sink", "dishwasher", "saucepan", "teapot", "fridge", "carton", "cabinet", "jar")
TOOL_ABILITIES = frozenset({"slicer", "cleaningTool", "sliceable", "soakable", "openable"})

WORLD = Behavior(quirks=WORLD_QUIRKS)


@dataclass(frozen=True)
class Case:
    """A task, with the sizes that both simulators take.

    Attributes:
        described: The scene for the driver.
        initial: The same, for homebody.
        options: Each condition's options, over plan names.
    """

    task: BehaviorTask
    described: dict[str, Any]
    initial: State
    options: tuple[tuple[Option, ...], ...]


def sized(thing: Thing) -> Thing:
    """With a size: both go by volumes only, so that what is built in has to be too big to hold."""
    size = litres(thing.kind, (thing.category,)) if thing.litres is None else thing.litres
    if thing.floor:
        size = HUGE
    return replace(thing, litres=size)


def case_of(task: BehaviorTask) -> Case:
    """A task as it is."""
    stated = [fact for fact in task.task.initial.facts() if fact[0] != "part_of"]
    return case_with(task, task.id, [sized(thing) for thing in task.things], stated)


def shaken(task: BehaviorTask, number: int, generator: np.random.Generator) -> Case:
    """A task with other sizes, states and relations at first: iGibson measures what the stated
    facts leave open, such as what is next to what."""
    sizes = np.exp(generator.uniform(np.log(0.1), np.log(3 * HOLDABLE), len(task.things)))
    things = [
        replace(sized(thing), litres=HUGE if thing.floor else round(float(size), 3))
        for thing, size in zip(task.things, sizes, strict=True)
    ]
    stated = {fact for fact in task.task.initial.facts() if fact[0] != "part_of"}
    solid = [thing.name for thing in things if not thing.floor]
    for thing in things:
        for ability, state in sorted(FIRST_STATES.items()):
            if ability in thing.abilities and generator.random() < 0.25:
                stated ^= {(state, thing.name)}
    for _ in range(len(solid)):
        one, other = (solid[int(generator.integers(len(solid)))] for _ in range(2))
        relation = ("nextto", "under")[int(generator.integers(2))]
        if one != other:
            stated.add((relation, one, other))
    return case_with(task, f"{task.id} {number}", things, sorted(stated))


def case_with(
    task: BehaviorTask, identifier: str, things: Sequence[Thing], stated: Sequence[Fact]
) -> Case:
    initial = scene(things, stated)
    bddl_names = {name: bddl for bddl, name in task.names.items()}
    problem = parse_problem(task.raw["problem"])
    conditions = behavior_scenes.goal_conditions(problem, task.raw["goal"])
    described = behavior_scenes.described(
        identifier, task.raw["activity"], things, bddl_names, initial, conditions
    )
    options = tuple(
        tuple(tuple(literal(words, task.names) for words in option) for option in found)
        for _, found in conditions
    )
    return Case(task, described, initial, options)


def literal(words: Sequence[Any], names: Any) -> Atom | Not:
    if words[0] == "not":
        return Not(literal(words[1], names))
    return Atom(words[0], tuple(names[word] for word in words[1:]))


@cache
def cases() -> tuple[Case, ...]:
    return tuple(case_of(task) for task in load_tasks())


def plan_task(case: Case) -> perturb_behavior.PlanTask:
    objects = [name for name in case.initial.objects if name != WORLD.agent]
    tools = [
        name
        for name in objects
        if case.initial.objects[name].properties & TOOL_ABILITIES
        or any(text in name for text in TOOLS)
    ]
    reference = [
        (action.name, action.args)
        for action in case.task.task.reference
        if action.name in WORLD.schemas
    ]
    return perturb_behavior.PlanTask(tuple(reference), tuple(objects), tuple(tools))


Run: TypeAlias = tuple[Case, perturb_behavior.Plan, bool]
"""A plan in a task, and whether failures are passed over."""


def published_input(case: Case, plan: perturb_behavior.Plan, go_on: bool) -> behavior_scenes.Input:
    written = [[name, ", ".join(args)] for name, args in plan]
    return behavior_scenes.input_of(case.described, kind="world", plan=written, go_on=go_on)


def met(option: Option, final: Structure) -> bool:
    for literal in option:
        atom = literal.body if isinstance(literal, Not) else literal
        assert isinstance(atom, Atom)
        if final.holds(atom.predicate, atom.args) == isinstance(literal, Not):
            return False
    return True


def ours(case: Case, plan: perturb_behavior.Plan, go_on: bool) -> dict[str, Any]:
    """What homebody does, in the terms of :func:`verdict`; ``facts`` as they are."""
    states = [case.initial]
    steps: list[str] = []
    for name, args in plan:
        action = Action(name, args)
        outcome = WORLD.step(states[-1], action, states[:-1])
        printed = WORLD.errors(states[-1], action, states[:-1])
        crashed = ErrorType.EXECUTION_FAILURE in printed
        words = ["crash"] if crashed else sorted(PRINTED[error] for error in printed)
        steps.append(" ".join([*words, "done"] if outcome.failure is None else words))
        if outcome.failure is None:
            states.append(outcome.state)
        elif crashed or not (go_on or outcome.failure.error is ErrorType.ADDITIONAL_STEP):
            break
    view = WORLD.view(states[-1])
    return {
        "steps": steps,
        "facts": sorted(map(list, goal_facts(view))),
        "goal": [any(met(option, view) for option in options) for options in case.options],
    }


def goal_facts(view: Structure) -> set[Fact]:
    """The facts that a goal can see, and what is held; the agent is no object there."""
    facts = {
        (predicate, *row)
        for predicate in (*UNARY, *HANDS.values())
        for row in view.match(predicate, (None,))
    }
    facts |= {
        (predicate, *row) for predicate in BINARY for row in view.match(predicate, (None, None))
    }
    return {fact for fact in facts if WORLD.agent not in fact}


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared: the words of each step's end, the facts at the end and the goal's verdict.

    The facts in homebody's words: a digest, or all of them where a transfer raised an exception.
    """
    if "hang" in record:
        return {"hang": True}
    facts = {behavior_scenes.fact_of(words) for words in record.get("unary", ())}
    facts = {fact for fact in facts if fact[0] in UNARY}
    facts |= {behavior_scenes.fact_of(words) for words in record.get("binary", ())}
    facts |= {(HANDS[hand], name) for hand, name in record["hands"].items() if name is not None}
    steps = [
        " ".join([*sorted({*step["errors"], *(["crash"] if "crash" in step else [])}), *done(step)])
        for step in record["steps"]
    ]
    listed = sorted(map(list, facts))
    kept: dict[str, Any] = {"steps": steps, "goal": record.get("goal")}
    crash = record["steps"][-1].get("crash") if record["steps"] else None
    if crash:
        kept["crash"] = crash.partition(":")[0]
    if "goal_crash" in record:
        kept["goal_crash"] = record["goal_crash"].partition(":")[0]
    return {**kept, "facts": listed if crash else digest(listed)}


def done(step: dict[str, Any]) -> list[str]:
    return ["done"] if step["done"] else []


def differences(
    case: Case, plan: perturb_behavior.Plan, go_on: bool, theirs: dict[str, Any]
) -> list[str]:
    """What the two disagree on; nothing more is compared after the first step that they do.

    Known differences, which are passed over:

    - Plans at which the published simulator hangs: it slices a thing that lies on its own half,
      which then lies on itself for ever. They have no verdict.
    - Where such a thing was put next to its own half instead, the half is next to itself, and
      grasping it raises an exception (:data:`SELF_LOOP`).
    - The goal check that :data:`UNBOUND` ends.
    - The transfer that raises an exception has by then moved the first content. homebody leaves
      the state as it was: which content is first depends on the order in which they were put
      there, which is no fact.
    """
    mine = ours(case, plan, go_on)
    if "hang" in theirs:
        return []
    name = case.task.task.name
    for index, step in enumerate(theirs["steps"]):
        if index >= len(mine["steps"]) or mine["steps"][index] != step:
            if "crash" in step and theirs["crash"] == SELF_LOOP:
                return []
            own = mine["steps"][index] if index < len(mine["steps"]) else "nothing"
            return [f"{name} step {index} {plan[index]}: {own} is {step}"]
    if len(mine["steps"]) != len(theirs["steps"]):
        return [f"{name}: {len(mine['steps'])} steps are {len(theirs['steps'])}"]
    if "crash" in theirs and "_TRANSFER_" in plan[len(theirs["steps"]) - 1][0]:
        return [] if one_moved(mine["facts"], theirs["facts"]) else ["more than one moved"]
    if theirs.get("goal_crash") == UNBOUND:
        return []
    differing = []
    if mine["facts"] != theirs["facts"] and digest(mine["facts"]) != theirs["facts"]:
        differing.append(f"{name} {plan}: {theirs['facts']} are not the facts {mine['facts']}")
    if mine["goal"] != theirs["goal"]:
        differing.append(f"{name} {plan}: {mine['goal']} is {theirs['goal']}")
    return differing


def one_moved(before: list[list[str]], after: list[list[str]]) -> bool:
    """Whether they differ in the support of at most one thing (seen in its halves too)."""
    changed = set(map(tuple, before)) ^ set(map(tuple, after))
    things = {fact[1].partition("_part_")[0] for fact in changed}
    return len(things) <= 1 and {fact[0] for fact in changed} <= {"inside", "ontop", "onfloor"}


@cache
def ground_truth() -> list[Run]:
    both = (False, True)
    return [(case, list(plan_task(case).plan), go_on) for case in cases() for go_on in both]


@cache
def changed_plans() -> list[Run]:
    generator = np.random.default_rng(SEED)
    return [
        (case, plan, index % 4 != 0)
        for case in cases()
        for index, plan in enumerate(perturb_behavior.variants(plan_task(case), generator, PLANS))
    ]


@cache
def changed_scenes() -> list[Run]:
    generator = np.random.default_rng(SEED + 1)
    runs: list[Run] = []
    for task in load_tasks():
        for number in range(max(1, PLANS // 10)):
            case = shaken(task, number, generator)
            plans = perturb_behavior.variants(plan_task(case), generator, 4)
            runs += [(case, plan, index != 0) for index, plan in enumerate(plans)]
    return runs


def recording(name: str, runs: Callable[[], list[Run]]) -> Recording:
    return Recording(
        name,
        published.REQUIREMENT,
        lambda: [published_input(*run) for run in runs()],
        behavior_scenes.run_published,
        verdict,
        chunk=400,
    )


GROUND_TRUTH = recording("behavior_ground_truth", ground_truth)
CHANGED_PLANS = recording("behavior_changed_plans", changed_plans)
CHANGED_SCENES = recording("behavior_changed_scenes", changed_scenes)


def compare(runs: Sequence[Run], verdicts: Sequence[dict[str, Any]]) -> None:
    differing = []
    for run, theirs in zip(runs, verdicts, strict=True):
        differing += differences(*run, theirs)
    assert differing == []


@pytest.mark.slow
def test_ground_truth_plans_run_alike() -> None:
    verdicts = GROUND_TRUTH.verdicts()
    compare(ground_truth(), verdicts)
    assert sum(clean(theirs) for theirs in verdicts[::2]) > 70


def clean(theirs: dict[str, Any]) -> bool:
    """Whether all was done, with the goal reached."""
    return all("done" in step for step in theirs["steps"]) and all(theirs["goal"] or [False])


@pytest.mark.differential
def test_changed_plans_run_alike() -> None:
    verdicts = CHANGED_PLANS.verdicts()
    compare(changed_plans(), verdicts)
    # It was worth it: each action was done, each error type printed, and some plans are right.
    ends = ends_seen(changed_plans(), verdicts)
    if PLANS >= 10:
        assert {name for name, end in ends if end == "done"} == kinds() - NEVER_DONE
        assert {end for _, end in ends} == {*PRINTED.values(), "crash", "done"}
    assert sum("hang" in theirs for theirs in verdicts) < len(verdicts) / 100
    right = sum(all(theirs.get("goal") or [False]) for theirs in verdicts)
    assert len(verdicts) / 10 < right < len(verdicts) / 2


@pytest.mark.differential
def test_changed_scenes_run_alike() -> None:
    verdicts = CHANGED_SCENES.verdicts()
    compare(changed_scenes(), verdicts)
    if PLANS >= 10:
        ends = ends_seen(changed_scenes(), verdicts)
        assert ends["GRASP", "AFFORDANCE_ERROR"]
        assert ends["PLACE_INSIDE", "AFFORDANCE_ERROR"]


NEVER_DONE = frozenset({"NAVIGATE_TO", "TRANSFER_CONTENTS_ONTOP"})
"""Raise an exception or fail, whatever the state."""


def kinds() -> set[str]:
    return {handless(name) for name in WORLD.schemas}


def handless(name: str) -> str:
    return name.removeprefix("LEFT_").removeprefix("RIGHT_")


def ends_seen(runs: Sequence[Run], verdicts: Sequence[dict[str, Any]]) -> Counter[tuple[str, str]]:
    """How often each action ended how."""
    seen: Counter[tuple[str, str]] = Counter()
    for (_, plan, _), theirs in zip(runs, verdicts, strict=True):
        for (name, _), step in zip(plan, theirs.get("steps", ()), strict=False):
            errors = [word for word in step.split() if word != "done"]
            seen.update((handless(name), end) for end in errors or ["done"])
    return seen


# -- action sequencing: the same plans as the text of outputs -----------------------------------

AS_PUBLISHED = {
    "parsing": "parsing",
    "hullucination": "hallucination",
    "arguments": "predicate_argument_number",
    "MISSING_STEP": "missing_step",
    "WRONG_TEMPORAL_ORDER": "wrong_order",
    "AFFORDANCE_ERROR": "affordance_error",
    "ADDITIONAL_STEP": "additional_step",
}


@cache
def outputs() -> list[tuple[Case, str]]:
    """Plans as texts, half of the changed ones with mistakes in the text too."""
    generator = np.random.default_rng(SEED + 2)
    made: list[tuple[Case, str]] = []
    for case in cases():
        task = plan_task(case)
        made.append((case, perturb_behavior.text_of(task.plan)))
        for plan in perturb_behavior.variants(task, generator, max(1, PLANS // 4)):
            text = perturb_behavior.text_of(plan)
            changed = generator.random() < 0.5
            made.append((case, perturb_behavior.mangled(text, generator) if changed else text))
    return made


def counts_verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared of an output; a crash is one that ends the evaluator's process."""
    if "hang" in record or "crash" in record:
        return {"hang": True} if "hang" in record else {"crash": record["crash"]}
    counts = record["counts"]
    return {
        "errors": sorted(AS_PUBLISHED[name] for name in record["errors"]),
        "executable": record["executable"],
        "success": bool(counts["all_goal_satisfied_graph"]),
        "goals": [
            [counts[f"{what}_{kind}_predicates"] for what in ("satisfied", "tot")]
            for kind in ("node", "edge")
        ],
        "execution_crash": bool(record["execution_crash"]),
    }


ACTION_SEQUENCING = Recording(
    "behavior_action_sequencing",
    published.REQUIREMENT,
    lambda: [
        behavior_scenes.input_of(case.described, kind="action_sequencing", text=text)
        for case, text in outputs()
    ],
    behavior_scenes.run_published,
    counts_verdict,
    chunk=400,
)


@pytest.mark.slow
def test_action_sequencing_scores_alike() -> None:
    """What the published evaluator counts of an output, physics left out.

    It evaluates what is between brackets as Python; homebody reads literals only. So expressions
    that are none, such as the bare name ``object`` as a key, are not among the outputs.
    """
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    differing = []
    seen: Counter[str] = Counter()
    for (case, text), theirs in zip(outputs(), ACTION_SEQUENCING.verdicts(), strict=True):
        score = action_sequencing.SUITE.scoring.score(tasks[case.task.id], text, PUBLISHED)
        seen.update(theirs.get("errors", ["crash"]))
        if "hang" in theirs or "crash" in theirs:
            if "hang" not in theirs and "published_crash" not in score.record:
                differing.append((case.task.id, text, theirs["crash"]))
        elif counted(score) != without_crash(theirs) and not half_transferred(score, theirs):
            differing.append((case.task.id, text, f"{counted(score)} is {theirs}"))
    assert differing == []
    assert {"parsing", "hallucination", "missing_step", "additional_step"} <= seen.keys()


def without_crash(theirs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in theirs.items() if name != "execution_crash"}


def half_transferred(score: Score, theirs: dict[str, Any]) -> bool:
    """The known difference of :func:`differences`, which goals may see."""
    return bool(theirs["execution_crash"]) and "_TRANSFER_" in score.record["error_action"]


def counted(score: Score) -> dict[str, Any]:
    met = score.record["goals_met"]
    return {
        "errors": sorted(name for name in AS_PUBLISHED.values() if score.metrics[name]),
        "executable": bool(score.metrics["executable"]),
        "success": bool(score.metrics["success"]),
        "goals": [list(met[kind]) for kind in ("state", "relation")],
    }


@pytest.mark.differential
@pytest.mark.parametrize("agent", ["oracle", "random", "empty"])
def test_summaries_are_alike(agent: str, tmp_path: Path) -> None:
    suite = action_sequencing.SUITE
    tasks = suite.tasks.load(PUBLISHED)
    texts = {
        task.id: suite.text_agents[agent].answer(task, np.random.default_rng(number))
        for number, task in enumerate(tasks)
    }
    scores = [suite.score(task, texts[task.id], PUBLISHED) for task in tasks]
    kept = {  # a crash ends the process that has the task: it is in no rate
        score.identifier: texts[score.identifier]
        for score in scores
        if "published_crash" not in score.record
    }
    scenes = [case.described for case in cases()]
    summary = behavior_scenes.published_summary("action_sequencing", scenes, kept, tmp_path)
    assert suite.summarise([s for s in scores if s.identifier in kept]) == summary
