"""Worlds in which actions fail by chance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import (
    CORRECTED,
    Action,
    ActionSchema,
    ErrorType,
    Failure,
    Object,
    Outcome,
    State,
    execute,
)
from homebody.core.formula import Structure
from homebody.suites import get_suite
from homebody.suites.eai.stochastic import Stochastic, make_unreliable
from homebody.suites.eai.virtualhome.tasks import load_task, load_tasks

START = State({"lamp": Object("lamp", "lamp", frozenset())}, {}, {})


@dataclass(frozen=True)
class Lamp:
    """ON lights the lamp, and is not needed once it is lit; LOOK does nothing; BREAK cannot be."""

    agent: str = "me"
    schemas: Mapping[str, ActionSchema] = field(default_factory=dict)

    def view(self, state: State) -> Structure:
        return state

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        if action.name == "BREAK":
            return Outcome(state, Failure(action, ErrorType.AFFORDANCE, (), "no"))
        if action.name == "ON" and state.holds("ON", ("lamp",)):
            return Outcome(state, Failure(action, ErrorType.ADDITIONAL_STEP, (), "lit"))
        return Outcome(state.change([], [("ON", "lamp")] if action.name == "ON" else []))


names = st.sampled_from(["ON", "LOOK", "BREAK"])


@given(plan=st.lists(names, max_size=8), seed=st.integers(0, 2**70))
def test_never_and_always(plan: list[str], seed: int) -> None:
    actions = [Action(name) for name in plan]
    usual = execute(Lamp(), START, actions)
    assert execute(Stochastic(Lamp(), 0.0, (seed,)), START, actions) == usual
    trace = execute(Stochastic(Lamp(), 1.0, (seed,)), START, actions)
    assert trace.final == START
    if actions:
        first = ErrorType.AFFORDANCE if plan[0] == "BREAK" else ErrorType.EXECUTION_FAILURE
        assert trace.failure is not None
        assert (trace.failed_at, trace.failure.error) == (0, first)


@given(plan=st.lists(names, max_size=8), seed=st.integers(0, 1000), chance=st.floats(0, 1))
def test_a_failed_action_changes_nothing_and_the_rest_is_as_usual(
    plan: list[str], seed: int, chance: float
) -> None:
    actions = [Action(name) for name in plan]
    world = Stochastic(Lamp(), chance, (seed,))
    trace, usual = execute(world, START, actions), execute(Lamp(), START, actions)
    assert trace == execute(world, START, actions)
    size = len(trace.actions)
    assert (trace.states, trace.actions) == (usual.states[: size + 1], usual.actions[:size])
    if trace.failure != usual.failure:
        assert trace.failure is not None
        assert trace.failure.error is ErrorType.EXECUTION_FAILURE
        assert trace.failed_at == usual.indices[size]  # what could not be done does not fail


def test_steps_fail_independently_and_as_often_as_said() -> None:
    plan, chance, runs = [Action("LOOK")] * 6, 0.15, 4000
    worlds = (Stochastic(Lamp(), chance, (3, seed)) for seed in range(runs))
    done = np.array([len(execute(world, START, plan).actions) for world in worlds])
    for steps in range(1, 7):  # the number of steps before the first failure is geometric
        expected = (1 - chance) ** steps
        sigma = math.sqrt(expected * (1 - expected) / runs)
        assert np.mean(done >= steps) == pytest.approx(expected, abs=4 * sigma)


@pytest.mark.sampled
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_retries_succeed_as_often_as_probability_says(retries: int) -> None:
    """1 - (1 - q)^(retries + 1), where q is the chance that no step of the plan fails."""
    plan, chance, runs = [Action("LOOK")] * 5 + [Action("ON")], 0.2, 2000

    def succeeds(seed: int, attempt: int) -> bool:
        world = Stochastic(Lamp(), chance, (seed, attempt))
        return execute(world, START, plan).final.holds("ON", ("lamp",))

    rate = np.mean([any(succeeds(s, a) for a in range(retries + 1)) for s in range(runs)])
    expected = 1 - (1 - (1 - chance) ** len(plan)) ** (retries + 1)
    assert rate == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / runs))


@pytest.mark.usefixtures("eai_data")
def test_a_task_in_an_unreliable_world() -> None:
    suite = get_suite("eai.virtualhome.action_sequencing")
    task = load_task("27_2")
    plan = suite.text_agents["oracle"].answer(task, np.random.default_rng(0))
    assert make_unreliable(task, 0.0, 1, 1) is task

    def failed_at(*own: int) -> int | None:
        step = suite.score(make_unreliable(task, 0.3, *own), plan, CORRECTED).record["error_step"]
        assert step is None or isinstance(step, int)
        return step

    seeds = [failed_at(seed, 1, 0) for seed in range(8)]
    assert seeds == [failed_at(seed, 1, 0) for seed in range(8)]
    assert len(set(seeds)) > 2
    assert seeds != [failed_at(0, epoch, 0) for epoch in range(1, 9)]
    assert seeds != [failed_at(0, 1, attempt) for attempt in range(8)]
    others = [
        suite.score(
            make_unreliable(one, 0.3, 0, 1),
            suite.text_agents["oracle"].answer(one, None),
            CORRECTED,
        )
        for one in load_tasks()[:8]
    ]
    assert len({score.record["error_step"] for score in others}) > 2  # each task has its own luck
    for score in others:
        assert score.metrics["executable"] == (score.record["error_type"] is None)
        blamed = ("wrong_order", "missing_step", "affordance_error", "parsing", "hallucination")
        assert not any(score.metrics[name] for name in blamed)
