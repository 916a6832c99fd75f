"""The base install works on any system: paths, processes, terminals, encodings, line ends, locks.

These tests need pytest and an installed homebody, and no other file of the checkout:

    python -m pytest --confcutdir=tests/smoke -m "" tests/smoke

With HOMEBODY_SMOKE_NETWORK=1 they also download EAI's data from the package index.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow  # CI runs them in a base install
SUITE = "house.bring"
NETWORK = os.environ.get("HOMEBODY_SMOKE_NETWORK") == "1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that needs quotes and an encoding; the cache is in it."""
    path = tmp_path / "a b" / "häuser, 家"
    path.mkdir(parents=True)
    monkeypatch.setenv("HOMEBODY_DATA", str(path / "dä ta"))
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    monkeypatch.chdir(path)
    return path


def homebody(
    *words: str | Path, code: int = 0, python: tuple[str, ...] = (), **environment: str
) -> str:
    """Run the command line without a terminal; return what it prints, decoded as it was encoded."""
    encoding = environment.setdefault("PYTHONIOENCODING", "utf-8")
    done = subprocess.run(
        [sys.executable, *python, "-m", "homebody", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **environment},
        timeout=300,
    )
    printed = done.stdout.decode(encoding)
    assert done.returncode == code, printed
    return printed


def run(out: str, *words: str, agent: str = "random", **environment: str) -> Path:
    """Run an agent on two tasks; return the folder of its results."""
    command = ("run", SUITE, "-a", agent, "--limit", "2", "--out", out, "--log-dir", f"lögs {out}")
    printed = homebody(*command, *words, **environment)
    assert re.search(rf"\b{agent}\b", printed), printed
    results = Path(out) / agent
    assert len(scores(results)) == 2
    return results


def test_the_installed_command_is_the_package() -> None:
    command = Path(sysconfig.get_path("scripts")) / "homebody"
    printed = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert printed.stdout == homebody("--version").replace("\r\n", "\n")
    assert SUITE in homebody("list")


@pytest.mark.usefixtures("folder")
def test_paths_may_have_spaces_and_any_letters() -> None:
    first = run("results ö", agent="expert")
    assert "expert" in homebody("results", "results ö")
    homebody("report", "results ö", "--log-dir", "lögs results ö", "-o", "ré port.html")
    assert "Put " in Path("ré port.html").read_text("utf-8")
    homebody("score", SUITE, Path("results ö", "expert_outputs.json"), "--out", "scored 家")
    assert scores(Path("scored 家", "expert")) == scores(first)
    before = (first / "samples.jsonl").read_bytes()
    run("results ö", agent="expert")  # again: nothing is left to do
    assert (first / "samples.jsonl").read_bytes() == before
    homebody("house", "new", "--seed", "3", "--rooms", "2", "-o", "haus ß.json")
    assert "bathroom" in homebody("house", "show", "haus ß.json")


def scores(results: Path) -> list[Any]:
    lines = (results / "samples.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 2
    return [(line["identifier"], line["success"], line["steps"]) for line in map(json.loads, lines)]


@pytest.mark.usefixtures("folder")
def test_fresh_processes_give_the_same_bytes_as_one() -> None:
    spawned = run("spawned", "--engine", "pool", "--workers", "2")
    alone = run("alone", "--engine", "serial")
    assert (spawned / "samples.jsonl").read_bytes() == (alone / "samples.jsonl").read_bytes()
    assert b"\r\n" not in (alone / "samples.jsonl").read_bytes()


def test_a_script_may_start_fresh_processes(folder: Path) -> None:
    script = folder / "my scrîpt.py"
    script.write_text(
        "import homebody as hb\n"
        "if __name__ == '__main__':\n"
        f"    print(hb.run({SUITE!r}, 'copycat', limit=2, engine='pool', workers=2).table())\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "copycat" in done.stdout.decode()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_console_without_the_letters_gets_others(encoding: str) -> None:
    run("results", PYTHONIOENCODING=encoding)
    Path("results").rename("家")
    assert r"\u5bb6" in homebody("results", "家", PYTHONIOENCODING=encoding)


@pytest.mark.usefixtures("folder")
def test_no_console_is_needed() -> None:
    code = "import sys; sys.stdin = sys.stdout = sys.stderr = None\n"
    code += "from homebody.cli import main; main()"
    command = ("run", SUITE, "-a", "idle", "--limit", "1", "--out", "silent", "--log-dir", "l")
    done = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert Path("silent", "idle", "summary.json").is_file()


@pytest.mark.usefixtures("folder")
def test_who_plays_in_a_terminal_needs_one() -> None:
    printed = homebody("run", SUITE, "-a", "person", "--limit", "1", "--log-dir", "l", code=2)
    assert len(printed.splitlines()) == 1
    assert "Traceback" not in printed


@pytest.mark.usefixtures("folder")
def test_files_may_have_the_line_ends_of_windows() -> None:
    made = run("results", agent="expert")
    outputs = Path("results", "expert_outputs.json")
    pretty = json.dumps(json.loads(outputs.read_text("utf-8")), indent=1)
    Path("crlf").mkdir()
    changed = Path("crlf", outputs.name)
    changed.write_bytes(pretty.replace("\n", "\r\n").encode())
    homebody("score", SUITE, changed, "--out", "scored")
    assert scores(Path("scored", "expert")) == scores(made)
    with gzip.open(
        str(resources.files("homebody.suites.partnr") / "data" / "val.jsonl.gz")
    ) as file:
        episodes = b"".join(file.readlines(20_000))
    Path("lf.jsonl").write_bytes(episodes)
    Path("crlf.jsonl").write_bytes(episodes.replace(b"\n", b"\r\n"))
    shown = homebody("partnr", "show", "lf.jsonl", "val-18-0")
    assert len(shown.splitlines()) > 5
    assert homebody("partnr", "show", "crlf.jsonl", "val-18-0") == shown


@pytest.mark.usefixtures("folder")
def test_no_file_is_read_or_written_in_the_encoding_of_the_system() -> None:
    python = ("-X", "warn_default_encoding", "-W", "always::EncodingWarning")
    for words in (
        ("run", SUITE, "-a", "random", "--limit", "1", "--out", "results", "--log-dir", "l"),
        ("results", "results"),
        ("report", "results"),
        ("score", SUITE, "results", "--out", "scored"),
        ("list", "partnr.val"),
        ("show", SUITE, "home-0-0"),
        ("house", "new", "-o", "house.json"),
        ("new-suite", "my.suite"),
    ):
        printed = homebody(*words, python=python)
        assert [line for line in printed.splitlines() if is_ours(line)] == []


def is_ours(warning: str) -> bool:
    place, found, _ = warning.partition(": EncodingWarning")
    return bool(found) and "homebody" in Path(place).parts


def test_what_recognises_a_warning_does() -> None:
    inside = os.path.join("lib", "homebody", "cli", "app.py")
    assert is_ours(f"{inside}:12: EncodingWarning: 'encoding' argument not specified")
    assert not is_ours(f"{os.path.join('lib', 'rich', 'app.py')}:12: EncodingWarning: ...")


@pytest.fixture
def holder(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has locked the file "lock"."""
    code = (
        "from pathlib import Path; from homebody.core.ground.files import lock_file\n"
        "with lock_file(Path('lock'), 'held'): print('held', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"held"
        yield process
        process.kill()


def test_a_lock_excludes_other_processes_until_its_own_is_killed(
    folder: Path, holder: subprocess.Popen[bytes]
) -> None:
    from homebody.core import HomebodyError
    from homebody.core.ground.files import lock_file

    with pytest.raises(HomebodyError, match="another"), lock_file(folder / "lock", "another"):
        pass
    holder.kill()
    holder.wait()
    with lock_file(folder / "lock", "another"):
        pass


@pytest.mark.skipif(not NETWORK, reason="HOMEBODY_SMOKE_NETWORK is not 1")
@pytest.mark.usefixtures("folder")
def test_published_data_is_downloaded_and_scored() -> None:
    suite = "eai.virtualhome.action_sequencing"
    homebody("run", suite, "-a", "oracle", "--limit", "3", "--out", "eai", "--log-dir", "l")
    assert scores_of_plans() == [1.0, 1.0, 1.0]


def scores_of_plans() -> list[float]:
    lines = Path("eai", "oracle", "samples.jsonl").read_text("utf-8").splitlines()
    return [float(json.loads(line)["success"]) for line in lines]
