"""Tasks being played: options, steps, endings, pictures and scores."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from homebody.core import CORRECTED, DONE, PUBLISHED, Action, HomebodyError, Protocol
from homebody.core.play.failures import drop_labels
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.core.play.turn_session import TurnSession
from homebody.goals.embodiedeval import NEAR
from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.game import MOVEMENTS
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.session import MAX_STEPS, start
from homebody.suites.embodiedeval.tasks import Option, Scene, house_of
from homebody.worlds.house.model.house import Box
from homebody.worlds.house.play.navigation_graph import navigation_graph
from homebody.worlds.house.simulation.relations import gap
from homebody.worlds.house.simulation.walking.navigation import is_in_reach
from homebody.worlds.house.simulation.walking.walls import crosses_wall
from suites.embodiedeval.small_tasks import task_of

KINDS = (
    ("attribute_qa", "quantity"),
    ("navigation", "go_to"),
    ("object_interaction", "pick_up"),
)


def session_of(category: str, family: str, **given: str) -> TurnSession:
    return start(task_of(category, family), given, 0, CORRECTED)


@pytest.mark.parametrize("kind", KINDS)
def test_the_oracle_needs_the_shortest_run(kind: tuple[str, str]) -> None:
    session = session_of(*kind)
    play(session, {AGENT: agents.oracle(session, np.random.default_rng(0))})
    score = session.score(CORRECTED)
    assert session.ending == GOAL_MET
    assert (score.metrics["success"], score.metrics["spl"], score.metrics["gcs"]) == (1, 1, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_who_does_nothing_uses_all_steps_up(kind: tuple[str, str]) -> None:
    session = session_of(*kind)
    play(session, {AGENT: agents.idle(session, np.random.default_rng(0))})
    score = session.score(CORRECTED)
    assert session.clock == MAX_STEPS
    assert not score.record["success"]
    assert score.record["steps_used_up"]


def test_options_are_numbered_alike_and_there_is_no_done() -> None:
    session = session_of("attribute_qa", "quantity")
    options = session.observe(AGENT).options
    assert DONE not in options
    assert [option.name for option in options][-8:] == ["Answer"] * 8
    assert session.act(AGENT, DONE).ok  # an agent may give up


def test_a_wrong_answer_ends_it() -> None:
    session = session_of("attribute_qa", "quantity")
    task = session.source
    wrong = next(each for each in task.answers if f"choose {each.text}" not in task.predicates)
    session.act(AGENT, Action("Answer", (wrong.text,)))
    assert session.ending == "an answer was given"
    assert session.score(CORRECTED).metrics == {"success": 0, "gcs": 0, "spl": 0}


def test_after_a_right_answer_a_published_run_goes_on_and_needs_it_again() -> None:
    task = task_of("navigation", "go_to")
    answers = (Option("answer", "yes"), Option("answer", "no"))
    task = replace(task, options=answers, predicates=(*task.predicates, "choose yes"))
    session = start(task, {}, 0, PUBLISHED)
    yes = Action("Answer", ("yes",))
    session.act(AGENT, yes)
    assert (session.ending, session.progress()) == (None, 0.5)
    moves = {text: name for name, text in MOVEMENTS.items()}
    for text in task.plan:
        session.act(AGENT, Action(moves[text]))
    assert (session.ending, session.progress()) == (None, 0.5)
    session.act(AGENT, yes)
    assert session.ending == GOAL_MET
    assert not session.score(CORRECTED).record["success"]  # the first answer ended it


def test_only_what_is_seen_and_near_is_taken_and_only_one_thing_held() -> None:
    session = session_of("object_interaction", "pick_up")
    option = session.source.options[0]
    event = session.act(AGENT, Action("Do", (option.text,)))
    assert not event.ok
    assert event.message in ("you are too far away", "you do not see it from here")
    record = session.score(CORRECTED).record
    assert record["errors"] == []  # it named an option
    assert (record["interactions"], record["interactions_done"]) == (1, 0)
    for text in session.source.plan:
        action = next(each for each in session.options(AGENT) if session.game.text(each) == text)
        session.act(AGENT, action)
    assert session.game.state.held_by(AGENT)


def test_pictures_are_of_the_size_that_is_asked_for() -> None:
    for side in ("224", "448"):
        (image,) = session_of("navigation", "go_to", picture=side).images(AGENT)
        assert image.rgb.shape == (int(side), int(side), 3)
    assert not session_of("navigation", "go_to", picture="none").observe(AGENT).shows_images
    frames = session_of("navigation", "go_to", view="frames", picture="224")
    frames.act(AGENT, frames.options(AGENT)[0])
    assert len(frames.images(AGENT)) == 4
    boxes = session_of("navigation", "go_to", boxes="yes", picture="224")
    plain = session_of("navigation", "go_to", picture="224")
    assert (boxes.images(AGENT)[0].rgb != plain.images(AGENT)[0].rgb).any()


def test_the_same_transcript_gives_the_same_score() -> None:
    from homebody.suites.embodiedeval.suite import PLAYING

    task = task_of("object_interaction", "pick_up")
    session = start(task, {}, 0, CORRECTED)
    play(session, {AGENT: agents.random(session, np.random.default_rng(3))})
    again = drop_labels(PLAYING.score(task, session.transcript().encode(), CORRECTED))
    assert again.record == session.score(CORRECTED).record


def test_an_unread_reply_is_a_step_and_ends_a_published_run() -> None:
    task = task_of("navigation", "go_to")
    for protocol, goes_on in ((CORRECTED, True), (PUBLISHED, False)):
        session = start(task, {}, 0, protocol)
        session.note(AGENT, "I would rather not")
        assert (session.ending is None) == goes_on
        assert session.score().record["errors"] == ["no option match"]


@pytest.mark.parametrize("quirk", ["no-spl"])
def test_spl_is_zero_where_the_published_code_has_no_people_to_compare_with(quirk: str) -> None:
    task = task_of("navigation", "go_to")
    session = start(task, {}, 0, Protocol("own", frozenset({quirk})))
    play(session, {AGENT: agents.oracle(session, np.random.default_rng(0))})
    assert session.score().metrics["spl"] == 0.0


def test_tasks_about_what_is_not_there_are_refused() -> None:
    task = task_of("object_interaction", "pick_up")
    option = replace(task.options[0], objects=("unicorn_0",))
    wrong = replace(task, options=(option,))
    with pytest.raises(HomebodyError, match="unicorn_0"):
        start(wrong, {}, 0, CORRECTED)


def test_who_stands_at_the_other_side_of_a_wall_is_not_near() -> None:
    task = replace(task_of("navigation", "go_to"), scene=Scene("home", 11), options=())
    house = house_of(task.scene)
    beyond = [
        (number, piece.name)
        for number, point in enumerate(navigation_graph(house).points)
        for piece in house.furniture
        if gap(piece.box, Box((*point.position, 0.0), (*point.position, 0.0))) < NEAR
        and crosses_wall(house, point.position, piece.box.centre[:2])
        and not is_in_reach(house, point.position, piece.box, NEAR)
    ]
    assert beyond
    for number, name in beyond[:5]:
        own = replace(task, start=(number, 0), predicates=(f"agent_near {name}",))
        session = start(own, {}, 0, CORRECTED)
        session.act(AGENT, Action("TurnLeft"))
        assert session.game.judge.met == (False,), name


@pytest.mark.parametrize("begin", [(0, 64), (9_999, 0)])
def test_tasks_begin_where_one_can_be(begin: tuple[int, int]) -> None:
    wrong = replace(task_of("object_interaction", "pick_up"), start=begin)
    with pytest.raises(HomebodyError, match="does not have"):
        start(wrong, {}, 0, CORRECTED)


@pytest.mark.parametrize("name", ["unicorn_0", "p9999", "p²"])
def test_predicates_of_what_is_not_there_are_refused(name: str) -> None:
    task = task_of("object_interaction", "pick_up")
    wrong = replace(task, predicates=(f"agent_near {name}",))
    with pytest.raises(HomebodyError, match=name):
        start(wrong, {}, 0, CORRECTED)
