"""What changed since when: what lets whoever derives something look only at that."""

from __future__ import annotations


class Journal:
    """Names, each with the version at which it last changed. It is as long as there are names.

    Attributes:
        version: 0 at first; grows by one with each change.
    """

    __slots__ = ("_changed_at", "version")

    def __init__(self) -> None:
        self.version = 0
        self._changed_at: dict[str, int] = {}

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
