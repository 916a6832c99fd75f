"""The suites: any text is scored, the numbers add up, and a split that is not there is said so."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, Action, HomebodyError, Protocol, Score
from homebody.core import suite as core_suite
from homebody.core.play.failures import KEY as LABELS
from homebody.core.play.transcript import decode
from homebody.goals.partnr import Dependency, Evaluation, SameArgConstraint, TemporalConstraint
from homebody.results.run_comparisons import rejudge
from homebody.suites.partnr import tasks as module
from homebody.suites.partnr.episodes.files import write_file
from homebody.suites.partnr.session import start_session
from homebody.suites.partnr.settings import HUMAN, ROBOT
from homebody.suites.partnr.suite import make_suite
from homebody.suites.partnr.tasks import PartnrTask
from suites.partnr import homes
from suites.partnr.homes import follow, make_task, of, replay
from thorough import part_of

WANTED = Evaluation(
    (
        of("is_on_top", ["cup_0"], ["coffee_table_0"]),
        of("is_next_to", ["cup_0"], ["plate_0"]),
        of("is_clean", ["plate_0"]),
    ),
    (Dependency((1,), (0,), "while_satisfied"),),
    (TemporalConstraint(((2, 0),)),),
)
THINGS = (("cup_0", "counter_0"), ("plate_0", "coffee_table_0"))
TASK = make_task(WANTED, *THINGS, states={"plate_0": {"clean": False}})
CALLS = (
    "human: Navigate[plate_0]",
    "human: Clean[plate_0]",
    "human: Navigate[kitchen_0]",
    "robot: Rearrange[cup_0, on, coffee_table_0, next_to, plate_0]",
)
SUITE = make_suite("val")


def transcript(*calls: str) -> str:
    return follow(TASK, *calls).transcript().encode()


def test_a_score_has_all_that_is_to_be_known() -> None:
    score = SUITE.score(TASK, transcript(*CALLS), CORRECTED)
    assert score.metrics == {"success": 1.0, "percent_complete": 1.0}
    record = score.record
    assert record["kinds"] == ["spatial", "temporal", "heterogeneous"]
    assert record["settings"] == {"observability": "full"}
    assert record["explanation"] == "Everything was done as it was asked."
    assert record["problem"] == ""
    assert record["offloading"] == pytest.approx(2 / 3)
    assert record["extraneous"] == 0.0
    assert (record["cycles"], record["calls"], record["failed"]) == (None, {}, 0)
    assert [one["by"] for one in record["met"]] == [[ROBOT], [ROBOT], [HUMAN]]
    assert [one["counts"] for one in record["met"]] == [True] * 3
    assert record["met"][0]["proposition"] == "cup_0 on top of coffee_table_0"
    assert record["met"][2]["step"] < record["met"][0]["step"] == record["steps"]
    assert json.loads(orjson.dumps(dict(record))) == record


def test_what_is_not_done_is_explained() -> None:
    record = SUITE.score(TASK, transcript(*CALLS[3:]), CORRECTED).record
    # what should have come after it does not count either
    assert record["percent_complete"] == pytest.approx(1 / 3)
    assert "plate_0 clean" in record["explanation"]
    nothing = SUITE.score(TASK, "no transcript", CORRECTED)
    assert nothing.metrics == {"success": 0.0, "percent_complete": 0.0}
    assert nothing.record["explanation"].startswith(
        "Nothing was done: this is not a transcript: it is not JSON"
    )


@settings(max_examples=40)
@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_scored(text: str) -> None:
    for protocol in (CORRECTED, PUBLISHED):
        score = SUITE.score(TASK, text, protocol)
        assert score.metrics["success"] == 0.0
        orjson.dumps(dict(score.record))


@pytest.mark.parametrize("name", ["idle", "expert", "random", "copycat"])
def test_agents_that_need_no_model(name: str) -> None:
    output = SUITE.answer(name, TASK, seed=1)
    assert output == SUITE.answer(name, TASK, seed=1)
    score = SUITE.score(TASK, output, CORRECTED)
    assert score.record["problem"] == ""
    expected = {"idle": 0.0, "expert": 1.0}.get(name)
    assert expected is None or score.metrics["success"] == expected
    assert (score.record["actions"] > 0) == (name != "idle")
    # what is scored is what was played
    assert replay(TASK, output).transcript().encode() == output


def test_protocols_differ_in_what_is_carried() -> None:
    wanted = Evaluation((of("is_in_room", ["cup_0"], ["hallway_0"]),))
    task = make_task(wanted, *THINGS)
    output = follow(task, "robot: Rearrange[cup_0, on, bed_0]").transcript().encode()
    assert SUITE.score(task, output, CORRECTED).metrics["success"] == 0.0
    assert SUITE.score(task, output, PUBLISHED).metrics["success"] == 1.0
    mended = PUBLISHED.without("carried_things_are_somewhere")
    assert SUITE.score(task, output, mended).metrics["success"] == 0.0


def test_the_last_satisfaction_counts_if_that_is_chosen() -> None:
    tables = ["coffee_table_0", "kids_table_0"]
    wanted = Evaluation(
        (of("is_on_top", ["cup_0"], tables), of("is_on_top", ["plate_0"], tables)),
        constraints=(SameArgConstraint((0, 1), ("receptacle_handles", "receptacle_handles")),),
    )
    task = make_task(wanted, ("cup_0", "counter_0"), ("plate_0", "coffee_table_0"))
    calls = [f"robot: Rearrange[cup_0, on, {table}]" for table in reversed(tables)]
    session = follow(task, *calls)
    last = SUITE.protocol("last_satisfaction")
    output = session.transcript().encode()
    for protocol, success in ((CORRECTED, 0.0), (last, 1.0)):
        assert SUITE.score(task, output, protocol).metrics["success"] == success
        assert session.score(protocol).metrics["success"] == success
    alone = replace(SUITE, tasks=replace(SUITE.tasks, load=lambda protocol: [task]))
    (change,) = rejudge(alone, [(task.id, 1, output)], CORRECTED, last)
    assert change.quirks == ("last_satisfaction",)
    assert (
        SUITE.score(task, follow(task, *calls[:1]).transcript().encode(), last).metrics["success"]
        == 0.0
    )
    with pytest.raises(HomebodyError, match="no quirk 'last_satisfactions'"):
        SUITE.protocol(Protocol("mine", choices=frozenset({"last_satisfactions"})))


def test_an_episode_that_cannot_be_is_a_score_too() -> None:
    episode = PartnrTask(TASK.episode).episode
    broken = PartnrTask(type(episode)(episode.id, episode.scene, "?", WANTED, house_seed=None))
    score = SUITE.score(broken, transcript(), CORRECTED)
    whole = SUITE.score(TASK, transcript(), CORRECTED)
    assert set(score.record) == set(whole.record)
    assert "no generated house" in score.record["explanation"]


def test_the_summary_adds_up() -> None:
    free = make_task(Evaluation((of("is_on_top", ["cup_0"], ["sofa_0"]),)), *THINGS, name="free")
    scores: list[Score] = [
        SUITE.score(TASK, transcript(*CALLS), CORRECTED),
        SUITE.score(TASK, transcript(*CALLS[3:]), CORRECTED),
        SUITE.score(free, follow(free).transcript().encode(), CORRECTED),
    ]
    summary = SUITE.summarise(scores)
    assert summary["success_rate"] == pytest.approx(1 / 3, abs=1e-4)
    assert summary["percent_complete"] == pytest.approx((1 + 1 / 3) / 3, abs=1e-4)
    assert summary["by_type"]["temporal"]["success_rate"] == 0.5
    assert summary["by_type"]["constraint-free"] == {"success_rate": 0.0, "percent_complete": 0.0}
    exact = SUITE.summarise(scores, exact=True)
    assert exact["success_rate"] == pytest.approx(100 / 3)
    assert math.isnan(SUITE.summarise([], exact=True)["success_rate"])
    for path in SUITE.reporting.summary.columns.values():
        at = exact
        for key in path:
            at = at[key]
    for one in SUITE.reporting.measures.values():
        assert one.key in scores[0].record


def test_arranging_sets_and_draws() -> None:
    house = TASK.house
    task = start_session(TASK, {"team": "single", "skills": "failing"}, 7).task
    assert (task.settings.team, task.settings.skills, task.seed) == ("single", "failing", 7)
    assert task.house is house
    assert start_session(TASK, {"team": "single", "skills": "failing"}, 7).task == task
    seeds = [
        decode(SUITE.answer("idle", TASK, seed=seed, epoch=epoch)).seed
        for seed, epoch in ((7, 1), (7, 2), (8, 1))
    ]
    assert len(set(seeds)) == 3
    assert decode(SUITE.answer("idle", TASK, seed=7, epoch=1)).seed == seeds[0]
    with pytest.raises(HomebodyError, match="cannot err"):
        start_session(TASK, {"perception": "erring", "observability": "full"}, 0)
    with pytest.raises(HomebodyError, match="cannot err"):
        start_session(TASK, {"perception": "learned", "observability": "full"}, 0)
    for axis in ("skills", "perception"):
        with pytest.raises(HomebodyError, match="are the robot's"):
            start_session(TASK, {axis: "learned", "team": "single"}, 0)
    with pytest.raises(HomebodyError, match="leave no role to the agent 'expert'"):
        SUITE.answer("expert", TASK, settings={"robot": "idle", "human": "idle"})
    assert SUITE.answer("expert", TASK, settings={"robot": "model"}) == SUITE.answer("expert", TASK)


def test_an_output_is_scored_as_it_was_played_whatever_the_task_says() -> None:
    session = start_session(TASK, {"skills": "failing", "team": "single"}, 3)
    while session.ending is None:
        for agent in session.ready():
            done = len(session.entries) > 8
            session.act(agent, Action("Done") if done else Action("Navigate", ("cup_0",)))
        session.advance()
    score = SUITE.score(TASK, session.transcript().encode(), CORRECTED)
    assert score.record["settings"] == {"team": "single", "skills": "failing"}
    assert score.record["steps"] == session.clock
    assert score.record["failed"] == sum(not one.ok for one in session.simulation.log)


@pytest.mark.parametrize("split", ["val", "test"])
def test_nothing_that_is_requested_holds_at_the_start(split: str) -> None:
    for task in part_of(make_suite(split).tasks.load(CORRECTED), 40):
        assert start_session(task, {}, 0, CORRECTED).judgement().percent_complete == 0, task.id


def test_a_split_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Files:
        @staticmethod
        def files(package: str) -> Path:
            return tmp_path

        as_file = staticmethod(module.resources.as_file)

    monkeypatch.setattr(module, "resources", Files)
    with pytest.raises(HomebodyError, match=r"partnr\.nowhere are missing") as caught:
        module.load("nowhere")
    assert "homebody partnr generate" in str(caught.value.hint)
    (tmp_path / "data").mkdir()
    write_file(tmp_path / "data" / "some.jsonl.gz", [TASK.episode])
    (loaded,) = module.load("some")
    assert loaded.episode == TASK.episode
    assert (
        loaded.house == homes.make_task(WANTED, *THINGS, states={"plate_0": {"clean": False}}).house
    )
    write_file(tmp_path / "data" / "twice.jsonl.gz", [TASK.episode] * 2)
    with pytest.raises(HomebodyError, match="two episodes"):
        module.load("twice")


def test_a_transcript_of_another_version_of_a_task_is_refused() -> None:
    output = transcript(*CALLS)
    assert decode(output).version == TASK.version
    other = replace(TASK, episode=replace(TASK.episode, instruction="Do something else."))
    record = SUITE.score(other, output, CORRECTED).record
    assert "another version of the task" in record["problem"]
    assert TASK.version in record["problem"]
    assert not SUITE.score(TASK, output, CORRECTED).record["problem"]


def test_a_success_of_an_agent_is_scored_like_its_transcript_but_not_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = SUITE.play("expert", TASK, seed=1)
    replayed = SUITE.score(TASK, session.transcript().encode())
    monkeypatch.setattr(core_suite, "replay", None)
    assert SUITE.score_played(TASK, session) == replayed
    assert replayed.metrics["success"] == 1.0


def test_a_failure_of_an_agent_is_replayed_for_its_labels() -> None:
    session = SUITE.play("idle", TASK, seed=1)
    score = SUITE.score_played(TASK, session)
    assert score == SUITE.score(TASK, session.transcript().encode())
    assert score.record[LABELS]
