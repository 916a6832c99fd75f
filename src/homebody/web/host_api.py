"""The HTTP API of hosts, who create games with a token, and of the lobby, which pairs people."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.web.access import is_same
from homebody.web.game_thread import Stage
from homebody.web.lobby import Lobby
from homebody.web.request_bodies import Made, NewSession, Token


def host_api(stage: Stage, prefix: str, host_token: str) -> APIRouter:
    """Return the routes that list suites and create games."""
    api = APIRouter(prefix=prefix)

    cached: list[dict[str, Any]] = []  # filled by the first request

    @api.get("/suites")
    async def suites() -> list[dict[str, Any]]:
        """Return the suites that are served."""
        if not cached:
            cached[:] = await stage.work(lambda games: [_suite_json(name) for name in games.served])
        return cached

    @api.post("/sessions", status_code=201)
    async def create(new: NewSession, token: Token) -> Made:
        """Create a game; requires the host's token."""
        if not is_same(token, host_token):
            raise HTTPException(404)
        game, tokens = await stage.work(lambda games: games.create(new.setup()))
        return Made(session=game.header.session, seats=tokens)

    return api


def lobby_api(stage: Stage, prefix: str, lobby: Lobby) -> APIRouter:
    """Return the routes by which people wait for each other."""
    api = APIRouter(prefix=prefix)

    @api.post("", status_code=201)
    async def enter(token: Token) -> dict[str, str]:
        """Wait for others; requires the lobby's token."""
        if not is_same(token, lobby.token):
            raise HTTPException(404)
        return {"ticket": await stage.work(lambda games: lobby.enter())}

    @api.get("")
    async def look(token: Token) -> dict[str, Any]:
        """Return how many are waiting; poll it with the ticket, about once a second."""
        ticket = await stage.work(lambda games: lobby.look(token))
        if ticket is None:
            raise HTTPException(404)
        return ticket

    return api


def _suite_json(name: str) -> dict[str, Any]:
    suite = get_suite(name)
    playing = suite.playing
    assert playing is not None
    return {
        "suite": name,
        "title": suite.title,
        "tasks": len(suite.tasks.load(CORRECTED)),
        "roles": list(playing.roles),
        "partners": list(playing.policies),
        "settings": {key: list(values) for key, values in playing.settings.items()},
    }
