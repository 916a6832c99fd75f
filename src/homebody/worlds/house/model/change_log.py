"""The log of changes that lets derived data update incrementally."""

from __future__ import annotations

from collections.abc import Iterable

from homebody.core.ground.sharing import copy_flat


@copy_flat("_changed_at")
class Journal:
    """The names, each with the version at which it last changed. Its length is the number of names.

    Args:
        names: Initial entries, each once, in order.

    Attributes:
        version: The number of initial entries; it grows by one with each change.
    """

    __slots__ = ("_changed_at", "version")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._changed_at = {name: version for version, name in enumerate(names, 1)}
        self.version = len(self._changed_at)

    def __contains__(self, name: object) -> bool:
        return name in self._changed_at

    def note(self, name: str) -> None:
        """Record a change."""
        self.version += 1
        self._changed_at.pop(name, None)  # keeps the latest last
        self._changed_at[name] = self.version

    def since(self, version: int) -> list[str]:
        """Return the names that changed after a version, each once, the latest first."""
        names: list[str] = []
        if version < self.version:
            for name, changed_at in reversed(self._changed_at.items()):
                if changed_at <= version:
                    break
                names.append(name)
        return names
