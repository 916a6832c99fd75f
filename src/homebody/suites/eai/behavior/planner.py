"""The ``planner`` agent: Fast Downward plans in the BEHAVIOR world, and the world checks the plan.

The agent checks that worlds are coherent: its plans must be executable and reach the goal. It
always plans for the world as the paper defines it, under every protocol.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from homebody.core import Action, Task, TextAgent, execute
from homebody.core.formula import FALSE, TRUE, Formula, atoms
from homebody.goals.bddl import BDDLGoal, TooLargeError
from homebody.goals.bddl.ground_goal import GroundGoal, expand
from homebody.planning.solver.fast_downward import PROOF, ask_text, driver
from homebody.suites.eai.behavior.plans import render
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.worlds.behavior import Behavior
from homebody.worlds.behavior.planning_problem import CHANGING, simplify, translate

if TYPE_CHECKING:
    import numpy as np

SECONDS = 30.0
"""Maximum wall time for one task."""
MEMORY_MB = 2_000

Status: TypeAlias = Literal["solved", "out_of_reach", "no_plan", "unknown", "refused"]
"""Status of a planning result.

``out_of_reach``: the goal requires a change that no action makes. ``no_plan``: Fast Downward proved
that there is no plan. ``unknown``: none was found in time. ``refused``: the plan does not work in
the world, which is a defect of homebody.
"""


@dataclass(frozen=True, slots=True)
class PlanningResult:
    """The result of planning.

    Attributes:
        status: See :data:`Status`.
        plan: The plan, confirmed by the world if solved and at fault if refused.
        reason: Reason for people, if not solved.
    """

    status: Status
    plan: tuple[Action, ...] = ()
    reason: str = ""


def _plan_output(task: BehaviorTask, generator: np.random.Generator) -> str:
    """Return the plan as an output. If no action is needed, it is a walk; if there is no plan, it
    is empty."""
    planned = find_plan(task.task, SECONDS, MEMORY_MB)
    return render(planned.plan or _walk_somewhere(task.task, planned))


planner: TextAgent[BehaviorTask] = TextAgent(_plan_output, require=driver)
"""The agent that returns the plan of Fast Downward, or no plan."""


def _walk_somewhere(task: Task, planned: PlanningResult) -> tuple[Action, ...]:
    """Return a walk if the goal already holds, because an output without an action is not a
    plan."""
    if planned.status != "solved":
        return ()
    world, _ = _without_quirks(task)
    walks = (Action("NAVIGATE_TO", (name,)) for name in task.initial.names if name != world.agent)
    return next(((walk,) for walk in walks if not world.step(task.initial, walk).failure), ())


def find_plan(task: Task, seconds: float = SECONDS, memory_mb: int = MEMORY_MB) -> PlanningResult:
    """Plan for a task's goal. Raises HomebodyError if Fast Downward is not installed."""
    driver()
    world, goal = _without_quirks(task)
    try:
        wanted = _ground(task, world, goal.conditions)
    except TooLargeError as error:
        return PlanningResult("unknown", reason=str(error))
    if wanted.formula == FALSE:
        return PlanningResult(
            "out_of_reach", reason="no action changes what the goal wants changed"
        )
    if wanted.formula == TRUE:
        return _confirm(task, world, goal, ())
    written = translate(world, task.initial, wanted.formula, wanted.definitions)
    answer = ask_text(
        written.domain, written.problem, seconds=seconds, memory_mb=memory_mb, proof=PROOF
    )
    match answer.verdict:
        case "solved":
            return _confirm(task, world, goal, written.actions(answer.plan))
        case "unsolvable":
            return PlanningResult("no_plan", reason=answer.message)
        case "malformed":
            raise RuntimeError(answer.message)  # homebody wrote the text: a defect
    return PlanningResult("unknown", reason=answer.message)


def unreachable_predicates(task: Task) -> tuple[str, ...]:
    """Return the predicates of unreachable conditions of the goal, sorted.

    A condition is reachable if it holds or depends on facts that some action changes.
    """
    world, goal = _without_quirks(task)
    predicates: set[str] = set()
    for condition in goal.conditions:
        try:
            if _ground(task, world, (condition,)).formula != FALSE:
                continue
        except TooLargeError:
            continue
        named = {atom.predicate for atom in atoms(condition)}
        predicates |= (named - CHANGING) or named
    return tuple(sorted(predicates))


def _without_quirks(task: Task) -> tuple[Behavior, BDDLGoal]:
    """Return the world and the goal without quirks."""
    assert isinstance(task.goal, BDDLGoal)
    world = Behavior(task.world.agent)
    return world, BDDLGoal(task.goal.conditions, task.goal.over, world.view)


def _ground(task: Task, world: Behavior, conditions: Iterable[Formula]) -> GroundGoal:
    """Ground the goal, without facts that cannot change. Raises TooLargeError."""
    assert isinstance(task.goal, BDDLGoal)
    goal = expand(conditions, task.goal.over)
    return GroundGoal(*simplify(world, task.initial, goal.formula, goal.definitions))


def _confirm(
    task: Task, world: Behavior, goal: BDDLGoal, plan: tuple[Action, ...]
) -> PlanningResult:
    """Return the plan without unneeded steps, if it executes in the world and reaches the goal."""
    trace = execute(world, task.initial, plan)
    if trace.failure is not None:
        return PlanningResult("refused", plan, f"{trace.failure.action}: {trace.failure.message}")
    verdict = goal.judge(trace)
    if not verdict.success:
        return PlanningResult("refused", plan, verdict.explanation)
    return PlanningResult("solved", trace.actions)
