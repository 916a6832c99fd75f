"""Seeds: read, turned back into drafts, and adapted to other houses."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from homebody.authoring.partnr import shards
from homebody.authoring.partnr.counts import GenerationPlan
from homebody.authoring.partnr.draft import Draft, Placement, Rejected
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.packing import complete
from homebody.authoring.partnr.prompting.propositions import read_propositions
from homebody.authoring.partnr.regrounding import from_seeds
from homebody.authoring.partnr.situation import situation
from homebody.authoring.partnr.splits import scenes, split_of
from homebody.authoring.partnr.verify import verify
from homebody.core import HomebodyError
from homebody.core.ground.seeds import generator
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.kinds import kinds
from homebody.suites.partnr.episodes.scene import scene
from suites.partnr import homes


@pytest.fixture(scope="module")
def episodes() -> list[Episode]:
    return [make("train", house, index)[0] for house in scenes("train", 4) for index in range(6)]


@pytest.fixture(scope="module")
def seeds(episodes: list[Episode], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seeds") / "seeds.jsonl.gz"
    files.write_file(path, episodes)
    return path


@pytest.mark.slow
def test_a_draft_of_an_episode_makes_such_an_episode(
    episodes: list[Episode], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.authoring.partnr.instantiate.MIN_OBJECTS", 0)
    assert any(one.assigned for one in episodes)
    for one in episodes:
        assert one.house_seed is not None
        draft = from_seeds.draft_of(one)
        assert draft.evaluation is not None
        made = instantiate("again", one.house_seed, draft, generator("again"))
        assert (made.instruction, made.assigned) == (one.instruction, one.assigned)
        assert kinds(made.evaluation) == kinds(one.evaluation)
        verify(made)
        old, new = (situation(it, scene(it)) for it in (one, made))
        asked = {
            name
            for it in one.evaluation.propositions
            for names in it.lists
            for name in names
            if name in old.category
        }
        # the same number of each kind that is asked for, in the same places
        for kind in {old.category[name] for name in asked}:
            places = [Counter(it.holder[name] for name in it.of_kind(kind)) for it in (old, new)]
            assert places[0] == places[1]


def test_what_matters_of_states_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homebody.authoring.partnr.instantiate.MIN_OBJECTS", 0)
    house = homes.HOUSE  # what scene(3) is here
    draft = Draft(
        "Wash the dirty bowl and put the lamp on the sofa.",
        (
            Placement("bowl", 1, "sofa_0", states={"clean": True}),
            Placement("bowl", 1, "dresser_0", states={"clean": False}),
            Placement("book", 2, "dresser_0"),
        ),
    )
    where = situation(draft, house)
    goals = read_propositions('is_clean("bowl_1") is_on_top("book_0", "sofa_0")', where)
    episode = instantiate("x", 3, replace(draft, evaluation=complete(goals)), generator("x"))
    found = from_seeds.draft_of(episode)
    bowls = [one for one in found.placements if one.category == "bowl"]
    places = {one.furniture: one.states["clean"] for one in bowls}
    assert places == {"sofa_0": True, "dresser_0": False}
    books = [one for one in found.placements if one.category == "book"]
    assert [(one.number, one.furniture) for one in books] == [(2, "dresser_0")]
    dirty = [one.furniture for one in bowls].index("dresser_0")
    assert found.evaluation is not None
    cleaned, put = found.evaluation.propositions
    assert (cleaned.lists, put.lists[1]) == (((f"bowl_{dirty}",),), ("sofa_0",))


@pytest.mark.slow
def test_names_with_gaps_are_closed(episodes: list[Episode]) -> None:
    one, name = next(
        (it, it.evaluation.propositions[0].lists[0][0])
        for it in episodes
        if it.evaluation.propositions[0].lists[0][0] in it.receptacles
    )
    other = f"{name.rpartition('_')[0]}_7"
    renamed = replace(
        one,
        evaluation=one.evaluation.rename({name: other}),
        objects=tuple((other if n == name else n, place) for n, place in one.objects),
        receptacles={other if n == name else n: at for n, at in one.receptacles.items()},
        states={
            state: {other if n == name else n: value for n, value in values.items()}
            for state, values in one.states.items()
        },
    )
    draft = from_seeds.draft_of(renamed)
    assert one.house_seed is not None
    verify(instantiate("again", one.house_seed, draft, generator("again")))


@pytest.mark.slow
def test_generation_from_seeds(seeds: Path, episodes: list[Episode], tmp_path: Path) -> None:
    known = from_seeds.load_episodes(seeds)
    plan = GenerationPlan("val", 39, author=f"seeds {known.digest}")
    author = partial(from_seeds.make, str(seeds))
    report = shards.generate(tmp_path, plan, author, engine="serial")
    made = list(files.read_file(tmp_path / "episodes.jsonl.gz"))
    assert len({one.id for one in made}) == 39
    assert report.counts.episodes == 39
    assert sum(report.counts.rejected.values()) > 0
    assert {split_of(one.house_seed or 0) for one in made} == {"val"}
    for one in made[::6]:
        verify(one)
    # no house has the same words twice, and some are those of the seeds
    assert len({(one.scene, one.instruction) for one in made}) == 39
    said = {one.instruction for one in episodes}
    assert 0 < sum(one.instruction in said for one in made) < 39


def test_it_hangs_on_nothing_else(seeds: Path) -> None:
    house = scenes("val", 1)[0]
    once = [from_seeds.make(str(seeds), "val", house, index) for index in (3, 30)]
    again = [from_seeds.make(str(seeds), "val", house, index) for index in (30, 3)][::-1]
    assert once == again


def test_a_seed_is_never_copied_into_its_own_house(seeds: Path, episodes: list[Episode]) -> None:
    house = episodes[0].house_seed
    assert house is not None
    said = {one.instruction for one in episodes if one.house_seed == house}
    for index in range(12):
        made, _ = from_seeds.make(str(seeds), "train", house, index)
        if made.instruction in said:  # a word for a class may stay, but not the object
            same = next(one for one in episodes if one.instruction == made.instruction)
            assert made.evaluation != same.evaluation


def test_seeds_that_fit_nowhere_say_so(episodes: list[Episode], tmp_path: Path) -> None:
    one = episodes[0]
    broken = replace(one, evaluation=one.evaluation.rename(dict.fromkeys(one.receptacles, "x_0")))
    files.write_file(tmp_path / "bad.jsonl", [broken])
    with pytest.raises(HomebodyError, match=r"none of 60 seeds .* \(hallucination 60\)"):
        from_seeds.make(str(tmp_path / "bad.jsonl"), "val", 18, 0)
    with pytest.raises(Rejected):
        from_seeds.draft_of(broken)


def test_what_is_read(seeds: Path, episodes: list[Episode], tmp_path: Path) -> None:
    found = from_seeds.load(seeds)
    assert [files.decode(line) for line in found.episodes] == episodes
    files.write_file(tmp_path / "a.jsonl", episodes[:10])
    files.write_file(tmp_path / "b.jsonl.gz", episodes[10:])
    assert from_seeds.load(tmp_path) == found
    files.write_file(tmp_path / "b.jsonl.gz", episodes[11:])
    assert from_seeds.load(tmp_path).digest != found.digest


def test_templates_need_a_model(tmp_path: Path) -> None:
    task = {
        "instruction": "Bring the cup to the bed.",
        "initial_state": [
            {
                "number": "1",
                "object_classes": ["cup"],
                "furniture_names": ["table_1"],
                "allowed_regions": ["living_room_1"],
            }
        ],
    }
    (tmp_path / "300_rearrange.json").write_text(json.dumps([task]))
    assert len(from_seeds.load(tmp_path)) == len(from_seeds.load(tmp_path).templates) == 1
    with pytest.raises(HomebodyError, match="no evaluation functions") as caught:
        from_seeds.load_episodes(tmp_path)
    assert "--model" in caught.value.hint


def test_what_is_no_seed(episodes: list[Episode], tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="there are no seeds at"):
        from_seeds.load(tmp_path / "missing")
    (tmp_path / "notes.txt").write_text("a task")
    with pytest.raises(HomebodyError, match="not a file of episodes"):
        from_seeds.load(tmp_path / "notes.txt")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(HomebodyError, match="no episodes"):
        from_seeds.load(tmp_path / "empty.jsonl")
    (tmp_path / "broken.jsonl").write_bytes(files.encode(episodes[0]) + b"\n{}\n")
    with pytest.raises(HomebodyError, match="line 2"):
        from_seeds.load(tmp_path / "broken.jsonl")
    files.write_file(tmp_path / "foreign.jsonl", [replace(episodes[0], house_seed=None)])
    with pytest.raises(HomebodyError, match="not set in a generated house"):
        from_seeds.load(tmp_path / "foreign.jsonl")
