"""Clients of the Model Context Protocol (the official ones) play."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("mcp")

from mcp import StdioServerParameters
from mcp.client.client import Client

from homebody.core import CORRECTED
from homebody.core.play.transcript import decode, find_call
from homebody.suites import get_suite
from homebody.web.game_setup import Setup
from homebody.web.mcp import KNOWLEDGE, SCENE, TASK, McpSeat, _run_seat
from homebody.web.registry import Games

pytestmark = pytest.mark.usefixtures("eai_data")
ALONE = {"team": "single"}


def plan(task: str) -> list[tuple[str, tuple[str, ...]]]:
    """What the expert does who is alone: names and arguments of calls."""
    suite = get_suite("partnr.val")
    transcript = suite.answer("expert", suite.task(task, CORRECTED), settings=ALONE)
    actions = [find_call(entry.call) for entry in decode(transcript).entries]
    return [(action.name, action.args) for action in actions]


async def follow(client: Client, calls: list[tuple[str, tuple[str, ...]]]) -> str:
    """Do what a plan says; what the last tool tells."""
    tools = {
        tool.name: list(tool.input_schema["properties"])
        for tool in (await client.list_tools()).tools
    }
    told = ""
    for name, args in calls:
        result = await client.call_tool(name, dict(zip(tools[name], args, strict=False)))
        told = text_of(result)
        assert not result.is_error, told
    return told


def text_of(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def played(
    suite: str,
    do: Callable[[Client], Awaitable[None]],
    folder: Path | None = None,
    seats: Mapping[str, str] | None = None,
    task: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Games:
    """Have a client do something at a server in this process."""
    games = Games(folder, (suite,), pace=4.0)
    _, tokens = games.create(Setup(suite, seats or {"human": "person"}, task, settings or {}))
    (token,) = tokens.values()

    async def run(seat: McpSeat) -> None:
        async with Client(seat.server("test")) as client:
            await do(client)

    asyncio.run(_run_seat(games, token, run))
    return games


def test_a_client_plays_a_task_to_success_and_its_output_is_scored(tmp_path: Path) -> None:
    suite = get_suite("partnr.val")
    task = suite.tasks.identify(suite.tasks.load(CORRECTED)[3])

    async def do(client: Client) -> None:
        seen = await client.call_tool("Observe", {})
        assert suite.task(task, CORRECTED).episode.instruction in text_of(seen)
        told = await follow(client, plan(task))
        assert "The task is done." in told
        late = await client.call_tool("Wait", {})
        assert late.is_error
        assert "over" in text_of(late)

    played("partnr.val", do, tmp_path, None, task, ALONE)
    (file,) = tmp_path.glob("partnr.val/*_outputs.json")
    (entry,) = json.loads(file.read_text())
    score = suite.score(suite.task(task, CORRECTED), entry["llm_output"])
    assert score.metrics["success"] == 1.0


@pytest.mark.slow
def test_resources_are_what_the_role_may_know() -> None:
    async def do(client: Client) -> None:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris == [TASK, KNOWLEDGE, SCENE, "homebody://picture/0"]
        knowledge = (await client.read_resource(KNOWLEDGE)).contents[0].text
        scene = json.loads((await client.read_resource(SCENE)).contents[0].text)
        picture = (await client.read_resource("homebody://picture/0")).contents[0]
        assert picture.mime_type == "image/png"
        assert {thing["name"] for thing in scene["things"]} & set(re.findall(r"\w+_\d+", knowledge))
        for uri in ("homebody://picture/1", "homebody://picture/x", "file:///etc/passwd"):
            with pytest.raises(Exception, match=r"(?s)\A"):
                await client.read_resource(uri)

    played("partnr.val", do, settings=ALONE)


@pytest.mark.parametrize(
    ("suite", "role"),
    [
        ("embodiedeval.test", "agent"),
        ("etplan.navigation", "robot"),
        ("eai.virtualhome.interactive", "agent"),
        ("house.bring", "agent"),
    ],
)
def test_any_suite_that_is_played_can_be(suite: str, role: str) -> None:
    async def do(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert tools[0].name == "Observe"
        seen = await client.call_tool("Observe", {})
        assert f"You are the {role}" in text_of(seen)
        pictures = [part for part in seen.content if part.type == "image"]
        assert bool(pictures) is (suite == "embodiedeval.test")
        simple = [t for t in tools[1:] if not t.input_schema.get("required")]
        if simple:
            assert text_of(await client.call_tool(simple[0].name, {}))
        over = await client.call_tool("Done", {}) if "Done" in {t.name for t in tools} else None
        assert over is None or "over" in text_of(over)

    played(suite, do, seats={role: "person"})


def test_the_other_role_is_played_meanwhile() -> None:
    async def do(client: Client) -> None:
        for _ in range(3):
            assert not (await client.call_tool("Wait", {})).is_error

    games = played("partnr.val", do, seats={"human": "person", "robot": "expert"})
    (game,) = games.open.values()
    assert {entry.role for entry in game.session.transcript().entries} == {"human", "robot"}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Fly", {}),
        ("Pick", {}),
        ("Pick", {"object": 7}),
        ("Pick", {"object": "cup_0", "with": "care"}),
        ("Pick", {"object": ["cup_0"]}),
        ("Pick", {"object": "x" * 30_000}),
        ("Pick", {"object": {"a": {"b": {}}}}),
        ("../Pick", {"object": "\x1b[2J"}),
    ],
)
def test_what_makes_no_sense_is_refused_and_costs_nothing(
    name: str, arguments: dict[str, Any]
) -> None:
    async def do(client: Client) -> None:
        before = text_of(await client.call_tool("Observe", {}))
        result = await client.call_tool(name, arguments)
        assert result.is_error
        assert len(text_of(result)) < 2_000
        assert "\x1b" not in text_of(result)
        assert text_of(await client.call_tool("Observe", {})) == before

    played("partnr.val", do, settings=ALONE)


@pytest.mark.slow
def test_over_standard_input_and_output(tmp_path: Path) -> None:
    words = ["-m", "homebody", "serve", "partnr.val", "--mcp", "--set", "team=single"]
    words += ["--record", str(tmp_path)]
    server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def run() -> None:
        async with Client(server) as client:
            assert "You are the human" in text_of(await client.call_tool("Observe", {}))
            over = await client.call_tool("Done", {})
            assert "The task is not done." in text_of(over)
            assert "Not done:" in text_of(over)

    asyncio.run(run())
    assert list(tmp_path.glob("partnr.val/person_outputs.json"))


@pytest.mark.slow
def test_over_http_with_a_token_only() -> None:
    words = [sys.executable, "-m", "homebody", "serve", "house.bring", "--mcp", "--port", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            told = ""
            while "Bearer" not in told:
                line = process.stderr.readline()
                assert line, told
                told += line
            (url,) = re.findall(r"http://\S+/mcp", told)
            (token,) = re.findall(r"Bearer (\S+)", told)
            hello = {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "initialize",
                "params": {
                    "protocolVersion": "2025-03-26",
                    "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"},
                },
            }
            accepts = {"Accept": "application/json, text/event-stream"}
            right = {"Authorization": f"Bearer {token}", **accepts}
            assert httpx.post(url, json=hello, headers=right).status_code == 200
            for wrong in (
                accepts,
                {**accepts, "Authorization": "Bearer x"},
                {**right, "Authorization": f"Basic {token}"},
            ):
                assert httpx.post(url, json=hello, headers=wrong).status_code == 404
            foreign = {**right, "Origin": "http://evil.example"}
            assert httpx.post(url, json=hello, headers=foreign).status_code == 403
        finally:
            process.terminate()
            process.wait(10)
