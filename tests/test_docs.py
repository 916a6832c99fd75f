"""The documentation's Python runs, and prints what it says."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from homebody.suites.partnr.protocol import QUIRKS
from homebody.suites.partnr.settings import CHOICES
from places import DOCS

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"\A\s*\n((?:    .*\n?)+)")


@pytest.mark.usefixtures("eai_data")
def test_the_tutorial_prints_what_it_says() -> None:
    prints_what_it_says("tutorial-eai.md")


def test_the_page_on_partnr_prints_what_it_says() -> None:
    prints_what_it_says("partnr.md")


def test_the_page_on_partnr_lists_the_quirks() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", (DOCS / "partnr.md").read_text(), re.M)
    assert {name: (one, other) for name, one, other in rows if name in QUIRKS} == dict(QUIRKS)


def test_the_page_on_partnr_lists_the_settings() -> None:
    text = (DOCS / "partnr.md").read_text()
    for name, values in CHOICES.items():
        (row,) = re.findall(rf"^\| .*`{name}`.* \|$", text, re.M)
        assert all(f"`{value}`" in row for value in values), name


def prints_what_it_says(page: str) -> None:
    text = (DOCS / page).read_text()
    names: dict[str, object] = {}
    shown = 0
    for block in BLOCK.finditer(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[1], page, "exec"), names)  # noqa: S102 (our own)
        if printed.getvalue():
            expected = OUTPUT.match(text[block.end() :])
            assert expected is not None, block[1]
            lines = [line.removeprefix("    ") for line in expected[1].rstrip().splitlines()]
            assert printed.getvalue().rstrip().splitlines() == lines
            shown += 1
    assert shown >= 3
