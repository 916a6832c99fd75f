"""Action schemas: why an action fails (figure 19), and what it changes."""

from __future__ import annotations

import pytest

from homebody.core import Action, ActionSchema, Effect, ErrorType, Fact, Object, Parameter, State
from homebody.core.action import Past, apply_effects, diagnose
from homebody.core.formula import And, Atom, Formula, Not

AGENT, LAMP = "?agent", "?lamp"
IS_LAMP = Atom("LAMP", (LAMP,))
HAS_CABLE = Atom("CABLE", (LAMP,))
SHINES = Atom("ON", (LAMP,))
NEAR = Atom("NEAR", (AGENT, LAMP))
PLUGGED = Atom("PLUGGED", (LAMP,))

SWITCH_ON = ActionSchema(
    "SWITCH_ON",
    (Parameter(AGENT, "person"), Parameter(LAMP)),
    affordances=(IS_LAMP, HAS_CABLE),
    intended=SHINES,
    preconditions=(NEAR, PLUGGED),
    effects=(Effect(add=(SHINES,)),),
)

THINGS = [
    Object("ann", "person"),
    Object("lamp", "lamp", frozenset({"LAMP", "CABLE"})),
    Object("candle", "candle", frozenset({"LAMP"})),
    Object("rock", "rock"),
]
NEAR_LAMP, PLUGGED_LAMP, LAMP_ON = ("NEAR", "ann", "lamp"), ("PLUGGED", "lamp"), ("ON", "lamp")


def state(*facts: Fact) -> State:
    return State.from_facts(THINGS, facts)


def why(
    thing: str, now: State, *history: State, schema: ActionSchema = SWITCH_ON
) -> tuple[ErrorType, tuple[Formula, ...]] | None:
    return diagnose(schema, {AGENT: "ann", LAMP: thing}, now, history)


# --- Figure 19 ----------------------------------------------------------------------------------


def test_nothing_is_wrong() -> None:
    assert why("lamp", state(NEAR_LAMP, PLUGGED_LAMP)) is None


def test_affordance_error_names_all_that_the_thing_is_not() -> None:
    assert why("rock", state()) == (ErrorType.AFFORDANCE, (IS_LAMP, HAS_CABLE))
    assert why("candle", state()) == (ErrorType.AFFORDANCE, (HAS_CABLE,))


def test_affordance_comes_before_additional_step_and_preconditions() -> None:
    shining = state(("ON", "candle"))
    assert why("candle", shining, state()) == (ErrorType.AFFORDANCE, (HAS_CABLE,))


def test_additional_step_comes_before_preconditions() -> None:
    assert why("lamp", state(LAMP_ON)) == (ErrorType.ADDITIONAL_STEP, (SHINES,))
    assert why("lamp", state(LAMP_ON, NEAR_LAMP, PLUGGED_LAMP)) == (
        ErrorType.ADDITIONAL_STEP,
        (SHINES,),
    )


def test_an_action_without_intended_effect_is_never_additional() -> None:
    wave = ActionSchema("WAVE", SWITCH_ON.parameters, effects=(Effect(add=(SHINES,)),))
    assert why("lamp", state(LAMP_ON), schema=wave) is None


@pytest.mark.parametrize(
    ("now", "unmet"),
    [
        (state(), (NEAR, PLUGGED)),
        (state(NEAR_LAMP), (PLUGGED,)),
        (state(PLUGGED_LAMP), (NEAR,)),
    ],
)
def test_missing_step_if_the_preconditions_never_held(
    now: State, unmet: tuple[Formula, ...]
) -> None:
    assert why("lamp", now) == (ErrorType.MISSING_STEP, unmet)
    assert why("lamp", now, state(), state(NEAR_LAMP)) == (ErrorType.MISSING_STEP, unmet)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_wrong_order_if_the_preconditions_held_in_any_earlier_state(position: int) -> None:
    history = [state(), state()]
    history.insert(position, state(NEAR_LAMP, PLUGGED_LAMP))
    assert why("lamp", state(NEAR_LAMP), *history) == (ErrorType.WRONG_ORDER, (PLUGGED,))


def test_preconditions_that_held_one_at_a_time_are_no_wrong_order() -> None:
    found = why("lamp", state(), state(NEAR_LAMP), state(PLUGGED_LAMP))
    assert found == (ErrorType.MISSING_STEP, (NEAR, PLUGGED))


def test_history_may_be_a_generator() -> None:
    past = (state(*facts) for facts in [[], [NEAR_LAMP, PLUGGED_LAMP]])
    found = diagnose(SWITCH_ON, {AGENT: "ann", LAMP: "lamp"}, state(), past)
    assert found == (ErrorType.WRONG_ORDER, (NEAR, PLUGGED))


def test_what_is_asked_of_the_past_is_asked_of_each_state_once() -> None:
    seen: list[State] = []

    def look(earlier: State) -> State:
        seen.append(earlier)
        return earlier

    states = [state(), state(NEAR_LAMP)]
    asked: dict[tuple[object, ...], tuple[int, int]] = {}

    def held(thing: str = "lamp") -> bool:
        past = Past(states, look, asked)
        return past.held_together(SWITCH_ON.preconditions, {AGENT: "ann", LAMP: thing})

    assert not held()
    times = len(seen)
    assert not held()
    assert len(seen) == times
    states.append(state(NEAR_LAMP, PLUGGED_LAMP))
    assert held()
    assert held()
    assert seen[times:] == [states[2]] * 2  # one for each precondition
    assert not held("candle")


# --- Effects ------------------------------------------------------------------------------------


def after(now: State, *effects: Effect) -> State:
    return now.change(*apply_effects(effects, {AGENT: "ann", LAMP: "lamp"}, now))


def test_effects_delete_and_add_ground_facts() -> None:
    move_off = Effect(add=(SHINES,), delete=(NEAR,))
    found = apply_effects([move_off], {AGENT: "ann", LAMP: "lamp"}, state(NEAR_LAMP))
    assert found == ([NEAR_LAMP], [LAMP_ON])


def test_effects_may_name_objects() -> None:
    assert after(state(), Effect(add=(Atom("NEAR", (AGENT, "rock")),))) == state(
        ("NEAR", "ann", "rock")
    )


def test_all_deletes_come_before_all_adds() -> None:
    now = state(LAMP_ON)
    assert after(now, Effect(add=(SHINES,)), Effect(delete=(SHINES,))) == state(LAMP_ON)


def test_when_is_read_in_the_state_before() -> None:
    toggle = (
        Effect(add=(SHINES,), when=Not(SHINES)),
        Effect(delete=(SHINES,), when=SHINES),
    )
    assert after(state(), *toggle) == state(LAMP_ON)
    assert after(state(LAMP_ON), *toggle) == state()


def test_an_effect_applies_once_for_each_binding() -> None:
    leave_all = Effect(
        delete=(Atom("NEAR", (AGENT, "?thing")),),
        add=(Atom("VISITED", ("?thing",)),),
        variables=("?thing",),
        each=Atom("NEAR", (AGENT, "?thing")),
    )
    now = state(NEAR_LAMP, ("NEAR", "ann", "rock"), ("NEAR", "rock", "lamp"))
    assert after(now, leave_all) == state(
        ("NEAR", "rock", "lamp"), ("VISITED", "lamp"), ("VISITED", "rock")
    )
    assert after(state(), leave_all) == state()


def test_an_effect_over_two_variables_with_a_condition() -> None:
    pairs = Effect(
        add=(Atom("MET", ("?x", "?y")),),
        variables=("?x", "?y"),
        each=And((Atom("NEAR", ("?x", "?y")), Not(Atom("ON", ("?y",))))),
        when=PLUGGED,
    )
    near = [NEAR_LAMP, ("NEAR", "rock", "candle"), ("NEAR", "rock", "lamp")]
    assert after(state(*near), pairs) == state(*near)
    on = [*near, LAMP_ON, PLUGGED_LAMP]
    assert after(state(*on), pairs) == state(*on, ("MET", "rock", "candle"))


# --- Calls --------------------------------------------------------------------------------------


def test_binding_puts_the_agent_first() -> None:
    assert SWITCH_ON.arity == 1
    bound = SWITCH_ON.bind("ann", Action("SWITCH_ON", ("lamp",)))
    assert bound == {AGENT: "ann", LAMP: "lamp"}


@pytest.mark.parametrize("args", [(), ("lamp", "rock")])
def test_a_wrong_number_of_objects_is_an_error(args: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=f"SWITCH_ON takes 1 objects, got {len(args)}"):
        SWITCH_ON.bind("ann", Action("SWITCH_ON", args))


def test_actions_read_as_calls() -> None:
    assert str(Action("SLEEP")) == "SLEEP()"
    assert str(Action("PUTIN", ("milk", "fridge"))) == "PUTIN(milk, fridge)"
