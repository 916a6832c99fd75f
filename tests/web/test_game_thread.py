"""What is told is on disk; who waits for that keeps nobody else waiting."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homebody.core import CORRECTED, HomebodyError
from homebody.suites import get_suite
from homebody.web.game_setup import Setup
from homebody.web.game_thread import Stage
from homebody.web.hosted_game import HostedGame
from homebody.web.registry import Games
from own_suites import in_place


def act(game: HostedGame, role: str) -> object:
    return game.act(role, "Wait[]", "a")


def seat(game: HostedGame, role: str) -> object:
    return game.seat(role)["revision"]


def test_nobody_is_told_of_what_is_not_on_disk_yet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(tmp_path, ("house.bring", "partnr.val"), 4.0)
    mine, my_tokens = games.create(Setup("partnr.val", {"robot": "person", "human": "person"}))
    _, other_tokens = games.create(Setup("house.bring", {"agent": "person"}))
    for role in my_tokens:
        mine.join(role)
    disk = threading.Event()
    sync = mine.journal.sync
    monkeypatch.setattr(mine.journal, "sync", lambda: (disk.wait(60), sync()))

    async def play() -> None:
        stage = Stage(games)
        acting = asyncio.create_task(stage.play(my_tokens["human"], act))
        await asyncio.sleep(0.05)
        looking = asyncio.create_task(stage.play(my_tokens["robot"], seat))
        other = await asyncio.wait_for(stage.play(other_tokens["agent"], act), 30)
        assert other is not None  # it has not waited
        await asyncio.sleep(0.1)
        assert not acting.done()
        assert not looking.done()
        disk.set()
        told, seen = await asyncio.wait_for(asyncio.gather(acting, looking), 30)
        assert told is not None
        assert seen is not None
        await stage.close()

    asyncio.run(play())


def test_who_waits_for_a_house_to_be_built_keeps_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(tmp_path, ("house.bring", "partnr.val"), 4.0)
    _, mine = games.create(Setup("house.bring", {"agent": "person"}))
    away, put_away = games.create(Setup("partnr.val", {"robot": "expert", "human": "person"}))
    del games.open[away.header.session]  # as after a restart: it is read back from its journal
    playing = get_suite("partnr.val").playing
    assert playing is not None
    built, wood = [], threading.Event()

    def build(task: Any) -> object:
        wood.wait(60)
        built.append(task.id)
        return playing.build(task)

    suite = get_suite("partnr.val")
    slow = replace(suite, playing=replace(playing, build=build))

    def create(games: Games) -> str:
        seats = {"robot": "expert", "human": "person"}
        return games.create(Setup("partnr.val", seats, "val-58-77"))[0].header.task

    async def play() -> None:
        stage = Stage(games)
        making = asyncio.create_task(stage.work(create))
        reading = asyncio.create_task(stage.play(put_away["human"], seat))
        await asyncio.sleep(0.1)
        assert await asyncio.wait_for(stage.play(mine["agent"], act), 30) is not None
        assert not making.done()
        assert not reading.done()
        wood.set()
        made, seen = await asyncio.wait_for(asyncio.gather(making, reading), 60)
        assert made == "val-58-77"
        assert seen is not None
        await stage.close()

    with in_place([slow]):
        first = suite.tasks.load(CORRECTED)[0].id
        asyncio.run(play())
    assert sorted(built) == sorted(["val-58-77", first])


def test_a_game_that_cannot_be_is_refused_though_its_house_is_built_elsewhere(
    tmp_path: Path,
) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)

    async def play() -> None:
        stage = Stage(games)
        for suite, task in (("house.bring", "nowhere"), ("partnr.val", "val-0-0")):
            with pytest.raises(HomebodyError):
                await stage.work(
                    lambda games, of=(suite, task): games.create(
                        Setup(of[0], {"agent": "person"}, of[1])
                    )
                )
        await stage.close()

    asyncio.run(play())


def test_what_cannot_be_put_on_disk_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    game, tokens = games.create(Setup("house.bring", {"agent": "person"}))
    before = game.session.transcript()

    def fail() -> None:
        game.journal.path.write_bytes(whole)  # type: ignore[union-attr]
        raise HomebodyError("the disk is full")

    async def play() -> None:
        stage = Stage(games)
        monkeypatch.setattr(game.journal, "sync", fail)
        with pytest.raises(HomebodyError, match="full"):
            await stage.play(tokens["agent"], act)
        again = await stage.play(tokens["agent"], lambda game, role: game.session.transcript())
        assert again is not None
        assert again[1] == before
        assert await stage.play(tokens["agent"], act) is not None
        await stage.close()

    assert game.journal.path is not None
    whole = game.journal.path.read_bytes()
    asyncio.run(play())


def test_a_fault_in_one_job_is_told_to_who_asked_for_it(tmp_path: Path) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    _, tokens = games.create(Setup("house.bring", {"agent": "person"}))

    def fail(game: HostedGame, role: str) -> None:
        raise RuntimeError("a bug")

    async def play() -> None:
        stage = Stage(games)
        with pytest.raises(RuntimeError, match="a bug"):
            await stage.play(tokens["agent"], fail)
        assert await stage.play(tokens["agent"], act) is not None
        assert await stage.play("nobody's", act) is None
        await stage.close()

    asyncio.run(play())
