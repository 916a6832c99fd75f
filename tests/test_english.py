"""Pages, docstrings and help texts have none of the words that docs/project/developing.md lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from places import DOCS, ROOT

PAGES = sorted({ROOT / "README.md", *DOCS.rglob("*.md")})
MODULES = sorted((ROOT / "src").rglob("*.py"))
QUESTION = re.compile(r"(What|Whether|How|Where|Who|Whose|Which|When|Why)\b")
CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]*`|^    [^\n]*$|\bNone\b", re.DOTALL | re.MULTILINE)


@cache
def replaced() -> re.Pattern[str]:
    """Return a pattern of all replaced words."""
    section = (DOCS / "project/developing.md").read_text().partition("\n## Words\n")[2]
    words = re.findall(r"`([^`\n]+)`", section.partition("\n## ")[0])
    words = [r"\s+".join(map(re.escape, word.split())) for word in words]
    return re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)


def find_replaced(text: str) -> list[str]:
    """Return the replaced words in a text, without its code."""
    return [match[0] for match in replaced().finditer(CODE.sub("", text))]


def documented(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the place and text of each docstring, attribute docstring and help text of a module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Expr | ast.keyword):
            text = node.value
            is_help = isinstance(node, ast.Expr) or node.arg == "help"
            if is_help and isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield f"{path.relative_to(ROOT)}:{node.value.lineno}", " ".join(text.value.split())


def test_the_replaced_words_are_read() -> None:
    assert find_replaced("    it is told\n\nand is told") == ["is told"]  # only code is left out
    assert find_replaced("It hangs\non `x goes on` a thing; is TOLD so.") == [
        "hangs\non",
        "is TOLD",
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_use_no_replaced_word(page: Path) -> None:
    assert find_replaced(page.read_text()) == []


def test_docstrings_and_help_texts_use_no_replaced_word() -> None:
    found = {
        place: words
        for path in MODULES
        for place, text in documented(path)
        if (words := find_replaced(text))
    }
    assert found == {}


def test_docstrings_begin_with_a_verb_or_a_noun_phrase() -> None:
    found = {
        place: text for path in MODULES for place, text in documented(path) if QUESTION.match(text)
    }
    assert found == {}
