"""What is wrong with an action of BEHAVIOR is said in plain English, of the very things that
are in the hands."""

import pytest

from homebody.core import Action, State, execute
from homebody.core.formula import Atom, Not, Or
from homebody.worlds.behavior import Behavior, Thing, scene
from homebody.worlds.behavior.phrases import phrase


def thing(name: str, litres: float, *abilities: str) -> Thing:
    return Thing(name, f"{name}.n.01", f"{name}.n.01", frozenset(abilities), litres=litres)


THINGS = (
    Thing("floor", "floor.n.01", "floor.n.01", floor=True, litres=50.0),
    thing("shelf_1", 5.0),
    thing("bowl_2", 5.0),
    thing("rag_145", 0.1, "cleaningTool", "dustyable"),
    thing("apple_3", 0.2, "sliceable"),
    thing("knife_4", 0.1, "slicer"),
)
FACTS = (("dusty", "rag_145"), ("ontop", "apple_3", "bowl_2"))


def refused(*lines: str) -> str:
    start: State = scene(THINGS, FACTS)
    plan = [Action(line.split()[0], tuple(line.split()[1:])) for line in lines]
    trace = execute(Behavior(), start, plan)
    assert trace.failure is not None
    assert trace.failed_at == len(lines) - 1
    return trace.failure.message


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ("LEFT_GRASP rag_145", "LEFT_PLACE_INSIDE rag_145"),
            "rag_145 cannot be inside itself",
        ),
        (("LEFT_GRASP bowl_2", "LEFT_PLACE_INSIDE shelf_1"), "bowl_2 is too big for shelf_1"),
        (("LEFT_GRASP rag_145", "LEFT_GRASP knife_4"), "rag_145 is in the left hand"),
        (
            ("LEFT_GRASP bowl_2", "LEFT_PLACE_ONTOP apple_3"),
            "apple_3 is in or on what is in the left hand",
        ),
        (("LEFT_GRASP bowl_2", "LEFT_PLACE_ONTOP bowl_2"), "bowl_2 is in the left hand"),
        (("LEFT_GRASP bowl_2", "LEFT_PLACE_NEXTTO bowl_2"), "bowl_2 is in the left hand"),
        (
            ("LEFT_GRASP bowl_2", "RIGHT_GRASP apple_3", "LEFT_PLACE_NEXTTO apple_3"),
            "apple_3 is in the right hand",
        ),
        (
            ("LEFT_GRASP rag_145", "LEFT_TRANSFER_CONTENTS_ONTOP shelf_1"),
            "nothing is in or on rag_145",
        ),
        (("LEFT_TRANSFER_CONTENTS_ONTOP shelf_1",), "nothing is in the left hand"),
        (
            ("LEFT_GRASP rag_145", "CLEAN rag_145"),
            "there is no cleaning tool for rag_145 in a hand, and it is not in a running sink or"
            " dishwasher",
        ),
        (
            ("LEFT_RELEASE apple_3_part_0",),
            "apple_3_part_0 does not exist, as its whole is not sliced",
        ),
        (("LEFT_GRASP floor",), "floor is a floor"),
        (("OPEN shelf_1",), "shelf_1 cannot be opened"),
        (("TOGGLE_ON shelf_1",), "shelf_1 has no switch"),
        (("CLEAN shelf_1",), "shelf_1 cannot get dusty or stained"),
    ],
)
def test_what_is_not_possible(lines: tuple[str, ...], sentence: str) -> None:
    assert refused(*lines) == f"Not possible: {sentence}."


def test_what_a_thing_can_be_cleaned_with_is_told_once() -> None:
    either = Or((Atom("CAN_DUST", ("x_1",)), Atom("CAN_WASH", ("x_1",))))
    assert phrase(either, negated=True) == (
        "there is no cleaning tool, detergent or soap for x_1 in a hand, and it is not in a running"
        " sink or dishwasher"
    )


def test_clauses_of_one_thing_are_joined() -> None:
    wrong = Or((Atom("FLOOR", ("x_1",)), Atom("TOO_BIG_TO_HOLD", ("x_1",))))
    assert phrase(Not(wrong), negated=True) == "x_1 is a floor or fixed or too big to be held"
