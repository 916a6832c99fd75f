"""What tasks are said in: the data of ``phrases.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def phrases() -> dict[str, Any]:
    """Kind of task -> sentences; ``fills``: container -> classes of what is put into it."""
    text = (resources.files("homebody.authoring.etplan") / "phrases.toml").read_text("utf-8")
    return tomllib.loads(text)
