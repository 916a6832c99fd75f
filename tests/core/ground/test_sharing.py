"""What copies share, and what each has of its own."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from homebody.core.ground.sharing import copy_flat, never_changes


@never_changes
@dataclass(frozen=True, slots=True)
class Fixed:
    parts: list[int] = field(default_factory=list)


@copy_flat("table", nested=("tables",))
class Slotted:
    __slots__ = ("_deep", "also", "other", "table", "tables")

    def __init__(self) -> None:
        self.table = {"a": Fixed()}
        self.also = self.table  # another name for the same
        self.tables = {"b": {"c": 1}}
        self._deep = [[1]]
        self.other: Slotted | None = None


def test_what_never_changes_is_shared() -> None:
    fixed = Fixed([1])
    assert copy.deepcopy({"x": (fixed,)})["x"][0] is fixed


def test_containers_are_copied_and_what_is_in_them_is_shared() -> None:
    first = Slotted()
    first.other = first
    second = copy.deepcopy(first)
    assert second.other is second
    assert second.also is second.table
    assert second.table["a"] is first.table["a"]
    second.table["z"] = Fixed()
    second.tables["b"]["c"] = 2
    second._deep[0].append(2)
    assert set(first.table) == {"a"}
    assert (first.tables, first._deep) == ({"b": {"c": 1}}, [[1]])


def test_attributes_that_are_not_there_stay_so() -> None:
    first = Slotted()
    del first.other
    assert not hasattr(copy.deepcopy(first), "other")
