"""The catalogue: what there is, and what is said about a wrong one."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from homebody.core.errors import HomebodyError
from homebody.data import behavior, behavior1k
from homebody.worlds.house.model.catalogue import (
    STATE_OF,
    catalogue,
    catalogue_files,
    read_catalogue,
)

CLASH = "[furniture.key]\nsize = [1, 1, 1]\n"
"""A piece of furniture with the name of an object."""


def _files(old: str, new: str) -> dict[str, str]:
    """Our files, with something else in the first that has it."""
    files = catalogue_files()
    file = next(name for name, text in files.items() if old in text)
    return {**files, file: files[file].replace(old, new, 1)}


def test_there_is_enough_of_everything():
    entries = catalogue()
    homely = {*entries.scenes["home"].first, *entries.scenes["home"].then, "hallway"}
    assert len(homely) >= 13
    assert len(entries.furniture) >= 120
    assert len(entries.things) >= 400
    assert set(entries.scenes) == {
        *("home", "office", "classroom", "shop", "gym", "restaurant", "gallery"),
        *("hospital", "hotel", "supermarket"),
    }


def test_states_follow_from_affordances():
    entries = catalogue()
    for kind in (*entries.furniture.values(), *entries.things.values()):
        states = {STATE_OF[affordance] for affordance in kind.affords if affordance in STATE_OF}
        assert set(kind.likely) == states
        assert all(0 <= chance <= 1 for chance in kind.likely.values())
    assert entries.affords("fridge") == ("openable", "powerable", "cleanable")
    assert entries.affords("unicorn") == ()


def test_every_object_has_a_room_with_a_place_for_it():
    entries = catalogue()
    for thing in entries.things.values():
        places = {"floor"}
        for name in thing.rooms:
            room = entries.rooms[name]
            places.update(room.extra)
            for rule in room.furniture:
                places.update(rule.what, rule.companions.values())
        assert places & set(thing.places), thing.name


def test_all_furniture_is_used():
    entries = catalogue()
    used: set[str] = set()
    for room in entries.rooms.values():
        used.update(room.extra)
        for rule in room.furniture:
            used.update(rule.what, rule.companions.values())
    bases = {kind.base for kind in entries.furniture.values()} - {""}
    assert used | bases == set(entries.furniture)


def test_sizes_are_those_of_things_people_carry():
    for thing in catalogue().things.values():
        assert all(0.004 <= side <= 1.1 for side in thing.size), thing.name


def test_every_category_says_what_it_is():
    entries = catalogue()
    for kind in (*entries.furniture.values(), *entries.things.values()):
        assert kind.synset, kind.name
        assert kind.materials, kind.name
        assert kind.form, kind.name
        assert kind.function.split()[0].endswith("ing"), kind.name
        assert all(kind.made_of.values()), kind.name


def test_no_two_categories_are_called_the_same():
    entries = catalogue()
    names = Counter(
        name.replace("_", " ").lower()
        for name in (*entries.rooms, *entries.furniture, *entries.things)
    )
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if names[name + "s"] and name != "glass"] == []


@pytest.mark.usefixtures("behavior_data")
def test_synsets_are_those_of_behavior():
    """Where BEHAVIOR knows a category of that very name, it says which meaning is meant."""
    taxonomy = {**behavior.load("taxonomy"), **behavior1k.load("taxonomy")}
    entries = catalogue()
    kinds = (*entries.furniture.values(), *entries.things.values())
    known = [kind for kind in kinds if kind.synset in taxonomy]
    assert len(known) > 0.75 * len(kinds)
    for kind in kinds:
        meanings = {name for name in taxonomy if name.partition(".")[0] == kind.name}
        assert not meanings or kind.synset in taxonomy, (kind.name, kind.synset, meanings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('shape = "cup"', 'shape = "cup", inside = [1, 1, 1]', "things.cup"),
        ('rooms = ["@eating", "office", "open_office"]', 'rooms = ["moon"]', "things.cup: rooms"),
        (
            "size = [[1.4, 1.8], 2.1, 0.95]",
            "size = [[1.8, 1.4], 2.1, 0.95]",
            "furniture.bed",
        ),
        ('what = "fireplace", by = "wall"', 'what = "fireplace", by = "air"', "rooms.living_room"),
        ('affords = ["cleanable", "lieable", "sittable"]', 'affords = ["edible"]', "furniture.bed"),
        ('hub = "open_office"', 'hub = "cave"', "scenes.office"),
        ("[furniture.bed]", CLASH + "[furniture.bed]", "share names: key"),
        ("version = 1", "version = = 1", "no TOML"),
    ],
)
def test_a_wrong_entry_is_named(old: str, new: str, message: str):
    with pytest.raises(HomebodyError, match=message.replace(".", r"\.")):
        read_catalogue(_files(old, new))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (f"[furniture.crate]\nsize = [{size}, 0.1, 0.1]", "furniture.crate: size")
            for size in ("nan", "inf", "-1", "0", "1e9", "[0.0, 1.0]")
        ),
        ("[things.bauble]\nweight = nan", "things.bauble: weight"),
        ("[things.bauble]\nweight = -5", "things.bauble: weight"),
        ('[things."a b]c"]\nsize = [1, 1, 1]', "'a b]c' is no name"),
        ("[rooms.cave]\nthngs = 3", "rooms.cave: unknown field 'thngs'"),
        ("[scenes.den.types.small]\nfrist = []", "scenes.den: unknown field 'frist'"),
        ("[things2.ball]\nsize = [1, 1, 1]", "no table 'things2'"),
        ("foo = 1", "no table 'foo'"),
        ("a = " + "[" * 5000, "no TOML"),
    ],
)
def test_a_hostile_entry_is_refused(text: str, message: str):
    with pytest.raises(HomebodyError, match=r"^mine\.toml.*" + re.escape(message)):
        read_catalogue({**catalogue_files(), "mine.toml": text})


def test_the_file_of_a_wrong_entry_is_named():
    with pytest.raises(HomebodyError, match=r"^objects/tableware\.toml: things\.cup: containers"):
        read_catalogue(_files('shape = "cup"', 'shape = "cup", inside = [1, 1, 1]'))


def test_an_entry_stands_in_one_file():
    files = {**catalogue_files(), "mine.toml": "[furniture.bed]\nsize = [1, 1, 1]\n"}
    with pytest.raises(HomebodyError, match=r"furniture\.bed is in furniture/.*and again in mine"):
        read_catalogue(files)


def test_one_text_with_everything_is_a_catalogue():
    files = sorted(catalogue_files().items(), key=lambda file: "/" in file[0])
    assert read_catalogue("\n".join(text for _, text in files)) == catalogue()


def test_one_entry_more_is_one_category_more():
    mine = """
[things.gas_lamp]
shape = "lamp"
size = [0.2, 0.2, 0.3]
colours = ["red"]
affords = ["grabbable", "powerable"]
rooms = ["garage"]
places = ["workbench"]
"""
    entries = read_catalogue({**catalogue_files(), "mine.toml": mine})
    assert entries.things["gas_lamp"].likely == {"powered_on": 0.2}
    assert entries.things["gas_lamp"].style == {"body": (entries.colours["red"],)}
