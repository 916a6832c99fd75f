"""The version of the texts that models received in a run.

A new wording is a new task, so comparisons note runs with different versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from homebody.core.ground.escaping import escape

PROMPT_VERSION: Final = "prompt_version"
"""Key in ``run.json``, below ``run``, for runs of models and of functions."""
FIRST: Final = 1
"""Version of runs from before prompts had versions."""


def prompt_version_of(run: Mapping[str, Any]) -> int | None:
    """Return the prompt version of a run; None if no model was queried, or nothing is known.

    Args:
        run: The identity of the run, as in ``run.json``.
    """
    version = run.get(PROMPT_VERSION, FIRST if run.get("model") else None)
    return version if isinstance(version, int) else None


def prompt_versions_note(runs: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    """Return a sentence if named runs have different prompt versions; otherwise an empty text."""
    versions: dict[int, list[str]] = {}
    for name, run in runs:
        version = prompt_version_of(run)
        if version is not None:
            versions.setdefault(version, []).append(escape(name, 60))
    if len(versions) < 2:
        return ""
    listed = "; ".join(f"version {each}: {', '.join(versions[each])}" for each in sorted(versions))
    return f"these runs received differently worded prompts, so compare them with care: {listed}"
