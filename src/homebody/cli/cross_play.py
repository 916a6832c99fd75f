"""Agents and models beside each of several partners (`homebody run --partners`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import CORRECTED, HomebodyError, Reporting, Suite

ALL: Final = "all"


def read_partners(suite: Suite[Any], named: str) -> Sequence[Mapping[str, str]]:
    """Return the settings of each partner: it plays the last role.

    Args:
        suite: The suite.
        named: ``all``, or names of policies with commas between them.

    Raises:
        HomebodyError: the suite has no partners, or none of such a name.
    """
    playing = suite.playing
    if playing is None or not playing.partners:
        raise HomebodyError(f"{suite.name} has no partners", "omit --partners")
    role = playing.roles[-1]
    known = [name for name in playing.settings[role] if name in playing.policies]
    names = list(dict.fromkeys(name.strip() for name in named.split(",")))
    for name in names:
        if name not in (ALL, *known):
            raise HomebodyError(
                f"{suite.name} has no partner {name[:80]!r}",
                f"use {ALL}, or some of: {','.join(known)}",
            )
    chosen = playing.partners if ALL in names else ()
    return [{role: name} for name in dict.fromkeys((*chosen, *names)) if name != ALL]


def check_seats(suite: Suite[Any], settings: Mapping[str, str]) -> None:
    """Raise HomebodyError if nobody plays beside a partner, or the settings name its player."""
    playing = suite.playing
    assert playing is not None
    role = playing.roles[-1]
    if role in settings:
        raise HomebodyError(
            f"--partners and --set {role}={settings[role][:80]} both say who plays the {role}",
            "give one of them",
        )
    first = suite.tasks.load(CORRECTED)[0]
    if len(playing.start(first, playing.drop_defaults(settings), 0, CORRECTED).roles) < 2:
        raise HomebodyError("in these settings nobody plays beside a partner", "omit --partners")


def cross_play_suite(suite: Suite[Any]) -> Suite[Any]:
    """Return the suite with the columns of a cross-play table."""
    reporting = Reporting(measures=suite.reporting.cross_play, counts_labels=False)
    return replace(suite, reporting=reporting)
