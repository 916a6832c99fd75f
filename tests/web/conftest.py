"""A server over any suite, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from homebody.web.registry import Games, Limits
from homebody.web.server import make_app
from model_server import inspect_home, isolated, server

__all__ = ["inspect_home", "isolated", "server"]

HOST_TOKEN = "the-host-token"
LIMITS = Limits()
PLAYED = ("partnr.val", "house.bring", "embodiedeval.test", "etplan.several")


class Served:
    """A server, and what one asks of it."""

    def __init__(self, client: TestClient, games: Games) -> None:
        self.client = client
        self.games = games

    def new(self, suite: str, seats: dict[str, str], **more: Any) -> dict[str, str]:
        answer = self.client.post(
            "/api/v1/sessions",
            json={"suite": suite, "seats": seats, **more},
            headers={"Authorization": f"Bearer {HOST_TOKEN}"},
        )
        assert answer.status_code == 201, answer.text
        return answer.json()["seats"]

    def get(self, path: str, token: str) -> Any:
        return self.client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"})

    def seat(self, token: str) -> Any:
        answer = self.get("/seat", token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, token: str, identifier: str, said: Any, **more: Any) -> Any:
        return self.client.post(
            "/api/v1/seat/act",
            json={"id": identifier, "said": said, **more},
            headers={"Authorization": f"Bearer {token}"},
        )


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """``serve(*suites)`` -> a server of them; all are stopped in the end."""
    clients = []

    def start(*suites: str, pace: float = 4.0, limits: Limits = LIMITS) -> Served:
        games = Games(tmp_path, suites or PLAYED, pace, limits)
        assert list(games.load()) == []
        hosts = frozenset({"testserver"})  # as the test client calls it
        client = TestClient(make_app(games, HOST_TOKEN, hosts))
        client.__enter__()
        clients.append(client)
        return Served(client, games)

    yield start
    for client in clients:
        client.__exit__(None, None, None)
