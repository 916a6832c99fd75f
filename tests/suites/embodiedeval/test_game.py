"""People react in the next picture, and who sits down sees the room from a seat."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import pytest

from homebody.core import CORRECTED, Action
from homebody.core.play.turn_session import TurnSession
from homebody.suites.embodiedeval.game import EmbodiedGame
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.pictures import KeptPictures
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.tasks import EmbodiedTask, Option
from homebody.suites.embodiedeval.views import camera_of, renderer_of
from homebody.worlds.house.play.navigation_graph import GraphView
from suites.embodiedeval.small_tasks import task_of


def before_the_last(task: EmbodiedTask) -> TurnSession:
    """A session of a task before the last step of its plan."""
    session = start(task, {}, 0, CORRECTED)
    for text in task.plan[:-1]:
        act(session, text)
    return session


def act(session: TurnSession, text: str) -> None:
    game: Any = session.game
    action = next(each for each in game.options() if game.text(each) == text)
    assert session.act(AGENT, action).ok


def shown(session: TurnSession) -> np.ndarray:  # type: ignore[type-arg]
    return session.images(AGENT)[-1].rgb.astype(int)


def test_turning_angles_and_the_length_of_a_step_are_told() -> None:
    game = EmbodiedGame(task_of("navigation", "go_to"))
    told = set()
    for text in game.task.plan:
        said = game.describe()
        x, y, _ = game.graph.eye(game.view)[0]
        yaw = game.graph.heading(game.view).yaw
        action = next(each for each in game.options() if game.text(each) == text)
        game.do(action)
        (newx, newy, _), after, _ = game.graph.eye(game.view)
        match action.name:
            case "Forward":
                told.add("ahead")
                assert f"Moving forward is {math.dist((x, y), (newx, newy)):.1f} m" in said
            case "TurnLeft":
                told.add("left")
                assert f"turning left {round((after - yaw) % 360)} degrees" in said
            case "TurnRight":
                told.add("right")
                assert f"turning right {round((yaw - after) % 360)} degrees" in said
    assert "ahead" in told
    assert told & {"left", "right"}


def test_whoever_is_greeted_greets_back_in_the_next_picture() -> None:
    task = task_of("social_interaction", "find_someone")
    session = before_the_last(task)
    game: Any = session.game
    before = shown(session)
    person = renderer_of(game.house).scene.part("person_0").corners
    act(session, task.plan[-1])
    after = shown(session)
    changed = np.abs(after - before).max(axis=2) > 12
    assert 0.003 < changed.mean() < 0.2
    waving = renderer_of(game.house).scene.part("person_0").corners
    assert waving[..., 2].max() > person[..., 2].max() - 0.1
    head = person[..., 2].max()
    raised = (waving[..., 2] > head - 0.35).sum() - (person[..., 2] > head - 0.35).sum()
    assert raised > 100  # a hand beside the head
    game.do(Action("LookUp"))
    assert not game.state.reactions


def last_option(task: EmbodiedTask) -> Option:
    """The option that ends the shortest run."""
    return next(option for option in task.options if option.text == task.plan[-1])


def test_a_receiver_is_drawn_with_the_thing_in_hand() -> None:
    task = task_of("social_interaction", "take_from")
    book, person = last_option(task).objects
    back = Option("hand_over", "hand the book over to the man", (book, person))
    session = before_the_last(msgspec.structs.replace(task, options=(*task.options, back)))
    game: Any = session.game
    scene = renderer_of(game.house).scene
    game.do(Action("Do", (task.plan[-1],)))
    game.do(Action("Do", (back.text,)))
    assert game.state.places[book][0] == person
    assert game.state.visible_states(person)["reacting"].gesture == "look"
    shown(session)
    hands, held = (scene.part(name).corners.reshape(-1, 3) for name in (person, book))
    assert np.linalg.norm(hands[:, None] - held[None], axis=2).min() < 0.07


def test_kept_pictures_show_no_reactions(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_of("social_interaction", "find_someone")
    session = before_the_last(task)
    game: Any = session.game
    kept = KeptPictures("", "", task, game.state)

    class Pictures:
        def find(self, scene: str, name: str) -> str:
            return "kept"

    monkeypatch.setitem(kept.__dict__, "pictures", Pictures())
    camera = camera_of(game.house, game.view)
    assert kept.find(game.state, camera) == "kept"
    act(session, task.plan[-1])
    assert kept.find(game.state, camera) is None
    game.do(Action("LookUp"))
    assert kept.find(game.state, camera) == "kept"


def test_who_sits_sees_the_room_from_lower_until_it_moves() -> None:
    task = task_of("object_interaction", "sit_down")
    session = before_the_last(task)
    game: Any = session.game
    before, sees = shown(session), game.sees(last_option(task).objects[0])
    act(session, task.plan[-1])
    assert game.lowered == pytest.approx(0.237), "the piece is a bed"
    assert np.abs(shown(session) - before).mean() > 3
    assert game.sees(last_option(task).objects[0]) == sees
    game.do(Action("TurnLeft"))
    assert game.lowered
    while not any(action.name == "Forward" for action in game.options()):
        game.do(Action("TurnLeft"))
    game.do(Action("Forward"))
    assert not game.lowered


def test_who_lies_is_lower_than_who_sits() -> None:
    task = task_of("object_interaction", "sit_down")
    (bed,) = (each for each in task.options if each.objects[0].startswith("bed"))
    lies = Option("lie_down", "lie down on the bed", bed.objects)
    game = EmbodiedGame(msgspec.structs.replace(task, options=(*task.options, lies)))
    game.sees = lambda name: True  # type: ignore[method-assign]
    beside = [point.position for point in game.graph.points]
    near = [math.dist(at, game.state.box(bed.objects[0]).centre[:2]) for at in beside]
    game.view = GraphView(near.index(min(near)), 0)
    game._place_body()
    game.do(Action("Do", (bed.text,)))
    sitting = game.lowered
    game.do(Action("Do", (lies.text,)))
    assert game.lowered > sitting + 0.3
