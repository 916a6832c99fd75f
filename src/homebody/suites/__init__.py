"""The registry of suites, by name.

A package offers a suite with an entry point, as homebody does::

    [project.entry-points."homebody.suites"]
    "pantry.put_away" = "pantry:SUITE"

:func:`register_suite` adds a suite until the process ends. A suite's module is imported when the
suite is requested, so a broken suite only affects its own users."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.core import Suite

GROUP = "homebody.suites"
"""The group of entry points."""
_PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"
_REGISTERED: dict[str, Suite[Any]] = {}


def list_suites() -> tuple[str, ...]:
    """Return the names of all suites in order, without importing any."""
    return tuple(sorted({*_REGISTERED, *(point.name for point in list_entry_points())}))


def list_registered() -> tuple[str, ...]:
    """Return the names of the suites added with :func:`register_suite`."""
    return tuple(_REGISTERED)


def get_suite(name: str | Suite[Any]) -> Suite[Any]:
    """Return a suite by its name. A suite object is returned unchanged.

    Raises:
        HomebodyError: The suite is unknown, several packages have a suite of that name, or its
            module cannot be imported or has no such suite.
    """
    if not isinstance(name, str):
        return _check_suite(name)
    if name in _REGISTERED:
        return _REGISTERED[name]
    offers = [point for point in list_entry_points() if _is_same_name(point.name, name)]
    if name not in [point.name for point in offers]:
        raise HomebodyError(f"unknown suite: {name[:80]!r}", _suggest(name[:80]))
    if len(offers) > 1:
        packages = " and ".join(f"{point.name} of {_package(point)}" for point in offers)
        raise HomebodyError(f"suites have the same name: {packages}", "uninstall one of them")
    return _load(offers[0])


def _check_suite(suite: object) -> Suite[Any]:
    from homebody.core import Suite

    if not isinstance(suite, Suite):
        raise HomebodyError(f"a suite must be an hb.Suite or the name of one, not {suite!r:.60}")
    return suite


def list_members(group: str) -> tuple[Suite[Any], ...]:
    """Return the suites of a group such as ``etplan``, ordered as in reports, then by name.

    The list is empty if the name belongs to a suite.

    Raises:
        HomebodyError: One of them cannot be imported.
    """
    names = list_suites()
    inside = [] if group in names else [name for name in names if name.startswith(f"{group}.")]
    return tuple(sorted(map(get_suite, inside), key=lambda suite: suite.reporting.place))


def _suggest(name: str) -> str:
    """Return a hint with the suites of similar names or, if none exist, with all suites."""
    known = list_suites()
    near = get_close_matches(name, known) or [other for other in known if name and name in other]
    if not near:
        return f"choose one of: {', '.join(known)}"
    return f"did you mean: {', '.join(near)}? All: homebody list"


def distribution_of(name: str) -> str | None:
    """Return the package and version that a suite comes from (``pantry 1.0``).

    Returns None for homebody's own suites and suites of this process."""
    offers = [] if name in _REGISTERED else [p for p in list_entry_points() if p.name == name]
    other = next((p.dist for p in offers if p.dist and _package(p) != "homebody"), None)
    return None if other is None else f"{other.name} {other.version}"


def loadable_suites() -> Iterator[Suite[Any]]:
    """Yield all suites that can be loaded."""
    for name in list_suites():
        try:
            yield get_suite(name)
        except HomebodyError:
            continue


def register_suite(suite: Suite[Any], *, replace: bool = False) -> None:
    """Add a suite under its name, until the process ends.

    The suite itself needs no name: :func:`homebody.run` and other functions accept it directly.

    Args:
        suite: The suite.
        replace: True to replace another suite of its name, as when a notebook's cell is run again.

    Raises:
        HomebodyError: Another suite has its name.
    """
    whose = {point.name: _package(point) for point in list_entry_points()}
    whose |= dict.fromkeys(_REGISTERED, "this process")
    other = next((name for name in whose if _is_same_name(name, suite.name)), None)
    if other is not None and not replace:
        raise HomebodyError(
            f"{whose[other]} has a suite named {other} already",
            "give yours another name, or register_suite(suite, replace=True)",
        )
    _REGISTERED[suite.name] = suite


def _is_same_name(name: str, other: str) -> bool:
    """Return whether two names are the same for Inspect. Its tasks have no dots in their names."""
    return name.replace(".", "_") == other.replace(".", "_")


@cache
def list_entry_points() -> tuple[EntryPoint, ...]:
    """Return the entry points of all packages, without importing any.

    In a checkout, homebody's own entry points are read from ``pyproject.toml``, because the
    metadata of an installed package can be older than its files."""
    ours = _read_checkout()
    theirs = entry_points(group=GROUP)
    return (*(point for point in theirs if not ours or _package(point) != "homebody"), *ours)


def _read_checkout() -> tuple[EntryPoint, ...]:
    if not _PYPROJECT.is_file():
        return ()
    project = tomllib.loads(_PYPROJECT.read_text("utf-8")).get("project", {})
    if project.get("name") != "homebody":
        return ()
    points = project["entry-points"][GROUP]
    return tuple(EntryPoint(name, value, GROUP) for name, value in points.items())


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "homebody"


@cache
def _load(point: EntryPoint) -> Suite[Any]:
    from homebody.core import Suite
    from homebody.core.score import MAX_REASON

    try:
        suite = point.load()
    except (Exception, SystemExit) as error:  # a foreign module may raise anything
        raise HomebodyError(
            f"the suite {point.name} of {_package(point)} cannot be loaded:"
            f" {type(error).__name__}: {' '.join(str(error).split())[:MAX_REASON]}",
            f"python -c 'import {point.module}' says where",
        ) from error
    if not isinstance(suite, Suite) or suite.name != point.name:
        is_called = f"a suite called {suite.name!r}" if isinstance(suite, Suite) else "no suite"
        raise HomebodyError(
            f"{point.value} of {_package(point)} is {is_called}, not the suite {point.name}",
            "its entry point should say NAME = MODULE:SUITE",
        )
    return suite
