"""Nothing is printed but through the door, and nothing that passes it steers a terminal."""

from __future__ import annotations

import ast
import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import homebody
from homebody.cli.app import progress
from homebody.cli.printing import escape_output, note, remark_text, say, say_text
from homebody.core import HomebodyError

ROOT = Path(homebody.__file__).parent
DOOR = "cli/printing.py"
TABLES = {"results/terminal.py", "results/results.py"}
"""They print with rich, which colours; the cells are made safe there."""
PIPE = "core/play/conformance/fresh_process.py"
"""It writes JSON to the process that started it, which shows it to nobody."""


def prints(tree: ast.AST) -> set[int]:
    """The lines where something is printed, or a stream that could be."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id="print") | ast.Attribute(attr="echo" | "secho"):
                found.add(node.lineno)
            case ast.Attribute(value=ast.Name(id="sys"), attr="stderr" | "__stdout__"):
                found.add(node.lineno)
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id="sys")), attr="write"):
                found.add(node.lineno)
            case ast.Attribute(value=ast.Name(id="console"), attr="print" | "out" | "log"):
                found.add(node.lineno)
    return found


@pytest.mark.slow
def test_nothing_is_printed_around_the_door() -> None:
    around = {
        f"{name}:{line}"
        for path in ROOT.rglob("*.py")
        if (name := path.relative_to(ROOT).as_posix()) not in {DOOR, PIPE, *TABLES}
        for line in prints(ast.parse(path.read_text()))
    }
    assert not around
    assert prints(ast.parse((ROOT / DOOR).read_text()))


def test_what_is_said_is_safe(capsys: pytest.CaptureFixture[str]) -> None:
    say("a\nb\x1b[31m", 7)
    say_text("a\n\tb\x1b[31m\rc")
    assert capsys.readouterr().out == "a\\nb\\x1b[31m\n7\na\n\tb\\x1b[31m\\rc\n"
    note("a\n  b\x1b[31m")
    remark_text("a\nb\x07")
    assert capsys.readouterr().err == "note: a b\\x1b[31m\na\nb\\x07\n"


def test_a_remark_has_an_end(capsys: pytest.CaptureFixture[str]) -> None:
    note("x" * 1_000_000)
    assert len(capsys.readouterr().err) < 5_000


def test_an_errors_words_are_safe_and_have_an_end() -> None:
    error = HomebodyError("there is no\n" + "\x1b[31m" * 1_000_000, "\u202esee" * 1_000_000)
    assert str(error).startswith("there is no\n\\x1b[31m\\x1b")
    assert error.hint.startswith("\\u202esee")
    assert len(error.advice) < 5_000


def test_what_the_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    escape_output()
    say("Küche ± 厨")
    sys.stdout.flush()
    assert written.getvalue() == b"K\\xfcche \\xb1 \\u53a8\n"


BAR = r"""
from homebody.cli.app import progress
from homebody.cli.printing import note
with progress() as report:
    report("running [red]\x1b]0;title\x07", 1, 4)
    note("asked again in 30 s [red] \x1b]0;title\x07")
    report("running [red]\x1b]0;title\x07", 2, 4)
"""


def test_a_note_stands_above_the_bar_and_neither_steers_the_terminal() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen([sys.executable, "-c", BAR], stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    while True:
        try:
            seen += os.read(ours, 1 << 16)
        except OSError:  # that is how a pseudo-terminal ends
            break
    os.close(ours)
    assert process.wait() == 0
    assert rb"\x1b]0;title\x07" in seen
    assert b"\x1b]0;" not in seen
    assert b"\x07" not in seen
    (line,) = (line for line in seen.split(b"\n") if b"note: " in line)
    assert line.split(b"note: ")[1].strip() == rb"asked again in 30 s [red] \x1b]0;title\x07"
    assert rb"running [red]\x1b]0;title\x07" in seen


def test_a_note_is_a_plain_line_where_there_is_no_terminal() -> None:
    done = subprocess.run([sys.executable, "-c", BAR], capture_output=True, text=True, check=True)
    assert done.stderr == "note: asked again in 30 s [red] \\x1b]0;title\\x07\n"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("redirected", "code", "out"),
    [
        ("list >&-", 0, ""),
        ("list nope 2>&-", 2, ""),
        ("list nope 2>/dev/full", 2, ""),
        ("list nope <&-", 2, "homebody: unknown suite"),
    ],
)
def test_an_output_that_cannot_be_written_changes_no_exit_code(
    redirected: str, code: int, out: str
) -> None:
    if "/dev/full" in redirected and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    command = f"{sys.executable} -m homebody {redirected}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr[: len(out)]) == (code, out)


def test_without_a_terminal_there_is_a_line_every_thirty_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 0.0, 10.0, 40.0, 50.0, 75.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with progress("house.bring") as report:
        for done in (0, 10, 40, 50, 60):
            report("running", done, 100)
    assert capsys.readouterr().err.splitlines() == [
        "house.bring: running: 40 of 100, 1.0/s, 0:01:00 left",
        "house.bring: running: 60 of 100, 48.0/min, 0:00:50 left",
    ]
