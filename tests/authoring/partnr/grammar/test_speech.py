"""How the built-in author says single steps."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest

from homebody.authoring.partnr.grammar.meaning import Put, Spot, Step, Switch, Things
from homebody.authoring.partnr.grammar.naming import Namer
from homebody.authoring.partnr.grammar.speech import say


@pytest.mark.parametrize(
    ("category", "kept"),
    [
        *[(name, True) for name in ("wardrobe", "fridge", "toy_chest", "wall_cabinet", "dresser")],
        *[(name, False) for name in ("sink", "bathtub", "washing_machine", "dishwasher")],
    ],
)
def test_things_are_put_away_where_they_are_kept(category: str, kept: bool) -> None:
    spot = Spot("furniture", category, "within", (f"{category}_0",))
    step = Put((Things("plate", ("plate_0",), 1),), spot)
    texts = [say(Namer(np.random.default_rng(seed)), step, "base") for seed in range(200)]
    assert any("store" in text or " away " in text for text in texts) is kept, texts[:20]


TWO = {"bedroom": 2}
TABLE = Spot("furniture", "table", "on", ("table_0",))
WARDROBES = Spot("furniture", "wardrobe", "within", ("wardrobe_0", "wardrobe_1"))


def said(
    step: Step, before: Step | None = None, rooms: Mapping[str, int] | None = None
) -> set[str]:
    texts = set()
    for seed in range(150):
        namer = Namer(np.random.default_rng(seed), rooms=rooms)
        if before is not None:
            say(namer, before, "base")
        texts.add(say(namer, step, "base"))
    return texts


def test_one_of_several_sources_is_said_as_such() -> None:
    hat = Things("hat", ("hat_0",), 1, WARDROBES)
    hats = Things("hat", ("hat_0", "hat_1"), 2, WARDROBES)
    assert all("from one of the wardrobes" in text for text in said(Put((hat,), TABLE)))
    assert all("from the wardrobes" in text for text in said(Put((hats,), TABLE)))
    bedrooms = Spot("room", "bedroom", "", ("bedroom_0", "bedroom_1"))
    hat = Things("hat", ("hat_0",), 1, bedrooms)
    assert all("from one of the bedrooms" in text for text in said(Put((hat,), TABLE)))


def test_one_of_several_rooms_is_said_as_such() -> None:
    desk = Spot("furniture", "desk", "on", ("desk_0",), "bedroom")
    cup = Things("cup", ("cup_0",), 1)
    texts = said(Put((cup,), desk), rooms=TWO)
    assert all("one of the bedrooms" in text or "bedroom desk" in text for text in texts)
    assert not any("one of" in text for text in said(Put((cup,), desk)))


def test_things_from_one_place_are_said_together() -> None:
    sofa = Spot("furniture", "sofa", "on", ("sofa_0",))
    cup, plate = Things("cup", ("cup_0",), 1, sofa), Things("plate", ("plate_0",), 1, sofa)
    for text in said(Put((cup, Things("bowl", ("bowl_0",), 1), plate), TABLE)):
        assert re.search(r"the cup and the plate from the (sofa|couch), and the bowl", text), text


def test_nothing_is_taken_from_to() -> None:
    some = Things("to_drink_from", ("cup_0", "glass_0"), 1)
    for text in said(Put((some,), Spot("room", "kitchen", "", ("kitchen_0",)))):
        assert not re.search("from (to|into)", text), text


def test_a_piece_that_was_cleaned_is_not_named_again() -> None:
    table = Switch((Things("table", ("table_0",), 1, furniture=True),), "clean", True)
    for text in said(Put((Things("cup", ("cup_0",), 1),), TABLE), table):
        assert re.search(r"there|the table", text), text
        assert "same" not in text, text


def test_a_piece_of_what_has_no_plural_is_said_as_such() -> None:
    ring = Things("jewellery", ("ring_0", "necklace_0"), 1)
    rings = Things("jewellery", ("ring_0", "necklace_0"), 2)
    assert all(re.search("pieces? of jewellery", text) for text in said(Put((ring,), TABLE)))
    assert not any("piece" in text for text in said(Put((rings,), TABLE)))


def test_a_table_is_set_for_people() -> None:
    plates = Things("plate", ("plate_0", "plate_1", "plate_2"), 2)
    forks = Things("fork", ("fork_0", "fork_1"), 2)
    for text in said(Put((plates, forks), TABLE, people=2)):
        assert re.fullmatch(r"(set|lay) the table for two with plates and forks", text), text
