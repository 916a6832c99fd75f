"""Lazy imports of the names of a package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def import_lazily(
    package: dict[str, Any], modules: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package whose names are imported on use.

    Args:
        package: The package's ``globals()``.
        modules: Module in the package -> its names, separated by blanks.
    """
    name = package["__name__"]
    places = {each: module for module, names in modules.items() for each in names.split()}

    def get(attribute: str) -> Any:
        from importlib import import_module

        if attribute not in places:
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        module = import_module(f"{name}.{places[attribute]}")
        return package.setdefault(attribute, getattr(module, attribute))

    return get, lambda: sorted({*package, *places})
