"""Who does what: what the instruction says is somebody's own is left to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.core import DONE, WAIT
from homebody.core.play.rounds import play
from homebody.goals.partnr import Evaluation, TemporalConstraint, TerminalSatisfactionConstraint
from homebody.suites.partnr.expert import Expert, play_expert
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from homebody.suites.partnr.tasks import PartnrTask
from suites.partnr.homes import FULL, home, make_task, of

THINGS = ("cup_0", "cup_1", "plate_0", "book_0")
BOOKS = ("book_0", "book_1")
PIECES = ("sofa_0", "kids_table_0", "coffee_table_0", "shelf_0", "shelf_1", "counter_1")


def divided(settings: Settings = FULL, **assigned: tuple[int, ...]) -> PartnrTask:
    """Four things from the counter to the bed, some said to be somebody's own."""
    propositions = tuple(of("is_on_top", [name], ["bed_0"]) for name in THINGS)
    evaluation = Evaluation(propositions, (), (TerminalSatisfactionConstraint((0, 1, 2, 3)),))
    task = make_task(evaluation, *((name, "counter_0") for name in THINGS), settings=settings)
    return replace(task, episode=replace(task.episode, assigned=assigned))


def movers(session: PartnrSession) -> dict[str, str]:
    """Thing -> who put it where it is."""
    done = [event for event in session.simulation.log if event.ok]
    return {
        event.action.args[0]: event.role
        for event in done
        if event.action.name in ("Place", "Rearrange")
    }


@pytest.mark.parametrize("settings", [FULL, Settings()], ids=["full", "partial"])
@pytest.mark.parametrize(
    ("human", "robot"), [((0, 1, 2), (3,)), ((0,), (1, 2, 3)), ((0, 1, 2, 3), ()), ((), (0, 1, 2))]
)
def test_each_does_what_is_said_to_be_its_own(
    human: tuple[int, ...], robot: tuple[int, ...], settings: Settings
) -> None:
    session = play_expert(divided(settings, human=human, robot=robot))
    assert session.judgement().success
    who = movers(session)
    assert {who[THINGS[index]] for index in human} <= {HUMAN}
    assert {who[THINGS[index]] for index in robot} <= {ROBOT}


def test_who_is_alone_does_it_all() -> None:
    session = play_expert(divided(Settings("single"), human=(0,), robot=(1, 2, 3)))
    assert session.judgement().success


@pytest.mark.parametrize("partner", [DONE, WAIT])
def test_what_another_does_not_do_is_done_for_it_in_the_end(partner: object) -> None:
    """Its partner says that it is finished, or only waits."""
    session = PartnrSession(divided(human=(0, 1), robot=(2,)))
    expert = Expert(session)

    def idle(_: object, role: str) -> object:
        return partner if session.clock < 15_000 else DONE

    play(session, {ROBOT: lambda _, role: expert.act(role), HUMAN: idle})  # type: ignore[dict-item]
    assert session.judgement().success


def test_what_somebody_stands_ready_for_is_left_to_them() -> None:
    """The human has gone to the book, which comes after the cup, and the robot goes elsewhere."""
    order = TemporalConstraint(((0, 1), (0, 2)))
    propositions = tuple(of("is_on_top", [name], ["bed_0"]) for name in ("cup_0", *BOOKS))
    ends = TerminalSatisfactionConstraint((0, 1, 2))
    evaluation = Evaluation(propositions, (), (order, ends))
    places = ("counter_0", "sofa_0", "kids_table_0")
    task = make_task(evaluation, *zip(("cup_0", *BOOKS), places, strict=True), settings=Settings())
    session = play_expert(task)
    assert session.judgement().success
    log = [event for event in session.simulation.log if event.ok]
    went = [
        (event.role, name)
        for event in log
        if event.action.name == "Navigate"
        for name in BOOKS
        if session.simulation.state.house.thing[name].place[0] in event.action.args
        or name in event.action.args
    ]
    assert went
    who = movers(session)
    assert all(who[name] == role for role, name in went[:1])


@pytest.mark.parametrize("more", [0, 60])
def test_things_that_do_not_matter_cost_nothing(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at what is neither asked for nor where something goes."""
    asked: list[Atom] = []
    true = HouseView.is_true
    monkeypatch.setattr(
        HouseView, "is_true", lambda view, atom: asked.append(atom) or true(view, atom)
    )
    monkeypatch.setattr(
        HouseView, "has_room_for", lambda view, name, placement: asked.append(("", (name,))) or True
    )
    task = divided()
    evaluation = task.episode.evaluation
    things: list[tuple[str, ...]] = [(name, "counter_0") for name in THINGS]
    for number in range(more):
        name = f"{('pen', 'spoon', 'coin')[number % 3]}_{number}"
        try:
            home(*things, (name, PIECES[number % len(PIECES)]))
        except ValueError:
            continue
        things.append((name, PIECES[number % len(PIECES)]))
    assert len(things) >= len(THINGS) + 0.8 * more
    session = play_expert(make_task(evaluation, *things, settings=FULL))
    assert session.judgement().success
    assert {name for _, names in asked for name in names} <= {*THINGS, "bed_0", "counter_0"}
    assert len(asked) < 400
