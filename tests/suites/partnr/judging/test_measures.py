"""What runs cost and who did what, on runs whose measures can be told by hand."""

from __future__ import annotations

import pytest

from homebody.core import Action
from homebody.goals.partnr import (
    Dependency,
    Evaluation,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.suites.partnr.judging.measures import Measures, counts, credit_roles, measure
from homebody.suites.partnr.protocol import QUIRKS
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from suites.partnr.homes import FULL, follow, make_task, of

TWO = Evaluation(
    (of("is_on_top", ["cup_0", "cup_1"], ["coffee_table_0"], number=2), of("is_clean", ["cup_0"]))
)
THINGS = (("cup_0", "counter_0"), ("cup_1", "sofa_0"), ("plate_0", "console_table_0"))
DIRTY = {"cup_0": {"clean": False}}
CLEANED = ("human: Navigate[cup_0]", "human: Pick[cup_0]", "human: Clean[cup_0]")
BY_HUMAN = (*CLEANED, "human: Rearrange[cup_0, on, coffee_table_0]")
BY_ROBOT = ("robot: Rearrange[cup_1, on, coffee_table_0]",)


def measured(session: PartnrSession) -> Measures:
    return measure(session, session.judgement())


def test_sub_tasks_are_of_those_who_brought_them_about() -> None:
    task = make_task(TWO, *THINGS, states=DIRTY)
    session = follow(task, *BY_HUMAN, *BY_ROBOT)
    # both cups, the clean cup, one cup
    assert credit_roles(session, session.judgement()) == ((ROBOT,), (HUMAN,), (HUMAN,))
    assert measured(session).offloading == pytest.approx(1 / 3)
    session = follow(task, *BY_ROBOT, *BY_HUMAN)
    assert credit_roles(session, session.judgement()) == ((HUMAN,), (HUMAN,), (ROBOT,))
    assert measured(session).offloading == pytest.approx(1 / 3)


def test_what_was_so_at_first_is_nobody_s() -> None:
    session = follow(make_task(TWO, *THINGS, states={"cup_0": {"clean": True}}), *BY_ROBOT)
    assert credit_roles(session, session.judgement()) == ((), (), (ROBOT,))


def test_only_successes_of_teams_have_an_offloading() -> None:
    task = make_task(TWO, *THINGS, states=DIRTY)
    assert measured(follow(task, *BY_ROBOT)).offloading is None
    alone = make_task(
        TWO, *THINGS, states=DIRTY, settings=Settings(team="single", observability="full")
    )
    session = follow(alone, *BY_HUMAN, "human: Rearrange[cup_1, on, coffee_table_0]")
    assert session.judgement().success
    assert measured(session).offloading is None


def test_both_at_once_share() -> None:
    wanted = Evaluation((of("is_on_top", ["cup_0", "cup_1"], ["coffee_table_0"], number=2),))
    task = make_task(wanted, *THINGS)
    session = PartnrSession(task)
    for agent, cup in ((ROBOT, "cup_1"), (HUMAN, "cup_0")):
        session.act(agent, Action("Navigate", (cup,)))
    while session.advance():
        pass
    for agent, cup in ((ROBOT, "cup_1"), (HUMAN, "cup_0")):
        session.act(agent, Action("Pick", (cup,)))
    while session.advance():
        pass
    for agent in (ROBOT, HUMAN):
        session.act(agent, Action("Navigate", ("coffee_table_0",)))
    while session.advance():
        pass
    for agent, cup in ((ROBOT, "cup_1"), (HUMAN, "cup_0")):
        assert session.act(agent, Action("Place", (cup, "on", "coffee_table_0"))) is None
    assert all(result.ok for result in session.advance())
    assert credit_roles(session, session.judgement()) == ((ROBOT, HUMAN), (ROBOT, HUMAN))
    assert measured(session).offloading == 0.5


def test_who_moves_another_of_the_alternatives_has_done_nothing() -> None:
    """The first cup counts once the plate is where it belongs; between the two somebody else moves
    the second cup, which would have done as well, but stays out of it."""
    wanted = Evaluation(
        (
            of("is_on_top", ["cup_0", "cup_1"], ["coffee_table_0"]),
            of("is_on_top", ["plate_0"], ["coffee_table_0"]),
        ),
        (Dependency((0,), (1,), "after_satisfied"),),
    )
    session = follow(
        make_task(wanted, *THINGS),
        "robot: Rearrange[cup_0, on, coffee_table_0]",
        "human: Rearrange[cup_1, on, bed_0]",
        "human: Rearrange[plate_0, on, coffee_table_0]",
    )
    assert credit_roles(session, session.judgement()) == ((ROBOT,), (HUMAN,))
    assert measured(session).extraneous == pytest.approx(1 / 3)


def test_who_shuts_a_door_has_not_put_anything_there() -> None:
    """The apple counts only once the cup is where it belongs; between the two somebody else closes
    the fridge."""
    wanted = Evaluation(
        (of("is_inside", ["apple_0"], ["fridge_0"]), *ON_TABLE.propositions),
        (Dependency((0,), (1,), "after_satisfied"),),
    )
    session = follow(
        make_task(wanted, ("apple_0", "counter_0"), ("cup_0", "sofa_0")),
        "robot: Navigate[fridge_0]",
        "robot: Open[fridge_0]",
        "robot: Rearrange[apple_0, within, fridge_0]",
        "human: Navigate[fridge_0]",
        "human: Close[fridge_0]",
        "human: Rearrange[cup_0, on, coffee_table_0]",
    )
    assert credit_roles(session, session.judgement()) == ((ROBOT,), (HUMAN,))
    assert measured(session).offloading == 0.5
    assert measured(session).extraneous == 0.0


# -- extraneous effort ----------------------------------------------------------------------------


def extraneous(evaluation: Evaluation, *calls: str) -> float | None:
    task = make_task(
        evaluation,
        *THINGS,
        ("basket_0", "sofa_0"),
        ("pitcher_0", "sink_0"),
        states={"cup_0": {"clean": False, "filled": False}, "pitcher_0": {"filled": False}},
    )
    return measured(follow(task, *calls)).extraneous


ON_TABLE = Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),))


def test_no_effort_is_no_share() -> None:
    assert extraneous(ON_TABLE, "robot: Navigate[kitchen_0]") is None


def test_what_nobody_asked_for_is_extraneous() -> None:
    useful = "robot: Rearrange[cup_0, on, coffee_table_0]"
    useless = "human: Rearrange[plate_0, on, coffee_table_0]"
    assert extraneous(ON_TABLE, useful) == 0.0
    assert extraneous(ON_TABLE, useful, useless) == 0.5
    assert extraneous(ON_TABLE, useless) == 1.0


def test_doing_it_twice_is_extraneous() -> None:
    there = "robot: Rearrange[cup_0, on, coffee_table_0]"
    back = "robot: Rearrange[cup_0, on, bed_0]"
    assert extraneous(ON_TABLE, there, back, there) == pytest.approx(2 / 3)


def test_a_detour_to_be_cleaned_is_none() -> None:
    wanted = Evaluation((*ON_TABLE.propositions, of("is_clean", ["cup_0"])))
    calls = (
        "robot: Rearrange[cup_0, on, counter_1]",
        "human: Navigate[cup_0]",
        "human: Clean[cup_0]",
        "robot: Rearrange[cup_0, on, coffee_table_0]",
    )
    assert extraneous(wanted, *calls) == 0.0
    assert extraneous(ON_TABLE, *calls) == pytest.approx(2 / 3)


def test_what_something_is_put_beside_is_none() -> None:
    wanted = Evaluation((of("is_next_to", ["cup_0"], ["plate_0"]),))
    assert (
        extraneous(
            wanted,
            "robot: Rearrange[plate_0, on, kids_table_0]",
            "human: Rearrange[cup_0, on, kids_table_0, next_to, plate_0]",
        )
        == 0.0
    )


def test_what_lets_another_count_is_none() -> None:
    wanted = Evaluation(
        (
            of("is_on_top", ["plate_0"], ["console_table_0"]),
            of("is_on_top", ["cup_0"], ["kids_table_0"]),
        ),
        (Dependency((1,), (0,), "after_unsatisfied"),),
    )
    calls = ("robot: Rearrange[plate_0, on, bed_0]", "robot: Rearrange[cup_0, on, kids_table_0]")
    assert extraneous(wanted, *calls) == 0.0


def test_carrying_in_a_basket_is_none() -> None:
    wanted = Evaluation((of("is_in_room", ["cup_0"], ["bedroom_0"]),))
    calls = (
        "robot: Rearrange[cup_0, within, basket_0]",
        "robot: Rearrange[basket_0, on, bed_0]",
    )
    assert extraneous(wanted, *calls) == 0.0
    assert extraneous(wanted, *calls, calls[1]) == pytest.approx(1 / 3)


def test_what_was_satisfied_on_the_way_is_the_placing_s() -> None:
    """Where what is carried counts; filling on the way does not excuse where it is put."""
    wanted = Evaluation((of("is_in_room", ["cup_0"], ["bedroom_0"]),))
    task = make_task(wanted, *THINGS)
    move = "robot: Rearrange[cup_0, on, bed_0]"
    session = follow(task, move, quirks=QUIRKS.keys())
    assert session.judgement().success
    assert measured(session).extraneous == 0.0
    assert measured(follow(task, move, move, quirks=QUIRKS.keys())).extraneous == 0.5
    filled = Evaluation((of("is_filled", ["cup_0"]),))
    calls = ("human: Rearrange[cup_0, on, counter_1]", "human: Pick[cup_0]")
    water = ("human: Navigate[sink_0]", "human: Fill[cup_0]", "human: Rearrange[cup_0, on, bed_0]")
    assert extraneous(filled, *calls, *water) == pytest.approx(1 / 3)


def test_filling_what_is_poured_from_is_none() -> None:
    wanted = Evaluation((of("is_filled", ["cup_0"]),))
    calls = (
        "human: Navigate[sink_0]",
        "human: Pick[pitcher_0]",
        "human: Fill[pitcher_0]",
        "human: Navigate[cup_0]",
        "human: Pour[cup_0]",
    )
    assert extraneous(wanted, *calls) == 0.0
    assert extraneous(ON_TABLE, *calls) == 1.0


def test_what_is_out_of_order_does_not_count() -> None:
    order = Evaluation(
        (*ON_TABLE.propositions, of("is_on_top", ["plate_0"], ["coffee_table_0"])),
        (),
        (TemporalConstraint(((0, 1),)),),
    )
    calls = (
        "robot: Rearrange[plate_0, on, coffee_table_0]",
        "robot: Rearrange[cup_0, on, coffee_table_0]",
    )
    assert extraneous(order, *calls) == 0.5
    assert extraneous(order, *reversed(calls)) == 0.0


def test_putting_back_what_has_to_stay_is_none() -> None:
    """It was taken off the table to be cleaned."""
    wanted = Evaluation(
        (*ON_TABLE.propositions, of("is_clean", ["cup_0"])),
        (),
        (TerminalSatisfactionConstraint((0,)),),
    )
    there = "human: Rearrange[cup_0, on, coffee_table_0]"
    calls = (there, "human: Pick[cup_0]", "human: Clean[cup_0]", there)
    assert extraneous(wanted, *calls) == 0.0
    without = Evaluation(wanted.propositions)
    assert extraneous(without, *calls) == pytest.approx(1 / 3)


# -- the others -----------------------------------------------------------------------------------


def test_steps_cycles_exploration_and_metres() -> None:
    session = PartnrSession(make_task(ON_TABLE, *THINGS, settings=FULL))
    assert measured(session) == Measures(0, None, None, None, None, {ROBOT: 0.0, HUMAN: 0.0})
    session.act(ROBOT, Action("Navigate", ("cup_0",)), 1, ROBOT)
    session.act(HUMAN, Action("Wait"), 1, HUMAN)
    while session.simulation.busy(ROBOT):
        session.advance()
    session.act(ROBOT, Action("FindRoomTool", ("kitchen",)), 2, ROBOT)
    session.note(ROBOT, "er", 3, ROBOT)
    session.act(ROBOT, Action("Pick", ("cup_0",)), 4, ROBOT)
    taken = session.clock + 30
    session.advance()
    session.act(HUMAN, Action("Done"), 2, HUMAN)
    session.act(ROBOT, Action("Rearrange", ("cup_0", "on", "coffee_table_0")), 5, ROBOT)
    session.advance()
    found = measured(session)
    assert found.steps == session.clock
    assert found.cycles == (5 + 2) / 2
    assert found.exploration == taken
    assert found.moved[HUMAN] == 0.0
    assert found.moved[ROBOT] == pytest.approx(session.simulation.moved[ROBOT], abs=1e-3)
    assert counts(session.judgement()) == (True,)
