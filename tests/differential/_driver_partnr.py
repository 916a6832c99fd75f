"""Runs the published evaluation of PARTNR without a simulator, job by job.

The published classes run unedited, from a checkout: the measures that keep track of propositions
and judge them, and all that they call. Stood in for are ``habitat`` and ``habitat_sim``, whose
geometry reads a table of facts, and the packages' own ``__init__`` modules, which would load
planners and models.

Usage: ``_driver_partnr.py CHECKOUT --input JOBS.jsonl --output OUT.jsonl``. A job is ``{"episode":
the three published fields, "names": all names, "steps": [[[predicate, *names], value], ...] for
each step}`` and, if only its time counts, ``"timed": true``. Facts are those of ``is_on_top``,
``is_inside``, ``is_in_room``, ``is_on_floor``, ``is_next_to``, ``is_clean``, ``is_filled``,
``is_powered_on``. The record has ``percents`` for each step, ``satisfied_at`` and ``constraints``
at the end and ``seconds``, or the name of the ``error`` that it stopped with.
"""

import argparse
import json
import sys
import time
import types
import warnings
from pathlib import Path
from typing import Any

STATES = ("is_clean", "is_filled", "is_powered_on")


class Simulator:
    """Facts, asked as the simulator is."""

    _largest_indoor_island_idx = 0

    def __init__(self, names: list[str]) -> None:
        self.facts: set[tuple[str, ...]] = set()
        self.names = names
        self.things = {name: types.SimpleNamespace(handle=name, object_id=name) for name in names}
        regions = [types.SimpleNamespace(id=name) for name in names]
        self.semantic_scene = types.SimpleNamespace(regions=regions)
        self.object_state_machine = self
        self.below: dict[tuple[str, str], list[str]] = {}
        self.snapshot = {state: dict.fromkeys(names, False) for state in STATES}

    def set(self, fact: tuple[str, ...], value: bool) -> None:
        if fact[0] in STATES:
            self.snapshot[fact[0]][fact[1]] = value
            return
        (self.facts.add if value else self.facts.discard)(fact)
        if fact[0] in ("is_on_top", "is_inside"):
            held = self.below.setdefault((fact[0], fact[1]), [])
            if value and fact[2] not in held:
                held.append(fact[2])
            elif not value and fact[2] in held:
                held.remove(fact[2])

    def get_snapshot_dict(self, sim: "Simulator") -> dict[str, dict[str, bool]]:
        return self.snapshot


class Measure:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._metric: Any = None

    def get_metric(self) -> Any:
        return self._metric


def stand_in(name: str, path: Path | None = None, **content: Any) -> None:
    """Put a module in place of a real one; with a path, a package whose modules are real."""
    module = types.ModuleType(name)
    module.__dict__.update(content)
    if path is not None:
        module.__path__ = [str(path)]
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)


def install(checkout: Path) -> None:
    def next_to(sim: Simulator, object_id_a: str, object_id_b: str, **_: Any) -> bool:
        return ("is_next_to", object_id_a, object_id_b) in sim.facts

    def in_region(sim: Simulator, thing: Any, region: Any, **_: Any) -> tuple[bool, float]:
        return ("is_in_room", thing.handle, region.id) in sim.facts, 0.0

    geometry = {
        "above": lambda sim, thing: sim.below.get(("is_on_top", thing.handle), ()),
        "within": lambda sim, thing: sim.below.get(("is_inside", thing.handle), ()),
        "get_obj_from_handle": lambda sim, handle: sim.things.get(handle),
        "get_obj_from_id": lambda sim, identifier, links=None: sim.things.get(identifier),
        "obj_next_to": next_to,
        "object_in_region": in_region,
        "on_floor": lambda sim, thing, **_: ("is_on_floor", thing.handle) in sim.facts,
        "get_ao_link_id_map": lambda sim: {},
    }
    nothing = type("Nothing", (), {})
    registry = types.SimpleNamespace(register_measure=lambda cls: cls)
    empty = checkout / "no such folder"
    stand_in("habitat", empty)
    stand_in("habitat.config", empty)
    stand_in("habitat.config.default_structured_configs", MeasurementConfig=nothing)
    stand_in("habitat.core", empty)
    stand_in("habitat.core.embodied_task", EmbodiedTask=nothing, Measure=Measure)
    stand_in("habitat.core.registry", registry=registry)
    stand_in("habitat.core.simulator", Simulator=nothing)
    stand_in("habitat.sims", empty)
    stand_in("habitat.sims.habitat_simulator", empty)
    stand_in("habitat.sims.habitat_simulator.sim_utilities", **geometry)
    stand_in("habitat_sim", empty)
    stand_in("habitat_sim.physics", ManagedArticulatedObject=nothing, ManagedRigidObject=nothing)
    stand_in("habitat_sim.scene", SemanticRegion=nothing)
    root = checkout / "habitat_llm"
    stand_in("habitat_llm", root)
    stand_in("habitat_llm.agent", root / "agent")
    stand_in("habitat_llm.agent.env", root / "agent" / "env")
    stand_in("habitat_llm.agent.env.dataset", CollaborationEpisode=nothing)
    stand_in("habitat_llm.sims", root / "sims")
    stand_in("habitat_llm.sims.collaboration_sim", CollaborationSim=nothing)
    stand_in(
        "habitat_llm.sims.metadata_interface",
        MetadataInterface=nothing,
        get_metadata_dict_from_config=nothing,
    )


def episode_of(raw: dict[str, Any], functions: Any) -> Any:
    return types.SimpleNamespace(
        evaluation_propositions=[
            functions.EvaluationProposition(**one) for one in raw["evaluation_propositions"]
        ],
        evaluation_proposition_dependencies=[
            functions.EvaluationPropositionDependency(**one)
            for one in raw["evaluation_proposition_dependencies"]
        ],
        evaluation_constraints=[
            getattr(functions, one["type"])(**one["args"]) for one in raw["evaluation_constraints"]
        ],
    )


def judged(job: dict[str, Any], measures: Any, functions: Any) -> dict[str, Any]:
    sim = Simulator(job["names"])
    episode = episode_of(job["episode"], functions)
    used = [
        measures.AutoEvalPropositionTracker(sim=sim, config=None),
        measures.TaskConstraintValidation(config=None),
        measures.TaskPercentComplete(config=None),
    ]
    task = types.SimpleNamespace(
        measurements=types.SimpleNamespace(
            measures={one.cls_uuid: one for one in used},
            check_measure_dependencies=lambda *names: None,
        )
    )
    percents = []
    started = time.perf_counter()
    for number, step in enumerate(job["steps"]):
        for fact, value in step:
            sim.set(tuple(fact), value)
        for one in used:
            update = one.update_metric if number else one.reset_metric
            update(episode=episode, task=task)
        percents.append(float(used[2].get_metric()))
    seconds = time.perf_counter() - started
    if job.get("timed"):
        return {"seconds": seconds, "percent": percents[-1]}
    tracked = used[0].get_metric()
    return {
        "seconds": seconds,
        "percents": percents,
        "satisfied_at": [int(at) for at in tracked["proposition_satisfied_at"]],
        "constraints": [[bool(x) for x in row] for row in used[1].get_metric()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    install(options.checkout)
    from habitat_llm.agent.env import measures
    from habitat_llm.agent.env.evaluation import evaluation_functions as functions

    warnings.simplefilter("ignore")
    with options.input.open() as lines, options.output.open("w") as out:
        for line in lines:
            try:
                record = judged(json.loads(line), measures, functions)
            except Exception as error:  # what the published code does is what is recorded
                record = {"error": f"{type(error).__name__}: {error}"}
            out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
