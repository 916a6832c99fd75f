"""Where objects are in the training homes."""

from __future__ import annotations

import pytest

from homebody.suites.etplan import frequencies
from homebody.suites.etplan.frequencies import (
    Count,
    count_homes,
    encode,
    holder_share,
    room_rank,
    room_share,
)
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import SPLITS, home
from homebody.worlds.house.model.state import HouseState
from places import ROOT

FILE = ROOT / "src/homebody/suites/etplan/data/frequencies.json.gz"


@pytest.mark.slow
def test_the_file_has_the_counts_of_the_training_homes() -> None:
    """Delete the file to write it again."""
    counts = count_homes(SPLITS["train"])
    if not FILE.is_file():
        FILE.write_bytes(encode(counts))
    assert frequencies.frequencies() == counts
    assert FILE.read_bytes() == encode(counts)


def test_a_home_is_counted_object_by_object() -> None:
    counts, house = count_homes([0]), home(0)
    facts = HouseFacts(HouseState.start(house))
    assert sum(counts.rooms.values()) == len(house.rooms)
    for category in {thing.category for thing in house.things}:
        rooms = {facts.room(name) for name in facts.instances(category)}
        seen = {facts.room(n) for n in facts.instances(category) if not facts.shut_around(n)}
        found = counts.in_rooms[category].values()
        assert sum(count.all for count in found) == len(rooms)
        assert sum(count.openly for count in found) == len(seen)
    for holder, kinds in counts.holders.items():
        assert sum(kinds.values()) == len(facts.instances(holder))
    for holders in counts.held.values():
        for holder, kinds in holders.items():
            for kind, count in kinds.items():
                assert 0 < count.all <= counts.holders[holder][kind]
    magazine = counts.held["magazine"]["coffee_table"]["living_room"]
    assert magazine == Count(1, 0)  # magazine_0 is on coffee_table_0


def test_shares_are_between_none_and_all_and_rank_rooms() -> None:
    known = frequencies.frequencies()
    for category in (*known.in_rooms, "unicorn"):
        for kind in (*known.rooms, "throne_room"):
            openly = room_share(category, kind, shut=False)
            shut = room_share(category, kind, shut=True)
            assert 0 <= openly <= room_share(category, kind) <= 1
            assert 0 <= shut <= 1
    rooms = {"bedroom_0": "bedroom", "bathroom_0": "bathroom", "kitchen_0": "kitchen"}
    assert room_rank("toothbrush", rooms)[0] == "bathroom_0"
    assert room_rank("fridge", rooms)[0] == "kitchen_0"
    assert sorted(room_rank("unicorn", rooms)) == sorted(rooms)
    assert holder_share("toothbrush", "sofa", "living_room") < 0.1
    assert holder_share("apple", "fridge", "kitchen", shut=True) > holder_share(
        "apple", "wardrobe", "bedroom", shut=True
    )
    assert holder_share("unicorn", "fridge", "kitchen") == 0
    assert holder_share("apple", "fridge", "throne_room", shut=True) > 0, "as in other rooms"
