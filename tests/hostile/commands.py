"""Commands as targets, in this process: an exit code, and lines that can be shown to people."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from random import Random
from unittest.mock import patch

from homebody import cli
from homebody.results.outputs import SUFFIX
from hostile.files import CRAFTED_OUTPUTS, SUITE, valid_outputs
from hostile.houses import small_houses
from hostile.readers import as_bytes, folder
from hostile.target import Broken, Input, Prepared, Target

MAX_PRINTED = 20_000
"""Maximum number of characters that a command prints of a small file or about its faults."""


def command_targets() -> Iterator[Target]:
    """A target for each command."""
    yield Target("command score", _score)
    yield Target("command house show", _house_show)


def _score() -> Prepared:
    """``homebody score FILE --out FOLDER``, in any format; what it writes can be read."""
    path, out = folder() / f"model{SUFFIX}", folder() / "scored"

    def judge(given: Input, which: int, random: Random) -> bytes:
        assert isinstance(given, bytes)
        path.write_bytes(given)
        for result in out.rglob("*.json*"):
            result.unlink()
        form = random.choice(("table", "json", "csv", "markdown"))
        code, printed = called("score", SUITE, str(path), "--out", str(out), "-f", form)
        if code < 2:
            json.loads((out / "model" / "summary.json").read_text())
            for line in (out / "model" / "samples.jsonl").read_text().splitlines():
                json.loads(line)
        return as_bytes(printed.replace(str(path.parent), ""))  # each process has its own

    return Prepared(valid_outputs(), judge, [(given, None) for given in CRAFTED_OUTPUTS])


def _house_show() -> Prepared:
    path = folder() / "house.json"

    def judge(given: Input, which: int, random: Random) -> bytes:
        assert isinstance(given, bytes)
        path.write_bytes(given)
        return as_bytes(called("house", "show", str(path))[1].replace(str(path.parent), ""))

    return Prepared(small_houses(), judge)


def called(*words: str) -> tuple[int, str]:
    """A command's exit code, and all that it prints. Raises Broken if that steers a terminal, is a
    book, or the code is none of a command's."""
    text, code = io.StringIO(), 0
    with (
        patch.object(sys, "argv", ["homebody", *words]),
        contextlib.redirect_stdout(text),
        contextlib.redirect_stderr(text),
    ):
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
    printed = text.getvalue()
    if code not in (0, 1, 2):
        raise Broken(f"the exit code is {code}")
    if len(printed) > MAX_PRINTED:
        raise Broken(f"it prints {len(printed)} characters")
    strange = [letter for letter in printed if not letter.isprintable() and letter not in "\n\t"]
    if strange:
        raise Broken(f"it prints {strange[:5]!r}")
    return code, printed
