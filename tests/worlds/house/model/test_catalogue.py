"""The catalogue: what there is, and what is said about a wrong one."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.data import behavior, behavior1k
from homebody.worlds.house.model.catalogue import (
    STATE_OF,
    catalogue,
    catalogue_files,
    read_catalogue,
)

CLASH = "[furniture.key]\nsize = [1, 1, 1]\n"
"""A piece of furniture with the name of an object."""

REVIEWED = (
    "album.n.02 aquarium.n.01 atlas.n.02 badminton_racket.n.01 baking_tray.n.01 bar.n.02 "
    "basin.n.01 basketball.n.02 bath_mat.n.01 bathrobe.n.01 beer_mug.n.01 bicycle_pump.n.01 "
    "bidet.n.01 bill.n.03 bin_liner.n.01 binder.n.03 bone.n.01 booklet.n.01 breadbox.n.01 "
    "bunk_bed.n.01 butter_dish.n.01 cable.n.02 card.n.01 champagne_flute.n.01 chessboard.n.01 "
    "chest_of_drawers.n.01 clothes_basket.n.01 clothespin.n.01 comforter.n.04 conveyer_belt.n.01 "
    "cookbook.n.01 cookie_jar.n.01 crowbar.n.01 crutch.n.01 dictionary.n.01 dollhouse.n.02 "
    "doormat.n.02 dressing_table.n.01 drum.n.01 dumbbell.n.01 eggcup.n.01 extension_cord.n.01 "
    "file.n.03 frisbee.n.01 goggles.n.01 golf_ball.n.01 gurney.n.01 hand_mirror.n.01 "
    "hard_hat.n.02 headphone.n.01 hot-water_bottle.n.01 ice_maker.n.01 jewel_casket.n.01 "
    "jump_rope.n.01 keycard.n.01 kite.n.03 leash.n.01 lectern.n.01 love_seat.n.01 "
    "magnifying_glass.n.01 medicine_ball.n.01 medicine_chest.n.01 minibar.n.01 moped.n.01 "
    "music_box.n.01 novel.n.02 padlock.n.01 pan.n.03 paper_plate.n.01 passport.n.02 "
    "piggy_bank.n.01 plasticine.n.01 playpen.n.01 plunger.n.03 potholder.n.01 potty_seat.n.01 "
    "pruning_shears.n.01 punch.n.03 rattle.n.02 recliner.n.01 remote_control.n.01 "
    "roller_skate.n.01 safe.n.01 salad_bowl.n.02 scooter.n.02 server.n.03 sewing_kit.n.01 "
    "sewing_machine.n.01 shaver.n.03 shopping_bag.n.01 shuttlecock.n.01 slipper.n.01 stall.n.03 "
    "stepladder.n.01 stethoscope.n.01 sugar_bowl.n.01 swab.n.01 table-tennis_racquet.n.01 "
    "table-tennis_table.n.01 tape.n.04 thermos.n.01 timer.n.01 ukulele.n.01 walking_stick.n.01 "
    "washbasin.n.01 washcloth.n.01 wheelchair.n.01 workbench.n.01 xylophone.n.01 yarn.n.02 "
    "yo-yo.n.01"
)
"""Synsets that BEHAVIOR has not: each looked up in WordNet, by hand, with what it means there."""
KINDS = (
    "bag.n.01 ball.n.01 bed.n.01 bench.n.01 bottle.n.01 bowl.n.01 box.n.01 brush.n.02 bucket.n.01 "
    "cabinet.n.01 can.n.01 carton.n.02 chair.n.01 console_table.n.01 container.n.01 "
    "countertop.n.01 cup.n.01 deep-freeze.n.01 desk.n.01 doll.n.01 easel.n.01 "
    "electric_refrigerator.n.01 exercise_device.n.01 extension_cord.n.01 glove.n.02 handcart.n.01 "
    "holder.n.01 jar.n.01 loudspeaker.n.01 map.n.01 mixer.n.04 monitor.n.04 partition.n.01 "
    "plaything.n.01 rack.n.05 scale.n.07 sculpture.n.01 shelf.n.01 shoe.n.01 stool.n.01 "
    "table.n.02 table_lamp.n.01 tray.n.01 vacuum.n.04 weight.n.02"
)
"""Synsets of several categories, which are all kinds of it."""


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


def test_different_things_have_different_synsets():
    entries = catalogue()
    counts = Counter(kind.synset for kind in entries.furniture.values())
    counts += Counter(kind.synset for kind in entries.things.values())
    assert {synset for synset, count in counts.items() if count > 1} == {*KINDS.split()}


@pytest.mark.usefixtures("behavior_data")
def test_synsets_are_those_of_behavior():
    """The catalogue names BEHAVIOR's synset of a category's name, if there is one."""
    taxonomy = {**behavior.load("taxonomy"), **behavior1k.load("taxonomy")}
    entries = catalogue()
    kinds = (*entries.furniture.values(), *entries.things.values())
    names = {kind.name: kind.behavior or kind.synset for kind in kinds}
    assert {*names.values()} - taxonomy.keys() == {*REVIEWED.split()}
    for name, synset in names.items():
        meanings = {known for known in taxonomy if known.partition(".")[0] == name}
        assert not meanings or synset in taxonomy, (name, synset, meanings)


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
        ('shows = ["coat", "jacket"]', 'shows = ["ghost"]', "furniture.coat_rack: shows"),
        ('hub = "open_office"', 'hub = "cave"', "scenes.office"),
        ("[furniture.bed]", CLASH + "[furniture.bed]", "share names: key"),
        ("version = 1", "version = = 1", "not TOML"),
    ],
)
def test_a_wrong_entry_is_named(old: str, new: str, message: str):
    with pytest.raises(HomebodyError, match=message.replace(".", r"\.")):
        read_catalogue(_files(old, new))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("text", "message"),
    [
        *(
            (f"[furniture.crate]\nsize = [{size}, 0.1, 0.1]", "furniture.crate: size")
            for size in ("nan", "inf", "-1", "0", "1e9", "[0.0, 1.0]")
        ),
        ("[things.bauble]\nweight = nan", "things.bauble: weight"),
        ("[things.bauble]\nweight = -5", "things.bauble: weight"),
        ('[things."a b]c"]\nsize = [1, 1, 1]', "'a b]c' is not a name"),
        ("[rooms.cave]\nthngs = 3", "rooms.cave: unknown field 'thngs'"),
        ("[scenes.den.types.small]\nfrist = []", "scenes.den: unknown field 'frist'"),
        ("[things2.ball]\nsize = [1, 1, 1]", "no table 'things2'"),
        ("foo = 1", "no table 'foo'"),
        ("a = " + "[" * 5000, "not TOML"),
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
