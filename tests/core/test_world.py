"""Executing plans in a world of one lamp: what a trace records, and where it stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from homebody.core import (
    Action,
    ActionSchema,
    Effect,
    ErrorType,
    Failure,
    Object,
    Outcome,
    Parameter,
    State,
    Trace,
    World,
    execute,
)
from homebody.core.action import apply_effects, diagnose
from homebody.core.formula import Atom, Not

PLUGGED, ON = Atom("PLUGGED", ("lamp",)), Atom("ON", ("lamp",))
AGENT = (Parameter("?agent"),)
SCHEMAS = {
    "PLUG": ActionSchema("PLUG", AGENT, intended=PLUGGED, effects=(Effect(add=(PLUGGED,)),)),
    "UNPLUG": ActionSchema(
        "UNPLUG", AGENT, intended=Not(PLUGGED), effects=(Effect(delete=(PLUGGED, ON)),)
    ),
    "LIGHT": ActionSchema(
        "LIGHT", AGENT, intended=ON, preconditions=(PLUGGED,), effects=(Effect(add=(ON,)),)
    ),
    "LOOK": ActionSchema("LOOK", AGENT),
}
DARK = State.from_facts([Object("lamp", "lamp"), Object("ann", "person")], [])
PLUGGED_IN = DARK.change(add=[("PLUGGED", "lamp")])
LIT = PLUGGED_IN.change(add=[("ON", "lamp")])


@dataclass
class LampWorld:
    """A world that remembers which history each step was given."""

    agent: str = "ann"
    schemas: Mapping[str, ActionSchema] = field(default_factory=lambda: SCHEMAS)
    histories: list[list[State]] = field(default_factory=list)

    def view(self, state: State) -> State:
        return state

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        self.histories.append(list(history))
        schema = self.schemas[action.name]
        binding = schema.bind(self.agent, action)
        found = diagnose(schema, binding, state, history)
        if found is not None:
            error, unmet = found
            return Outcome(state, Failure(action, error, unmet, "no"))
        return Outcome(state.change(*apply_effects(schema.effects, binding, state)))


def run(*names: str, world: World | None = None) -> Trace:
    return execute(world or LampWorld(), DARK, map(Action, names))


def test_a_plan_that_runs_to_its_end() -> None:
    trace = run("PLUG", "LIGHT", "LOOK")
    assert trace == Trace(
        states=(DARK, PLUGGED_IN, LIT, LIT),
        actions=(Action("PLUG"), Action("LIGHT"), Action("LOOK")),
        indices=(0, 1, 2),
    )
    assert trace.initial == DARK
    assert trace.final == LIT


def test_an_empty_plan_is_its_initial_state() -> None:
    trace = run()
    assert trace == Trace(states=(DARK,))
    assert trace.initial is trace.final


def test_a_failure_stops_the_plan_and_is_recorded() -> None:
    trace = run("LOOK", "LIGHT", "PLUG")
    failure = Failure(Action("LIGHT"), ErrorType.MISSING_STEP, (PLUGGED,), "no")
    assert trace == Trace(
        states=(DARK, DARK),
        actions=(Action("LOOK"),),
        indices=(0,),
        failure=failure,
        failed_at=1,
    )


def test_nothing_is_asked_of_a_plan_after_its_failure() -> None:
    def plan() -> Iterator[Action]:
        yield Action("LIGHT")
        pytest.fail("the plan went on")

    assert execute(LampWorld(), DARK, plan()).failed_at == 0


def test_additional_steps_are_skipped_and_recorded() -> None:
    trace = run("UNPLUG", "PLUG", "PLUG", "LIGHT", "LIGHT")
    assert [action.name for action in trace.actions] == ["PLUG", "LIGHT"]
    assert trace.indices == (1, 3)
    assert trace.states == (DARK, PLUGGED_IN, LIT)
    assert [(index, failure.action.name) for index, failure in trace.skipped] == [
        (0, "UNPLUG"),
        (2, "PLUG"),
        (4, "LIGHT"),
    ]
    assert {failure.error for _, failure in trace.skipped} == {ErrorType.ADDITIONAL_STEP}
    assert trace.failure is None
    assert trace.failed_at is None


def test_positions_are_those_of_the_plan() -> None:
    trace = run("UNPLUG", "LOOK", "UNPLUG", "LIGHT")
    assert trace.indices == (1,)
    assert [index for index, _ in trace.skipped] == [0, 2]
    assert trace.failed_at == 3


def test_earlier_states_tell_a_wrong_order() -> None:
    trace = run("PLUG", "UNPLUG", "LIGHT")
    assert trace.failure is not None
    assert trace.failure.error is ErrorType.WRONG_ORDER


def test_each_step_is_given_the_states_before_the_current_one() -> None:
    world = LampWorld()
    run("PLUG", "PLUG", "LIGHT", "LOOK", world=world)
    assert world.histories == [[], [DARK], [DARK], [DARK, PLUGGED_IN]]


def test_a_plan_that_changes_more_than_it_may_is_stopped() -> None:
    switching = [Action(name) for name in ("PLUG", "LIGHT", "UNPLUG")] * 10  # 1 + 1 + 2 facts
    trace = execute(LampWorld(), DARK, switching, most_changes=6)
    assert trace.failed_at == 6
    assert trace.failure is not None
    assert trace.failure.error is ErrorType.EXECUTION_FAILURE
    assert "more than 6 facts" in trace.failure.message
    assert execute(LampWorld(), DARK, switching, most_changes=40).failure is None
