"""What holds of every generated episode: the expert solves it, doing nothing does not, and neither
does doing it in the wrong order, which is then said."""

from __future__ import annotations

import pytest

from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.splits import scenes
from homebody.core import CORRECTED
from homebody.goals.partnr import Episode
from homebody.suites.partnr.expert import has_breakable_order, play_expert, reverse_order
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.suite import PLAYING
from homebody.suites.partnr.tasks import PartnrTask
from thorough import THOROUGH

HOUSES = scenes("train", 12)
FULL = Settings(observability="full")


def episodes(first: int, number: int) -> list[Episode]:
    return [make("train", HOUSES[at % len(HOUSES)], at)[0] for at in range(first, first + number)]


@pytest.fixture(scope="module")
def some() -> list[Episode]:
    return episodes(700_000, 24 if THOROUGH else 12)


@pytest.mark.slow
def test_the_expert_solves_it_with_and_without_seeing_all(some: list[Episode]) -> None:
    for episode in some:
        for settings in (FULL, Settings()):
            task = PartnrTask(episode, settings)
            session = play_expert(task)
            judgement = session.judgement()
            assert judgement.success, (episode.instruction, judgement.explanation)
            again = PLAYING.score(task, session.transcript().encode(), CORRECTED)
            assert again.metrics == {"success": 1.0, "percent_complete": 1.0}
            assert again.record["steps"] == session.clock


@pytest.mark.slow
def test_doing_nothing_does_not(some: list[Episode]) -> None:
    for episode in some:
        judgement = PartnrSession(PartnrTask(episode, FULL)).judgement()
        assert not judgement.success
        assert judgement.explanation.startswith("Not done: ")


def test_the_wrong_order_does_not_and_is_told(some: list[Episode]) -> None:
    ordered = [one for one in some if has_breakable_order(one.evaluation)]
    assert len(ordered) >= len(some) // 6
    for episode in ordered:
        judgement = play_expert(PartnrTask(episode, FULL), reverse_order).judgement()
        assert not judgement.success, episode.instruction
        assert judgement.percent_complete < 1.0
        assert "wrong order" in judgement.explanation, judgement.explanation
