"""Games that are left: put away, read back, and not waited for."""

from __future__ import annotations

import gc
import random
import shutil
from pathlib import Path
from weakref import ref

import pytest

from homebody.core import CORRECTED, HomebodyError
from homebody.suites.partnr.session import PartnrSession
from homebody.web.access import RefusedError
from homebody.web.game_setup import Setup
from homebody.web.hosted_game import HostedGame
from homebody.web.registry import Games, Limits

PAIR = {"robot": "person", "human": "person"}
ALONE = {"agent": "person"}


def of(games: Games, token: str) -> HostedGame:
    found = games.find(token)
    assert found is not None
    return found[0]


def seen_long_ago(game: HostedGame, *roles: str) -> None:
    for role in roles:
        game.seen[role] -= 1e6


def test_a_game_that_is_put_away_is_read_back_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.web.pacing.GRACE", 0.0)  # nothing is due when it is put away
    games = Games(tmp_path, ("partnr.val",), 1e6)
    game, tokens = games.create(Setup("partnr.val", PAIR))
    for role in PAIR:
        game.join(role)
    room = next(o for o in game.seat("human")["options"] if o["call"].startswith("Explore"))
    reply = game.act("human", room["call"], "a")
    game.act("robot", "Wait[]", "b")
    before = [game.seat(role) for role in PAIR]
    seen_long_ago(game, *PAIR)
    games.tidy()
    assert games.open == {}
    again = of(games, tokens["human"])
    assert again is not game
    assert [again.seat(role) for role in PAIR] == before
    assert again.act("human", "Done[]", "a") == reply
    assert again.session.transcript() == game.session.transcript()


def test_of_a_game_that_is_put_away_nothing_stays_in_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("homebody.web.pacing.GRACE", 0.0)
    games, choose = Games(None, ("partnr.val",), 1e6), random.Random(1)
    suite = games.suite("partnr.val")
    task = suite.tasks.identify(suite.tasks.load(CORRECTED)[-1])  # whose house no other test has
    game, tokens = games.create(Setup("partnr.val", PAIR, task))
    for role in PAIR:
        game.join(role)
    for number in range(12):
        for role in game.session.ready():
            seat, scene = game.seat(role), game.scene(role)
            assert scene is not None
            assert game.meshes(role, [solid["mesh"] for solid in scene["shell"]])
            game.act(role, choose.choice(seat["options"])["call"], f"{role} {number}")
        game.advance()
    assert game.seat("human")["options"]
    assert game._view._chosen_from
    game.stop("it was stopped")
    assert not game.seat("human")["options"]
    assert not game._view._chosen_from  # which are most of what is told
    assert isinstance(game.session, PartnrSession)
    parts = game, game.session, game.session.simulation, game.session.simulation.state.house
    kept = list(map(ref, parts))
    seen_long_ago(game, *PAIR)
    del game, parts, scene, seat
    games.tidy()
    gc.collect()
    assert [each() for each in kept] == [None] * 4
    assert not any(games.has_token(token) for token in tokens.values())


def test_who_has_gone_is_waited_for_by_nobody(tmp_path: Path) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6, Limits(absent=5))
    game, _ = games.create(Setup("partnr.val", PAIR))
    game.join("human")
    games.tidy()
    assert game.awaited == {"robot"}
    seen_long_ago(game, "robot")
    games.tidy()  # it has never come
    assert game.awaited == set()
    assert [entry.call for entry in game.session.transcript().entries] == ["Done[]"]
    assert game.seat("human")["ready"]


def test_there_are_at_most_as_many_games_as_a_server_takes(tmp_path: Path) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0, Limits(games=2))
    made = [games.create(Setup("house.bring", ALONE)) for _ in range(2)]
    with pytest.raises(RefusedError):
        games.create(Setup("house.bring", ALONE))
    seen_long_ago(made[0][0], "agent")
    games.create(Setup("house.bring", ALONE))  # the one is put away


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"suite": "partnr.val"}, "cannot be played"),
        ({"seats": {}}, "a player for each role"),
        ({"seats": {"agent": "person", "cook": "person"}}, "a player for each role"),
        ({"seats": {"agent": "nobody"}}, "unknown player: 'nobody'"),
        ({"task": "none-such"}, "no task"),
        ({"settings": {"sound": "on"}}, "unknown setting"),
        ({"settings": {"skills": "perfect"}}, "cannot be"),
    ],
)
def test_what_cannot_be_played_is_refused(
    tmp_path: Path, changes: dict[str, object], problem: str
) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    with pytest.raises(HomebodyError, match=problem):
        games.create(Setup(**{"suite": "house.bring", "seats": ALONE, **changes}))  # type: ignore[arg-type]
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_full_disk_costs_what_was_not_acknowledged_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    game, tokens = games.create(Setup("house.bring", ALONE))
    game.act("agent", "Wait[]", "a")
    before = game.seat("agent")
    with monkeypatch.context() as full:

        def fail(path: Path, lines: bytes, **options: bool) -> None:
            raise HomebodyError("cannot write: the disk is full")

        full.setattr("homebody.core.ground.journal.append", fail)
        with pytest.raises(HomebodyError, match="full"):
            game.act("agent", "Wait[]", "b")
    again = of(games, tokens["agent"])
    assert again.seat("agent") == before
    assert again.act("agent", "Wait[]", "b")["event"]["ok"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"x" * 100 + b"\n",
        lambda data: b"[" * 100_000 + b"\n",
        lambda data: data.replace(b'"version": 1', b'"version": 2', 1),
        lambda data: data.replace(b'"seed": 0', b'"seed": "x"', 1),
        lambda data: data + b'["act",1]\n',
        lambda data: data + b'["fly",1.0,"agent"]\n',
    ],
)
def test_a_journal_that_is_damaged_is_told_and_costs_the_others_nothing(
    tmp_path: Path, damage: object
) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    (good, tokens), (bad, other) = (games.create(Setup("house.bring", ALONE)) for _ in range(2))
    path = tmp_path / "sessions" / f"{bad.header.session}.jsonl"
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    again = Games(tmp_path, ("house.bring",), 4.0)
    (error,) = again.load()
    assert path.name in str(error)
    assert again.find(other["agent"]) is None
    assert of(again, tokens["agent"]).header == good.header


def test_a_journal_in_which_time_went_otherwise_is_not_played(tmp_path: Path) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    game, tokens = games.create(Setup("house.bring", ALONE))
    game.act("agent", "Wait[]", "a")
    (path,) = (tmp_path / "sessions").glob("*.jsonl")
    clock = str(game.session.clock).encode()
    path.write_bytes(path.read_bytes().replace(b"," + clock + b"]", b",999999]"))
    again = Games(tmp_path, ("house.bring",), 4.0)
    assert list(again.load()) == []
    with pytest.raises(HomebodyError, match="clock"):
        again.find(tokens["agent"])
    shutil.rmtree(tmp_path)


def test_of_a_game_that_is_forgotten_nothing_is_left(tmp_path: Path) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    made = [games.create(Setup("house.bring", ALONE)) for _ in range(2)]
    for game, _ in made:
        game.act("agent", "Done[]", "a")
    forgotten, kept = (game.header.session for game, _ in made)
    games.forget(forgotten)
    games.forget(forgotten)
    games.forget("../../etc/passwd")
    games.close()
    assert games.find(made[0][1]["agent"]) is None
    assert of(games, made[1][1]["agent"]).ending
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if forgotten.encode() in path.read_bytes()]
    assert [path for path in files if kept.encode() in path.read_bytes()]
    assert not [path for path in files if forgotten in path.name]
