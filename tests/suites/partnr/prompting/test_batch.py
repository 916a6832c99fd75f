"""Many runs at once: played, kept in a journal, and made into traces and samples."""

from __future__ import annotations

import random
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, HomebodyError
from homebody.suites.partnr.episodes.files import encode
from homebody.suites.partnr.prompting import batch
from homebody.suites.partnr.prompting.traces import SolvedTrace, read_traces
from homebody.suites.partnr.suite import score
from suites.partnr.scripted import moving

TASK = moving()
LINE = encode(TASK.episode)
HOW = {"agent": "expert", "settings": {}, "seed": 0}


def test_playing_is_the_same_again_and_in_its_settings() -> None:
    job = batch.PlayJob("expert", {"team": "single"}, 3, (LINE,))
    ((digest, name, text),) = batch.play_episodes(job)
    assert batch.play_episodes(job) == [(digest, name, text)]
    assert (digest, name) == (batch.digest(LINE), TASK.id)
    made = score(TASK, text, CORRECTED)
    assert made.record["settings"] == {"team": "single"}
    assert made.record["success"]
    with pytest.raises(HomebodyError, match="no agent"):
        batch.play_episodes(batch.PlayJob("nobody", {}, 0, (LINE,)))


def test_traces_and_chats_of_those_that_succeeded(tmp_path: Path) -> None:
    ((_, _, text),) = batch.play_episodes(batch.PlayJob("expert", {}, 0, (LINE,)))
    idle = batch.play_episodes(batch.PlayJob("idle", {}, 0, (LINE,)))[0][2]
    bad = orjson.dumps({**orjson.loads(LINE), "house_seed": None})
    runs = [(LINE, text), (LINE, idle), (LINE, "rubbish"), (LINE, text)]
    (job,) = batch.jobs_of(runs, "traces", ("robot", "human"))
    found = batch.make_samples(job)
    assert (found.succeeded, found.count) == (2, len(found.lines.splitlines()))
    path = tmp_path / "traces.jsonl"
    path.write_bytes(found.lines)
    traces = read_traces(path)
    assert all(isinstance(one, SolvedTrace) and one.steps[-1].call == "Done[]" for one in traces)
    everything = batch.make_samples(batch.jobs_of(runs, "chats", ("robot", "human"))[0])
    of_one = [
        batch.make_samples(batch.jobs_of(runs, "chats", (agent,))[0]).count
        for agent in ("robot", "human")
    ]
    assert sum(of_one) == everything.count > sum(len(one.steps) for one in traces) / 2
    assert batch.make_samples(batch.jobs_of([(bad, text)], "chats", ("robot",))[0]).succeeded == 0


@given(st.integers(0, 60), st.randoms(use_true_random=False))
def test_jobs_hold_every_run_once_and_come_back_in_order(count: int, draw: random.Random) -> None:
    runs = [(b"%d" % number, str(number)) for number in range(count)]
    jobs = batch.jobs_of(runs, "chats", ("robot",))
    assert [one for job in jobs for one in job.runs] == runs
    came = [batch.SampleLines(job.number, b"", 0, 0) for job in jobs]
    draw.shuffle(came)
    assert [one.number for one in batch.in_order(came)] == list(range(len(jobs)))


# -- journals -------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.text(max_size=6), st.text(max_size=20)), max_size=6),
    st.floats(0, 1),
)
def test_a_journal_that_was_cut_off_keeps_what_is_whole(
    tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[str, str]], kept: float
) -> None:
    path = tmp_path_factory.mktemp("journal") / "begun"
    batch.Journal(path, HOW).add([])
    for name, text in runs:
        batch.Journal(path, HOW).add([(name, "id", text)])
    whole = batch.Journal(path, HOW)
    assert whole.runs == dict(runs)
    data = path.read_bytes()
    path.write_bytes(data[: int(kept * len(data))])
    cut = batch.Journal(path, HOW)
    count = max(0, path.read_bytes().count(b"\n") - 1)
    assert cut.runs == dict(runs[:count])
    cut.add([("new", "id", "text")])
    assert batch.Journal(path, HOW).runs == {**dict(runs[:count]), "new": "text"}


def test_a_journal_without_runs_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "begun"
    one = batch.Journal(path, HOW)
    assert not path.exists()
    one.add([("a", "id", "text")])
    one.add([("b", "id", "text")])
    assert batch.Journal(path, HOW).runs == {"a": "text", "b": "text"}


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "begun"
    batch.Journal(path, HOW).add([])
    with pytest.raises(HomebodyError, match="begun in another way"):
        batch.Journal(path, {**HOW, "agent": "random"})
    for line in (b"hello", b"{}", b'["a"]', b'["a", 1]', b"\xff"):
        path.write_bytes(path.read_bytes().splitlines()[0] + b"\n" + line + b"\n")
        with pytest.raises(HomebodyError, match=r"line 2 of .* is no run"):
            batch.Journal(path, HOW)
