"""`homebody play` as a process of its own, and small clients of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HOST_TOKEN = "the-token-of-the-host"
_LINK = re.compile(r"^(.+): http://(127\.0\.0\.1:\d+)/#(\S+)$", re.MULTILINE)


class Running:
    """A server that is running."""

    def __init__(self, process: subprocess.Popen[str], output: str) -> None:
        self.process = process
        links = {name: (at, token) for name, at, token in _LINK.findall(output)}
        self.tokens = {name: token for name, (_, token) in links.items()}
        self.address = next(at for at, _ in links.values())

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def ask(self, path: str, token: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        request = urllib.request.Request(
            f"http://{self.address}/api/v1{path}",
            None if body is None else json.dumps(body).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def running(folder: Path, *arguments: str, port: int = 0) -> Iterator[Running]:
    """``homebody play ARGUMENTS``, or ``study serve`` if they begin so, until the block ends."""
    command = [sys.executable, "-m", "homebody", *arguments]
    if arguments[0] != "study":
        command = [*command[:3], "play", *arguments, "--host-token", HOST_TOKEN]
    command += ["--record", str(folder), "--port", str(port)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ
    )
    assert process.stdout is not None
    try:
        output = ""
        for line in process.stdout:
            output += line
            if "Ctrl-C" in line:
                break
        else:
            raise AssertionError(output)
        yield Running(process, output)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        process.stdout.close()


def wait_until(true: Any, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it has not come about"
        time.sleep(0.02)
