"""Where an object can be imported from, so that another process has the same one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, Final

_OF_THIS_PROCESS: Final = ("__main__", "__mp_main__")


def find_import(value: object, module: str = "") -> tuple[str, str] | None:
    """The module and the attribute (``SUITE``, or ``SUITES.small`` of a namespace) that an object
    is; None if it is no attribute of a module that others can import.

    Args:
        value: The object.
        module: To look in first.
    """
    for name in (module, *sys.modules):
        if name in sys.modules and name not in _OF_THIS_PROCESS:
            for attribute, each in _attributes(sys.modules[name]):
                if each is value:
                    return name, attribute
    return None


def import_object(module: str, attribute: str) -> Any:
    """What :func:`find_import` found."""
    return attrgetter(attribute)(import_module(module))


def _attributes(module: object) -> Iterator[tuple[str, object]]:
    for name, value in list(getattr(module, "__dict__", {}).items()):
        yield name, value
        if isinstance(value, SimpleNamespace):
            yield from ((f"{name}.{inner}", each) for inner, each in vars(value).items())
