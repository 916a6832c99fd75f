"""Pictures of tasks: everything is in them, where the episode says, and nothing hides anything."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hash_seeds import printed
from homebody.core import HomebodyError
from homebody.goals.partnr import (
    PREDICATES,
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Episode,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    check,
    temporal_groups,
)
from homebody.suites.partnr.episodes.scene import to_episode
from homebody.suites.partnr.pictures.cast import cast_of, label_of
from homebody.suites.partnr.pictures.frames import Chip, Frame, frames_of
from homebody.suites.partnr.pictures.goal_picture import draw
from homebody.suites.partnr.pictures.icons import HEIGHT
from homebody.suites.partnr.pictures.layout import Layout, lay_out
from homebody.suites.partnr.pictures.legend import WIDTH, legend_of
from homebody.suites.partnr.pictures.marks import CHIP, SLOT, chip_width, slot_width
from homebody.suites.partnr.pictures.svg_elements import PALETTE, escape, ink_on, width_of, wrap
from homebody.suites.partnr.tasks import PartnrTask
from places import ROOT
from suites.partnr import homes
from suites.partnr.homes import home
from thorough import examples

HOUSE = homes.HOUSE
NS = "{http://www.w3.org/2000/svg}"
SHELVES = ("bookcase_0", "bookcase_1")


def of(predicate: str, *lists: list[str] | tuple[str, ...], number: int = 1) -> Proposition:
    return Proposition(predicate, tuple(tuple(one) for one in lists), (number,))


def episode(
    evaluation: Evaluation,
    receptacles: dict[str, str],
    states: dict[str, dict[str, bool]] | None = None,
    instruction: str = "Do it, please.",
) -> Episode:
    return Episode(
        "1", "home-1", instruction, check(evaluation), (), receptacles, states or {}, HOUSE.seed
    )


def figure_3() -> Episode:
    """The example of the paper's figure 3: clean the plants, then both on the same shelf."""
    return episode(
        Evaluation(
            (
                of("is_clean", ["plant_0"]),
                of("is_clean", ["plant_1"]),
                of("is_on_top", ["plant_0"], SHELVES),
                of("is_on_top", ["plant_1"], SHELVES),
                of("is_next_to", ["plant_0"], ["plant_1"]),
            ),
            (Dependency((4,), (2, 3), "while_satisfied"),),
            (
                TemporalConstraint(tuple((a, b) for a in (0, 1) for b in (2, 3, 4))),
                SameArgConstraint((2, 3), ("receptacle_handles",) * 2),
                TerminalSatisfactionConstraint((0, 1, 2, 3, 4)),
            ),
        ),
        {"plant_0": "dresser_0|top", "plant_1": "nightstand_0|top"},
        {"is_clean": {"plant_0": False, "plant_1": False}},
    )


def drawn(task: Episode) -> ElementTree.Element:
    return ElementTree.fromstring(draw(task, HOUSE))


def frame_elements(task: Episode) -> list[ElementTree.Element]:
    return [one for one in drawn(task).iter(f"{NS}g") if one.get("class") == "frame"]


def titled(root: ElementTree.Element, kind: str) -> list[str]:
    """Names of the chips, stations or slots below an element."""
    found = [one for one in root.iter(f"{NS}g") if one.get("class") == kind]
    return [one.findtext(f"{NS}title") or "" for one in found]


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{NS}text")]


def frames(task: Episode) -> list[Frame]:
    return frames_of(cast_of(task, HOUSE))


def test_a_room_that_goes_on_in_another_row_says_so() -> None:
    kitchen = [one.name for one in HOUSE.furniture if one.room == "kitchen_0"]
    moved = {f"cup_{at}": f"{name}|top" for at, name in enumerate(kitchen)}
    wide = Evaluation(tuple(of("is_on_top", [cup], ["table_0"]) for cup in moved))
    said = texts(drawn(episode(wide, moved)))
    assert said.count("kitchen") == 1
    assert said.count("kitchen, continued") >= 1
    assert not any("continued" in one for one in texts(drawn(figure_3())))


def where(frame: Frame) -> dict[str, tuple[str, str, bool]]:
    """Chip -> station, on or within, sure."""
    found = {}
    for station in frame.stations:
        for kind, chips in (("on", station.on), ("within", station.inside)):
            found.update({chip.name: (station.name, kind, chip.sure) for chip in chips})
    return found


def test_figure_3_reads_as_it_is_meant() -> None:
    task = figure_3()
    root = drawn(task)
    first, second = frame_elements(task)
    assert titled(first, "chip") == ["plant_0", "plant_1"]
    assert titled(first, "slot") == []
    assert sorted(titled(second, "slot")) == list(SHELVES)
    assert sorted(titled(second, "station")) == [*SHELVES, "dresser_0", "nightstand_0"]
    said = texts(root)
    assert "First" in said
    assert "Then" in said
    assert "Do it, please." in said
    assert "Next to each other" in said
    assert "Same place for" in said
    assert "only while" in said
    assert "Need not last to the end" not in said
    assert any(one.startswith("Other rooms: ") and "kitchen" in one for one in said)
    assert "bedroom" in texts(first)
    assert "living room" in texts(second)
    assert "living room" not in texts(first)


def test_two_of_three_spoons_to_one_of_two_tables() -> None:
    spoons = ["spoon_0", "spoon_1", "spoon_2"]
    tables = ("coffee_table_0", "side_table_0")
    same = Proposition("is_on_top", (tuple(spoons), tables), (2,), same=True)
    rest = {"spoon_0": "counter_0|top", "spoon_1": "counter_0|top", "spoon_2": "fridge_0|shelf_1"}
    task = episode(Evaluation((same,)), rest)
    root = drawn(task)
    assert sorted(titled(root, "chip")) == spoons
    assert sorted(titled(root, "slot")) == sorted(tables)
    assert "2 of 3, same place" in texts(root)
    (frame,) = frames(task)
    assert frame.title == ""
    assert not frame.moves[0].every
    assert frame.moves[0].number == 2
    assert where(frame)["spoon_2"] == ("fridge_0", "within", True)
    loose = episode(Evaluation((dataclasses.replace(same, same=False),)), rest)
    assert "2 of 3" in texts(drawn(loose))
    assert "same" not in draw(loose, HOUSE)


def test_what_must_be_is_solid_and_a_choice_is_dotted() -> None:
    rest = {"cup_0": "counter_0|top", "cup_1": "counter_1|top"}

    def dots(*propositions: Proposition) -> int:
        frame = frame_elements(episode(Evaluation(propositions), rest))[0]
        return sum(one.get("stroke-dasharray") == "0.1 5" for one in frame.iter(f"{NS}path"))

    both = ("is_on_top", ["cup_0", "cup_1"], ["coffee_table_0"])
    assert dots(of("is_on_top", ["cup_0"], ["coffee_table_0"])) == 0
    assert dots(of(*both, number=2)) == 0
    assert dots(of(*both)) == 4  # from either, along, and to the table
    assert dots(of("is_on_top", ["cup_0"], ["coffee_table_0", "bed_0"])) == 3


def test_moves_to_the_same_places_share_a_line() -> None:
    cups = [f"cup_{i}" for i in range(3)]
    task = episode(
        Evaluation(
            (
                *(of("is_inside", [cup], ["fridge_0", "dishwasher_0"]) for cup in cups),
                of("is_inside", ["bowl_0"], ["fridge_0"]),
            )
        ),
        {**dict.fromkeys(cups, "bed_0|top"), "bowl_0": "bed_0|top"},
    )
    (frame,) = frames(task)
    assert [one.sources for one in frame.moves] == [tuple(cups), ("bowl_0",)]
    assert frame.moves[0].number == 3
    assert len(set(frame.moves[0].colours)) == 3
    assert len(titled(drawn(task), "slot")) == 3


def test_objects_have_the_colour_of_their_first_proposition() -> None:
    task = episode(
        Evaluation(
            (
                of("is_on_top", ["cup_0", "cup_1"], ["sofa_0"]),
                of("is_filled", ["cup_1"]),
                of("is_next_to", ["cup_1"], ["vase_0"]),
                of("is_powered_on", ["tv_0"]),
            )
        ),
        {"cup_0": "bed_0|top", "cup_1": "bed_0|top", "vase_0": "bed_0|top"},
    )
    cast = cast_of(task, HOUSE)
    assert cast.colours == {"cup_0": 0, "cup_1": 0, "vase_0": 1, "tv_0": 2}
    assert cast.own == (0, 0, 1, 2)


def test_later_frames_have_things_where_earlier_ones_left_them() -> None:
    task = episode(
        Evaluation(
            (
                of("is_on_top", ["cup_0"], ["sink_0"]),
                of("is_clean", ["cup_0"]),
                of("is_inside", ["cup_0"], ["wall_cabinet_0", "wall_cabinet_1"]),
                of("is_in_room", ["book_0", "book_1"], ["bedroom_0"]),
                of("is_on_top", ["cup_0"], ["bed_0"]),
            ),
            (),
            (
                TemporalConstraint(((0, 1), (1, 2), (1, 3), (2, 4), (3, 4))),
                TerminalSatisfactionConstraint((1, 3, 4)),
            ),
        ),
        {
            "cup_0": "coffee_table_0|top",
            "book_0": "floor_living_room_0",
            "book_1": "bookcase_0|shelf_1",
        },
        {"is_clean": {"cup_0": False}},
    )
    seen = [where(frame) for frame in frames(task)]
    assert [one["cup_0"] for one in seen] == [
        ("coffee_table_0", "on", True),
        ("sink_0", "on", True),
        ("sink_0", "on", True),
        ("wall_cabinet_0", "within", False),
    ]
    assert "book_0" not in seen[0]
    assert seen[2]["book_0"] == ("floor_living_room_0", "on", True)
    assert seen[3]["book_0"] == ("bedroom_0", "on", False)
    assert [frame.title for frame in frames(task)] == ["First", "Then", "Then", "Finally"]
    cup = [chip for frame in frames(task) for one in frame.stations for chip in one.on + one.inside
           if chip.name == "cup_0"]  # fmt: skip
    assert [chip.states for chip in cup] == [(), ("dirty",), (), ()]
    assert [len(chip.goals) for chip in cup] == [0, 1, 0, 0]
    assert texts(drawn(task)).count("Need not last to the end") == 2


def test_states_are_rings_on_objects_and_words_on_furniture() -> None:
    task = episode(
        Evaluation(
            (
                of("is_filled", ["kettle_0", "kettle_1"]),
                of("is_powered_off", ["tv_0"]),
                of("is_clean", ["coffee_table_0", "side_table_0"]),
                of("is_on_floor", ["kettle_0"]),
            )
        ),
        {"kettle_0": "counter_0|top", "kettle_1": "counter_0|top"},
        {"is_filled": {"kettle_0": False, "kettle_1": True}},
    )
    (frame,) = frames(task)
    counter = next(one for one in frame.stations if one.name == "counter_0")
    assert [chip.states for chip in counter.on] == [("empty",), ("filled",)]
    assert [goal.motif for goal in counter.on[0].goals] == ["filled", "floor"]
    said = texts(drawn(task))
    assert {"switch off", "clean (1 of 2)", "1 of 2", "switched off"} <= set(said)
    assert said.count("clean (1 of 2)") == 2


def test_ties_and_clusters_are_said_at_the_side() -> None:
    cups = ["cup_0", "cup_1"]
    task = episode(
        Evaluation(
            (
                *(of("is_on_top", [cup], ["bed_0", "sofa_0"]) for cup in cups),
                Proposition("is_clustered", (("cup_0", "cup_1"), ("vase_0",)), (1, 1)),
                of("is_filled", cups),
                of("is_clean", cups),
            ),
            (Dependency((0, 1), (2,), "before_satisfied", "any"),),
            (
                DifferentArgConstraint((0, 1), ("receptacle_handles",) * 2),
                SameArgConstraint((3, 4), ("object_handles",) * 2),
            ),
        ),
        {"cup_0": "counter_0|top", "cup_1": "counter_0|top", "vase_0": "bed_0|top"},
    )
    cast = cast_of(task, HOUSE)
    (frame,) = frames_of(cast)
    notes = {one.title: [part.text for part in one.parts if part.text] for one in
             legend_of(cast, frame, [frame])}  # fmt: skip
    assert notes["Different place for"] == ["cup 0", "and", "cup 1"]
    assert notes["Same object for"] == ["filled", "and", "clean"]
    assert notes["Close together"] == ["1 of", "cup 0", "or", "cup 1", "and", "vase"]
    assert notes["When it counts"][:5] == ["cup 0", "cup 1", "on", "bed", "or"]
    assert "only before" in notes["When it counts"]


def test_what_is_not_in_the_house_is_shown_as_such() -> None:
    task = episode(
        Evaluation(
            (of("is_on_top", ["ghost_0"], ["moon_0"]), of("is_in_room", ["cup_0"], ["sea"]))
        ),
        {"cup_0": "basket_0|inside", "basket_0": "basket_0|inside"},
    )
    root = drawn(task)
    assert "not in this house" in texts(root)
    assert "moon 0" in texts(root)
    assert sorted(titled(root, "slot")) == ["moon_0", "sea"]
    with pytest.raises(HomebodyError):
        draw(task)


def test_containers_are_where_they_are() -> None:
    task = episode(
        Evaluation((of("is_inside", ["apple_0"], ["basket_0"]),)),
        {"apple_0": "counter_0|top", "basket_0": "floor_garage_0"},
    )
    (frame,) = frames(task)
    basket = next(one for one in frame.stations if one.name == "basket_0")
    assert (basket.kind, basket.room, basket.label) == ("container", "garage_0", "basket")


def test_a_task_is_drawn_in_its_own_house() -> None:
    wanted = Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),))
    made = to_episode("1", "Bring the cup.", wanted, home(("cup_0", "fridge_0", "within")), {})
    task = PartnrTask(made)
    assert draw(task) == draw(made, task.house)
    assert titled(ElementTree.fromstring(draw(task)), "chip") == ["cup_0"]
    assert "fridge_0" in titled(ElementTree.fromstring(draw(task)), "station")


def test_hostile_names_are_text() -> None:
    nasty = [
        "</title><script>alert(1)</script>",
        "a\x00b\ud800&\"'<",
        "]]>\u202e--><!--",
        "😀_0",
        "",
    ]
    task = episode(
        Evaluation(
            (*(of("is_on_top", [name], nasty) for name in nasty), of("is_next_to", nasty, nasty)),
        ),
        {name: f"{name}|{name}" for name in nasty},
        instruction="<svg onload='x'>\x07&amp;",
    )
    root = drawn(task)
    known = ("svg", "g", "rect", "path", "text", "title", "circle", "ellipse", "polygon")
    assert {one.tag for one in root.iter()} <= {NS + one for one in known}
    assert not any(key.startswith("on") for one in root.iter() for key in one.attrib)
    assert titled(root, "chip").count("😀_0") == 1
    assert "<svg onload='x'>\ufffd&amp;" in texts(root)


def test_huge_evaluations_stay_small() -> None:
    places = [f"table_{i}" for i in range(1_000)]
    many = tuple(
        of("is_on_top", [f"cup_{i}", f"bowl_{i}", "x" * 5_000], places[i : i + 300], number=2)
        for i in range(240)
    )
    chained = Evaluation(
        many,
        tuple(Dependency((i,), tuple(range(240)), "while_satisfied") for i in range(240)),
        (
            TemporalConstraint(tuple(pairwise(range(240)))),
            *(SameArgConstraint((i, 239), ("object_handles",) * 2) for i in range(200)),
        ),
    )
    text = draw(episode(chained, {}, instruction="word " * 20_000), HOUSE)
    ElementTree.fromstring(text)
    assert len(text) < 3_000_000
    assert "Not drawn: 180 more propositions" in text
    assert "more steps" in text
    assert text.count('class="frame"') == 12
    crowd = tuple(tuple(f"thing_{i}_{j}" for j in range(20)) for i in range(30))
    clustered = Proposition("is_clustered", crowd, (1,) * 30)
    text = draw(episode(Evaluation((clustered,)), {}), HOUSE)
    assert len(text) < 1_000_000
    assert "Not drawn: 360 more things" in text


def test_frames_are_the_temporal_groups() -> None:
    three = tuple(of("is_clean", [f"cup_{i}"]) for i in range(4))
    order = TemporalConstraint(((0, 1), (1, 2), (0, 2)))
    assert temporal_groups(Evaluation(three, (), (order,))) == [(0, 3), (1,), (2,)]
    assert temporal_groups(Evaluation(three)) == [(0, 1, 2, 3)]
    assert temporal_groups(Evaluation(())) == []
    empty = cast_of(episode(Evaluation(()), {}), HOUSE)
    assert [one.propositions for one in frames_of(empty)] == [()]
    circle = (order, TemporalConstraint(((2, 0),)))
    assert temporal_groups(Evaluation(three, (), circle)) == [(0, 1, 2, 3)]
    cast = cast_of(episode(Evaluation(three, (), (order,)), {}), HOUSE)
    shown = frames_of(cast)
    assert [one.title for one in legend_of(cast, shown[0], shown)] == ["At any time, too"]
    ElementTree.fromstring(draw(episode(Evaluation(()), {}), HOUSE))


def test_labels_have_a_number_only_where_it_matters() -> None:
    task = episode(Evaluation(()), {"cup_0": "bed_0|top", "cup_1": "bed_0|top", "jar_3": "bed_0"})
    assert label_of("cup_1", HOUSE, task) == "cup 1"
    assert label_of("jar_3", HOUSE, task) == "jar"
    assert label_of("coffee_table_0", HOUSE, task) == "coffee table"
    assert label_of("bookcase_1", HOUSE, task) == "bookcase 1"
    assert label_of("yeti_7", HOUSE, task) == "yeti 7"


def test_words_on_every_colour_can_be_read() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in PALETTE:
        a, b = sorted((light(colour), light(ink_on(colour))))
        assert (b + 0.05) / (a + 0.05) > 3  # enough for bold text


@given(st.text(max_size=300), st.integers(40, 900), st.integers(1, 5))
def test_wrapped_text_fits(text: str, width: int, lines: int) -> None:
    found = wrap(text, width, 12, lines)
    assert len(found) <= lines
    assert all(width_of(line.removesuffix(" …"), 12) <= width for line in found)
    if not found or not found[-1].endswith("…"):
        assert "".join(found).replace(" ", "") == "".join(text.split())


@given(st.text(max_size=100))
def test_escaped_text_is_xml(text: str) -> None:
    read = ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>')
    assert len(read.text or "") == len(text)


NAMES = [f"{kind}_{i}" for kind in ("cup", "toy_truck", "stuffed_rabbit") for i in range(4)]
PIECES = [one.name for one in HOUSE.furniture]
ROOMS = [one.name for one in HOUSE.rooms]


@st.composite
def episodes(draws: st.DrawFn) -> Episode:
    def some(names: list[str], most: int = 5) -> tuple[str, ...]:
        return tuple(draws(st.lists(st.sampled_from(names), min_size=1, max_size=most)))

    propositions: list[Proposition] = []
    for predicate in draws(st.lists(st.sampled_from(sorted(PREDICATES)), min_size=1, max_size=9)):
        things = (
            NAMES if draws(st.booleans()) or predicate in ("is_on_top", "is_inside") else PIECES
        )
        if predicate == "is_clustered":
            propositions.append(Proposition(predicate, (some(NAMES), some(NAMES)), (1, 2)))
            continue
        second = {"is_in_room": ROOMS, "is_next_to": [*NAMES, *PIECES]}.get(predicate, PIECES)
        lists = [some(things)] + [some(second)] * (len(PREDICATES[predicate].arguments) - 1)
        propositions.append(of(predicate, *lists, number=draws(st.integers(1, 4))))
    pairs = list(combinations(range(len(propositions)), 2))
    constraints: list[Constraint] = []
    ordered: bool = draws(st.booleans())
    if pairs and ordered:
        edges: list[tuple[int, int]] = draws(st.lists(st.sampled_from(pairs), max_size=8))
        constraints.append(TemporalConstraint(tuple(edges)))
    spots = [f"{piece.name}|{part.name}" for piece in HOUSE.furniture for part in piece.receptacles]
    spots += [room.floor_name for room in HOUSE.rooms]
    few = draws(st.lists(st.sampled_from(spots), min_size=1, max_size=4))
    placed = {name: draws(st.sampled_from(few)) for name in NAMES}
    return episode(Evaluation(tuple(propositions), (), tuple(constraints)), placed)


@examples(150)
@given(episodes())
def test_everything_is_in_the_picture(task: Episode) -> None:
    root = drawn(task)
    groups = temporal_groups(task.evaluation)
    elements = [one for one in root.iter(f"{NS}g") if one.get("class") == "frame"]
    assert len(elements) == len(groups)
    things = set(NAMES)
    for group, element in zip(groups, elements, strict=True):
        chips, stations = Counter(titled(element, "chip")), titled(element, "station")
        slots = titled(element, "slot")
        for index in group:
            one = task.evaluation.propositions[index]
            named = {name for names in one.lists for name in names}
            assert named & things <= set(chips)
            assert named - things <= set(stations)
            if one.predicate in ("is_on_top", "is_inside", "is_in_room"):
                assert set(one.lists[1]) <= set(slots)
        assert all(count == 1 for count in chips.values())


@examples(150)
@given(episodes(), st.sampled_from([898, 1152]))
def test_nothing_hides_anything(task: Episode, width: int) -> None:
    for frame in frames(task):
        layout = lay_out(frame, width)
        marks = _marks(layout)
        for (ax, ay, aw, ah), (bx, by, bw, bh) in combinations(marks, 2):
            apart = ax + aw <= bx + 1e-6 or bx + bw <= ax + 1e-6 or ay + ah <= by or by + bh <= ay
            assert apart
        assert all(x >= 0 and x + w <= width and y >= 0 for x, y, w, _ in marks)
        assert all(y + h <= layout.height for _, y, _, h in marks)
        for one, other in combinations(layout.boxes, 2):
            assert (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
        _check_lines(layout, frame, marks)


def _marks(layout: Layout) -> list[tuple[float, float, float, float]]:
    """Chips and slots: x, y, width, height."""
    found = []
    for one, base in zip(layout.boxes, layout.base, strict=True):
        for block, left in zip(one.blocks, one.lefts, strict=True):
            assert one.x <= left
            assert left + block.width <= one.x + one.width + 1e-6
            assert base + HEIGHT <= one.y + one.height
            for item, x, y in block.items:
                chip = isinstance(item, Chip)
                wide = (
                    chip_width(item)
                    if isinstance(item, Chip)
                    else slot_width(layout.wires[item[0]].move.number)
                )
                found.append((left + x, base + y, wide, CHIP if chip else SLOT))
    return found


def _check_lines(
    layout: Layout, frame: Frame, marks: list[tuple[float, float, float, float]]
) -> None:
    """Every line comes from above to its chips and slots without crossing others; no two go along
    at the same height."""
    along = []
    for wire, move in zip(layout.wires, frame.moves, strict=True):
        ends = (*wire.sources, *wire.targets)
        assert len(wire.targets) == len(move.targets)
        for end in ends:
            assert wire.levels[end.row] < end.y
            room = layout.boxes[end.box]
            assert room.x <= end.x <= room.x + room.width
            for x, y, wide, tall in marks:
                beside = not x < end.x < x + wide
                assert beside or y >= end.y - 1e-6 or y + tall <= wire.levels[end.row]
        for row, level in wire.levels.items():
            xs = [end.x for end in ends if end.row == row]
            xs += [x for x, a, b in wire.trunks if level in (a, b)]
            along.append((level, min(xs), max(xs)))
    for (level, a, b), (other, c, d) in combinations(along, 2):
        assert abs(level - other) > 5 or b < c or d < a


@pytest.mark.slow
def test_the_same_task_gives_the_same_picture_in_any_process() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_goal_picture import draw, figure_3, HOUSE\n"
        "import hashlib; print(hashlib.sha256(draw(figure_3(), HOUSE).encode()).hexdigest())"
    )
    here = str(ROOT / "tests/suites/partnr/pictures")
    assert printed(code, here) == hashlib.sha256(draw(figure_3(), HOUSE).encode()).hexdigest()


def test_the_legend_stays_in_its_column() -> None:
    root = drawn(figure_3())
    right = float(root.get("width", "0"))
    for one in root.iter(f"{NS}rect"):
        assert float(one.get("x", "0")) + float(one.get("width", "0")) <= right
    assert right / 4 > WIDTH
