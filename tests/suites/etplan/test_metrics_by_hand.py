"""Twenty runs in a home of four spots, whose numbers were computed by hand in both protocols.

The spots are the corners of a rectangle of 3 by 4 metres. Walks follow its sides, so a walk to the
opposite corner is 7 m long and a straight line to it 5 m::

    bedroom, table (0, 4) --- 3 m --- fridge (3, 4)
             |                           |
            4 m                         4 m
             |                           |
         start (0, 0) ------- 3 m --- kitchen, counter (3, 0)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from homebody.core import CORRECTED, PUBLISHED, Action, Score
from homebody.core.play.transcript import read_call
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.protocol import QUIRKS
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import score_run
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.trace import CriterionTrace, PlayedRun

START, KITCHEN, FRIDGE, BEDROOM = (0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 4.0, 0.0), (0.0, 4.0, 0.0)


class Home:
    """The home, as facts. An action is data: what it does is done by :meth:`do`."""

    def __init__(self) -> None:
        self.robot = START
        self.fixed = {
            "kitchen_0": KITCHEN, "counter_0": KITCHEN, "fridge_0": FRIDGE,
            "bedroom_0": BEDROOM, "table_0": BEDROOM,
        }  # fmt: skip
        self.holders = {
            "apple_0": ("INSIDE", "fridge_0"), "apple_1": ("ON", "table_0"),
            "cup_0": ("ON", "counter_0"), "cup_1": ("ON", "table_0"),
        }  # fmt: skip
        self.classes = frozenset(map(self.category, (*self.fixed, *self.holders)))

    def do(self, action: Action) -> float:
        """Do an action; return the metres walked along the sides."""
        name, *more = action.args
        if action.name == "Navigate":
            before, self.robot = self.robot, self.position(name)
            return sum(abs(a - b) for a, b in zip(before, self.robot, strict=True))
        if action.name == "Pick":
            self.holders[name] = ("HELD", ROBOT)
        if action.name == "Place":
            self.holders[name] = ("ON" if more[0] == "on" else "INSIDE", more[1])
        return 0.0

    def instances(self, category: str) -> list[str]:
        names = (ROBOT, *self.fixed, *self.holders)
        return [name for name in names if self.category(name) == category]

    def category(self, name: str) -> str:
        return name.rpartition("_")[0] or name

    def position(self, name: str) -> tuple[float, float, float]:
        while name in self.holders:
            name = self.holders[name][1]
        return self.robot if name == ROBOT else self.fixed[name]

    def robot_position(self) -> tuple[float, float, float]:
        return self.robot

    def holds(self, relation: str, first: str, second: str) -> bool:
        if relation == "CLOSE":
            return self.position(first) == self.position(second)
        return self.holders.get(first) == (relation, second)


@dataclass(frozen=True)
class Numbers:
    """Success, sequence length, LCS, LCS ratio, moving distance and SPL."""

    success: bool
    length: int
    lcs: int
    ratio: float
    metres: float | None
    spl: float
    excluded: bool = False


def score(row: str, criterion: str, plan: str, tried: str, protocol: str) -> Score:
    """Score a run: actions by semicolons, with "!" if they were refused; "?" is an unreadable
    output."""
    task = EtplanTask("t", row, 1, (0.0, 0.0, 0.0), "Do it.", criterion, tuple(calls(plan)))
    home = Home()
    seen, done, metres, length = CriterionTrace(task.goal, home), [], 0.0, 0
    for call in calls(tried):
        length += 1
        if call == "?":
            continue
        action = read_call(call.rstrip("!"))
        assert action is not None
        if not call.endswith("!"):
            metres += home.do(action)
            seen.add(action)
        done.append((action, "no" if call.endswith("!") else ""))
    played = PlayedRun(seen, tuple(done), length, metres)
    wanted = {"corrected": CORRECTED, "published": PUBLISHED}[protocol]
    return score_run(ROWS[row], task, CORRECTED, played, Score("t", {}, {}), wanted)


def calls(text: str) -> Iterable[str]:
    """Calls as "N apple_0; Place apple_0 on table_0"."""
    short = {"N": "Navigate"}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, rest = part.partition(" ")
        refused = "!" * rest.endswith("!")
        arguments = ", ".join(rest.rstrip("!").split())
        yield part if part == "?" else f"{short.get(name, name)}[{arguments}]{refused}"


FIND = "(CLOSE, robot, apple)"
MOVE = "(CLOSE, robot, apple)(CLOSE, robot, table)(ON, apple, table)"
BOTH = "(CLOSE, robot, cup)" + MOVE + "(ON, cup, table)"
ORDER = (
    "STEP_1: (CLOSE, robot, apple)(CLOSE, robot, cup)(INSIDE, apple, cup) "
    "STEP_2: (CLOSE, robot, table)(ON, cup, table)(INSIDE, apple, cup)"
)
TO_FIND = "N kitchen_0; N apple_0"  # 2 actions
TO_MOVE = (  # 8 actions
    "N kitchen_0; N fridge_0; Open fridge_0; N apple_0; Pick apple_0; N bedroom_0; N table_0;"
    "Place apple_0 on table_0"
)
ONE_BY_ONE = (  # 13 actions
    "N kitchen_0; N cup_0; Pick cup_0; N bedroom_0; N table_0; Place cup_0 on table_0; N kitchen_0;"
    "N fridge_0; N apple_0; Pick apple_0; N bedroom_0; N table_0; Place apple_0 on table_0"
)
TOGETHER = (  # 10 actions
    "N kitchen_0; N cup_0; Pick cup_0; N fridge_0; N apple_0; Pick apple_0; N bedroom_0; N table_0;"
    "Place cup_0 on table_0; Place apple_0 on table_0"
)
IN_ORDER = (  # 11 actions
    "N kitchen_0; N fridge_0; Open fridge_0; N apple_0; Pick apple_0; N cup_0;"
    "Place apple_0 within cup_0; Pick cup_0; N bedroom_0; N table_0; Place cup_0 on table_0"
)
REVERSED = (  # 10 actions
    "N cup_0; Pick cup_0; N table_0; Place cup_0 on table_0; N fridge_0; Open fridge_0; N apple_0;"
    "Pick apple_0; N cup_0; Place apple_0 within cup_0"
)
RUNS = {
    # name: row, criterion, plan, tried, corrected, published
    "the plan": (
        "navigation", FIND, TO_FIND, TO_FIND,
        # start-kitchen 3 + kitchen-fridge 4 = 7 m; SPL 2 / 2
        Numbers(True, 2, 2, 1, 7, 1),
        Numbers(True, 2, 2, 1, 7, 1),
    ),
    "straight to the object": (
        "navigation", FIND, TO_FIND, "N apple_0",
        # LCS 1 of 2; along the sides 3 + 4 = 7 m; SPL 2 / max(2, 1)
        Numbers(True, 1, 1, 1 / 2, 7, 1),
        # shorter than the plan: ratio 1; straight line: sqrt(9 + 16) = 5 m
        Numbers(True, 1, 1, 1, 5, 1),
    ),
    "a detour to another apple": (
        "navigation", FIND, TO_FIND, "N bedroom_0; N kitchen_0; N apple_1",
        # LCS N kitchen, N apple; 4 + 7 + 7 = 18 m; SPL 2 / 3
        Numbers(True, 3, 2, 1, 18, 2 / 3),
        # 4 + 5 + 5 = 14 m
        Numbers(True, 3, 2, 1, 14, 2 / 3),
    ),
    "a refused walk": (
        "navigation", FIND, TO_FIND, "N apple_0 !; N kitchen_0; N apple_0",
        # three actions, of which two are compared; SPL 2 / 3
        Numbers(True, 3, 2, 1, 7, 2 / 3),
        # refused actions are ignored: two actions; SPL 2 / 2
        Numbers(True, 2, 2, 1, 7, 1),
    ),
    "two unreadable outputs": (
        "navigation", FIND, TO_FIND, "?; N kitchen_0; ?; N apple_0",
        # SPL 2 / 4
        Numbers(True, 4, 2, 1, 7, 1 / 2),
        Numbers(True, 2, 2, 1, 7, 1),
    ),
    "no action": (
        "navigation", FIND, TO_FIND, "",
        # failed: the limit of 20
        Numbers(False, 20, 0, 0, None, 0),
        # shorter than the plan: ratio 1; it did not walk
        Numbers(False, 20, 0, 1, None, 0, excluded=True),
    ),
    "done too early": (
        "navigation", FIND, TO_FIND, "N kitchen_0",
        Numbers(False, 20, 1, 1 / 2, None, 0),
        Numbers(False, 20, 1, 1, None, 0),
    ),
    "twenty walks between two rooms": (
        "navigation", FIND, TO_FIND, "N bedroom_0; N kitchen_0;" * 10,
        # LCS N kitchen; 20 actions are not fewer than 2
        Numbers(False, 20, 1, 1 / 2, None, 0),
        Numbers(False, 20, 1, 1 / 2, None, 0),
    ),
    "two common subsequences of the same length": (
        "navigation", FIND, "N bedroom_0; N kitchen_0; N apple_0",
        "N kitchen_0; N bedroom_0; N apple_1",
        # N kitchen, N apple or N bedroom, N apple: 2 of 3; 3 + 7 + 0 = 10 m; SPL 3 / 3
        Numbers(True, 3, 2, 2 / 3, 10, 1),
        # 3 + 5 + 0 = 8 m; 3 actions are not fewer than 3
        Numbers(True, 3, 2, 2 / 3, 8, 1),
    ),
    "to the table beside the apple": (
        "navigation", FIND, TO_FIND, "N table_0",
        # at the apple's spot, but the walk was to the table
        Numbers(False, 20, 0, 0, None, 0),
        Numbers(False, 20, 0, 1, None, 0),
    ),
    "the plan to move": (
        "manipulation", MOVE, TO_MOVE, TO_MOVE,
        # 3 + 4 + 0 + 3 + 0 = 10 m; SPL 8 / 8
        Numbers(True, 8, 8, 1, 10, 1),
        # to kitchen 3, fridge 4, the apple where it is at the end, on the table, 3; then 0 + 0
        Numbers(True, 8, 8, 1, 10, 1),
    ),
    "the other apple lifted and put back": (
        "manipulation", MOVE, TO_MOVE,
        "N apple_1; Pick apple_1; N table_0; Place apple_1 on table_0",
        # LCS N apple, Pick, N table, Place: 4 of 8; 4 + 0 m; SPL 8 / max(8, 4)
        Numbers(True, 4, 4, 1 / 2, 4, 1),
        Numbers(True, 4, 4, 1, 4, 1),
    ),
    "put from afar, refused": (
        "manipulation", MOVE, TO_MOVE,
        "N fridge_0; Open fridge_0; N apple_0; Pick apple_0; Place apple_0 on table_0 !; N table_0;"
        "Place apple_0 on table_0",
        # seven actions, six compared, all in the plan; 7 + 0 + 3 = 10 m; SPL 8 / max(8, 7)
        Numbers(True, 7, 6, 6 / 8, 10, 1),
        # six actions; straight to the fridge 5, the apple's end 3, the table 0 = 8 m
        Numbers(True, 6, 6, 1, 8, 1),
    ),
    "within instead of on": (
        "manipulation", MOVE, TO_MOVE, TO_MOVE.replace(" on ", " within "),
        # failed: the limit of 40; all but the last are in the plan
        Numbers(False, 40, 7, 7 / 8, None, 0),
        # what was put in something counts as on it
        Numbers(True, 8, 7, 7 / 8, 10, 1),
    ),
    "the cup instead of the apple": (
        "manipulation", MOVE, TO_MOVE,
        "N cup_0; Pick cup_0; N table_0; Place cup_0 on table_0",
        # only N table is in the plan
        Numbers(False, 40, 1, 1 / 8, None, 0),
        Numbers(False, 40, 1, 1, None, 0),
    ),
    "two objects with one hand": (
        "several", BOTH, ONE_BY_ONE,
        "N cup_0; Pick cup_0; N table_0; Place cup_0 on table_0; N fridge_0; Open fridge_0;"
        "N apple_0; Pick apple_0; N table_0; Place apple_0 on table_0",
        # all ten but Open are in the plan; 3 + 7 + 3 + 0 + 3 = 16 m; SPL 13 / max(13, 10)
        Numbers(True, 10, 9, 9 / 13, 16, 1),
        # without depth: 3 + 3 + 3 + 0 + 3 = 12 m
        Numbers(True, 10, 9, 1, 12, 1),
    ),
    "two objects with two hands": (
        "several_two_arms", BOTH, TOGETHER,
        "N fridge_0; N apple_0; Pick apple_0; Pick cup_0 !; N cup_0; Pick cup_0; N table_0;"
        "Place apple_0 on table_0; Place cup_0 on table_0",
        # N fridge, N apple, Pick apple, N table and one Place: 5 of 10; 7 + 0 + 4 + 7 = 18 m;
        # SPL 10 / max(10, 9)
        Numbers(True, 9, 5, 5 / 10, 18, 1),
        # the refused Pick is compared, and comes too late; 3 + 0 + 0 + 3 = 6 m
        Numbers(True, 9, 5, 1, 6, 1),
    ),
    "steps in order": (
        "temporal", ORDER, IN_ORDER, "?;" + IN_ORDER,
        # 3 + 4 + 0 + 4 + 7 + 0 = 18 m; SPL 11 / 12
        Numbers(True, 12, 11, 1, 18, 11 / 12),
        # 3 + 0 + 0 + 0 + 3 + 0 = 6 m
        Numbers(True, 12, 11, 1, 6, 11 / 12),
    ),
    "steps in reverse": (
        "temporal", ORDER, IN_ORDER, REVERSED,
        # N fridge, Open, N apple, Pick apple, N cup, Place apple: 6 of 11; the limit of 75
        Numbers(False, 75, 6, 6 / 11, None, 0),
        # ten actions are fewer than eleven
        Numbers(False, 75, 6, 1, None, 0),
    ),
    "steps in reverse, and the last one again": (
        "temporal", ORDER, IN_ORDER,
        REVERSED + "; Pick cup_0; N table_0; Place cup_0 on table_0",
        # the six, Pick cup, N table, Place cup: 9 of 11; 3 + 7 + 3 + 0 + 3 + 0 = 16 m; SPL 11 / 13
        Numbers(True, 13, 9, 9 / 11, 16, 11 / 13),
        # 3 + 3 + 3 + 0 + 3 + 0 = 12 m
        Numbers(True, 13, 9, 9 / 11, 12, 11 / 13),
    ),
}  # fmt: skip


def test_there_are_twenty_runs_of_all_kinds() -> None:
    assert len(RUNS) == 20
    assert {ROWS[run[0]].kind for run in RUNS.values()} == {row.kind for row in ROWS.values()}
    assert PUBLISHED.kept_quirks(QUIRKS) == QUIRKS.keys()


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("name", RUNS)
def test_runs_have_the_numbers_computed_by_hand(name: str, protocol: str) -> None:
    row, criterion, plan, tried, corrected, published = RUNS[name]
    expected = corrected if protocol == "corrected" else published
    found = score(row, criterion, plan, tried, protocol)
    record = found.record
    assert record["success"] == expected.success
    assert record["sequence_length"] == expected.length
    assert record["lcs"] == expected.lcs
    assert record["lcs_ratio"] == pytest.approx(expected.ratio)
    assert record["moving_distance"] == expected.metres
    assert record["spl"] == pytest.approx(expected.spl)
    assert found.valid != expected.excluded
