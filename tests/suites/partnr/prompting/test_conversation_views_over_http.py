"""First-person views of PARTNR's roles, as an OpenAI-compatible server on loopback sees them."""

from __future__ import annotations

import io
import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from homebody.core import HomebodyError
from homebody.evals import run
from homebody.suites.partnr import suite as partnr
from homebody.suites.partnr.session import SIDE, PartnrSession
from homebody.suites.partnr.settings import read_settings
from homebody.worlds.house.play.captions import caption
from model_server import ModelServer, inspect_home, isolated, server
from suites.partnr.scripted import moving

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytest.importorskip("embreex", reason="needs: pip install 'homebody[house]'")
Pictures = pytest.importorskip("PIL.Image", reason="needs: pip install 'homebody[house]'")
__all__ = ["inspect_home", "isolated", "server"]
MOST_BYTES = 400_000
"""Size of a request with two pictures; a picture has some 100 kB."""


def play(
    server: ModelServer,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    calls: list[str],
    **settings: str,
) -> list[list[dict[str, Any]]]:
    """Have a model play; return the messages of its requests."""
    monkeypatch.setattr(partnr, "load", lambda split: (moving(),))
    left = iter(calls)
    server.converse = lambda messages: f"Thought: on.\n{next(left)}\nAssigned!"
    run("partnr.val", model=server.model, log_dir=folder, settings=settings, max_retries=0)
    return [body["messages"] for body in server.requests]


def opened(message: dict[str, Any]) -> dict[str, Any]:
    """Name -> picture of a message, and its text."""
    text, *parts = message["content"]
    found = {"": text["text"]}
    for name, picture in zip(parts[::2], parts[1::2], strict=True):
        kind, _, data = picture["image_url"]["url"].partition(",")
        assert kind == "data:image/png;base64"
        found[name["text"]] = np.asarray(Pictures.open(io.BytesIO(b64decode(data))))
    return found


@pytest.mark.slow
def test_the_last_message_has_the_picture_of_what_the_role_sees(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = ["Explore[kitchen_0]", "Explore[playroom_0]", "no call", *["Done[]"] * 3]
    requests = play(server, tmp_path, monkeypatch, calls, human="idle", view="pictures")
    shots = []
    for messages in requests:
        assert all(isinstance(message["content"], str) for message in messages[:-1])
        shown = opened(messages[-1])
        assert set(shown) == {"", "robot:"}
        assert "The picture shows what you see now." in shown[""]
        assert len(json.dumps(messages)) < MOST_BYTES
        shots.append(shown["robot:"])
    assert all(shot.shape == (SIDE, SIDE, 3) for shot in shots)
    assert not np.array_equal(shots[0], shots[1])
    assert np.array_equal(shots[2], shots[3])  # nothing moved after the invalid reply
    seen = PartnrSession(moving(human="idle", view="pictures")).observe("robot")
    (first,) = seen.images
    assert np.array_equal(shots[0], first.rgb)


def test_a_planner_for_both_sees_with_both(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, *_) = play(
        server, tmp_path, monkeypatch, ["Done[]"] * 4, team="centralised", view="pictures"
    )
    shown = opened(first[-1])
    assert set(shown) == {"", "robot:", "human:"}
    assert "The pictures show what the robot and the human see now." in shown[""]
    assert len(json.dumps(first)) < MOST_BYTES


@pytest.mark.slow
def test_captions_say_what_the_pictures_show(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, *_ = play(
        server,
        tmp_path,
        monkeypatch,
        ["Explore[kitchen_0]", *["Done[]"] * 3],
        human="idle",
        view="captions",
    )
    told = [
        re.findall("What you see now: (.*)", messages[-1]["content"])
        for messages in (first, second)
    ]
    session = PartnrSession(moving(human="idle", view="captions"))
    assert told[0] == [caption(session.view.picture("robot"), session.simulation.state)]
    assert told[0] != told[1]
    assert not any("What you see now" in message["content"] for message in second[:-1])


def test_a_fine_tuned_model_has_no_view() -> None:
    with pytest.raises(HomebodyError, match="learned without views"):
        read_settings({"planner": "finetuned", "view": "pictures"})
