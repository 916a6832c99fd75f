"""Many runs at once, made into traces and samples."""

from __future__ import annotations

import random
from pathlib import Path

import orjson
from hypothesis import given
from hypothesis import strategies as st

from homebody.suites.partnr.episodes.files import encode
from homebody.suites.partnr.prompting import exporting
from homebody.suites.partnr.prompting.traces import SolvedTrace, read_traces
from homebody.suites.partnr.suite import make_suite
from suites.partnr.scripted import moving

TASK = moving()
LINE = encode(TASK.episode)


def test_traces_and_chats_of_those_that_succeeded(tmp_path: Path) -> None:
    text, idle = (make_suite("val").answer(agent, TASK) for agent in ("expert", "idle"))
    bad = orjson.dumps({**orjson.loads(LINE), "house_seed": None})
    runs = [(LINE, text), (LINE, idle), (LINE, "rubbish"), (LINE, text)]
    (job,) = exporting.jobs_of(runs, "traces", ("robot", "human"))
    found = exporting.export(job)
    assert (found.succeeded, found.count) == (2, len(found.lines.splitlines()))
    path = tmp_path / "traces.jsonl"
    path.write_bytes(found.lines)
    traces = read_traces(path)
    assert all(isinstance(one, SolvedTrace) and one.steps[-1].call == "Done[]" for one in traces)
    everything = exporting.export(exporting.jobs_of(runs, "chats", ("robot", "human"))[0])
    of_one = [
        exporting.export(exporting.jobs_of(runs, "chats", (agent,))[0]).count
        for agent in ("robot", "human")
    ]
    assert sum(of_one) == everything.count > sum(len(one.steps) for one in traces) / 2
    assert exporting.export(exporting.jobs_of([(bad, text)], "chats", ("robot",))[0]).succeeded == 0


@given(st.integers(0, 60), st.randoms(use_true_random=False))
def test_jobs_hold_every_run_once_and_come_back_in_order(count: int, draw: random.Random) -> None:
    runs = [(b"%d" % number, str(number)) for number in range(count)]
    jobs = exporting.jobs_of(runs, "chats", ("robot",))
    assert [one for job in jobs for one in job.runs] == runs
    came = [exporting.Exported(job.number, b"", 0, 0) for job in jobs]
    draw.shuffle(came)
    assert [one.number for one in exporting.in_order(came)] == list(range(len(jobs)))
