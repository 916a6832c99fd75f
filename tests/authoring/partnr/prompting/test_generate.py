"""Generation with a model: what is asked for, in turn, counted, kept and given up."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authoring.partnr.scribe import Scribe
from homebody.authoring.partnr.counts import GenerationPlan, read_report
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.prompting import sources
from homebody.authoring.partnr.prompting.generate import (
    REPEATED,
    TOGETHER,
    TRIES,
    batches,
    generate,
)
from homebody.authoring.partnr.prompting.records import (
    DraftRecord,
    read_finished,
    read_outcomes,
)
from homebody.authoring.partnr.prompting.sources import Batch, Source
from homebody.authoring.partnr.prompting.tasks import author_messages, read_drafts
from homebody.authoring.partnr.regrounding import from_seeds
from homebody.authoring.partnr.splits import houses_for, scenes
from homebody.core import HomebodyError, Message
from homebody.core.ground.journal import append, repair
from homebody.core.play.conversation import Ask
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.kinds import KINDS, kinds
from homebody.suites.partnr.episodes.scene import scene
from patience import PATIENCE

PLAN = GenerationPlan("val", 4, author="scripted")
Drafts = Iterator[Draft | Rejected]


def no_example(_: str) -> None:
    return None


def never(_: Sequence[Message]) -> str:
    raise AssertionError("the model was asked")


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(scenes("val"))


@pytest.mark.slow
@settings(max_examples=50)
@given(st.sampled_from(["train", "val", "test"]), st.integers(1, 600), st.booleans())
def test_every_episode_is_in_one_batch(split: str, episodes: int, typed: bool) -> None:
    work = batches(GenerationPlan(split, episodes), typed)
    indices = [index for one in work for index in one.indices]
    assert sorted(indices) == list(range(episodes))
    for one in work:
        if typed:
            assert len(one.indices) <= TOGETHER
            assert {KINDS[index % len(KINDS)] for index in one.indices} == {one.kind}
        else:
            assert (len(one.indices), one.kind) == (1, "")
    of_house = Counter(one.scene for one in work for _ in one.indices)
    assert dict(of_house) == dict(houses_for(split, episodes))


@pytest.mark.slow
def test_several_are_asked_at_once_and_houses_are_used_by_one(
    scribe: Scribe, tmp_path: Path
) -> None:
    together = threading.Barrier(3, timeout=PATIENCE)
    first = threading.local()
    inside: list[int] = []

    def ask(messages: Sequence[Message]) -> str:
        if not hasattr(first, "met"):
            first.met = True
            together.wait()  # breaks, and ends all, unless three wait at once
        return scribe.ask(messages)

    def source(ask: Ask, batch: Batch, missing: Sequence[int], attempt: int) -> Drafts:
        inside.append(batch.scene)
        time.sleep(0.01)
        assert inside == [batch.scene]
        inside.clear()
        yield from sources.free_source().write(ask, batch, missing, attempt)

    report = generate(tmp_path, PLAN, ask, Source(source), no_example, concurrency=3)
    assert report.counts.episodes == 4


@pytest.mark.slow
def test_files_are_in_order_and_read_like_others(scribe: Scribe, tmp_path: Path) -> None:
    plan = GenerationPlan("val", 15, author="scripted")
    told: list[tuple[str, int, int]] = []
    report = generate(
        tmp_path,
        plan,
        scribe.ask,
        sources.free_source(),
        no_example,
        progress=lambda *one: told.append(one),
    )
    houses = [one.house_seed for one in files.read_file(tmp_path / "episodes.jsonl.gz")]
    assert houses == [*scenes("val"), *scenes("val", 2)]
    assert told[0] == ("generating", 0, 15)
    assert told[-1] == ("generating", 15, 15)
    plain = read_report(tmp_path / "report.json")
    assert (plain.plan, plain.houses, plain.counts) == (plan, 13, report.counts)
    assert report.calls == sum(scribe.asked.values())
    assert read_finished(tmp_path, plan) == report
    assert read_finished(tmp_path, GenerationPlan("val", 16, author="scripted")) is None
    assert read_finished(tmp_path / "missing", plan) is None


@pytest.mark.slow
def test_the_same_words_are_not_taken_twice_and_tries_end(scribe: Scribe, tmp_path: Path) -> None:
    written: dict[int, Draft | Rejected] = {}

    def source(ask: Ask, batch: Batch, missing: Sequence[int], attempt: int) -> Drafts:
        house = scene(batch.scene)
        if batch.scene not in written:
            answer = ask(author_messages(house, "spatial", 1))
            written[batch.scene] = read_drafts(answer, house)[0]
        yield written[batch.scene]

    plan = GenerationPlan("val", 14, author="scripted")  # two in the first of 13 houses
    for times in (1, 2):
        report = generate(tmp_path, plan, scribe.ask, Source(source), no_example, concurrency=1)
        assert report.counts.episodes == 13
        assert report.counts.rejected == {REPEATED: times * TRIES}
        assert read_finished(tmp_path, plan) is None
    # who gets another in the end has all
    report = generate(tmp_path, plan, scribe.ask, sources.free_source(), no_example)
    assert report.counts.episodes == 14


def test_what_rules_find_costs_no_calls(tmp_path: Path) -> None:
    draft = Draft(
        "Bring the cup to the rocket and put the apple somewhere nice.",
        (Placement("cup", 1, "counter_0"), Placement("apple", 1, "counter_0")),
    )

    def source(ask: Ask, batch: Batch, missing: Sequence[int], attempt: int) -> Drafts:
        yield draft

    report = generate(
        tmp_path, GenerationPlan("val", 1, author="x"), never, Source(source), no_example
    )
    assert report.calls == 0
    assert report.findings[FailureMode.AMBIGUITY.value] == TRIES
    assert sum(report.counts.rejected.values()) == TRIES
    lines = list(read_outcomes(tmp_path / "drafts.jsonl"))
    assert all(one.instruction == draft.instruction and one.why for one in lines)


def test_templates_are_taken_as_they_are_and_then_written_anew(
    scribe: Scribe, tmp_path: Path
) -> None:
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
    asked: list[str] = []

    def ask(messages: Sequence[Message]) -> str:
        last = messages[-1].text
        if "This task is from another house" in last:
            asked.append(last)
        elif "Bring the cup to the bed." in last:
            return 'is_on_top("cup_0", "bed")'
        return scribe.ask(messages)

    source = sources.seeded_source(from_seeds.load(tmp_path))
    out = tmp_path / "out"
    out.mkdir()
    report = generate(
        out, GenerationPlan("val", 3, author="x"), ask, source, no_example, concurrency=1
    )
    made = list(files.read_file(out / "episodes.jsonl.gz"))
    assert report.counts.episodes == len(made) == 3
    assert [one.instruction == task["instruction"] for one in made] == [True, False, False]
    assert len(asked) == 2
    assert "Bring the cup to the bed." in asked[0]


@pytest.mark.slow
def test_examples_are_of_all_types() -> None:
    find = sources.example_finder()
    for place, kind in enumerate(KINDS):
        one, _ = make("train", scenes("train", 1)[0], place)
        assert kind in kinds(one.evaluation)
        near = find(f"Hello. {one.instruction}")
        assert near is not None
        assert near.instruction == one.instruction


def test_an_error_of_a_client_is_told_in_one_line(scribe: Scribe, tmp_path: Path) -> None:
    def ask(messages: Sequence[Message]) -> str:
        if scribe.asked["tasks"] == 2:
            raise ZeroDivisionError("the\nclient is broken") from ValueError("too many requests")
        return scribe.ask(messages)

    with pytest.raises(HomebodyError) as caught:
        generate(tmp_path, PLAN, ask, sources.free_source(), no_example, concurrency=1)
    assert str(caught.value) == "the model could not be queried: ValueError: too many requests"
    done = list(files.read_file(tmp_path / "episodes.jsonl.gz"))
    assert 1 <= len(done) < 4
    generate(tmp_path, PLAN, scribe.ask, sources.free_source(), no_example)
    whole = {one.id: one for one in files.read_file(tmp_path / "episodes.jsonl.gz")}
    assert len(whole) == 4
    assert all(whole[one.id] == one for one in done)


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="concurrency"):
        generate(tmp_path, PLAN, never, sources.free_source(), no_example, concurrency=0)
    with pytest.raises(HomebodyError, match="split"):
        generate(tmp_path, GenerationPlan("x", 1), never, sources.free_source(), no_example)
    (tmp_path / "drafts.jsonl").write_text("[]\n")
    with pytest.raises(HomebodyError, match="line 1 is damaged"):
        generate(tmp_path, PLAN, never, sources.free_source(), no_example)


@given(st.lists(st.text(max_size=20), max_size=5), st.binary(max_size=20))
def test_half_a_line_is_cut_off(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], half: bytes
) -> None:
    path = tmp_path_factory.mktemp("log") / "drafts.jsonl"
    some = [DraftRecord(3, instruction=text, failure="x") for text in texts]
    for one in some:
        append(path, msgspec.json.encode(one) + b"\n")
    append(path, half.replace(b"\n", b" "))
    repair(path)
    assert list(read_outcomes(path)) == some
    last = DraftRecord(4, index=0, episode={"a": 1})
    append(path, msgspec.json.encode(last) + b"\n")
    assert list(read_outcomes(path)) == [*some, last]
    assert path.read_bytes().endswith(msgspec.json.encode(last) + b"\n")
