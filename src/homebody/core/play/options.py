"""Options: the actions that look possible, as a lazy sequence.

There can be thousands. A learner reads only their number, a model the first three hundred.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, overload

from homebody.core.action import Action
from homebody.core.ground.sharing import never_changes


class Arguments(Protocol):
    """Rows of arguments, which may be computed on demand."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def __getitem__(self, row: int, /) -> tuple[str, ...]:
        """Return a row by its index."""
        ...


@never_changes
@dataclass(frozen=True, slots=True)
class ActionBlock:
    """Consecutive actions: all names with the first row of arguments, then all names with the
    second row, and so on.

    Attributes:
        names: The names of the actions.
        arguments: The rows of arguments that each name is combined with.
    """

    names: tuple[str, ...]
    arguments: Arguments

    def __len__(self) -> int:
        return len(self.names) * len(self.arguments)

    def __getitem__(self, place: int) -> Action:
        row, name = divmod(place, len(self.names))
        return Action(self.names[name], self.arguments[row])

    @staticmethod
    def of_each(name: str, objects: Iterable[str]) -> ActionBlock:
        """Return one action on each object."""
        return ActionBlock((name,), [(each,) for each in objects])


@never_changes
class ActionList(Sequence[Action]):
    """Consecutive blocks of actions. Slices are lists of this kind, too.

    Args:
        blocks: Immutable blocks that have no names in common.
    """

    __slots__ = ("_blocks", "_ends", "_places")

    def __init__(self, blocks: Iterable[ActionBlock]) -> None:
        self._blocks = tuple(blocks)
        self._ends = list(accumulate(map(len, self._blocks)))
        self._places = range(self._ends[-1] if self._ends else 0)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> ActionList: ...
    def __getitem__(self, index: int | slice) -> Action | ActionList:
        if isinstance(index, slice):
            return self._part(self._places[index])
        place = self._places[index]
        at = bisect_right(self._ends, place)
        return self._blocks[at][place - (self._ends[at - 1] if at else 0)]

    def __iter__(self) -> Iterator[Action]:
        if not self._is_whole():
            return (self[index] for index in range(len(self)))
        return (  # faster than by index
            Action(name, block.arguments[row])
            for block in self._blocks
            for row in range(len(block.arguments))
            for name in block.names
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ActionList({len(self)} actions)"

    def kinds(self) -> Mapping[str, Sequence[Action]]:
        """Return name -> the actions of that name, in order."""
        if not self._is_whole():
            return _group_by_name(self)
        found: dict[str, Sequence[Action]] = {}
        start = 0
        for block, end in zip(self._blocks, self._ends, strict=True):
            if start < end:
                for at, name in enumerate(block.names, start):
                    found[name] = self._part(range(at, end, len(block.names)))
            start = end
        return found

    def _is_whole(self) -> bool:
        """Return whether this has all options: it is not a slice."""
        return self._places == range(self._ends[-1] if self._ends else 0)

    def _part(self, places: range) -> ActionList:
        part = ActionList.__new__(ActionList)
        part._blocks, part._ends, part._places = self._blocks, self._ends, places
        return part


def by_kind(options: Sequence[Action]) -> Mapping[str, Sequence[Action]]:
    """Return name -> the actions of that name, in order."""
    return options.kinds() if isinstance(options, ActionList) else _group_by_name(options)


def _group_by_name(options: Iterable[Action]) -> Mapping[str, Sequence[Action]]:
    kinds: dict[str, list[Action]] = {}
    for action in options:
        kinds.setdefault(action.name, []).append(action)
    return kinds
