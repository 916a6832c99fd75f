"""The documentation's Python runs, and prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"\A\s*\n((?:    .*\n?)+)")


@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("page", ["tutorial-eai.md"])
def test_examples_print_what_they_say(page: str) -> None:
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
