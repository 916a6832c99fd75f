"""Solving of planning problems, with a plan or a proof that no plan exists.

There are three steps:

1. The checks of :mod:`homebody.planning.pddl.check`: a malformed problem has no plan.
2. A search in this process: first with the actions that a plan probably needs, then with all
   actions. A plan counts if :func:`~homebody.planning.solver.execution.fault` accepts it. A problem
   counts as unsolvable only if the relaxation cannot reach the goal, if the search saw every state,
   or if :mod:`homebody.planning.solver.pairs` finds two parts of the goal that cannot hold
   together.
3. Fast Downward, if the search decided nothing within its limits.

The search is limited by counts, not by time, so that results are the same on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from homebody.planning.pddl.check import check_domain, check_problem, is_plain
from homebody.planning.pddl.domain import Domain, Problem
from homebody.planning.solver import fast_downward
from homebody.planning.solver.bit_search import Search, search
from homebody.planning.solver.execution import Plan, fault
from homebody.planning.solver.ground_actions import likely_actions, reachable_actions
from homebody.planning.solver.grounding import ground
from homebody.planning.solver.pairs import goal_is_impossible
from homebody.planning.solver.reachability import Relaxation, TooLargeError, relax

Status: TypeAlias = Literal["solved", "unsolvable", "unknown"]
Judge: TypeAlias = Literal["check", "search", "fast_downward"]

MAX_ACTIONS = 3_000
"""Maximum number of actions of a search in this process."""

TESTS_PER_STATE = 100
"""Maximum number of conditions evaluated per state, on average."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of solving.

    Attributes:
        nodes: Number of states of the search in this process; 0 to use Fast Downward only.
        seconds: Wall time of Fast Downward.
        memory_mb: Memory of Fast Downward, in MiB.
    """

    nodes: int = 5_000
    seconds: float = 30.0
    memory_mb: int = 2048


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one problem.

    Attributes:
        status: ``unsolvable`` only with a proof, or if the task is malformed (``by`` check).
        plan: (action, objects) in order, if solved.
        by: The step that decided it.
        message: One line for people: the reason why there is no plan.
    """

    status: Status
    plan: Plan = ()
    by: Judge = "search"
    message: str = ""


DEFAULT = Limits()


def solve(domain: Domain, problem: Problem, *, limits: Limits = DEFAULT) -> Result:
    """Find a plan, or prove that no plan exists; ``unknown`` if neither was possible.

    Raises:
        HomebodyError: Fast Downward is needed and is not installed.
    """
    result = solve_here(domain, problem, limits)
    if result.status == "unknown":
        return _ask(domain, problem, limits)
    return result


def solve_here(domain: Domain, problem: Problem, limits: Limits = DEFAULT) -> Result:
    """Solve a problem without Fast Downward: ``unknown`` where :func:`solve` would run it."""
    wrong = check_domain(domain) + check_problem(problem, domain)
    if wrong:
        return Result("unsolvable", (), "check", wrong[0])
    if limits.nodes <= 0:
        return Result("unknown", (), "search", "not searched")
    if not all(is_plain(operator) for operator in domain.operators.values()):
        return Result("unknown", (), "search", "planners differ on what an effect means")
    try:
        relaxation = relax(domain, problem)
        if not relaxation.run():
            message = "no plan exists: the goal cannot be reached even if nothing is ever undone"
            return Result("unsolvable", (), "search", message)
        result = _search(relaxation, limits.nodes)
    except TooLargeError:
        return Result("unknown", (), "search", "too large to search in this process")
    if result.plan is None:
        if result.exhausted:
            return Result("unsolvable", (), "search", "no plan exists: every way was seen to fail")
        return Result("unknown", (), "search", "not found within the limits")
    if wrong_step := fault(domain, problem, result.plan):
        return Result("unknown", (), "search", f"a plan was found that does not run: {wrong_step}")
    return Result("solved", result.plan, "search")


def _search(relaxation: Relaxation, nodes: int) -> Search:
    """Search with likely actions and then, if that fails, with all actions."""
    tests = nodes * TESTS_PER_STATE
    few = likely_actions(relaxation)
    result = search(ground(relaxation, few), nodes, tests)
    if result.plan is not None:
        return result
    every = reachable_actions(relaxation, MAX_ACTIONS)
    if every is None:
        return Search(None, False, result.states, result.tests)
    task = ground(relaxation, every)
    result = search(task, nodes, tests)
    if result.plan is None and not result.exhausted and goal_is_impossible(task):
        return replace(result, exhausted=True)
    return result


def _ask(
    domain: Domain, problem: Problem, limits: Limits, stop: threading.Event | None = None
) -> Result:
    answer = fast_downward.ask(
        domain, problem, seconds=limits.seconds, memory_mb=limits.memory_mb, stop=stop
    )
    if answer.verdict == "malformed":
        return Result("unsolvable", (), "fast_downward", answer.message)
    return Result(answer.verdict, answer.plan, "fast_downward", answer.message)


def solve_many(
    jobs: Iterable[tuple[Domain, Problem]], *, workers: int = 4, limits: Limits = DEFAULT
) -> list[Result]:
    """Solve each problem, in order.

    The search in this process takes milliseconds and holds Python's lock, so it does one job after
    the other. Meanwhile Fast Downward runs on up to ``workers`` of the remaining jobs.
    """
    stop = threading.Event()
    with ThreadPoolExecutor(max(1, workers)) as pool:
        try:
            results: list[Result | Future[Result]] = []
            for domain, problem in jobs:
                result = solve_here(domain, problem, limits)
                if result.status == "unknown":
                    results.append(pool.submit(_ask, domain, problem, limits, stop))
                else:
                    results.append(result)
            return [r if isinstance(r, Result) else r.result() for r in results]
        except BaseException:  # an interrupt must not wait for running jobs
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
