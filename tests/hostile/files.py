"""Files as targets: outputs, journals, logs, episodes, traces, reports, stored data."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest.mock import patch

from homebody import evals
from homebody.authoring.partnr.counts import read_counts, read_report
from homebody.core import CORRECTED, HomebodyError
from homebody.core.ground.json_lines import encode_lines
from homebody.data.store import Store, _read, file_name
from homebody.evals.logs import SCORER
from homebody.evals.metadata import score_to_metadata
from homebody.goals.partnr import read_episodes
from homebody.results.outputs import SUFFIX, Output, read_outputs, write_outputs
from homebody.suites import get_suite
from homebody.suites.partnr.episodes import files as episode_files
from homebody.suites.partnr.prompting.traces import read_traces, solved_traces
from homebody.suites.partnr.tasks import PartnrTask
from homebody.suites.partnr.tasks import load as load_partnr
from hostile.readers import as_bytes, folder, reader, reader_of_files
from hostile.suites import judged
from hostile.target import Broken, Input, Prepared, Target

SUITE = "eai.virtualhome.goal_interpretation"
"""Whose results are the files."""


def file_targets() -> Iterator[Target]:
    """A target for each format of files."""
    yield Target("file of outputs", _outputs)
    yield Target("journal", _journals)
    yield Target("Inspect log", _logs)
    yield Target("episode, played", _episodes)
    yield Target("published episodes", _published)
    yield Target("solved traces", _traces)
    yield Target("report of episodes", _reports)
    yield Target("stored data", _stored)


# -- results and runs ------------------------------------------------------------------------------


def _outputs() -> Prepared:
    return reader_of_files(valid_outputs(), read_outputs, SUFFIX, crafted=CRAFTED_OUTPUTS)


def valid_outputs() -> list[bytes]:
    """Files of outputs, of three tasks each."""
    suite, path, contents = get_suite(SUITE), folder() / f"valid{SUFFIX}", []
    for at in range(0, 40, 4):
        tasks = suite.tasks.load(CORRECTED)[at : at + 3]
        answers = [(suite.tasks.identify(task), suite.answer("oracle", task)) for task in tasks]
        write_outputs(path, [Output(*answer) for answer in answers])
        contents.append(path.read_bytes())
    return contents


def _one_output(identifier: str, output: str) -> bytes:
    return f'[{{"identifier": {identifier}, "llm_output": {output}}}]'.encode()


CRAFTED_OUTPUTS = (
    *(b"", b"[]", b"{}", b'[{"identifier": 1}]', b"[" * 100_000, b"\xff\xfe[\x00]\x00"),
    _one_output('"27_2"', "9" * 5_000),
    _one_output('"27_2"', '{"a":' * 900 + "1" + "}" * 900),
    _one_output('"' + "x" * 1_000_000 + '"', '""'),
    _one_output('"' + "\\u001b[2J" * 100 + '"', '""'),
    _one_output('"\\ud800"', '"\\ud800"'),
    _one_output("9" * 5_000, "null"),
)


def _journals() -> Prepared:
    contents = []
    for seed in range(3):
        where = folder() / f"journals-{seed}"
        evals.run(SUITE, agent="oracle", limit=4, seed=seed, workers=1, log_dir=where)
        contents += [path.read_bytes() for path in where.glob("[!.]*.jsonl")]
    return reader_of_files(contents, evals.scores_from_log, ".jsonl")


def _logs() -> Prepared:
    """Logs as Inspect writes them, without a run."""
    from inspect_ai import log as inspect
    from inspect_ai.scorer import Score

    suite, samples = get_suite(SUITE), []
    for task in suite.tasks.load(CORRECTED)[:3]:
        output, name = suite.answer("oracle", task), suite.tasks.identify(task)
        metadata = score_to_metadata(suite.score(task, output))
        scores = {SCORER: Score(value=1.0, answer=output, metadata=metadata)}
        samples.append(inspect.EvalSample(id=name, epoch=1, input="?", target="", scores=scores))
    spec = inspect.EvalSpec(
        created="2026-11-22T13:00:00+00:00",
        task=SUITE,
        model="mockllm/model",
        dataset=inspect.EvalDataset(sample_ids=[sample.id for sample in samples]),
        config=inspect.EvalConfig(),
    )
    log, path = inspect.EvalLog(eval=spec, status="success", samples=samples), folder() / "l.json"
    inspect.write_eval_log(log, str(path), format="json")
    return reader_of_files([path.read_bytes()], evals.scores_from_log, ".json")


# -- PARTNR ----------------------------------------------------------------------------------------


def _episodes() -> Prepared:
    """An episode is mutated, and what its expert did before is scored in it."""
    suite, tasks = get_suite("partnr.val"), load_partnr("val")[:100:5]
    played = [suite.answer("expert", task) for task in tasks]

    def judge(given: Input, which: int, random: Random) -> bytes:
        assert isinstance(given, bytes)
        try:
            task = PartnrTask(episode_files.decode(given))
        except HomebodyError as error:
            return as_bytes(str(error))
        suite.tasks.describe(task)
        protocol = random.choice(list(suite.scoring.protocols.values()))
        return judged(suite, task, played[which], protocol)

    return Prepared([episode_files.encode(task.episode) for task in tasks], judge)


def _published() -> Prepared:
    episodes = [json.loads(episode_files.encode(task.episode)) for task in load_partnr("val")[:20]]
    valid = [json.dumps({"episodes": episodes[at : at + 2]}).encode() for at in range(0, 20, 2)]
    return reader_of_files(valid, lambda path: list(read_episodes(path)), ".json")


def _traces() -> Prepared:
    suite, tasks = get_suite("partnr.val"), load_partnr("val")[:30:3]
    made = [solved_traces(task, suite.answer("expert", task)) for task in tasks]
    return reader_of_files([encode_lines(t) for t in made if t], read_traces, ".jsonl")


def _reports() -> Prepared:
    by_kind = {"of_kind": {"spatial": 3}, "rejected_of_kind": {"spatial": {"placement": 2}}}
    counts = {"episodes": 5, "rejected": {"placement": 2}, "seconds": 1.5, **by_kind}
    plan = {"split": "val", "episodes": 5, "seed": 0, "author": "grammar"}
    valid = [{"plan": plan, "houses": 2, "counts": counts}, counts]

    def read(path: Path) -> object:
        try:
            return read_report(path)
        except HomebodyError:
            return read_counts(path)

    return reader_of_files([json.dumps(value).encode() for value in valid], read, ".json")


# -- stored data -----------------------------------------------------------------------------------


def _stored() -> Prepared:
    """A part of a data set in the cache, or its manifest, overwritten: what is loaded is what was
    stored, or an error says that it is damaged."""
    content = {"tasks": [{"id": str(number), "name": "x"} for number in range(20)]}
    store = Store("hostile", "hostile", 1, {}, ("tasks",), lambda given, report: content, len)

    def read(given: bytes) -> object:
        with patch.dict("os.environ", {"HOMEBODY_DATA": str(folder())}):
            store.fetch({}, force=True)
            name = "manifest.json" if given[:1] == b"{" else file_name("tasks")
            (store.folder() / name).write_bytes(given)
            _read.cache_clear()
            if store.load("tasks") != content["tasks"]:
                raise Broken("other data than what was stored")
        return name

    def packed(value: object) -> bytes:
        return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)

    other = [{**task, "name": "y"} for task in content["tasks"]]  # of the same length
    manifest = {"schema": 1, "tasks": 1, "bytes": len(packed(content["tasks"]))}
    valid = [packed(content["tasks"]), packed(other), json.dumps(manifest).encode()]
    return reader(valid, read, crafted=[packed(other)])
