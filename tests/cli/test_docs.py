"""`homebody docs` opens the site of an installed homebody, or reports that it is not installed."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from command import Homebody
from homebody.cli import docs


def test_the_site_is_opened(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(docs, "SITE", tmp_path / "site")
    missing = homebody("docs")
    assert missing.code == 2
    assert "mkdocs serve" in missing.err
    assert opened == []
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("<h1>homebody</h1>")
    assert homebody("docs").out.strip() == (tmp_path / "site/index.html").as_uri()
    assert len(opened) == 1
