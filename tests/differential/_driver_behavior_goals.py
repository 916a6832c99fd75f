"""Runs published goal interpretation on BEHAVIOR, inside the environment that has ``eai-eval``.

Needs nothing but the standard library and ``eai-eval``. Its module imports two of iGibson's and
uses neither: they are stood in for by empty ones. The published functions run unedited.

Usage: ``_driver_behavior_goals.py outputs --input IN.jsonl --output OUT.jsonl`` judges each output
alone, a record a line: ``{"summary": ...}`` as if it were the only task, or ``{"crash": ...}``.
``_driver_behavior_goals.py file --input OUTPUTS.json --output SUMMARY.json`` has the published
function evaluate a file of outputs, one for every task, and copies the summary that it writes.
"""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
import sys
import tempfile
import time
import types
from pathlib import Path
from typing import Any

for name in ("igibson", "igibson.object_states"):
    sys.modules[name] = types.ModuleType(name)

published: Any = importlib.import_module(
    "behavior_eval.evaluation.goal_interpretation.scripts.evaluate_results"
)


def judge(output: dict[str, str], data: Any) -> dict[str, Any]:
    identifier = output["identifier"]
    try:
        predicted, error = published.parse_json(output["llm_output"], "model")
        reference = data.demo_to_conds[identifier]["goal_conditions"]
        row = {"identifier": identifier, "llm_output": predicted, "reference": reference}
        summary, _ = published.evaluate_dataset([row], data)
    except Exception as problem:
        return {"crash": f"{type(problem).__name__}: {problem}"}
    return {"summary": summary, "unread": error is not None}


def judge_outputs(source: Path, target: Path) -> None:
    data = published.goal_interpretation_data()
    with source.open() as lines, target.open("w") as out:
        for line in lines:
            out.write(json.dumps(judge(json.loads(line), data)) + "\n")


def judge_file(source: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        responses, results = Path(scratch) / "in", Path(scratch) / "out"
        responses.mkdir()
        shutil.copy(source, responses / "model_outputs.json")
        start = time.perf_counter()
        published.evaluate_results(str(responses), str(results))
        print(f"{time.perf_counter() - start:.3f} s")
        shutil.copy(results / "summary" / "model_performance_scores.json", target)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    modes = {"outputs": judge_outputs, "file": judge_file}
    parser.add_argument("mode", choices=modes)
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    modes[options.mode](options.input, options.output)
