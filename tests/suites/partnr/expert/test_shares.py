"""Who does what: what the instruction says is somebody's own is left to them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.core import DONE, WAIT
from homebody.core.session import play
from homebody.goals.partnr import Evaluation, TerminalSatisfactionConstraint
from homebody.suites.partnr.expert import Expert, play_expert
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from homebody.suites.partnr.tasks import PartnrTask
from suites.partnr.homes import FULL, make_task, of

THINGS = ("cup_0", "cup_1", "plate_0", "book_0")


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
