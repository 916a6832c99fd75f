"""Scenes of BEHAVIOR for the published simulator, and its driver (:mod:`_driver_behavior`)."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from differential.published import PublishedError
from homebody.core import Fact, State
from homebody.core.formula import Atom
from homebody.goals.bddl import Problem
from homebody.goals.bddl.published import published_options
from homebody.goals.bddl.truth import universe
from homebody.worlds.behavior import Thing

DRIVER = Path(__file__).with_name("_driver_behavior.py")

STATE_OF = {
    "dustyable": "Dusty",
    "stainable": "Stained",
    "openable": "Open",
    "cookable": "Cooked",
    "burnable": "Burnt",
    "freezable": "Frozen",
    "sliceable": "Sliced",
    "soakable": "Soaked",
    "toggleable": "ToggledOn",
    "slicer": "Slicer",
    "cleaningTool": "CleaningTool",
}
"""Ability -> the state class that iGibson gives an object for it."""

WORDS = {"toggled_on": "toggledon"}
"""Predicates that the graph simulator writes otherwise."""


def described(
    identifier: str,
    activity: str,
    things: Sequence[Thing],
    bddl_names: Mapping[str, str],
    initial: State,
    conditions: Iterable[tuple[Sequence[str], Iterable[Any]]],
) -> dict[str, Any]:
    """A scene as the driver reads it.

    Args:
        identifier: The task's.
        activity: Its activity.
        things: What there is; each must have its ``litres``.
        bddl_names: Name -> BDDL name.
        initial: The state at first, over ``things`` and their halves.
        conditions: The goal: each condition's words and options, in BDDL names.
    """
    return {
        "id": identifier,
        "activity": activity,
        "facts": [[WORDS.get(fact[0], fact[0]), *fact[1:]] for fact in initial.facts()],
        "things": [
            {
                "name": thing.name,
                "bddl": bddl_names[thing.name],
                "floor": thing.floor,
                "box": [1.0, 1.0, _litres(thing) / 1000.0],
                "states": [STATE_OF[one] for one in sorted(thing.abilities & STATE_OF.keys())],
                "parts": [
                    f"{thing.name}_part_{number}"
                    for number in (0, 1)
                    if "sliceable" in thing.abilities and not thing.floor
                ],
            }
            for thing in things
        ],
        "goal": [{"terms": list(terms), "options": list(options)} for terms, options in conditions],
    }


def _litres(thing: Thing) -> float:
    if thing.litres is None:
        raise ValueError(f"{thing.name} has no size")
    return thing.litres


def goal_conditions(
    problem: Problem, terms: Sequence[Sequence[str]]
) -> list[tuple[Sequence[str], list[Any]]]:
    """The words and the published options of each condition of a goal."""
    over = universe(problem)
    return [
        (words, [[_nested(literal) for literal in o] for o in published_options(condition, over)])
        for words, condition in zip(terms, problem.conditions, strict=True)
    ]


def _nested(literal: Any) -> list[Any]:
    if isinstance(literal, Atom):
        return [literal.predicate, *literal.args]
    return ["not", _nested(literal.body)]


def run_published(
    python: Path,
    scenes: Sequence[dict[str, Any]],
    jobs: Sequence[dict[str, Any]],
    workdir: Path,
    workers: int = 4,
) -> list[dict[str, Any]]:
    """One record for each job, in order.

    Raises:
        PublishedError: a worker did not get to its end.
    """
    workdir.mkdir(parents=True, exist_ok=True)
    workdir = workdir.absolute()
    described_file = workdir / "scenes.json"
    described_file.write_text(json.dumps(list(scenes)))
    # Jobs of one scene come one after the other: dealt out, the shares take alike long.
    shares = [jobs[start::workers] for start in range(workers)]
    started = []
    for number, share in enumerate(shares):
        source, target = workdir / f"in{number}.jsonl", workdir / f"out{number}.jsonl"
        source.write_text("".join(json.dumps(job) + "\n" for job in share))
        target.unlink(missing_ok=True)
        command = [python, DRIVER, "--scenes", described_file, "--input", source]
        with open(workdir / f"log{number}.txt", "wb") as log:
            process = subprocess.Popen(
                [*map(str, command), "--output", str(target)],
                cwd=workdir,
                env={**os.environ, "PYTHONHASHSEED": "0"},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        started.append((process, target))
    codes = [process.wait() for process, _ in started]
    records: list[dict[str, Any]] = [{} for _ in jobs]
    for number, (_, target) in enumerate(started):
        done = [json.loads(line) for line in target.read_text().splitlines()]
        if codes[number] != 0 or len(done) != len(shares[number]):
            log_text = (workdir / f"log{number}.txt").read_text()[-2000:]
            raise PublishedError(
                f"Worker {number} ended with {codes[number]} after {len(done)} of "
                f"{len(shares[number])} jobs:\n{log_text}"
            )
        records[number::workers] = done
    return records


def fact_of(words: Sequence[str]) -> Fact:
    """A fact as the driver writes it, in homebody's words."""
    ours = {written: predicate for predicate, written in WORDS.items()}
    return (ours.get(words[0], words[0]), *words[1:])
