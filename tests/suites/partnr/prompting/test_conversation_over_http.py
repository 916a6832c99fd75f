"""What models are told after their calls, as an OpenAI-compatible server on loopback sees it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from homebody.evals import run
from homebody.suites.partnr import suite as partnr
from model_server import ModelServer, inspect_home, isolated, server
from suites.partnr.scripted import moving

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
__all__ = ["inspect_home", "isolated", "server"]


def test_the_result_of_an_exploration_says_what_was_newly_seen(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partnr, "load", lambda split: (moving(),))
    calls = iter(
        ["Explore[kitchen_0]", "Explore[playroom_0]", "Explore[kitchen_0]", *["Done[]"] * 9]
    )
    server.converse = lambda messages: f"Thought: on.\n{next(calls)}\nAssigned!"
    run(
        "partnr.val",
        model=server.model,
        log_dir=tmp_path,
        settings={"human": "idle"},
        max_retries=0,
    )
    told = [body["messages"][-1]["content"] for body in server.requests[1:4]]
    results = [
        re.findall(r"you have looked around in (\w+) and found (.*)\.", text) for text in told
    ]
    (kitchen,), (playroom,), (again,) = results
    assert kitchen[0] == again[0] == "kitchen_0"
    assert "cup_0" in kitchen[1]
    assert "toy_car_0" in playroom[1]
    assert "cup_0" not in playroom[1]
    assert again[1] == "nothing new"
