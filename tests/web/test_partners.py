"""Partners of people: models, asked in the background, and policies."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.suites.partnr.prompting.model_planners import drive
from homebody.suites.partnr.session import start_session
from model_server import ModelServer
from patience import wait_until
from web.conftest import HOST_TOKEN, Served

Serve = Callable[..., Served]
HOST = {"Authorization": f"Bearer {HOST_TOKEN}"}
FAST = 1e6
"""A pace at which nobody is waited for."""


def with_a_model(served: Served, server: ModelServer, **settings: str) -> str:
    seats = {"robot": server.model, "human": "person"}
    return served.new("partnr.val", seats, settings=settings)["human"]


def robot(served: Served, token: str) -> dict[str, object]:
    (other,) = served.seat(token)["others"]
    found: dict[str, object] = other
    return found


@pytest.mark.slow
def test_a_model_is_asked_in_the_background_and_does_what_it_says(
    serve: Serve, server: ModelServer
) -> None:
    thought, answers = threading.Event(), iter(["Action: Explore[kitchen_0]", "Action: Done[]"])

    def think(conversation: list[tuple[str, str]]) -> str:
        assert thought.wait(60)
        return next(answers)

    server.converse = think
    served = serve("partnr.val", pace=FAST)
    token = with_a_model(served, server)
    rooms = [o["call"] for o in served.seat(token)["options"] if o["call"].startswith("Explore")]
    wait_until(lambda: bool(server.requests))
    told = robot(served, token)
    assert (told["kind"], told["doing"]) == ("model", None)
    assert isinstance(told["thinking"], float)
    # it does not hold up the person, for whom time goes on meanwhile
    served.act(token, "a", rooms[0])
    wait_until(lambda: served.seat(token)["ready"])
    assert served.seat(token)["clock"] > 0
    thought.set()
    wait_until(lambda: len(server.requests) == 2 and robot(served, token)["thinking"] is None)
    # what it is told of the house is what a model is always told
    assert any("kitchen_0" in str(message["content"]) for message in server.requests[0]["messages"])
    served.act(token, "b", "Done[]")
    wait_until(lambda: served.seat(token)["ending"] is not None)
    transcript = served.get("/seat/result", token).json()["transcript"]
    assert '"robot","Explore[kitchen_0]",1,"robot"' in transcript
    # it is told as its answers were, when the server was started again
    again = serve("partnr.val", pace=FAST)
    assert again.get("/seat/result", token).json()["transcript"] == transcript
    assert len(server.requests) == 2


@pytest.mark.slow
def test_a_model_beside_a_person_is_asked_as_in_runs(serve: Serve, server: ModelServer) -> None:
    """In the suite's own prompts, and in the form that is wanted."""
    server.converse = lambda conversation: '{"action": "Done", "target": null}'
    served = serve("partnr.val", pace=FAST)
    token = with_a_model(served, server, output="json")
    served.seat(token)
    wait_until(lambda: bool(server.requests))
    asked = server.requests[0]
    task = get_suite("partnr.val").tasks.load(CORRECTED)[0]
    session = start_session(task, {"output": "json"}, 0)
    (as_in_runs,) = [each for each in next(drive(session, {})) if each.role == "robot"]
    sent = [(message["role"], message["content"]) for message in asked["messages"]]
    told = [(message.role, message.text) for message in as_in_runs.messages]
    assert [role for role, _ in sent] == [role for role, _ in told]
    assert sent[0] == told[0]
    assert sent[1][1].splitlines()[:3] == told[1][1].splitlines()[:3]
    assert asked["response_format"]["type"] == "json_schema"
    assert asked["temperature"] == 0


def test_a_model_that_cannot_be_asked_is_done_and_the_person_goes_on(
    serve: Serve, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.web.game_thread.AGAIN", 0.01)
    server.fail = [401] * 100
    served = serve("partnr.val", pace=FAST)
    token = with_a_model(served, server)
    served.act(token, "a", "Done[]") if served.seat(token)["ready"] else None
    wait_until(lambda: served.seat(token)["ending"] is not None)
    assert served.get("/seat/result", token).json()["success"] is False


def test_who_plays_several_roles_plays_them_as_one(serve: Serve) -> None:
    """The expert of both roles is one: alone with itself it ends as it does without a server."""
    served = serve("partnr.val", pace=FAST)
    seats = {"robot": "expert", "human": "nobody-of-that-name"}
    answer = served.client.post("/api/v1/sessions", json={"suite": "partnr.val", "seats": seats})
    assert answer.status_code == 404  # it has no token of the host
    token = served.new("partnr.val", {"robot": "idle", "human": "person"})["human"]
    served.seat(token)
    served.act(token, "a", "Done[]")
    assert served.seat(token)["ending"] == "everybody is done"


def test_a_model_beside_a_person_plays_by_calling_tools(serve: Serve, server: ModelServer) -> None:
    turns = iter([("", [("Explore", '{"room": "kitchen_0"}')]), ("", [("Done", "{}")])])
    server.call = lambda body: next(turns)
    served = serve("partnr.val", pace=FAST)
    seats = {"robot": server.model, "human": "person"}
    token = served.new("partnr.val", seats, driver="tools")["human"]
    served.seat(token)
    wait_until(lambda: len(server.requests) == 2)
    assert {tool["function"]["name"] for tool in server.requests[0]["tools"]} >= {"Explore", "Done"}
    assert server.requests[1]["messages"][-1]["role"] == "tool"  # what came of the call
    served.act(token, "b", "Done[]")
    wait_until(lambda: served.seat(token)["ending"] is not None)
    transcript = served.get("/seat/result", token).json()["transcript"]
    assert '"robot","Explore[kitchen_0]",1,"robot"' in transcript
    again = serve("partnr.val", pace=FAST)  # which reads the calls in its journal
    assert again.get("/seat/result", token).json()["transcript"] == transcript
    assert len(server.requests) == 2


def test_a_way_of_asking_that_there_is_not_is_refused(serve: Serve) -> None:
    served = serve("partnr.val")
    body = {"suite": "partnr.val", "seats": {"robot": "idle", "human": "person"}, "driver": "x"}
    answer = served.client.post("/api/v1/sessions", json=body, headers=HOST)
    assert answer.status_code == 422
    assert "react, tools, options" in answer.json()["advice"]
