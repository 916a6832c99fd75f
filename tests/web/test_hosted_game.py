"""Games of every suite that is played: told, acted in, ended, read back and scored."""

from __future__ import annotations

import itertools
import random
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.transcript import write_call
from homebody.suites import get_suite
from homebody.web.access import RefusedError
from homebody.web.game_setup import Setup
from homebody.web.hosted_game import HostedGame
from homebody.web.pacing import MAX_PAUSE
from homebody.web.registry import Games
from homebody.worlds.house.simulation.relations import room_of
from suites.played import PLAYED

PAIR = ("robot", "human")
pytestmark = pytest.mark.usefixtures("eai_data")


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homebody.web.pacing.GRACE", 0.0)


def begun(
    games: Games, suite: str, task: str | None = None, partner: str = ""
) -> tuple[HostedGame, str, str]:
    """A game, the role of the person in it, and the token."""
    playing = get_suite(suite).playing
    assert playing is not None
    *others, mine = playing.roles
    partner = partner or ("random" if "random" in playing.policies else "idle")
    game, tokens = games.create(
        Setup(suite, {**dict.fromkeys(others, partner), mine: "person"}, task)
    )
    game.join(mine)
    return game, mine, tokens[mine]


def wait_for(game: HostedGame, role: str) -> Any:
    """What the role is told when it can act, or it is over."""
    while not (told := game.seat(role))["ready"] and game.ending is None:
        game.advance()
        time.sleep(0.001)
    return told


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("suite", "partner"), [*((suite, "") for suite in PLAYED), ("partnr.val", "forgetful")]
)
def test_a_game_of_any_suite_is_played_read_back_and_scored(
    suite: str, partner: str, tmp_path: Path
) -> None:
    games = Games(tmp_path, (suite,), 1e6)
    game, role, token = begun(games, suite, partner=partner)
    choose = random.Random(1)
    for number in range(6):
        told = wait_for(game, role)
        if game.ending is not None:
            break
        assert orjson.loads(orjson.dumps(told)) == told  # it is JSON
        assert told["instruction"]
        assert told["text"]
        assert {other["kind"] for other in told["others"]} <= {"policy"}  # not which one
        assert [tool["name"] for tool in told["tools"]]
        for at in range(len(told["images"])):
            seen = game.image(role, at)
            assert seen is not None
            assert seen.png().startswith(b"\x89PNG")
        assert game.image(role, len(told["images"])) is None
        game.act(role, choose.randrange(len(told["options"])), f"a{number}", told["revision"])
    wait_for(game, role)
    del games.open[game.header.session]
    found = games.find(token)
    assert found is not None
    again = found[0]
    assert again.session.transcript() == game.session.transcript()
    assert wait_for(again, role) == game.seat(role)
    again.stop("it was stopped")
    result = again.result()
    assert isinstance(result["success"], bool)
    assert result["explanation"] or result["success"]
    evaluated = get_suite(suite)
    task = evaluated.task(game.header.task)
    scored = evaluated.score(task, result["transcript"], CORRECTED)
    assert dict(scored.metrics) == result["score"]
    games.close()


def test_nothing_is_told_twice_over_and_nothing_is_lost(tmp_path: Path) -> None:
    games = Games(tmp_path, ("house.bring",), 4.0)
    game, role, _ = begun(games, "house.bring")
    first = game.act(role, "Wait[]", "a")
    assert game.act(role, "Wait[]", "a") is first
    with pytest.raises(RefusedError, match="happened since"):
        game.act(role, 0, "b", first["revision"] - 1)
    with pytest.raises(HomebodyError, match="64"):
        game.act(role, 0, "b" * 65)
    game.act(role, "Done[]", "c")
    with pytest.raises(RefusedError, match="over"):
        game.act(role, 0, "d")
    assert game.act(role, "Done[]", "a") is first  # also when it is over


def test_nothing_goes_on_while_nobody_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = Games(tmp_path, ("partnr.val",), 4.0)
    game, role, _ = begun(games, "partnr.val")
    game.seen[role] -= 1e6
    clock = game.session.clock
    game.advance()
    assert (game.session.clock, game.due) == (clock, None)
    game.seat(role)  # somebody is back
    assert game.due is not None or game.session.clock > clock


def test_what_lasts_in_the_world_lasts_a_share_of_that_for_who_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr("homebody.web.hosted_game.time.monotonic", lambda: now[0])
    games = Games(tmp_path, ("partnr.val",), 4.0)
    game, role, _ = begun(games, "partnr.val")
    assert game.seat(role)["ready"]  # and thinks from now on
    passed = []
    for _ in range(8):
        clock, before = game.session.clock, now[0]
        if game.due is None:
            break
        now[0] = game.due - 1e-6
        game.advance()
        assert game.session.clock == clock  # not before it is due
        now[0] += 2e-6
        game.advance()
        passed.append((clock, game.session.clock, now[0] - before))
    assert len(passed) > 2
    for (begin, end, _), (_, _, waited) in itertools.pairwise(passed):
        assert waited == pytest.approx(min((end - begin) / 30 / 4.0, MAX_PAUSE), abs=1e-4)


@pytest.mark.parametrize("observability", ["partial", "full"])
def test_what_another_does_is_told_to_who_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observability: str
) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6)
    settings = {"observability": observability}
    game, _ = games.create(Setup("partnr.val", dict.fromkeys(PAIR, "person"), settings=settings))
    for role in PAIR:
        game.join(role)
    state = game.session.simulation.state  # type: ignore[attr-defined]
    seen = set()
    for number in range(2):
        with monkeypatch.context() as still:
            still.setattr("homebody.web.pacing.GRACE", 1e6)
            game.act("robot", f"Explore[{room_of(state, 'robot')}]", f"a{number}")
            assert game.seat("robot")["busy"]
            (other,) = game.seat("human")["others"]
            in_sight = room_of(state, "robot") == room_of(state, "human")
            seen.add(in_sight)
            told = in_sight or observability == "full"
            assert other["doing"] == (game.seat("robot")["busy"] if told else None)
        wait_for(game, "robot")
        game.act("human", f"Navigate[{room_of(state, 'robot')}]", f"b{number}")
        wait_for(game, "human")
    assert seen == {True, False}


def test_of_very_many_options_all_kinds_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.web.observation_json.MAX_OF_A_KIND", 5)
    games = Games(tmp_path, ("partnr.val",), 1e6)
    game, _ = games.create(Setup("partnr.val", {"human": "person"}, settings={"team": "single"}))
    calls = [option["call"] for option in game.seat("human")["options"]]
    kinds = [call.split("[")[0] for call in calls]
    assert {kinds.count(kind) for kind in kinds} <= {1, 2, 3, 4, 5}
    assert calls[-1] == "Done[]"
    untold = game.seat("human")["untold"]
    assert untold["Navigate"] > 5
    assert "Done" not in untold
    every = [write_call(action) for action in game.session.observe("human").options]
    (beyond, *_) = [call for call in every if call.startswith("Navigate") and call not in calls]
    found = game.find("human", ["NAVIGATE", beyond[len("Navigate[") : -1]])
    assert beyond in [option["call"] for option in found]
    assert game.find("human", ["go to", "nowhere"]) == []
    reply = game.act("human", len(calls) - 1, "a")
    assert reply["event"]["call"] == "Done[]"
    with pytest.raises(RefusedError):
        game.act("human", 0, "b")
    assert game.find("human", ["Navigate"]) == []


def test_who_only_looks_has_not_come(tmp_path: Path) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6)
    game, _ = games.create(Setup("partnr.val", {"robot": "expert", "human": "person"}))
    told = game.seat("human", here=False)
    assert told["instruction"]
    assert not told["ready"]
    game.advance()
    assert game.begun is None
    assert game.session.transcript().entries == ()  # the expert has not begun either
    assert game.seat("human")["ready"]
    assert game.begun is not None


def test_one_sees_what_a_partner_sees_and_does_where_that_is_shown(tmp_path: Path) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6)
    for shown in (False, True):
        setup = Setup("partnr.val", dict.fromkeys(PAIR, "person"), partners_view=shown)
        game, _ = games.create(setup)
        for role in PAIR:
            game.join(role)
        rooms = [room.name for room in game.session.simulation.state.house.rooms]  # type: ignore[attr-defined]
        game.act("robot", f"Explore[{rooms[-1]}]", "a")
        game.act("human", f"Explore[{rooms[0]}]", "b")
        wait_for(game, "human")
        game.act("robot", f"Explore[{rooms[-2]}]", "c") if game.seat("robot")["ready"] else None
        (other,) = game.seat("human")["others"]
        told, really = game.scene("human", "robot"), game.scene("robot")
        mine = game.scene("human")
        assert mine is not None
        if shown:
            assert told is not None
            assert told == really != mine
            names = [solid["mesh"] for solid in told["things"]]
            assert game.meshes("human", names) is not None
            assert other["doing"] == game.seat("robot")["busy"]
        else:
            assert told is None
        assert game.scene("human", "nobody") is None


@pytest.mark.parametrize(
    ("feedback", "success"), [("all", False), ("solved", False), ("none", None)]
)
def test_persons_are_told_as_much_of_how_it_went_as_they_may(
    tmp_path: Path, feedback: str, success: bool | None
) -> None:
    games = Games(tmp_path, ("house.bring",), 1e6)
    game, _ = games.create(Setup("house.bring", {"agent": "person"}, feedback=feedback))
    game.act("agent", "Done[]", "a")
    told = game.result()
    assert told["success"] is success
    assert bool(told["explanation"]) == bool(told["score"]) == (feedback == "all")
    assert not game.is_solved()


def test_persons_write_to_each_other_where_they_may(tmp_path: Path) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6)
    game, tokens = games.create(Setup("partnr.val", dict.fromkeys(PAIR, "person"), chat=True))
    for role in PAIR:
        game.join(role)
    assert game.seat("robot")["messages"] == []
    before = game.session.transcript()
    reply = game.write("robot", "  I take\nthe \ud83e cups ", "m1")
    assert game.write("robot", "something else", "m1") == reply  # the same again
    told = [{"role": "robot", "text": "I take the ? cups"}]
    assert [game.seat(role)["messages"] for role in PAIR] == [told, told]
    assert game.session.transcript() == before  # it is not of the run
    for wrong in ("", "   ", "x" * 501):
        with pytest.raises(HomebodyError):
            game.write("human", wrong, "m2")
    again = Games(tmp_path, ("partnr.val",), 1e6)
    assert list(again.load()) == []
    found = again.find(tokens["human"])
    assert found is not None
    assert [each["role"] for each in found[0].seat("human")["messages"]] == ["robot"]
    for number in range(499):
        game.write("human", "hi", f"h{number}")
    with pytest.raises(RefusedError, match="too many"):
        game.write("human", "hi", "one more")


@pytest.mark.parametrize(("partner", "chat"), [("person", False), ("idle", True)])
def test_where_there_is_no_chat_nobody_writes(tmp_path: Path, partner: str, chat: bool) -> None:
    games = Games(tmp_path, ("partnr.val",), 1e6)
    game, _ = games.create(Setup("partnr.val", {"robot": partner, "human": "person"}, chat=chat))
    game.join("human")
    assert game.seat("human")["messages"] is None
    with pytest.raises(RefusedError, match="no chat"):
        game.write("human", "hello", "m1")
