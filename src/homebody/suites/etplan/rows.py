"""The rows of the benchmark: kinds of tasks, and what makes them harder (paper, table 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["navigation", "manipulation", "several", "temporal"]
"""What is to be done: find a thing; find it and put it somewhere; several things; a thing into
another and both together somewhere (sections 3.1 and A.4)."""

MOST_ACTIONS: Final[dict[Kind, int]] = {
    "navigation": 20,
    "manipulation": 40,
    "several": 75,
    "temporal": 75,
}
"""Actions after which a task is lost, which count as the sequence length of those that failed: the
published code's. It has 50 for several things that go onto something and 75 for those that go into
something; here both have 75, so that lengths compare."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of table 2, and the suite ``etplan.NAME``.

    Attributes:
        name: Such as ``manipulation_relation_size``.
        title: As the paper calls it.
        kind: What is to be done.
        layout: Whether the agent knows the furniture before it has seen it.
        relation: Whether it is said at what the things are found.
        occlusion: By what things are hidden, if by anything: ``size`` or ``distance``, of the fifth
            of all tasks whose thing is smallest, or farthest from the start.
        hands: How many the agent has.
        tasks: The row that it has its tasks from: its own, or the one without the layout.
    """

    name: str
    title: str
    kind: Kind
    layout: bool = False
    relation: bool = False
    occlusion: str = ""
    hands: int = 1

    @property
    def tasks(self) -> str:
        """The row whose tasks it has: the same with and without a layout map."""
        return self.name.removesuffix("_layout")

    @property
    def most_actions(self) -> int:
        """Actions after which a task is lost."""
        return MOST_ACTIONS[self.kind]


def _constrained_rows(kind: Kind, title: str) -> Iterator[Row]:
    yield Row(f"{kind}_layout", f"{title} + Layout Map", kind, layout=True)
    for relation in (False, True):
        name = f"{kind}_relation" if relation else kind
        told = f"{title} + Relation" if relation else title
        yield Row(name, told, kind, relation=relation)
        for by in ("size", "distance"):
            hidden = f"{told} + Occlusion_{by.capitalize()}"
            yield Row(f"{name}_{by}", hidden, kind, relation=relation, occlusion=by)


_MANY: Final = "Navi & Mani + Multi Objects"
ROWS: Final[dict[str, Row]] = {
    row.name: row
    for row in (
        *_constrained_rows("navigation", "Navi"),
        *_constrained_rows("manipulation", "Navi & Mani"),
        Row("several", _MANY, "several"),
        Row("several_two_arms", f"{_MANY} + Optimal Path with 2 Arms", "several", hands=2),
        Row("temporal", f"{_MANY} + Temp Dependency", "temporal"),
    )
}
"""Name -> row, in the paper's order."""
