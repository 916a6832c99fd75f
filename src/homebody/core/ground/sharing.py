"""What copies of a session share: whatever never changes is the same object in all of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

C = TypeVar("C", bound=type[Any])


def never_changes(cls: C) -> C:
    """Mark a class whose instances, and all that they hold, never change: copies share them."""
    cls.__deepcopy__ = _return_self
    return cls


def copy_flat(*names: str, nested: Sequence[str] = ()) -> Callable[[C], C]:
    """Mark a class some of whose attributes are containers of what never changes: they are
    copied one level deep, which is much faster than a deep copy.

    Args:
        names: Of those attributes.
        nested: Of those that are mappings to such containers.
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
