"""`homebody play`, up to where the server would be there; :mod:`web` has the rest."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from command import Homebody
from homebody.cli.play import assign_seats
from homebody.core import HomebodyError
from homebody.suites import get_suite


@pytest.mark.parametrize(
    ("suite", "settings", "role", "partner", "seats"),
    [
        ("house.bring", {}, None, None, {"agent": "person"}),
        ("partnr.val", {}, None, None, {"robot": "fair", "human": "person"}),
        ("partnr.val", {}, "robot", "random", {"robot": "person", "human": "random"}),
        ("partnr.val", {}, None, "person", {"robot": "person", "human": "person"}),
        ("partnr.val", {"team": "single"}, None, None, {"human": "person"}),
    ],
)
def test_who_plays_which_role(
    suite: str,
    settings: dict[str, str],
    role: str | None,
    partner: str | None,
    seats: dict[str, str],
) -> None:
    assert assign_seats(get_suite(suite), settings, role, partner) == seats


def test_the_oracle_plays_the_other_roles_of_a_suite_without_an_expert() -> None:
    suite = get_suite("partnr.val")
    assert suite.playing is not None
    policies = {"oracle": suite.playing.policies["expert"]}
    suite = replace(suite, playing=replace(suite.playing, policies=policies, partners=()))
    assert assign_seats(suite, {}, None, None) == {"robot": "oracle", "human": "person"}


def test_a_role_that_there_is_not_is_refused() -> None:
    with pytest.raises(HomebodyError, match="unknown role: 'cook'"):
        assign_seats(get_suite("partnr.val"), {}, "cook", None)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["etplan.none"], "unknown suite"),
        (["eai.house.action_sequencing"], "is not played"),
        (["house.bring", "--task", "none-such"], "no task"),
        (["house.bring", "--set", "sound=on"], "unknown setting"),
        (["partnr.val", "--partner", "nobody"], "unknown player: 'nobody'"),
        (["partnr.val", "--partner", "nobody/at-all"], "cannot use the model"),
        (["house.bring", "--host", "0.0.0.0"], "needs a name for its links"),
    ],
)
def test_what_cannot_be_played_is_a_line_and_no_server(
    homebody: Homebody, tmp_path: Path, arguments: list[str], problem: str
) -> None:
    done = homebody("play", *arguments, "--record", tmp_path, "--port", "0")
    assert done.code == 2
    assert problem in done.err
    assert done.out == ""


def test_an_address_that_is_taken_is_told(homebody: Homebody, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = homebody("play", "house.bring", "--record", tmp_path, "--port", port)
    assert done.code == 2
    assert "cannot listen" in done.err


def test_without_the_extra_it_says_what_to_install(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("homebody.web.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    done = homebody("play", "house.bring", "--record", tmp_path)
    assert done.code == 2
    assert "pip install 'homebody[web]'" in done.err
