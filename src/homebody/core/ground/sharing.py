"""Copies of sessions share the objects that never change."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

C = TypeVar("C", bound=type[Any])


def never_changes(cls: C) -> C:
    """Mark a class as deeply immutable: copies share its instances."""
    cls.__deepcopy__ = _return_self
    return cls


def copy_flat(*names: str, nested: Sequence[str] = ()) -> Callable[[C], C]:
    """Mark attributes of a class as containers of immutable items.

    They are copied one level deep, which is much faster than a deep copy.

    Args:
        names: The names of these attributes.
        nested: The names of attributes that are mappings to such containers.
    """

    def mark(cls: C) -> C:
        def copy_instance(self: Any, memo: dict[int, Any]) -> Any:
            made: Any = object.__new__(cls)
            memo[id(self)] = made
            for name in names:
                value = getattr(self, name)
                memo[id(value)] = copy.copy(value)
            for name in nested:
                table = getattr(self, name)
                memo[id(table)] = {key: copy.copy(value) for key, value in table.items()}
            for name in _attributes(self):
                value = getattr(self, name)
                object.__setattr__(made, name, copy.deepcopy(value, memo))
            return made

        cls.__deepcopy__ = copy_instance
        return cls

    return mark


def _return_self(self: Any, memo: dict[int, Any]) -> Any:
    return self


def _attributes(instance: Any) -> Iterator[str]:
    """Yield the names of the attributes that an instance has, in slots too."""
    yield from getattr(instance, "__dict__", ())
    for cls in type(instance).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(instance, name):
                yield name
