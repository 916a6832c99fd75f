"""Every reader of texts from outside, on what is nested: it reads it or refuses it as it says it
does, and the same however deep Python may go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from homebody.authoring.partnr import counts, shards
from homebody.authoring.partnr.counts import GenerationPlan
from homebody.authoring.partnr.draft import Rejected
from homebody.authoring.partnr.prompting import evaluation, records
from homebody.authoring.partnr.regrounding import published, template
from homebody.core import HomebodyError, ToolCall
from homebody.core.play import transcript as transcripts
from homebody.drivers import tool_calls
from homebody.evals import run_journal as journal
from homebody.goals import ltl
from homebody.goals.bddl import BDDLError, parse_condition
from homebody.goals.partnr import EvaluationError, read_annotation, read_episodes
from homebody.planning.pddl import PddlError, parse_operators
from homebody.results import record
from homebody.results.outputs import read_outputs
from homebody.suites.partnr.episodes import files as episodes
from homebody.suites.partnr.prompting import calls, traces
from homebody.worlds.house.io import files as houses
from stack import FRAMES, frames_left

DEPTHS = [40, 60, 100, 101, 900, 3_000]
JSON = [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ("[", ""), ('{"a":', "")]
LISP = [("(", ")"), ("(not ", ")"), ("(and ", ")"), ("(forall (?x - object) ", ")"), ("(and", "")]
LOGIC = [
    ("(", ")"),
    ("not ", ""),
    ("(ON(a.1) and ", ")"),
    ("ON(a.1) implies ", ""),
    ("forall x. (", ")"),
]
PYTHON = [("[", "]"), ("(", ")"), ("-", ""), ("{1:", "}"), ("a(", ")"), ("lambda:", ""), ("1+", "")]


def in_file(read: Callable[[Path], Any], name: str = "file.json") -> Callable[[str, Path], Any]:
    """A reader of files as one of texts."""

    def reader(text: str, folder: Path) -> Any:
        path = folder / name
        path.write_text(text)
        return read(path)

    return reader


def in_text(read: Callable[[str], Any], form: str = "{}") -> Callable[[str, Path], Any]:
    return lambda text, folder: read(form.replace("{}", text))


def in_bytes(read: Callable[[bytes], Any], form: str = "{}") -> Callable[[str, Path], Any]:
    return lambda text, folder: read(form.replace("{}", text).encode())


def begun(path: Path) -> Any:
    """The manifest of a folder in which episodes are made."""
    plan = GenerationPlan("val", 10)
    return shards.generate(path.parent, plan, lambda *_: None)  # type: ignore[arg-type,return-value]


def called(text: str) -> Any:
    """A call of a tool, as a library made it of a model's answer, however deep."""
    arguments: Any = text
    for _ in range(text.count("[") + text.count("{")):
        arguments = {"a": arguments}
    return tool_calls.make_sendable(ToolCall("Pick", {"a": arguments}))


READERS: dict[str, tuple[Callable[[str, Path], Any], list[tuple[str, str]], Any]] = {
    "outputs": (in_file(read_outputs), JSON, HomebodyError),
    "journals": (in_file(journal.read_journal), JSON, HomebodyError),
    "lines of journals": (in_bytes(journal._read_line), JSON, ()),
    "what results were made with": (
        lambda text, folder: in_file(lambda path: record.read_record(path.parent), record.NAME)(
            text, folder
        ),
        JSON,
        HomebodyError,
    ),
    "transcripts": (in_text(transcripts.decode), JSON, HomebodyError),
    "settings of transcripts": (
        in_text(
            transcripts.decode,
            '{"format": "homebody-transcript", "version": 1, "settings": {}, "entries": []}',
        ),
        JSON,
        HomebodyError,
    ),
    "houses": (in_bytes(houses.decode), JSON, HomebodyError),
    "scenarios": (
        in_bytes(
            houses.decode_scenario, '{"format": "homebody-scenario", "version": 1, "goal": {}}'
        ),
        JSON,
        HomebodyError,
    ),
    "episodes": (in_bytes(episodes.decode), JSON, EvaluationError),
    "published episodes": (
        in_file(lambda path: list(read_episodes(path))),
        JSON,
        EvaluationError,
    ),
    "traces": (in_file(traces.read_traces), JSON, HomebodyError),
    "answers in PARTNR": (
        in_text(lambda text: calls.parse_call(text, "robot"), '{"robot": {}}'),
        JSON,
        HomebodyError,
    ),
    "calls of tools": (in_text(called), JSON, ()),
    "templates": (in_text(template.read_templates), JSON, ()),
    "groups": (in_text(lambda text: evaluation.read_groups(text, 2)), JSON, Rejected),
    "seed tasks": (in_file(lambda path: published.read_seeds(path.parent)), JSON, HomebodyError),
    "reports": (in_file(counts.read_report), JSON, HomebodyError),
    "counts": (in_file(counts.read_counts), JSON, HomebodyError),
    "manifests": (in_file(begun, "manifest.json"), JSON, HomebodyError),
    "reports of prompting": (
        in_file(
            lambda path: records.read_finished(path.parent, GenerationPlan("val", 1)), "report.json"
        ),
        JSON,
        (),
    ),
    "drafts": (in_file(lambda path: list(records.read_outcomes(path))), JSON, HomebodyError),
    "PDDL": (
        in_text(parse_operators, "(:action a :parameters () :precondition {} :effect ())"),
        LISP,
        PddlError,
    ),
    "BDDL": (in_text(parse_condition), LISP, BDDLError),
    "LTL": (in_text(ltl.parse), LOGIC, ltl.LTLError),
    "annotations": (in_text(read_annotation, "propositions = [{}]"), PYTHON, EvaluationError),
}


@pytest.mark.sampled
@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", READERS)
def test_what_is_nested_is_read_or_refused(name: str, depth: int, tmp_path: Path) -> None:
    reader, forms, refused = READERS[name]
    for number, (opening, closing) in enumerate(forms):
        text = opening * depth + "a(b)" * (forms is not JSON) + closing * depth
        found = []
        for frames in (FRAMES, 50_000):
            folder = tmp_path / f"{number}"
            folder.mkdir(exist_ok=True)
            with frames_left(frames):
                try:
                    found.append(repr(reader(text, folder))[:200])
                except refused as error:
                    found.append(type(error).__name__)
        assert found[0] == found[1], text[:40]
