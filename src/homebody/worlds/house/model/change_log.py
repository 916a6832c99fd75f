"""What changed since when: what lets whoever derives something look only at that."""

from __future__ import annotations

from collections.abc import Iterable

from homebody.core.ground.sharing import copy_flat


@copy_flat("_changed_at")
class Journal:
    """Names, each with the version at which it last changed. It is as long as there are names.

    Args:
        names: What is written down already, each once, in order.

    Attributes:
        version: How many those are at first; grows by one with each change.
    """

    __slots__ = ("_changed_at", "version")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._changed_at = {name: version for version, name in enumerate(names, 1)}
        self.version = len(self._changed_at)

    def __contains__(self, name: object) -> bool:
        return name in self._changed_at

    def note(self, name: str) -> None:
        """Write down that something changed."""
        self.version += 1
        self._changed_at.pop(name, None)  # so that the latest stay the last
        self._changed_at[name] = self.version

    def since(self, version: int) -> list[str]:
        """What changed after a version, each name once, the latest first."""
        names: list[str] = []
        if version < self.version:
            for name, changed_at in reversed(self._changed_at.items()):
                if changed_at <= version:
                    break
                names.append(name)
        return names
