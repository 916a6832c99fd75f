"""Runs the published transition-modeling evaluator on one output at a time.

Started by :mod:`test_transition_modeling` inside an environment with ``eai-eval``; needs nothing
else but, with ``--planner``, the folder of a built Fast Downward. ``worker_process`` runs
unedited; its planner is one that is built already, or none: then every problem counts as solved.

Usage: ``_driver_transition.py --dataset virtualhome|behavior --input IN.jsonl --output OUT.jsonl
[--planner FOLDER]``
"""

import argparse
import json
import logging
import os
import sys
import tempfile
from typing import Any

import virtualhome_eval
from virtualhome_eval.evaluation.transition_modeling.scripts import evaluate_results as module
from virtualhome_eval.simulation.evolving_graph.pddlgym_planners.fd import FD

PACKAGE = os.path.dirname(os.path.abspath(virtualhome_eval.__file__))
CATEGORIES = (
    *("object_states", "object_affordance", "object_orientation"),
    *("spatial_relations", "non-spatial_relations", "object_tools"),
)
TIMEOUTS = {"virtualhome": 100, "behavior": 200}  # seconds, as published


class NoPlanner:
    """Finds a plan for anything."""

    def plan_from_pddl(self, domain: str, problem: str, timeout: int) -> list[str]:
        return []


def planner(folder: str) -> type:
    class Built(FD):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._exec = f"{sys.executable} {os.path.join(folder, 'fast-downward.py')}"

        def _install_fd(self) -> None:
            pass

        def _cleanup(self) -> None:
            """The published one starts the planner once more, to remove what is not there."""

    return Built


def evaluate(dataset: str, source: str, target: str) -> None:
    resources = os.path.join(PACKAGE, "resources", dataset)

    def resource(name: str) -> Any:
        with open(os.path.join(resources, name)) as file:
            return json.load(file)

    operators = resource("id2action.json")
    categories = resource("predicates_category.json")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        rest = (
            "model",
            dataset,
            TIMEOUTS[dataset],
            resources,
            folder,
            os.path.join(resources, "problem_pddl"),
            operators,
            resource("id2category_2.json"),
            resource("id2task.json"),
            resource("success_task.json"),
            categories,
            resource("gold_action.json"),
            set(CATEGORIES),
            {name for names in operators.values() for name in names},
            set(categories),
        )
        with open(source) as lines, open(target, "w") as records:
            for line in lines:
                record: dict[str, Any] = {"crash": None, "results": None}
                # each call adds a handler that keeps all that is logged from then on
                logging.getLogger(f"worker_{os.getpid()}").handlers.clear()
                try:
                    record["results"], _ = module.worker_process((json.loads(line), *rest))
                except Exception as error:
                    record["crash"] = type(error).__name__
                records.write(json.dumps(record) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--dataset", choices=list(TIMEOUTS), required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--planner", default="")
    args = parser.parse_args()
    module.FD = planner(args.planner) if args.planner else NoPlanner
    evaluate(args.dataset, args.input, args.output)


if __name__ == "__main__":
    main()
