"""The server as a process: killed and started again, attacked, and asked by others."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from web.running import HOST_TOKEN, Running, running


def live(server: Running, **options: str) -> ClientConnection:
    return connect(f"ws://{server.address}/api/v1/seat/live", **options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_killed_and_started_again_it_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    replies = {}
    arguments = ("partnr.val", "--partner", "expert")
    with running(tmp_path, *arguments) as server:
        token, port = server.tokens["human"], server.port
        _, seat = server.ask("/seat", token)
        rooms = [o["call"] for o in seat["options"] if o["call"].startswith("Explore")][:3]
        for number, call in enumerate(rooms):
            status, reply = server.ask("/seat/act", token, {"id": f"{number}", "said": call})
            assert status == 200, reply
            replies[f"{number}"] = reply
        _, before = server.ask("/seat", token)
        server.kill()
    with running(tmp_path, *arguments, port=port) as server:
        _, after = server.ask("/seat", token)
        for identifier, reply in replies.items():  # sent again, as one does who saw no reply
            body = {"id": identifier, "said": "Done[]"}
            assert server.ask("/seat/act", token, body) == (200, reply)
        # the partner may have gone on since, but what was is as it was
        assert after["clock"] >= before["clock"]
        assert after["instruction"] == before["instruction"]
        assert server.ask("/seat/act", token, {"id": "end", "said": "Done[]"})[0] == 200
        assert server.ask("/seat", token)[1]["ready"] is False


@pytest.mark.slow
def test_half_a_line_that_a_kill_left_is_passed_over(tmp_path: Path) -> None:
    with running(tmp_path, "house.bring") as server:
        token = server.tokens["agent"]
        server.ask("/seat", token)
        reply = server.ask("/seat/act", token, {"id": "a", "said": "Wait[]"})
        server.kill()
    (journal,) = (tmp_path / "sessions").glob("*.jsonl")
    with journal.open("ab") as file:
        file.write(b'["act",1795452449.9,"agent","Done')
    with running(tmp_path, "house.bring") as server:
        assert server.ask("/seat/act", token, {"id": "a", "said": "Wait[]"}) == reply
        assert server.ask("/seat", token)[1]["ready"]
        server.ask("/seat/act", token, {"id": "b", "said": "Wait[]"})
        server.kill()
    with running(tmp_path, "house.bring") as server:
        assert server.ask("/seat", token)[1]["ready"]


@pytest.mark.slow
def test_two_who_open_the_link_of_the_lobby_play_together(tmp_path: Path) -> None:
    with running(tmp_path, "partnr.val", "--partner", "person") as server:
        lobby = server.tokens["lobby for others"].removeprefix("lobby=")
        first, second = (server.ask("/lobby", lobby, {})[1]["ticket"] for _ in range(2))
        assert server.ask("/lobby", first)[1]["seat"]
        told = [server.ask("/lobby", ticket)[1] for ticket in (first, second)]
        assert {each["role"] for each in told} == {"robot", "human"}
        seats = [server.ask("/seat", each["seat"])[1] for each in told]
        assert [seat["role"] for seat in seats] == [each["role"] for each in told]
        third = server.ask("/lobby", lobby, {})[1]["ticket"]
        assert server.ask("/lobby", third)[1] == {
            "waiting": 1,
            "needed": 2,
            "role": None,
            "seat": None,
        }
        for wrong in (lobby[:-1], told[0]["seat"], "", HOST_TOKEN):
            assert server.ask("/lobby", wrong, {})[0] == 404
            assert server.ask("/lobby", wrong)[0] == 404


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("played"), "house.bring") as server:
        yield server


def fresh(server: Running) -> str:
    """The token of a game that nobody else has."""
    new = {"suite": "house.bring", "seats": {"agent": "person"}}
    status, made = server.ask("/sessions", HOST_TOKEN, new)
    assert status == 201
    token: str = made["seats"]["agent"]
    return token


def is_well(server: Running, token: str) -> bool:
    return server.ask("/seat", token)[0] == 200


def test_a_page_of_another_site_can_do_nothing(server: Running) -> None:
    token = fresh(server)
    body = {"id": "a", "said": "Done[]"}
    for origin in ("http://evil.example", "null", f"https://{server.address}.evil.example", ":"):
        assert server.ask("/seat/act", token, body, Origin=origin)[0] == 403
        with pytest.raises(InvalidStatus) as refused:
            live(server, origin=origin)
        assert refused.value.response.status_code == 403
    for host in ("evil.example", f"evil.example:{server.port}", "", "127.0.0.1.evil.example"):
        assert server.ask("/seat", token, Host=host)[0] == 421
    assert server.ask("/seat/act", token, body, Origin=f"http://{server.address}")[0] == 200


def test_frames_that_are_too_large_or_malformed_cost_nobody_else_anything(server: Running) -> None:
    mine, other = fresh(server), fresh(server)
    with live(server) as good:
        good.send(json.dumps({"token": other}))
        assert json.loads(good.recv())["seat"]["ready"]
        for message in (
            "", "x", "[]", "1", "null", '{"token": 1}', "[" * 10_000, '{"token":"' + "x" * 20_000,
            b"\xff\x00", json.dumps({"token": mine, "since": "x"}), json.dumps({"token": [mine]}),
        ):  # fmt: skip
            with live(server) as bad, suppress(ConnectionClosed):
                bad.send(message)
                pytest.fail(f"{message[:50]!r} is answered: {bad.recv()!r}")
        for message in ("", "x", "[]", '{"act": 1}', '{"act": {"id": "a"}}', "[" * 10_000,
                        json.dumps({"act": {"id": "a", "said": "x" * 20_000}}),
                        json.dumps({"act": {"id": "a", "said": True}}), b"\x00"):  # fmt: skip
            with live(server) as bad:
                bad.send(json.dumps({"token": mine}))
                bad.recv()
                with suppress(ConnectionClosed):
                    bad.send(message)
                    pytest.fail(f"{message[:50]!r} is answered: {bad.recv()!r}")
        good.send(json.dumps({"act": {"id": "b", "said": "Wait[]"}}))
        replies = [json.loads(good.recv()) for _ in range(2)]
        assert any("reply" in reply for reply in replies)
    assert is_well(server, mine)


def test_a_message_that_is_replayed_does_nothing(server: Running) -> None:
    token = fresh(server)
    with live(server) as socket:
        socket.send(json.dumps({"token": token}))
        socket.recv()
        replies = []
        for _ in range(3):
            socket.send(json.dumps({"act": {"id": "same", "said": "Wait[]"}}))
            while True:
                message = json.loads(socket.recv())
                if "reply" in message:
                    replies.append(message["reply"])
                    break
    assert replies[0] == replies[1] == replies[2]
    assert server.ask("/seat", token)[1]["revision"] == replies[0]["revision"]


def test_bodies_that_are_too_large_or_too_slow_are_refused(server: Running) -> None:
    token = fresh(server)
    assert server.ask("/seat/act", token, {"id": "a", "said": "x" * 20_000})[0] == 413
    assert server.ask("/seat/act", token, json.loads("[" * 30 + "]" * 30))[0] == 400
    for body in ({}, [], 1, {"id": "a"}, {"id": "", "said": "x"}, {"id": "a", "said": None},
                 {"id": "a" * 65, "said": "Wait[]"}, {"id": "a", "said": "Wait[]", "more": 1},
                 {"id": "a", "said": 10**400}, {"id": "a", "said": 1.5}):  # fmt: skip
        status, error = server.ask("/seat/act", token, body)
        assert status in (400, 422)
        assert error["error"]
    head = f"POST /api/v1/seat/act HTTP/1.1\r\nHost: {server.address}\r\n"
    for more in ("Content-Length: 99999999999\r\n", "Transfer-Encoding: chunked\r\n"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as raw:
            raw.sendall((head + more + "\r\n").encode())
            if "chunked" in more:
                raw.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n4000\r\n" + b"x" * 0x4000)
            assert b" 413 " in raw.recv(1000)
    assert is_well(server, token)


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "/..%5cserver.py",
        "/./../access.py", "//etc/passwd", "/%2fetc/passwd", "/%00", "/index.html%00.js", 
        "/%c0%ae%c0%ae/server.py", "/~", "/page", "/__init__.py",
        "/" + "x" * 5_000, "/" + "../" * 50 + "etc/passwd", "/%", "/%zz",
        "/api/v1/../../server.py", "/api/v1/seat/image/../../..", "/\\..\\server.py", "http://evil/",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(server: Running, path: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.address}\r\n\r\n".encode())
        status, _, rest = raw.recv(100_000).partition(b"\r\n")
    assert status.split()[1] in (b"400", b"404", b"421"), status
    assert b"root:" not in rest
    assert b"import" not in rest


@pytest.mark.slow
def test_who_asks_too_often_has_to_wait(server: Running) -> None:
    token, other = fresh(server), fresh(server)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: server.ask("/seat", token)[0], range(200)))
    assert set(found) == {200, 429}
    assert is_well(server, other)


@pytest.mark.slow
@pytest.mark.parametrize("connections", [3_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_of_many_connections_that_ask_nothing_nobody_notices_anything(
    server: Running, connections: int
) -> None:
    token = fresh(server)
    silent = []
    with live(server) as good:
        good.send(json.dumps({"token": token}))
        good.recv()
        for number in range(connections):
            silent.append(socket.socket())
            silent[-1].settimeout(20)
            silent[-1].connect(("127.0.0.1", server.port))
            if number % 500 == 0:
                assert is_well(server, token)
                good.send(json.dumps({"act": {"id": f"a{number}", "said": "Wait[]"}}))
                while "reply" not in json.loads(good.recv(timeout=20)):
                    pass
    assert is_well(server, token)
    for one in silent:
        one.close()
