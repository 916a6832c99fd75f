"""A small OpenAI-compatible server on loopback, and a guard against any other connection."""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest


@dataclass(frozen=True)
class Response:
    """What a server sends in place of an answer.

    Attributes:
        status: Of HTTP; 0 to cut the connection, -1 to send nothing until the server is stopped.
        body: As JSON, or bytes as they are.
        headers: Besides those that say what the body is.
    """

    status: int = 200
    body: Any = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


CUT: Final = Response(0)
SILENT: Final = Response(-1)


def refused(status: int, message: str, code: str | None = None, **headers: str) -> Response:
    """An error as OpenAI tells it."""
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return Response(status, {"error": error}, headers)


def completed(content: str | None, finish: str = "stop", **message: Any) -> Response:
    """An answer that says how it ended."""
    message = {"role": "assistant", "content": content, **message}
    return Response(200, completion([{"index": 0, "finish_reason": finish, "message": message}]))


def completion(choices: list[dict[str, Any]], model: str = "test-model") -> dict[str, Any]:
    """The body of a response."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": choices,
        "usage": {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3},
    }


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is nothing to print, least of all into what a command says."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class ModelServer:
    """Answers ``POST /v1/chat/completions`` with ``answer(prompt)``.

    Attributes:
        respond: If given, is asked first, with the body of a request; where it gives None, that is
            answered as always.
        answer: Prompt -> content; may block.
        converse: If given, is asked instead, with ``(role, text)`` of all messages.
        call: If given, is asked instead, with the body of a request: a text, and names and
            arguments of the tools that the model calls.
        any_path: Whether it answers whatever is asked; else it has chat completions only.
        fail: Statuses to answer the next requests with.
        requests: Bodies, in order of arrival.
    """

    def __init__(self) -> None:
        self.respond: Callable[[dict[str, Any]], Response | None] = lambda body: None
        self.answer: Callable[[str], str | None] = lambda prompt: "{}"
        self.converse: Callable[[list[tuple[str, str]]], str] | None = None
        self.call: Callable[[dict[str, Any]], tuple[str, list[tuple[str, str]]]] | None = None
        self.any_path = False
        self.fail: list[int] = []
        self.requests: list[dict[str, Any]] = []
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.http = _Server(("127.0.0.1", 0), self._handler())
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def service(self) -> str:
        return f"hb{self.http.server_port}"

    @property
    def model(self) -> str:
        return f"openai-api/{self.service}/test-model"

    @property
    def environment(self) -> dict[str, str]:
        return {
            f"{self.service.upper()}_API_KEY": "secret",
            f"{self.service.upper()}_BASE_URL": f"http://127.0.0.1:{self.http.server_port}/v1",
        }

    @property
    def prompts(self) -> list[str]:
        return [prompt_of(body) for body in self.requests]

    def content(self, body: dict[str, Any]) -> str | None:
        if self.converse is None:
            return self.answer(prompt_of(body))
        return self.converse([(one["role"], text_of(one)) for one in body["messages"]])

    def message(self, body: dict[str, Any]) -> dict[str, Any]:
        if self.call is None:
            return {"role": "assistant", "content": self.content(body)}
        content, calls = self.call(body)
        with self.lock:
            number = len(self.requests)
        made = [
            {
                "id": f"call_{number}_{at}",
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            }
            for at, (name, arguments) in enumerate(calls)
        ]
        return {"role": "assistant", "content": content, "tool_calls": made}

    def stop(self) -> None:
        self.stopped.set()
        self.http.shutdown()
        self.http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path != "/v1/chat/completions" and not server.any_path:
                    self.reply(refused(404, f"there is no {self.path} here"))
                    return
                with server.lock:
                    server.requests.append(body)
                    status = server.fail.pop(0) if server.fail else 200
                response = server.respond(body)
                if status != 200:
                    response = Response(status, {"error": {"message": "out of order"}})
                if response is None:
                    if self.path != "/v1/chat/completions":
                        body = {**body, "messages": [{"role": "user", "content": ""}]}
                    choice = {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": server.message(body),
                    }
                    response = Response(200, completion([choice], body["model"]))
                self.reply(response)

            def reply(self, response: Response) -> None:
                if response == SILENT:
                    server.stopped.wait()
                if response in (CUT, SILENT):
                    now = struct.pack("ii", 1, 0)
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
                    self.connection.close()
                    self.close_connection = True
                    return
                body = response.body
                content = body if isinstance(body, bytes) else json.dumps(body).encode()
                try:
                    self.send_response(response.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    for name, value in response.headers.items():
                        self.send_header(name.replace("_", "-"), value)
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    pass  # the client was killed

            def log_message(self, *args: object) -> None:
                pass

        return Handler


def prompt_of(body: dict[str, Any]) -> str:
    """What is asked, after the suite's system prompt if it has one and before pictures, if any."""
    *before, message = body["messages"]
    assert [*(m["role"] for m in before), message["role"]] in (["user"], ["system", "user"])
    content = message["content"]
    return content if isinstance(content, str) else str(content[0]["text"])


def text_of(message: dict[str, Any]) -> str:
    content = message["content"]
    return (
        content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    )


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    server = ModelServer()
    for key, value in server.environment.items():
        monkeypatch.setenv(key, value)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def inspect_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Inspect keeps traces and the samples that are not yet in a log."""
    return tmp_path_factory.mktemp("inspect")


@pytest.fixture(autouse=True)
def isolated(monkeypatch: pytest.MonkeyPatch, inspect_home: Path) -> Iterator[None]:
    """No connection but to loopback, nothing from the user's environment."""
    outside: list[object] = []
    connect, getaddrinfo = socket.socket.connect, socket.getaddrinfo

    def is_local(host: object) -> bool:
        return host in ("127.0.0.1", "::1", "localhost", None)

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != getattr(socket, "AF_UNIX", None) and not is_local(address[0]):
            outside.append(address)
            raise ConnectionRefusedError(f"the tests may not connect to {address}")
        connect(self, address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_local(host):
            outside.append(host)
            raise socket.gaierror(f"the tests may not look up {host}")
        return getaddrinfo(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
    monkeypatch.setenv("XDG_DATA_HOME", str(inspect_home))
    monkeypatch.setenv("NO_PROXY", "*")
    for name in list(os.environ):
        if name.startswith(("INSPECT_", "OPENAI_")):
            monkeypatch.delenv(name)
    yield
    assert outside == []
