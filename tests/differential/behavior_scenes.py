"""Scenes of BEHAVIOR for the published simulator, and its driver (:mod:`_driver_behavior`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from differential.published import WORKERS, drive
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


Input: TypeAlias = dict[str, Any]
"""``scene``, as :func:`described` makes it, and a ``job`` in it."""


def input_of(scene: dict[str, Any], **job: Any) -> Input:
    return {"scene": scene, "job": {"scene": scene["id"], **job}}


def run_published(inputs: Sequence[Input], workdir: Path, workers: int = WORKERS) -> list[Any]:
    """One record for each input, in order."""
    scenes = {item["scene"]["id"]: item["scene"] for item in inputs}
    return _run(scenes.values(), [item["job"] for item in inputs], workdir, workers)


def _run(
    scenes: Iterable[dict[str, Any]], jobs: Sequence[dict[str, Any]], workdir: Path, workers: int
) -> list[Any]:
    workdir.mkdir(parents=True, exist_ok=True)
    file = workdir.absolute() / "scenes.json"
    file.write_text(json.dumps(list(scenes)))
    return drive(DRIVER, ["--scenes", file], jobs, workdir, workers)


def published_summary(
    module: str, scenes: Iterable[dict[str, Any]], texts: Mapping[str, str], workdir: Path
) -> Any:
    """The published summary of an output for each of some tasks.

    Args:
        module: As the driver calls it.
        scenes: Of all tasks.
        texts: Task -> output.
        workdir: Where the driver's files go.
    """
    job = {"scene": next(iter(texts)), "kind": "summary", "module": module, "outputs": dict(texts)}
    (record,) = _run(scenes, [job], workdir, workers=1)
    return record["summary"]


def fact_of(words: Sequence[str]) -> Fact:
    """A fact as the driver writes it, in homebody's words."""
    ours = {written: predicate for predicate, written in WORDS.items()}
    return (ours.get(words[0], words[0]), *words[1:])
