"""The rows of the benchmark: kinds of tasks and their difficulties (paper, table 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["navigation", "manipulation", "several", "temporal"]
"""The kind of a task (sections 3.1 and A.4).

Find an object; find it and put it somewhere; put several objects; put an object into another and
both together somewhere."""

MOST_ACTIONS: Final[dict[Kind, int]] = {
    "navigation": 20,
    "manipulation": 40,
    "several": 75,
    "temporal": 75,
}
"""Limit of actions, which counts as the sequence length of failed runs, as in the published code.

For several objects, the published limit is 50 if they go onto something and 75 if they go into
something. Here, the limit is 75 in both cases, so that lengths are comparable."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of table 2, and the suite ``etplan.NAME``.

    Attributes:
        name: Such as ``manipulation_relation_size``.
        title: The paper's name.
        kind: Kind of task.
        layout: True if the agent knows the furniture from the start.
        relation: True if the instruction states where the objects are found.
        occlusion: ``size`` or ``distance``: the fifth of all tasks with the smallest objects, or
            with objects farthest from the start. Empty without occlusion.
        hands: Number of the agent's hands.
        tasks: The row that provides its tasks: the row itself, or the same row without the layout
            map.
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
        """The row that provides its tasks. It is the same with and without a layout map."""
        return self.name.removesuffix("_layout")

    @property
    def most_actions(self) -> int:
        """Limit of actions."""
        return MOST_ACTIONS[self.kind]


def _constrained_rows(kind: Kind, title: str) -> Iterator[Row]:
    yield Row(f"{kind}_layout", f"{title} + Layout Map", kind, layout=True)
    for relation in (False, True):
        name = f"{kind}_relation" if relation else kind
        heading = f"{title} + Relation" if relation else title
        yield Row(name, heading, kind, relation=relation)
        for by in ("size", "distance"):
            hidden = f"{heading} + Occlusion_{by.capitalize()}"
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
