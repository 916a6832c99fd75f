"""Descriptions of things by what they are for: "something to cut bread with".

They are read from ``functions.toml``; comments at its top describe the entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

SOMETHING: Final = "something to "
"""First words of a description by purpose."""


@cache
def functions() -> Mapping[str, frozenset[str]]:
    """Return word for a purpose, such as ``to_cut_bread_with`` -> the categories that serve it.

    :meth:`.names.Lexicon.noun` turns a word into "something to cut bread with"."""
    text = (resources.files("homebody.authoring.language") / "functions.toml").read_text("utf-8")
    return {
        f"to_{purpose.replace(' ', '_')}": frozenset(categories)
        for purpose, categories in tomllib.loads(text).items()
    }
