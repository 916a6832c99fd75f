"""A person at the keyboard, whose lines are scripted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command import Homebody, caller
from homebody import evals
from homebody.cli.person import Person, require_person
from homebody.core import Action, HomebodyError
from homebody.core.play.conversation import Image, Tool
from homebody.core.play.turn_session import TurnSession
from homebody.suites import get_suite


class Doors:
    """A game of a hundred doors, of which one is right."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def do(self, action: Action) -> str:
        if action.name != "Open":
            raise HomebodyError("there is only opening")
        self.opened.append(action.args[0])
        return "it opens"

    def describe(self) -> str:
        return f"{len(self.opened)} doors are open.\x1b[2J"

    def options(self) -> list[Action]:
        return [Action("Open", (f"door_{number}",)) for number in range(100)]

    def tools(self) -> list[Tool]:
        return [Tool.of("Open", "open a door", "door")]

    def progress(self) -> float:
        return float("door_7" in self.opened)


@dataclass
class Typist:
    """What is typed, and what was told."""

    lines: list[str]
    told: list[str] = field(default_factory=list)

    def ask(self) -> str:
        return f"{self.lines.pop(0)}\n" if self.lines else ""

    @property
    def all(self) -> str:
        return "\n".join(self.told)


def session_of(**more: Any) -> TurnSession:
    return TurnSession("doors", "Find the way out.", Doors(), max_actions=5, **more)


def played(typist: Typist, path: Path, session: Any) -> Action:
    person = Person(path, typist.ask, typist.told.append)
    return person(session.observe(session.roles[0]))


@pytest.mark.parametrize(
    ("lines", "door"),
    [
        (["8"], "door_7"),
        (["DOOR_42", "43"], "door_42"),
        (["Open[door_3]"], "door_3"),
        (["0", "102", "-1", "٣", "", "?", "k", "walls", "Open[", "8"], "door_7"),
    ],
)
def test_what_is_typed_is_read_and_slips_cost_nothing(
    lines: list[str], door: str, tmp_path: Path
) -> None:
    session, typist = session_of(), Typist(lines)
    assert played(typist, tmp_path / "a.png", session) == Action("Open", (door,))
    assert session.clock == 0
    assert typist.lines == []


def test_a_person_is_told_what_a_model_is_told(tmp_path: Path) -> None:
    session, typist = session_of(), Typist(["1", "2", "door_99", "3"])
    person = Person(tmp_path / "a.png", typist.ask, typist.told.append)
    for _ in range(2):
        session.act("agent", person(session.observe("agent")))
    assert typist.all.count("Find the way out.") == 1
    assert "[40] Open[door_39]\nand 61 more" in typist.all
    assert "[41]" not in typist.all
    assert "- Open[door_0]: it opens\n1 doors are open." in typist.all
    assert "Actions left: 4." in typist.all
    person(session.observe("agent"))
    assert "[100] Open[door_99]" in typist.all
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", [["q"], ["Q "], []])
def test_q_or_the_end_of_input_stops(line: list[str], tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(Typist(line), tmp_path / "a.png", session_of())


def test_pictures_are_in_one_file_side_by_side(tmp_path: Path) -> None:
    pictures = pytest.importorskip("PIL.Image", reason="needs: pip install 'homebody[house]'")
    images = [
        Image(name, np.full((4, 6, 3), shade, np.uint8)) for name, shade in (("a", 9), ("b", 99))
    ]
    session, typist = session_of(images=lambda session: images), Typist(["1"])
    played(typist, tmp_path / "seen.png", session)
    with pictures.open(tmp_path / "seen.png") as seen:
        pixels = np.asarray(seen)
    assert pixels.shape == (4, 6 + 8 + 6, 3)
    assert (pixels[0, 5, 0], pixels[0, 10, 0], pixels[0, 14, 0]) == (9, 255, 99)
    assert "seen.png (a, b)" in typist.all
    assert [path.name for path in tmp_path.iterdir()] == ["seen.png"]


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[list[str]], None]]:
    """Lines are typed at a terminal."""

    class Terminal:
        def __init__(self, lines: list[str]) -> None:
            self.readline = Typist(lines).ask

        def isatty(self) -> bool:
            return True

    def typed(lines: list[str]) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal(lines))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    return typed


@pytest.fixture
def homebody(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Homebody:
    return caller(capsys, monkeypatch)


@pytest.mark.parametrize("suite", ["house.bring", "etplan.navigation"])
def test_a_run_that_was_stopped_goes_on(
    suite: str,
    at_terminal: Callable[[list[str]], None],
    homebody: Homebody,
    tmp_path: Path,
) -> None:
    words = ["run", suite, "--agent", "person", "--limit", "2", "--log-dir", tmp_path, "-f", "csv"]
    words += ["--workers", "2", "--epochs", "2"]
    at_terminal(["Done[]", "1", "q"])
    first = homebody(*words)
    assert first.code == 130
    assert "run the same command to resume" in first.err
    assert first.err.count("=== You are") == 2
    (journal,) = tmp_path.glob("*.jsonl")
    assert len(journal.read_text().splitlines()) == 2
    at_terminal(3 * ["Done[]"])
    second = homebody(*words)
    assert (second.code, second.err.count("=== You are")) == (0, 3)
    assert "person" in second.out


def test_without_a_terminal_a_person_is_refused(homebody: Homebody, tmp_path: Path) -> None:
    done = homebody("run", "house.bring", "-a", "person", "--log-dir", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "needs a terminal" in done.err
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_played_is_refused() -> None:
    with pytest.raises(HomebodyError, match="is not played"):
        require_person(get_suite("eai.virtualhome.goal_interpretation"))


def test_a_function_says_whether_it_goes_on(tmp_path: Path) -> None:
    def once(observation: Any) -> str:
        return "Done[]"

    for count in (1, 2):
        evals.run("house.bring", agent=once, limit=1, log_dir=tmp_path)
        assert len(list(tmp_path.glob("*.jsonl"))) == count
    once.can_resume = True  # type: ignore[attr-defined]
    for _ in range(2):
        result = evals.run("house.bring", agent=once, limit=1, log_dir=tmp_path, reuse=True)
        assert len(list(tmp_path.glob("*.jsonl"))) == 3
    assert result.reused
