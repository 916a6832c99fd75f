"""Questions with pictures, as an OpenAI-compatible server on loopback sees them."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from homebody.evals import RunResult, run
from homebody.suites import get_suite
from homebody.suites.eai.house.rooms import images
from homebody.suites.eai.house.scene_graph import SUITE as GRAPH
from homebody.suites.eai.house.tasks import load_rooms, load_tasks
from model_server import ModelServer, inspect_home, isolated, server

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
Pictures = pytest.importorskip("PIL.Image", reason="needs: pip install 'homebody[house]'")
__all__ = ["inspect_home", "isolated", "server"]
TASK = load_tasks()[0]


def asked(server: ModelServer, log: Path, ability: str, settings: Mapping[str, str]) -> RunResult:
    """A run of one task, answered by the oracle."""
    name = f"eai.house.{ability}"
    suite = get_suite(name)
    task = suite.task((load_rooms() if ability == "scene_graph" else load_tasks())[0].id)
    answer = suite.answer("oracle", task)
    server.respond = lambda body: None
    server.answer = lambda prompt: answer
    server.call = lambda body: (answer, [])
    return run(
        name, model=server.model, log_dir=log, limit=1, max_retries=0, settings=dict(settings)
    )


def shown(body: dict[str, Any]) -> tuple[list[str], list[NDArray[np.uint8]]]:
    """The texts and pictures of a request with one message."""
    (user,) = body["messages"]
    if isinstance(user["content"], str):
        return [user["content"]], []
    texts, pictures = [], []
    for part in user["content"]:
        if part["type"] == "text":
            texts.append(part["text"])
            continue
        head, _, data = part["image_url"]["url"].partition(",")
        assert head == "data:image/png;base64"
        picture = Pictures.open(io.BytesIO(b64decode(data, validate=True)))
        picture.load()
        assert (picture.format, picture.mode, picture.size) == ("PNG", "RGB", (448, 448))
        pictures.append(np.asarray(picture))
    return texts, pictures


@pytest.mark.sampled
@pytest.mark.parametrize("ability", ["goal_interpretation", "action_sequencing", "scene_graph"])
def test_pictures_arrive_as_they_were_drawn(
    server: ModelServer, tmp_path: Path, ability: str
) -> None:
    (score,) = asked(server, tmp_path, ability, {}).scores
    assert score.metrics["success" if ability == "action_sequencing" else "f1"] == 1.0
    (body,) = server.requests
    texts, pictures = shown(body)
    drawn = images(TASK.line.room)
    assert len(pictures) == len(drawn) >= 1
    for picture, image in zip(pictures, drawn, strict=True):
        assert (picture == image.rgb).all()
    assert texts[1:] == [f"{image.name}:" for image in drawn]
    assert (TASK.task.instruction in texts[0]) == (ability != "scene_graph")


def test_a_scene_graph_is_given_in_place_of_pictures_or_with_them(
    server: ModelServer, tmp_path: Path
) -> None:
    for given, number in (("graph", 0), ("both", len(TASK.line.room.cameras))):
        server.requests.clear()
        asked(server, tmp_path / given, "action_sequencing", {"given": given})
        (body,) = server.requests
        texts, pictures = shown(body)
        assert len(pictures) == number
        assert "The facts of the room now:" in texts[0]


def test_the_scene_graph_is_not_given_where_it_is_asked_for() -> None:
    prompting = GRAPH.prompting
    assert prompting is not None
    text = prompting.prompt(load_rooms()[0])
    assert not any(f'"{name}"' in text for name in load_rooms()[0].names)
