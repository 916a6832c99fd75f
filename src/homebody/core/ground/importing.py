"""Finds import paths of objects, so that another process can import the same object."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, Final

_OF_THIS_PROCESS: Final = ("__main__", "__mp_main__")


def find_import(value: object, module: str = "") -> tuple[str, str] | None:
    """Return the module and the attribute of an object: ``SUITE``, or ``SUITES.small`` in a
    namespace. None if other processes cannot import the object.

    Args:
        value: The object.
        module: The module to search first.
    """
    for name in (module, *sys.modules):
        if name in sys.modules and name not in _OF_THIS_PROCESS:
            for attribute, each in _attributes(sys.modules[name]):
                if each is value:
                    return name, attribute
    return None


def import_object(module: str, attribute: str) -> Any:
    """Import the object that :func:`find_import` found."""
    return attrgetter(attribute)(import_module(module))


def _attributes(module: object) -> Iterator[tuple[str, object]]:
    for name, value in list(getattr(module, "__dict__", {}).items()):
        yield name, value
        if isinstance(value, SimpleNamespace):
            yield from ((f"{name}.{inner}", each) for inner, each in vars(value).items())
