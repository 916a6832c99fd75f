"""Runs, made into traces and samples."""

from __future__ import annotations

from pathlib import Path

import orjson

from homebody.suites.partnr.episodes.files import encode
from homebody.suites.partnr.prompting.exporting import export
from homebody.suites.partnr.prompting.traces import SolvedTrace, read_traces
from homebody.suites.partnr.suite import make_suite
from suites.partnr.scripted import moving

TASK = moving()
LINE = encode(TASK.episode)


def test_traces_and_chats_of_those_that_succeeded(tmp_path: Path) -> None:
    text, idle = (make_suite("val").answer(agent, TASK) for agent in ("expert", "idle"))
    bad = orjson.dumps({**orjson.loads(LINE), "house_seed": None})
    both = ("robot", "human")
    for run in ((LINE, idle), (LINE, "rubbish"), (bad, text)):
        assert export("traces", both, run) == export("chats", both, run) == []
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"".join(export("traces", both, (LINE, text))))
    traces = read_traces(path)
    assert all(isinstance(one, SolvedTrace) and one.steps[-1].call == "Done[]" for one in traces)
    everything = export("chats", both, (LINE, text))
    of_one = [export("chats", (agent,), (LINE, text)) for agent in both]
    assert sum(map(len, of_one)) == len(everything) > sum(len(one.steps) for one in traces) / 2
