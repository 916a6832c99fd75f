"""Tables on a terminal: every width shows all numbers, and no name steers it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from homebody.core import CORRECTED, Suite
from homebody.results.rows import Row
from homebody.results.terminal import print_table

BuildRow = Callable[..., Row]
HOSTILE = "\x1b]0;t\x07 \u202e a\nb | `c` <script>x</script> ![](http://x) \udcff"


def printed(
    rows: list[Row],
    suite: Suite[str],
    width: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> list[str]:
    """The lines of a table on a terminal of this width."""
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(rows, suite, CORRECTED)
    return capsys.readouterr().out.splitlines()


def words_of(lines: list[str]) -> list[list[str]]:
    return [line.split() for line in lines]


def test_a_wide_terminal_shows_a_line_per_model(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("one", "yes", "no!", "yes", "no"), row("two", "yes", "yes", "yes", "yes")]
    lines = words_of(printed(rows, suite, 120, capsys, monkeypatch))
    assert lines[0] == ["toy.world.quiz,", "in", "%,", "corrected", "protocol"]
    assert ["Model", "Tasks", "answers", "Wrong", "Slips"] in lines  # "Right" is above
    assert ["one", "4", "50.0", "50.0", "1"] in lines
    assert ["±28.9", "±28.9"] in lines
    assert ["two", "4", "100.0", "0.0", "0"] in lines


def test_a_narrow_terminal_shows_a_line_per_number(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("one", "yes", "no!", "yes", "no"), row("two", "yes", "yes", "yes", "yes")]
    lines = words_of(printed(rows, suite, 38, capsys, monkeypatch))
    assert ["one", "two"] in lines
    assert ["Tasks", "4", "4"] in lines
    assert ["Right", "answers", "50.0", "±", "28.9", "100.0"] in lines
    assert ["Wrong", "50.0", "±", "28.9", "0.0"] in lines
    assert ["Slips", "1", "0"] in lines


@pytest.mark.parametrize("width", range(26, 60))
def test_no_number_is_cut_at_any_width(
    width: int,
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [row("model", "yes", "no!", "no", "no")]
    lines = printed(rows, suite, width, capsys, monkeypatch)
    assert all(len(line) <= width for line in lines[1:])
    seen = " ".join(lines).split()
    assert {"model", "25.0", "75.0", "Tasks", "answers", "Wrong", "Slips"} <= set(seen)


@pytest.mark.parametrize("width", [40, 120])
@pytest.mark.parametrize("name", ["m[red]x", "m[/b]x"])
def test_brackets_in_a_name_are_shown_as_they_are(
    name: str,
    width: int,
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = printed([row(name, "yes")], suite, width, capsys, monkeypatch)
    assert any(name in line.split() for line in lines)


def test_a_hostile_name_on_a_terminal(
    row: BuildRow,
    suite: Suite[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for width in (40, 200):
        text = "\n".join(printed([row(HOSTILE, "yes")], suite, width, capsys, monkeypatch))
        assert not set(text) & set("\x1b\x07\u202e\udcff")
        assert r"\x1b]0;t" in text
