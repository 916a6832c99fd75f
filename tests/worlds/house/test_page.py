"""The Python of the pages on houses runs and prints what they say.

When the generator has changed on purpose, ``python tests/worlds/house/test_page.py`` writes what
is printed now into the pages.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from places import DOCS

PAGES = {
    DOCS / "reference/houses/index.md": 5,
    DOCS / "reference/houses/agents.md": 5,
    DOCS / "reference/houses/catalogue.md": 2,
    DOCS / "guides/other-simulators.md": 2,
    DOCS / "reference/houses/pictures.md": 1,
}
"""And how many examples each has at least."""
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n((?: {4}[^\n]*\n)+))?", re.DOTALL | re.MULTILINE)


def printed(page: str) -> str:
    """The page, with what its examples print now."""
    names: dict[str, object] = {}

    def run(block: re.Match[str]) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block[1], "page", "exec"), names)  # noqa: S102 (our own)
        lines = "".join(f"    {line}\n" for line in out.getvalue().splitlines())
        return f"```python\n{block[1]}```\n" + (f"\n{lines}" if lines else "")

    return BLOCK.sub(run, page)


@pytest.mark.sampled
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_examples_print_what_they_say(path: Path) -> None:
    pytest.importorskip("embreex")
    pytest.importorskip("gymnasium")
    page = path.read_text()
    assert len(BLOCK.findall(page)) >= PAGES[path]
    assert printed(page) == page


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(printed(path.read_text()))
