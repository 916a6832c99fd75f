"""Messages as Inspect has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")


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
