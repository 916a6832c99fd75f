"""The README as package indexes show it, where relative links lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?\[[^\]]*\])\((?!https?:|#)([^)\s]+)\)")


class Readme(MetadataHookInterface):
    """The hook that sets the field `readme`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Read README.md; once `project.urls` names the source, make its links absolute."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        source = metadata.get("urls", {}).get("Source")
        if source:
            text = make_absolute(text, source, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def make_absolute(text: str, source: str, tag: str) -> str:
    """Return a text whose relative links and images lead to a tag of the source."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1].startswith("!") else "blob"
        return f"{link[1]}({source.rstrip('/')}/{kind}/{tag}/{link[2]})"

    return RELATIVE.sub(absolute, text)
