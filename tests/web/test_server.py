"""The API: observe, act, result, for whoever has the token of a role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from web.conftest import HOST_TOKEN, Served

Serve = Callable[..., Served]


def play_on(served: Served, token: str, most: int = 5) -> None:
    """Play with the options that are told, and then be done."""
    for number in range(most):
        told = served.seat(token)
        if told["ending"] is not None:
            return
        assert served.act(token, f"o{number}", min(2, len(told["options"]) - 1)).status_code == 200
    served.act(token, "done", "Done[]")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("suite", "role"),
    [("house.bring", "agent"), ("embodiedeval.test", "agent"), ("etplan.several", "robot")],
)
def test_who_is_alone_plays_a_task_to_its_end(serve: Serve, suite: str, role: str) -> None:
    served = serve(suite)
    token = served.new(suite, {role: "person"})[role]
    told = served.seat(token)
    assert told["ready"]
    assert told["role"] == role
    assert {"call", "words"} == told["options"][0].keys()
    assert served.get("/seat/result", token).status_code == 409
    play_on(served, token)
    assert served.seat(token)["ending"]
    result = served.get("/seat/result", token).json()
    assert result["success"] is False
    assert result["explanation"]


def test_of_a_pair_nobody_holds_up_the_other(serve: Serve) -> None:
    served = serve("partnr.val", pace=1000.0)
    tokens = served.new("partnr.val", {"robot": "person", "human": "person"})
    assert not served.seat(tokens["robot"])["ready"]  # before the other has come
    assert served.act(tokens["robot"], "early", "Wait[]").status_code == 409
    assert served.seat(tokens["human"])["ready"]
    robot = served.seat(tokens["robot"])
    room = next(o["call"] for o in robot["options"] if o["call"].startswith("Explore"))
    reply = served.act(tokens["robot"], "a", room).json()
    assert reply["event"] is None
    assert served.act(tokens["robot"], "b", room).status_code == 409  # it is busy
    with served.client.websocket_connect("/api/v1/seat/live") as live:
        live.send_json({"token": tokens["robot"], "since": reply["revision"]})
        told = live.receive_json()["seat"]
    assert told["ready"]
    assert told["clock"] > 0
    assert served.seat(tokens["human"])["clock"] == told["clock"]


def test_the_same_id_again_does_nothing(serve: Serve) -> None:
    served = serve("house.bring")
    token = served.new("house.bring", {"agent": "person"})["agent"]
    first = served.act(token, "one", "Wait[]").json()
    assert first["event"]["call"] == "Wait[]"
    assert served.act(token, "one", "Done[]").json() == first
    assert served.seat(token)["revision"] == first["revision"]


def test_what_cannot_be_read_does_nothing_and_is_told(serve: Serve) -> None:
    served = serve("house.bring")
    token = served.new("house.bring", {"agent": "person"})["agent"]
    before = served.seat(token)
    for said in ("hello", 999_999, -1, {"name": "Fly", "arguments": {}}, {"name": "Pick"}):
        answer = served.act(token, "x", said)
        assert answer.status_code == 422
        assert answer.json()["error"]
    assert served.seat(token) == before


def test_who_has_no_token_finds_nothing(serve: Serve) -> None:
    served = serve("house.bring")
    token = served.new("house.bring", {"agent": "person"})["agent"]
    for wrong in ("", "x", token[:-1], token + "x", HOST_TOKEN):
        for path in ("/seat", "/seat/result", "/seat/image/0", "/nothing"):
            answer = served.get(path, wrong)
            assert answer.status_code == 404
            assert answer.json() == {"error": "not found: check the link", "advice": ""}
        assert served.act(wrong, "a", "Wait[]").status_code == 404
        with served.client.websocket_connect("/api/v1/seat/live") as live:
            live.send_json({"token": wrong})
            with pytest.raises(WebSocketDisconnect) as closed:
                live.receive_json()
            assert closed.value.code == 4404
    made = served.client.post(
        "/api/v1/sessions",
        json={"suite": "house.bring", "seats": {"agent": "person"}},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert made.status_code == 404


def test_a_server_that_is_started_again_has_the_same_games(serve: Serve) -> None:
    served = serve("partnr.val")
    tokens = served.new("partnr.val", {"robot": "expert", "human": "person"})
    human = tokens["human"]
    replies = []
    for number in range(4):
        told = served.seat(human)
        replies.append(served.act(human, f"a{number}", told["options"][number]["call"]).json())
        if not served.seat(human)["ready"]:
            break
    again = serve("partnr.val")
    for number, reply in enumerate(replies):
        assert again.act(human, f"a{number}", "Done[]").json() == reply
    assert again.seat(human)["clock"] >= told["clock"]


def test_the_page_is_served_and_says_what_it_may_do(serve: Serve) -> None:
    client = serve("house.bring").client
    page = client.get("/")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for path in ("/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "//etc/passwd"):
        assert client.get(path).status_code == 404


def test_the_api_is_documented(serve: Serve) -> None:
    api: Any = serve("house.bring").client.get("/api/v1/openapi.json").json()
    assert {"/api/v1/seat", "/api/v1/seat/act", "/api/v1/sessions"} <= api["paths"].keys()


def test_one_looks_before_one_begins_and_finds_what_is_not_listed(serve: Serve) -> None:
    served = serve("partnr.val")
    token = served.new("partnr.val", {"robot": "idle", "human": "person"})["human"]
    assert not served.get("/seat?here=false", token).json()["ready"]
    assert served.seat(token)["ready"]
    found = served.get("/seat/options?words=look%20kitchen", token).json()
    assert [option["call"] for option in found] == ["Explore[kitchen_0]"]
    assert served.get("/seat/options?words=" + "x" * 201, token).status_code == 422
    assert served.get("/seat/options?words=x", "nobody").status_code == 404


def test_messages_over_http(serve: Serve) -> None:
    served = serve("partnr.val")
    tokens = served.new("partnr.val", {"robot": "person", "human": "person"}, chat=True)

    def write(role: str, body: Any) -> int:
        head = {"Authorization": f"Bearer {tokens[role]}"}
        return served.client.post("/api/v1/seat/message", json=body, headers=head).status_code

    assert write("robot", {"id": "1", "text": "<b>hi</b>"}) == 200
    assert write("robot", {"id": "1", "text": "<b>hi</b>"}) == 200
    assert served.seat(tokens["human"])["messages"] == [{"role": "robot", "text": "<b>hi</b>"}]
    for body in ({}, {"id": "2"}, {"id": "2", "text": "x" * 501}, {"id": "2", "text": 1}, []):
        assert write("robot", body) == 422
    (alone,) = served.new("partnr.val", {"robot": "idle", "human": "person"}, chat=True).values()
    head = {"Authorization": f"Bearer {alone}"}
    body = {"id": "1", "text": "hi"}
    assert served.client.post("/api/v1/seat/message", json=body, headers=head).status_code == 409
    head = {"Authorization": "Bearer nobody"}
    assert served.client.post("/api/v1/seat/message", json=body, headers=head).status_code == 404
