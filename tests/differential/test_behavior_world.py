"""BEHAVIOR's world with all its quirks against the published graph simulator, step by step.

Run with ``pytest -m differential``. ``HOMEBODY_DIFFERENTIAL_PLANS`` sets how many changed plans
there are a task, ``HOMEBODY_DIFFERENTIAL_SEED`` which.

The published simulator starts from homebody's own initial states: what iGibson would measure is
not to be had. It is compared on what each step prints, whether it raises an exception, the facts
and the goal's verdict at the end. Plans go on after failures, so that one plan checks many steps.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import behavior_scenes, perturb_behavior, published
from homebody.core import Action, ErrorType, Fact, Score, State
from homebody.core.formula import Atom, Not, Structure
from homebody.data.cache import cache_dir
from homebody.goals.bddl import parse_problem
from homebody.goals.bddl.published import Option
from homebody.suites.eai.behavior import action_sequencing
from homebody.suites.eai.behavior.protocol import PUBLISHED
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior, Thing, scene
from homebody.worlds.behavior.actions import STATES
from homebody.worlds.behavior.sizes import HOLDABLE, litres

pytestmark = [pytest.mark.differential, pytest.mark.usefixtures("eai_data")]

PLANS = int(os.environ.get("HOMEBODY_DIFFERENTIAL_PLANS", "40"))
SEED = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SEED", "1"))
WORKERS = os.cpu_count() or 2

ERRORS = {
    "ADDITIONAL_STEP": ErrorType.ADDITIONAL_STEP,
    "AFFORDANCE_ERROR": ErrorType.AFFORDANCE,
    "WRONG_TEMPORAL_ORDER": ErrorType.WRONG_ORDER,
    "MISSING_STEP": ErrorType.MISSING_STEP,
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


@pytest.fixture(scope="module")
def python() -> Path:
    return published.venv_python(cache_dir() / "differential")


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


def job(case: Case, plan: perturb_behavior.Plan, go_on: bool) -> dict[str, Any]:
    written = [[name, ", ".join(args)] for name, args in plan]
    return {"scene": case.described["id"], "kind": "world", "plan": written, "go_on": go_on}


def met(option: Option, final: Structure) -> bool:
    for one in option:
        atom = one.body if isinstance(one, Not) else one
        assert isinstance(atom, Atom)
        if final.holds(atom.predicate, atom.args) == isinstance(one, Not):
            return False
    return True


def ours(case: Case, plan: perturb_behavior.Plan, go_on: bool) -> dict[str, Any]:
    """The record that the driver would write, as homebody has it."""
    states = [case.initial]
    steps: list[dict[str, Any]] = []
    for name, args in plan:
        action = Action(name, args)
        outcome = WORLD.step(states[-1], action, states[:-1])
        printed = WORLD.errors(states[-1], action, states[:-1])
        crashed = ErrorType.EXECUTION_FAILURE in printed
        steps.append(
            {
                "done": outcome.failure is None,
                "crash": crashed,
                "errors": [] if crashed else sorted(printed),
            }
        )
        if outcome.failure is None:
            states.append(outcome.state)
        elif crashed or not (go_on or outcome.failure.error is ErrorType.ADDITIONAL_STEP):
            break
    view = WORLD.view(states[-1])
    return {
        "steps": steps,
        "facts": frozenset(goal_facts(view)),
        "goal": [any(met(option, view) for option in found) for found in case.options],
    }


def goal_facts(view: Structure) -> set[Fact]:
    """The facts that a goal can see, and what is held; the agent is no object there."""
    found = {
        (predicate, *row)
        for predicate in (*UNARY, *HANDS.values())
        for row in view.match(predicate, (None,))
    }
    found |= {
        (predicate, *row) for predicate in BINARY for row in view.match(predicate, (None, None))
    }
    return {fact for fact in found if WORLD.agent not in fact}


def theirs(record: dict[str, Any]) -> dict[str, Any]:
    """The driver's record in homebody's words."""
    facts = {behavior_scenes.fact_of(words) for words in record.get("unary", ())}
    facts = {fact for fact in facts if fact[0] in UNARY}
    facts |= {behavior_scenes.fact_of(words) for words in record.get("binary", ())}
    facts |= {(HANDS[hand], name) for hand, name in record["hands"].items() if name is not None}
    return {
        "steps": [
            {
                "done": step["done"],
                "crash": "crash" in step,
                "errors": sorted({ERRORS[name] for name in step["errors"]}),
            }
            for step in record["steps"]
        ],
        "facts": frozenset(facts),
        "goal": record.get("goal"),
    }


def differences(
    case: Case, plan: perturb_behavior.Plan, go_on: bool, record: dict[str, Any]
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
    if "hang" in record:
        return []
    published_one = theirs(record)
    for index, step in enumerate(published_one["steps"]):
        if index >= len(mine["steps"]) or mine["steps"][index] != step:
            if record["steps"][index].get("crash", "").startswith(SELF_LOOP):
                return []
            found = mine["steps"][index] if index < len(mine["steps"]) else "nothing"
            return [f"{case.task.task.name} step {index} {plan[index]}: {found} is {step}"]
    if len(mine["steps"]) != len(published_one["steps"]):
        return [f"{case.task.task.name}: {len(mine['steps'])} steps are {len(record['steps'])}"]
    crashed = next((i for i, step in enumerate(mine["steps"]) if step["crash"]), None)
    if crashed is not None and "_TRANSFER_" in plan[crashed][0]:
        return [] if one_moved(mine["facts"], published_one["facts"]) else ["more than one moved"]
    if record.get("goal_crash", "").startswith(UNBOUND):
        return []
    told = []
    if mine["facts"] != published_one["facts"]:
        more = sorted(mine["facts"] - published_one["facts"])
        less = sorted(published_one["facts"] - mine["facts"])
        told.append(f"{case.task.task.name} {plan}: facts {more} more, {less} less")
    if mine["goal"] != published_one["goal"]:
        told.append(f"{case.task.task.name} {plan}: {mine['goal']} is {published_one['goal']}")
    return told


def one_moved(before: frozenset[Fact], after: frozenset[Fact]) -> bool:
    """Whether they differ in the support of at most one thing (seen in its halves too)."""
    changed = before ^ after
    things = {fact[1].partition("_part_")[0] for fact in changed}
    return len(things) <= 1 and {fact[0] for fact in changed} <= {"inside", "ontop", "onfloor"}


def compare(
    python: Path,
    jobs: Sequence[tuple[Case, perturb_behavior.Plan, bool]],
    workdir: Path,
) -> tuple[list[str], list[dict[str, Any]]]:
    """All differences, and the published records."""
    described = {case.described["id"]: case.described for case, _, _ in jobs}
    written = [job(*one) for one in jobs]
    records = behavior_scenes.run_published(
        python, list(described.values()), written, workdir, WORKERS
    )
    told = []
    for one, record in zip(jobs, records, strict=True):
        told += differences(*one, record)
    return told, records


def test_ground_truth_plans_run_alike(python: Path, tmp_path: Path) -> None:
    jobs = [
        (case, list(plan_task(case).plan), go_on) for case in cases() for go_on in (False, True)
    ]
    told, records = compare(python, jobs, tmp_path)
    assert told == []
    clean = [
        record
        for record in records[::2]
        if all(step["done"] for step in record["steps"]) and all(record.get("goal", [False]))
    ]
    assert len(clean) > 70


def test_changed_plans_run_alike(python: Path, tmp_path: Path) -> None:
    generator = np.random.default_rng(SEED)
    jobs = [
        (case, plan, index % 4 != 0)
        for case in cases()
        for index, plan in enumerate(perturb_behavior.variants(plan_task(case), generator, PLANS))
    ]
    told, records = compare(python, jobs, tmp_path)
    assert told == []
    # It was worth it: each action was done, each error type printed, and some plans are right.
    ends = ends_seen(jobs, records)
    if PLANS >= 10:
        assert {name for name, end in ends if end == "done"} == kinds() - NEVER_DONE
        assert {end for _, end in ends} == {*ERRORS, "crash", "done"}
    assert sum("hang" in record for record in records) < len(records) / 100
    met = sum(all(record.get("goal", [False])) for record in records)
    assert len(records) / 10 < met < len(records) / 2


def test_changed_scenes_run_alike(python: Path, tmp_path: Path) -> None:
    generator = np.random.default_rng(SEED + 1)
    jobs = []
    for task in load_tasks():
        for number in range(max(1, PLANS // 10)):
            case = shaken(task, number, generator)
            plans = perturb_behavior.variants(plan_task(case), generator, 4)
            jobs += [(case, plan, index != 0) for index, plan in enumerate(plans)]
    told, records = compare(python, jobs, tmp_path)
    assert told == []
    if PLANS >= 10:
        ends = ends_seen(jobs, records)
        assert ends["GRASP", "AFFORDANCE_ERROR"]
        assert ends["PLACE_INSIDE", "AFFORDANCE_ERROR"]


NEVER_DONE = frozenset({"NAVIGATE_TO", "TRANSFER_CONTENTS_ONTOP"})
"""Raise an exception or fail, whatever the state."""


def kinds() -> set[str]:
    return {handless(name) for name in WORLD.schemas}


def handless(name: str) -> str:
    return name.removeprefix("LEFT_").removeprefix("RIGHT_")


def ends_seen(
    jobs: Sequence[tuple[Case, perturb_behavior.Plan, bool]], records: Sequence[dict[str, Any]]
) -> Counter[tuple[str, str]]:
    """How often each action ended how."""
    seen: Counter[tuple[str, str]] = Counter()
    for (_, plan, _), record in zip(jobs, records, strict=True):
        for (name, _), step in zip(plan, record.get("steps", ()), strict=False):
            ends = ["crash"] if "crash" in step else step["errors"] or ["done"]
            seen.update((handless(name), end) for end in ends)
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


def test_action_sequencing_scores_alike(python: Path, tmp_path: Path) -> None:
    """What the published evaluator counts of an output, physics left out.

    It evaluates what is between brackets as Python; homebody reads literals only. So expressions
    that are none, such as the bare name ``object`` as a key, are not among the outputs.
    """
    protocol = replace(PUBLISHED, quirks=PUBLISHED.quirks | WORLD_QUIRKS)
    tasks = {task.id: task for task in load_tasks(protocol)}
    generator = np.random.default_rng(SEED + 2)
    outputs: list[tuple[Case, str]] = []
    for case in cases():
        task = plan_task(case)
        outputs.append((case, perturb_behavior.text_of(task.plan)))
        for plan in perturb_behavior.variants(task, generator, max(1, PLANS // 4)):
            text = perturb_behavior.text_of(plan)
            changed = generator.random() < 0.5
            outputs.append((case, perturb_behavior.mangled(text, generator) if changed else text))
    jobs = [{"scene": c.task.id, "kind": "action_sequencing", "text": t} for c, t in outputs]
    described = [case.described for case in cases()]
    records = behavior_scenes.run_published(python, described, jobs, tmp_path, WORKERS)
    told = []
    seen: Counter[str] = Counter()
    for (case, text), record in zip(outputs, records, strict=True):
        score = action_sequencing.score(tasks[case.task.id], text, protocol)
        mine, published_one = counted(score), published_counts(record)
        seen.update(published_one["errors"] if published_one else ["crash"])
        if published_one is None:
            if "hang" not in record and "published_crash" not in score.record:
                told.append((case.task.id, text, record["crash"]))
        elif mine != published_one and not half_transferred(score, record):
            told.append((case.task.id, text, f"{mine} is {published_one}"))
    assert told == []
    assert {"parsing", "hallucination", "missing_step", "additional_step"} <= seen.keys()


def half_transferred(score: Score, record: dict[str, Any]) -> bool:
    """The known difference of :func:`differences`, which goals may see."""
    return bool(record["execution_crash"]) and "_TRANSFER_" in score.record["error_action"]


def counted(score: Score) -> dict[str, Any]:
    met = score.record["goals_met"]
    return {
        "errors": {name for name in AS_PUBLISHED.values() if score.metrics[name]},
        "executable": bool(score.metrics["executable"]),
        "success": bool(score.metrics["success"]),
        "goals": [list(met[kind]) for kind in ("state", "relation")],
    }


def published_counts(record: dict[str, Any]) -> dict[str, Any] | None:
    """``None`` if the evaluator's process ended without a result."""
    if "hang" in record or "crash" in record:
        return None
    counts = record["counts"]
    kinds = ("node", "edge")
    return {
        "errors": {AS_PUBLISHED[name] for name in record["errors"]},
        "executable": record["executable"],
        "success": bool(counts["all_goal_satisfied_graph"]),
        "goals": [
            [counts[f"{what}_{kind}_predicates"] for what in ("satisfied", "tot")] for kind in kinds
        ],
    }


@pytest.mark.parametrize("agent", ["oracle", "random", "empty"])
def test_summaries_are_alike(agent: str, python: Path, tmp_path: Path) -> None:
    suite = action_sequencing.SUITE
    tasks = suite.load(PUBLISHED)
    outputs = {
        task.id: suite.agent(agent)(task, np.random.default_rng(number))
        for number, task in enumerate(tasks)
    }
    scores = [suite.score(task, outputs[task.id], PUBLISHED) for task in tasks]
    kept = {  # a crash ends the process that has the task: it is in no rate
        score.identifier for score in scores if "published_crash" not in score.record
    }
    job = {
        "scene": tasks[0].id,
        "kind": "summary",
        "module": "action_sequencing",
        "outputs": {name: text for name, text in outputs.items() if name in kept},
    }
    described = [case.described for case in cases()]
    (record,) = behavior_scenes.run_published(python, described, [job], tmp_path, 1)
    mine = suite.summarise([score for score in scores if score.identifier in kept])
    assert mine == record["summary"]
