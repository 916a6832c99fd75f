"""The Python of docs/house.md runs and prints what the page says.

When the generator has changed on purpose, ``python tests/worlds/house/test_page.py`` writes what
is printed now into the page.
"""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from places import DOCS

PAGE = DOCS / "house.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n((?: {4}[^\n]*\n)+))?", re.DOTALL | re.MULTILINE)


def printed(page: str) -> str:
    """The page, with what its examples print now."""
    names: dict[str, object] = {}

    def run(block: re.Match[str]) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block[1], PAGE.name, "exec"), names)  # noqa: S102 (our own)
        lines = "".join(f"    {line}\n" for line in out.getvalue().splitlines())
        return f"```python\n{block[1]}```\n" + (f"\n{lines}" if lines else "")

    return BLOCK.sub(run, page)


def test_examples_print_what_they_say() -> None:
    pytest.importorskip("embreex")
    pytest.importorskip("gymnasium")
    page = PAGE.read_text()
    assert len(BLOCK.findall(page)) >= 6
    assert printed(page) == page


if __name__ == "__main__":
    PAGE.write_text(printed(PAGE.read_text()))
