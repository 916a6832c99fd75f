"""Published seed tasks in homebody's houses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homebody.authoring.language.mentions import mentions
from homebody.authoring.partnr.draft import FailureMode, Rejected
from homebody.authoring.partnr.regrounding.published import Seed, fit, measure, read_seeds
from homebody.authoring.partnr.regrounding.template import read_template
from homebody.core.ground.user_errors import HomebodyError
from homebody.suites.partnr.episodes.scene import scene
from places import SHARED
from suites.partnr import homes

FOLDER = SHARED / "data" / "partnr"
HOUSE = homes.HOUSE


def seed(instruction: str, *entries: tuple[int, str, str, str]) -> Seed:
    raw = {
        "instruction": instruction,
        "initial_state": [
            {
                "number": number,
                "object_classes": [kind],
                "furniture_names": [piece],
                "allowed_regions": [room],
            }
            for number, kind, piece, room in entries
        ],
        "scene_id": "1",
        "episode_id": 1,
    }
    return Seed(read_template(raw), "own")


def test_counterparts_in_scene_and_words() -> None:
    draft = fit(
        seed(
            "Place the sushi mat and a toy vehicle from the couch on the chest of drawers.",
            (1, "sushi_mat", "couch_3", "living_room_2"),
            (2, "toy_vehicle", "couch_3", "living_room_2"),
        ),
        HOUSE,
    )
    placed = [(one.category, one.number, one.furniture) for one in draft.placements]
    assert placed == [("placemat", 1, "sofa_0"), ("toy_car", 2, "sofa_0")]
    said = "Place the placemat and a toy vehicle from the couch on the chest of drawers."
    assert draft.instruction == said


@pytest.mark.parametrize(
    "one",
    [
        seed("Take the lamp away.", (1, "lamp", "table_0", "workout/gym/exercise_0")),
        seed("Take the lamp away.", (1, "lamp", "toilet_0", "kitchen_0")),
        seed("Take the gizmo away.", (1, "gizmo", "table_0", "kitchen_0")),
        seed("Take the lamp to the swimming pool.", (1, "lamp", "couch_0", "living_room_0")),
        seed("Take the lamp.", (1, "lamp", "table_0", "ballroom_0")),
    ],
)
def test_no_counterpart(one: Seed) -> None:
    with pytest.raises(Rejected) as caught:
        fit(one, HOUSE)
    assert caught.value.failure == FailureMode.HALLUCINATION


def test_stand_ins_can_be_refused() -> None:
    one = seed("Put the sushi mat on the sofa.", (1, "sushi_mat", "counter_0", "kitchen_0"))
    fit(one, HOUSE)
    with pytest.raises(Rejected, match="sushi_mat"):
        fit(one, HOUSE, stand_ins=False)


def test_bad_folders(tmp_path: Path) -> None:
    for text, error in (
        ("{", "not JSON"),
        ("{}", "not a list"),
        ('[{"instruction": 1}]', "task 0"),
    ):
        (tmp_path / "a.json").write_text(text)
        with pytest.raises(HomebodyError, match=error):
            read_seeds(tmp_path)
    with pytest.raises(HomebodyError, match="no seed tasks"):
        read_seeds(tmp_path / "none")
    (tmp_path / "a.json").write_text(json.dumps([]))
    with pytest.raises(HomebodyError, match="no seed tasks"):
        read_seeds(tmp_path)


@pytest.fixture(scope="module")
def seeds() -> list[Seed]:
    if not FOLDER.is_dir():
        pytest.skip("no published seed tasks")
    return read_seeds(FOLDER)


@pytest.mark.slow
def test_most_published_seeds_fit_some_house(seeds: list[Seed]) -> None:
    left = seeds
    for number in range(1, 9):
        missing = []
        for one in left:
            try:
                draft = fit(one, scene(number))
            except Rejected:
                missing.append(one)
            else:
                assert draft.placements
                assert mentions(draft.instruction)
        left = missing
    assert len(left) < 0.15 * len(seeds)


def test_counts_add_up(seeds: list[Seed]) -> None:
    with_others, without = measure(seeds, HOUSE), measure(seeds, HOUSE, stand_ins=False)
    assert sum(with_others.values()) == sum(without.values()) == len(seeds)
    assert with_others["fits"] > without["fits"] > 0.2 * len(seeds)
