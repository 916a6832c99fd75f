"""Runs of a toy suite, of any size and with any text in them, as `run --out` leaves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from homebody.core import CORRECTED, Prompting, Protocol, Reporting, Score, Scoring, Suite, Tasks
from homebody.core.demands import Demands
from homebody.core.score import Measure, SampleError, Usage
from homebody.core.suite import Experiments
from homebody.core.viewing import Ability, Viewing
from homebody.results.writing import keep_run

NAME = "toy.world.chores"
EVIL = (
    "</script><script>window.evil=1</script><!--<img src=x onerror='window.evil=1'>"
    "\x1b[31m\u202e=cmd()\ud800**[a](javascript:window.evil=1)**"
)


def chores(most: int = 40, evil: bool = False) -> Suite[str]:
    """A suite of so many tasks: sweep rooms, of which some are hard."""
    names = [f"room-{number}" for number in range(most)]

    def record(task: str, output: str) -> dict[str, Any]:
        number = int(task.partition("-")[2])
        done = {"yes": 1.0, "half": 0.5}.get(output, 0.0)
        return {
            "instruction": f"Sweep room {number}, which has {number % 5} chairs."
            + (EVIL if evil else ""),
            "success": done == 1,
            "progress": done,
            "error_type": "" if done == 1 else "missing_step" if number % 2 else "wrong_order",
            "goals": [["swept", done > 0], ["chairs back", done == 1]],
            "explanation": f"{'All' if done == 1 else 'Not all'} of room {number} is clean."
            + (EVIL if evil else ""),
            "plan": ["walk", "sweep"],
            "error_step": None if done == 1 else 2,
            "slips": output.count("!"),
        }

    def score(task: str, output: str, protocol: Protocol) -> Score:
        made = record(task, output)
        metrics = {"success": float(made["success"]), "progress": made["progress"]}
        return Score(task, metrics, made, valid=output != "-").exclude("-" * (output == "-"))

    return Suite(
        name=NAME,
        title="Sweep rooms" + (EVIL if evil else ""),
        tasks=Tasks(
            load=lambda protocol: names,
            identify=str,
            describe=lambda task: f"Sweep {task}",
            cluster=lambda task: f"house {int(task.partition('-')[2]) % 4}",
        ),
        scoring=Scoring(score),
        reporting=Reporting(
            means={"Success": "success", "Progress": "progress"},
            measures={"Slips": Measure("slips", best="low")},
        ),
        viewing=Viewing(
            conditions=lambda record: [(text, met) for text, met in record["goals"]],
            abilities=(Ability("Sweeping"), Ability("Order", "progress", "with chairs")),
        ),
        experiments=Experiments(
            demands=Demands(
                lambda task: {"chairs": int(task.partition("-")[2]) % 5}, lambda task: ("sweep",)
            )
        ),
        prompting=Prompting(lambda task: f"Sweep {task}, please.", system=lambda: "You sweep."),
    )


def keep(
    root: Path,
    suite: Suite[str],
    name: str,
    outputs: Sequence[str],
    *,
    errors: Sequence[SampleError] = (),
    usage: Usage | None = None,
    run: Mapping[str, Any] | None = None,
) -> Path:
    """Write a run of the first tasks of a suite; the folder of its results."""
    tasks = suite.tasks.load(CORRECTED)[: len(outputs)]

    scores = [
        replace(suite.score(task, output), usage=usage)
        for task, output in zip(tasks, outputs, strict=True)
    ]
    made = {"suite": NAME, "model": name, "agent": None, "protocol": "corrected", "seed": 0}
    safe = name.replace("/", "_")
    keep_run(
        root,
        safe,
        suite,
        scores,
        CORRECTED,
        errors,
        zip(tasks, outputs, strict=True),
        {**made, **(run or {})},
    )
    return root / safe
