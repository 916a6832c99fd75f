"""The ``planner`` agent: Fast Downward plans in the BEHAVIOR world, and the world checks the plan.

It is a check that worlds are coherent: what the planner finds must execute and reach the goal. It
plans for the world as the paper defines it, whatever the protocol that judges.
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
"""Most wall time for one task."""
MEMORY_MB = 2_000

Status: TypeAlias = Literal["solved", "out_of_reach", "no_plan", "unknown", "refused"]
"""``out_of_reach``: the goal wants something to change that no action changes. ``no_plan``: Fast
Downward proved that there is none. ``unknown``: none was found in time. ``refused``: a plan was
found that the world does not confirm: a defect."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What came of planning.

    Attributes:
        status: See :data:`Status`.
        plan: Confirmed by the world if solved; the plan at fault if refused.
        reason: For people, where there is none.
    """

    status: Status
    plan: tuple[Action, ...] = ()
    reason: str = ""


def _answer(task: BehaviorTask, generator: np.random.Generator) -> str:
    """The plan as an output; a walk where nothing need be done, nothing where none is found."""
    planned = find_plan(task.task, SECONDS, MEMORY_MB)
    return render(planned.plan or _somewhere(task.task, planned))


planner: TextAgent[BehaviorTask] = TextAgent(_answer, require=driver)
"""The agent: the plan that Fast Downward finds, or no plan at all."""


def _somewhere(task: Task, planned: Planned) -> tuple[Action, ...]:
    """What to do where the goal holds at first: an output without an action is no plan."""
    if planned.status != "solved":
        return ()
    world, _ = _corrected(task)
    walks = (Action("NAVIGATE_TO", (name,)) for name in task.initial.names if name != world.agent)
    return next(((walk,) for walk in walks if not world.step(task.initial, walk).failure), ())


def find_plan(task: Task, seconds: float = SECONDS, memory_mb: int = MEMORY_MB) -> Planned:
    """Plan for a task's goal from its initial state.

    Raises:
        HomebodyError: Fast Downward is not installed.
    """
    driver()
    world, goal = _corrected(task)
    try:
        wanted = _ground(task, world, goal.conditions)
    except TooLargeError as error:
        return Planned("unknown", (), str(error))
    if wanted.formula == FALSE:
        return Planned("out_of_reach", (), "no action changes what the goal wants changed")
    if wanted.formula == TRUE:
        return _confirmed(task, world, goal, ())
    written = translate(world, task.initial, wanted.formula, wanted.definitions)
    answer = ask_text(
        written.domain, written.problem, seconds=seconds, memory_mb=memory_mb, proof=PROOF
    )
    match answer.verdict:
        case "solved":
            return _confirmed(task, world, goal, written.actions(answer.plan))
        case "unsolvable":
            return Planned("no_plan", (), answer.message)
        case "malformed":
            raise RuntimeError(answer.message)  # it is our own text: a defect
    return Planned("unknown", (), answer.message)


def out_of_reach(task: Task) -> tuple[str, ...]:
    """The predicates for which conditions of the goal are out of reach, sorted; none if no
    condition is: each hangs on facts that some action changes, or holds."""
    world, goal = _corrected(task)
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


def _corrected(task: Task) -> tuple[Behavior, BDDLGoal]:
    """The world and the goal without quirks."""
    assert isinstance(task.goal, BDDLGoal)
    world = Behavior(task.world.agent)
    return world, BDDLGoal(task.goal.conditions, task.goal.over, world.view)


def _ground(task: Task, world: Behavior, conditions: Iterable[Formula]) -> GroundGoal:
    """What is wanted, without what cannot change. Raises TooLargeError."""
    assert isinstance(task.goal, BDDLGoal)
    goal = expand(conditions, task.goal.over)
    return GroundGoal(*simplify(world, task.initial, goal.formula, goal.definitions))


def _confirmed(task: Task, world: Behavior, goal: BDDLGoal, plan: tuple[Action, ...]) -> Planned:
    """The plan without needless steps, if the world carries it out and the goal holds then."""
    trace = execute(world, task.initial, plan)
    if trace.failure is not None:
        return Planned("refused", plan, f"{trace.failure.action}: {trace.failure.message}")
    verdict = goal.judge(trace)
    if not verdict.success:
        return Planned("refused", plan, verdict.explanation)
    return Planned("solved", trace.actions)
