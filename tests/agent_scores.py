"""Scores of agents on whole suites: kept in ``agent_scores/``, and computed again for a sample.

Pages quote what agents reach on all tasks, which takes minutes to compute and rarely changes. A
test computes every ``AGAIN``-th score again, or all of them with ``HOMEBODY_THOROUGH=1``. After an
intended change delete the file and run the test: a missing file is written.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from homebody import suites
from homebody.cli.cross_play import cross_play_suite, read_partners
from homebody.core import CORRECTED, Score
from homebody.core.play.failures import drop_labels
from homebody.evals.options import Options
from homebody.results.rows import Row, make_row
from homebody.results.table import Format, render
from thorough import THOROUGH

FOLDER = Path(__file__).with_name("agent_scores")
AGAIN = 16
FEW = 40
"""Of fewer tasks, all scores are computed."""


@cache
def row_of(name: str, agent: str, protocol: str = "corrected", observability: str = "") -> Row:
    """Return the row of an agent on all tasks of a suite."""
    suite = suites.get_suite(name)
    rules = suite.protocol(protocol)
    settings = {"observability": observability} if observability else {}
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(rules)}

    def score(identifier: str) -> Score:
        task = tasks[identifier]
        return suite.score(task, suite.answer(agent, task, settings=settings), rules)

    parts = (name, agent, protocol, observability)
    return make_row(agent, suite, scores_of(".".join(filter(None, parts)), list(tasks), score))


def cross_play(name: str, agents: Sequence[str], count: int) -> str:
    """Return the cross-play table of agents on the first tasks of a suite, in Markdown."""
    suite = suites.get_suite(name)
    rows, reported = [], cross_play_suite(suite)
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(CORRECTED)[:count]}
    settings = {next(iter(each.values())): each for each in read_partners(suite, "all")}
    keys = [f"{partner} {identifier}" for partner in settings for identifier in tasks]
    for agent in agents:

        def score(key: str, agent: str = agent) -> Score:
            partner, identifier = key.split()
            task = tasks[identifier]
            return suite.score(task, suite.answer(agent, task, settings=settings[partner]))

        scores = scores_of(f"{name}.{agent}.beside_partners", keys, score)
        for at, given in enumerate(settings.values()):
            label = Options(settings=given).label(agent)
            rows.append(make_row(label, reported, scores[at * count : (at + 1) * count]))
        rows.append(make_row(f"{agent} ({len(settings)} partners)", reported, scores))
    return render(rows, reported, CORRECTED, Format.MARKDOWN)


def scores_of(name: str, keys: Sequence[str], score: Callable[[str], Score]) -> list[Score]:
    """Return the kept scores of the keys, in order; a sample of them is computed again.

    Args:
        name: The file's, without its ending.
        keys: Identify what is scored.
        score: Computes the score of a key.

    Raises:
        AssertionError: A kept score is not what is computed, or there is none.
    """
    path = FOLDER / f"{name}.json.gz"
    if not path.exists():
        made = {key: _kept(score(key)) for key in keys}
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(_text(made).encode(), mtime=0))
    kept = json.loads(gzip.decompress(path.read_bytes()))
    assert list(kept) == list(keys), f"{path} is of other tasks: delete it and run this again"
    for key in keys if THOROUGH or len(keys) < FEW else keys[::AGAIN]:
        assert _text(_kept(score(key))) == _text(kept[key]), f"{key} of {path}: see {__file__}"
    return [Score(**value) for value in kept.values()]


def _kept(score: Score) -> dict[str, Any]:
    """Return what rows are made of, as JSON has it."""
    fields = {
        "identifier": score.identifier,
        "metrics": score.metrics,
        "record": _shortened(drop_labels(score).record),
        "valid": score.valid,
        "cluster": score.cluster,
    }
    made: dict[str, Any] = json.loads(json.dumps(fields))
    return made


def _text(value: Any) -> str:
    """Return a value as JSON, in which not-a-number equals itself."""
    return json.dumps(value, separators=(",", ":"))


def _shortened(value: Any) -> Any:
    """Return a value without its sentences, on which no number of a row depends."""
    if isinstance(value, str):
        return value if " " not in value else ""
    if isinstance(value, Mapping):
        return {key: _shortened(each) for key, each in value.items()}
    return [_shortened(each) for each in value] if isinstance(value, Sequence) else value
