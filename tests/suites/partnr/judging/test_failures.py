"""Labels of failed episodes, on runs whose failures can be told by hand."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.core.play.failures import KEY
from homebody.goals.partnr import (
    Dependency,
    Evaluation,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.suite import PLAYING
from suites.partnr.homes import follow, make_task, of

THINGS = (("cup_0", "counter_0"), ("cup_1", "sofa_0"), ("plate_0", "console_table_0"))
CUP = of("is_on_top", ["cup_0"], ["coffee_table_0"])
PLATE = of("is_on_top", ["plate_0"], ["coffee_table_0"])
ANY_TABLE = ["coffee_table_0", "console_table_0"]
IN_ORDER = Evaluation((CUP, PLATE), constraints=(TemporalConstraint(((0, 1),)),))
TO_STAY = Evaluation((CUP, PLATE), constraints=(TerminalSatisfactionConstraint((0, 1)),))
TOGETHER = Evaluation(
    (of("is_on_top", ["cup_0"], ANY_TABLE), of("is_on_top", ["cup_1"], ANY_TABLE)),
    constraints=(SameArgConstraint((0, 1), ("receptacle_handles", "receptacle_handles")),),
)
BEFORE = Evaluation((CUP, PLATE), (Dependency((0,), (1,), "before_satisfied"),))
ROOM = Evaluation((of("is_in_room", ["cup_0"], ["bedroom_0"]),))
BRING = "robot: Rearrange[{}, on, {}]"


def labels_of(evaluation: Evaluation, *actions: str) -> list[str]:
    task = make_task(evaluation, *THINGS)
    session: PartnrSession = follow(task, *actions)
    found: list[str] = PLAYING.score(task, session.transcript().encode(), CORRECTED).record[KEY]
    return found


@pytest.mark.parametrize(
    ("evaluation", "actions", "expected"),
    [
        (IN_ORDER, [], ["not attempted", "gave up"]),
        (Evaluation((CUP,)), [BRING.format("cup_0", "coffee_table_0")], []),
        (
            IN_ORDER,
            [BRING.format("plate_0", "coffee_table_0"), BRING.format("cup_0", "coffee_table_0")],
            ["wrong order", "gave up"],
        ),
        (
            BEFORE,
            [BRING.format("plate_0", "coffee_table_0"), BRING.format("cup_0", "coffee_table_0")],
            ["wrong order", "gave up"],
        ),
        (
            TO_STAY,
            [
                BRING.format("cup_0", "coffee_table_0"),
                BRING.format("plate_0", "coffee_table_0"),
                BRING.format("cup_0", "sofa_0"),
            ],
            ["undone later", "gave up"],
        ),
        (
            TOGETHER,
            [BRING.format("cup_0", "coffee_table_0"), BRING.format("cup_1", "console_table_0")],
            ["wrong place", "gave up"],
        ),
        (
            Evaluation((CUP,)),
            [BRING.format("cup_0", "sofa_0")],
            ["wrong place", "gave up"],
        ),
        (
            Evaluation((CUP,)),
            [BRING.format("cup_1", "console_table_0")],
            ["not attempted", "wrong object", "gave up"],
        ),
        (ROOM, [BRING.format("cup_0", "coffee_table_0")], ["wrong place", "gave up"]),
        (
            IN_ORDER,
            [
                BRING.format("cup_0", "coffee_table_0"),
                "human: Rearrange[cup_0, on, sofa_0]",
                BRING.format("cup_0", "coffee_table_0"),
            ],
            ["not attempted", "duplicated work", "gave up"],
        ),
    ],
)
def test_labels_say_what_happened(
    evaluation: Evaluation, actions: list[str], expected: list[str]
) -> None:
    assert labels_of(evaluation, *actions) == expected
