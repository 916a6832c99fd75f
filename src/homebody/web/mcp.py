"""A role as a server of the Model Context Protocol, for any agent framework.

Tools are the role's actions and ``Observe``. A tool's result is sent when the role can act again:
the feedback, other events that the role saw, and changes of its knowledge. Resources are the task,
the role's knowledge, its view and, in worlds with geometry, the scene. Results have pictures if
models receive pictures in this task.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hmac
import io
import json
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mcp import types
from mcp.server.lowlevel import Server

from homebody.core import HomebodyError
from homebody.core.play.conversation import ToolCall
from homebody.core.play.session import DONE
from homebody.web.access import RefusedError, new_token
from homebody.web.connection_limits import listen, make_server
from homebody.web.game_setup import Setup
from homebody.web.game_thread import Stage
from homebody.web.hosted_game import HostedGame
from homebody.web.pacing import PACE
from homebody.web.registry import Games

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

OBSERVE: Final = "Observe"
"""The tool that returns everything the role knows; it takes no time."""
WAIT: Final = 120.0
"""Maximum seconds that a result waits until the role can act again."""
TASK, KNOWLEDGE, SCENE = "homebody://task", "homebody://knowledge", "homebody://scene"
PICTURE: Final = "homebody://picture/"
MAX_ARGUMENTS: Final = 20_000
"""Maximum characters of the arguments of a call, as JSON."""


class McpSeat:
    """The role of a token, for clients of the protocol.

    Args:
        stage: Plays the game.
        token: Token of the role.
    """

    def __init__(self, stage: Stage, token: str) -> None:
        self._stage, self._token = stage, token

    def server(self, name: str) -> Server[Any]:
        """Return the server, to be run on some transport."""

        async def list_tools(_: Any, params: Any) -> types.ListToolsResult:
            return types.ListToolsResult(tools=await self.tools())

        async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
            return await self.call(params.name, params.arguments or {})

        async def list_resources(_: Any, params: Any) -> types.ListResourcesResult:
            return types.ListResourcesResult(resources=await self.resources())

        async def read_resource(
            _: Any, params: types.ReadResourceRequestParams
        ) -> types.ReadResourceResult:
            return types.ReadResourceResult(contents=[await self.read(params.uri)])

        return Server(
            name,
            instructions=(
                f"You act in a home. Call {OBSERVE} first: it has your task and what you know."
                " Every other tool is an action of yours; its result is the feedback."
                f" Call {DONE.name} when your part is over."
            ),
            on_list_tools=list_tools,
            on_call_tool=call_tool,
            on_list_resources=list_resources,
            on_read_resource=read_resource,
        )

    async def tools(self) -> list[types.Tool]:
        """Return the tools of the role."""
        seat = await self._seat()
        nothing = {"type": "object", "properties": {}, "additionalProperties": False}
        return [
            types.Tool(
                name=OBSERVE,
                description="return the task and everything you know; takes no time",
                input_schema=nothing,
            ),
            *(
                types.Tool(
                    name=tool["name"],
                    description=tool["description"],
                    input_schema=dict(tool["parameters"]),
                )
                for tool in seat["tools"]
            ),
        ]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Run a tool; return its result when the role can act again."""
        try:
            if name == OBSERVE:
                seat = await self._seat()
                parts = [_task(seat), seat["text"], _actions_left_text(seat)]
            else:
                parts = await self._act(name, arguments)
                seat = await self._seat()
            content: list[types.ContentBlock] = [_text(*parts), *await self._encode_images(seat)]
            return types.CallToolResult(content=content)
        except HomebodyError as error:
            return types.CallToolResult(content=[_text(error.advice)], is_error=True)
        except RefusedError as refused:
            why = f"{refused}; {refused.advice}" if refused.advice else str(refused)
            return types.CallToolResult(content=[_text(why)], is_error=True)

    async def resources(self) -> list[types.Resource]:
        """Return the list of resources."""
        seat = await self._seat()
        pictures = await self._play(_pictures)
        found = [
            types.Resource(uri=TASK, name="task", mime_type="text/plain"),
            types.Resource(uri=KNOWLEDGE, name="everything you know", mime_type="text/plain"),
        ]
        if seat["scene"]:
            found.append(types.Resource(uri=SCENE, name="the plan as you know it", mime_type=_JSON))
        found += [
            types.Resource(uri=f"{PICTURE}{at}", name="what you see", mime_type=_PNG)
            for at in range(len(pictures))
        ]
        return found

    async def read(self, uri: str) -> types.TextResourceContents | types.BlobResourceContents:
        """Return a resource; raise ValueError if it does not exist."""
        seat = await self._seat()
        if uri == TASK:
            return types.TextResourceContents(uri=uri, mime_type="text/plain", text=_task(seat))
        if uri == KNOWLEDGE:
            return types.TextResourceContents(uri=uri, mime_type="text/plain", text=seat["text"])
        if uri == SCENE and seat["scene"]:
            scene = await self._play(lambda game, role: game.scene(role))
            return types.TextResourceContents(uri=uri, mime_type=_JSON, text=json.dumps(scene))
        number = uri.removeprefix(PICTURE)
        if uri.startswith(PICTURE) and number.isascii() and number.isdigit():
            pictures = await self._play(_pictures)
            at = int(number[:4])
            if at < len(pictures):
                blob = base64.b64encode(pictures[at]).decode()
                return types.BlobResourceContents(uri=uri, mime_type=_PNG, blob=blob)
        raise ValueError(f"unknown resource: {uri[:80]!r}")

    # -- private -------------------------------------------------------------------------------

    async def _act(self, name: str, arguments: Mapping[str, Any]) -> list[str]:
        """Act, wait until the role can act again, and return the events."""
        if len(json.dumps(arguments, default=str)) > MAX_ARGUMENTS:
            raise HomebodyError(f"arguments have at most {MAX_ARGUMENTS:,} characters")
        call, identifier = ToolCall(name[:80], arguments), uuid.uuid4().hex
        session, reply = await self._in_game(lambda game, role: game.act(role, call, identifier))
        with self._stage.watching(session) as happened:
            try:
                async with asyncio.timeout(WAIT):
                    while True:
                        happened.clear()
                        seat = await self._seat()
                        if seat["ready"] or seat["ending"] is not None:
                            break
                        await happened.wait()
            except TimeoutError:
                seat = await self._seat()
        events = [reply["event"]] if reply["event"] else []
        events += [event for event in seat["news"] if event not in events]
        parts = [_event_line(event, seat["role"]) for event in events]
        if seat["ending"] is None:
            return [*parts, seat["learnt"], _actions_left_text(seat)]
        result = await self._play(lambda game, role: game.result())
        won = "done" if result["success"] else "not done"
        return [*parts, f"It is over: {seat['ending']}. The task is {won}.", *result["explanation"]]

    async def _encode_images(self, seat: Mapping[str, Any]) -> list[types.ImageContent]:
        """Return the pictures that models receive."""
        images = []
        for at in range(len(seat["images"])):
            seen = await self._play(lambda game, role, at=at: game.image(role, at))  # type: ignore[misc]
            if seen is not None:
                text = base64.b64encode(await asyncio.to_thread(seen.png, fast=True)).decode()
                images.append(types.ImageContent(type="image", data=text, mime_type=_PNG))
        return images

    async def _seat(self) -> dict[str, Any]:
        seat: dict[str, Any] = await self._play(lambda game, role: game.seat(role))
        return seat

    async def _play(self, do: Callable[[HostedGame, str], Any]) -> Any:
        return (await self._in_game(do))[1]

    async def _in_game(self, do: Callable[[HostedGame, str], Any]) -> tuple[str, Any]:
        done = await self._stage.play(self._token, do)
        if done is None:
            raise HomebodyError("the game does not exist any more")
        return done


_JSON: Final = "application/json"
_PNG: Final = "image/png"


def _pictures(game: HostedGame, role: str) -> Sequence[bytes]:
    """Return the pictures of a role's view as PNG files; none in worlds without pictures."""
    try:
        return [image.png(fast=True) for image in game.session.observe(role).images]
    except HomebodyError:
        return ()


def _text(*parts: str) -> types.TextContent:
    return types.TextContent(type="text", text="\n".join(part for part in parts if part))


def _task(seat: Mapping[str, Any]) -> str:
    return f"You are the {seat['role']}. {seat['instruction']}"


def _actions_left_text(seat: Mapping[str, Any]) -> str:
    if seat["ending"] is not None:
        return f"It is over: {seat['ending']}."
    return "" if seat["left"] is None else f"You may act {seat['left']} more times."


def _event_line(event: Mapping[str, Any], role: str) -> str:
    """Return an event as a line for a role."""
    who = "" if event["role"] == role else f"{event['role']}: "
    how = "" if event["ok"] else " failed"
    return f"{who}{event['call']}{how}: {event['message']}"


# -- serving ---------------------------------------------------------------------------------------


async def serve_stdio(seat: McpSeat, name: str) -> None:
    """Serve on standard input and output until the client has gone."""
    from mcp.server.stdio import stdio_server

    server = seat.server(name)
    async with stdio_server() as (reading, writing):
        # what libraries print would reach the client
        with contextlib.redirect_stdout(io.StringIO()):
            await server.run(reading, writing, server.create_initialization_options())


def http_app(seat: McpSeat, name: str, token: str) -> ASGIApp:
    """Return the server at ``/mcp`` for holders of a token (``Authorization: Bearer``).

    Requests are refused unless they use a local name of this machine.
    """
    app = seat.server(name).streamable_http_app()
    wanted = f"Bearer {token}".encode()

    async def check_token(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(given, wanted):
                await send({"type": "http.response.start", "status": 404, "headers": []})
                await send({"type": "http.response.body", "body": b""})
                return
        await app(scope, receive, send)

    return check_token


async def _run_seat(games: Games, token: str, run: Callable[[McpSeat], Awaitable[None]]) -> None:
    stage = Stage(games)
    house_keeping = asyncio.create_task(stage.tidy_periodically())
    try:
        await run(McpSeat(stage, token))
    finally:
        house_keeping.cancel()
        await stage.close()


def serve(
    setup: Setup, record: Path | None, port: int | None, tell: Callable[[str], object]
) -> None:
    """Serve a new game until the client has gone or until interrupted.

    Args:
        setup: The task and the players. Exactly one player is a person: the client.
        record: Folder for the game and its output; None stores nothing.
        port: Port for HTTP on loopback, 0 for a free one; None for standard input and output.
        tell: Called with the address and the token of HTTP.

    Raises:
        HomebodyError: The suite or task does not exist, the setup is invalid, or the port is taken.
    """
    games = Games(record, (setup.suite,), PACE)
    _, tokens = games.create(setup)
    (token,) = tokens.values()
    name = f"homebody {setup.suite}"
    if port is None:
        asyncio.run(_run_seat(games, token, lambda seat: serve_stdio(seat, name)))
        return
    own = new_token()
    with listen("127.0.0.1", port) as sock:
        tell(f"http://127.0.0.1:{sock.getsockname()[1]}/mcp with the header")
        tell(f"Authorization: Bearer {own}")

        async def run(seat: McpSeat) -> None:
            await make_server(http_app(seat, name, own)).serve(sockets=[sock])

        asyncio.run(_run_seat(games, token, run))
