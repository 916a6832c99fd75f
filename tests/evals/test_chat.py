"""Messages as Inspect has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from homebody.core import Message
from homebody.core.play.conversation import Image

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")


@pytest.mark.slow
@pytest.mark.parametrize(
    "driver",
    ["react", *(pytest.param(name, marks=pytest.mark.slow) for name in ("options", "tools"))],
)
def test_who_plans_for_itself_is_shown_the_pictures_of_now(
    driver: str, server: ModelServer, tmp_path: Path
) -> None:
    from homebody.evals import run

    server.converse = lambda messages: "I cannot say."
    for at, settings in enumerate(({"observation": "pictures"}, {})):
        server.requests.clear()
        run(
            "etplan.navigation",
            model=server.model,
            driver=driver,
            limit=1,
            log_dir=tmp_path / str(at),
            settings=settings,
        )
        assert len(server.requests) > 2
        for body in server.requests:
            told, last = body["messages"][:-1], body["messages"][-1]["content"]
            assert all(not isinstance(message["content"], list) for message in told)
            if not settings:
                assert isinstance(last, str)
                continue
            words, shown = last[:-8], last[-8:]  # what was told in a row is one message
            assert {part["type"] for part in words} == {"text"}
            assert [part["type"] for part in shown] == ["text", "image_url"] * 4
            assert [part["text"] for part in shown[::2]] == ["ahead:", "left:", "behind:", "right:"]


@pytest.mark.slow
def test_pictures_are_sent_with_their_names(server: ModelServer, tmp_path: Path) -> None:
    from homebody.evals import run

    def answer(messages: list[tuple[str, str]]) -> str:
        prompt = messages[0][1]
        if "Which kind of task" in prompt:
            return '["navigation"]'
        return '[{"thing": "vase"}]' if "JSON" in prompt else "[]"

    server.converse = answer
    run(
        "etplan.navigation",
        model=server.model,
        limit=1,
        log_dir=tmp_path,
        settings={"observation": "pictures"},
    )
    shown = [
        body["messages"][0]["content"]
        for body in server.requests
        if not isinstance(body["messages"][0]["content"], str)
    ]
    assert shown
    for text, *parts in shown:
        assert text["type"] == "text"
        assert "These pictures show" in text["text"]
        assert [part["text"] for part in parts[::2]] == ["ahead:", "left:", "behind:", "right:"]
        for part in parts[1::2]:
            assert part["type"] == "image_url"
            assert part["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_what_the_user_says_in_a_row_is_one_message() -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ContentText

    from homebody.evals.chat import as_chat, join_user_turns

    rgb = np.zeros((2, 2, 3), np.uint8)
    shown = Message("user", "look", images=(Image("here", rgb),))
    said = [Message("system", "be"), shown, Message("user", "choose"), Message("assistant", "1")]
    system, user, answer = join_user_turns(as_chat(message) for message in said)
    assert system.content == "be"
    assert isinstance(user, ChatMessageUser)
    assert isinstance(answer, ChatMessageAssistant)
    assert [part.type for part in user.content] == ["text", "text", "image", "text"]  # type: ignore[union-attr]
    assert user.content[-1] == ContentText(text="choose")


def test_a_picture_is_made_a_url_of_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from homebody.evals import chat

    made: list[str] = []
    monkeypatch.setattr(chat, "data_url", lambda image: made.append(image.name) or image.name)
    monkeypatch.setattr(chat, "MAX_URLS", 2)
    urls = chat.DataUrls()
    pictures = [np.zeros((1, 1, 3), np.uint8) for _ in range(3)]
    for at in (0, 1, 0, 2, 0, 1):
        urls(Image(str(at), pictures[at]))
    assert made == ["0", "1", "2", "1"]
