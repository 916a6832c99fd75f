"""Runs the published evaluator on one output at a time, inside its own environment.

Started by :mod:`published`; needs nothing but the standard library and ``eai-eval``. The published
functions run unedited. Around them, this script only

* writes down what they decide: it stands in for their loggers, which see the counters, and it
  wraps ``scene_evaluate_wID`` and ``TemporalOrderChecker``;
* pins the two choices that depend on the hashes of strings: an annotation's action goals keep
  their order, and of several relevant objects of one class goal interpretation takes the one
  with the highest id;
* leaves out work without effect: copies of histories that are only read, resources read again.

Usage: ``_driver.py MODULE --input IN.jsonl --output OUT.jsonl`` evaluates outputs, a record a line;
``_driver.py MODULE --dump-tasks --output OUT.jsonl`` describes every task instead.
"""

import argparse
import copy
import functools
import importlib
import json
import os
import re
import sys
import tempfile
import traceback
from types import FrameType, SimpleNamespace
from typing import Any

import virtualhome_eval
from virtualhome_eval.simulation.evolving_graph import (
    common,
    environment,
    eval_utils,
    motion_planner,
    utils,
)

PACKAGE = os.path.dirname(os.path.abspath(virtualhome_eval.__file__))

#: The message by which a module says that it has seen all outputs and now computes rates.
LAST_MESSAGE = {
    "action_sequencing": "Program number:",
    "goal_interpretation": "Format wrong num is",
}

#: Names of counters in records, and of the local variables they come from.
COUNTERS = {
    "action_sequencing": {
        "programs": "program_num",
        "parsing": "all_parsing_wrong",
        "hallucination": "all_hallucination",
        "parameter": "all_parameter_wrong",
        "executable": "all_executable_plan",
        "correct": "all_correct_plan",
        "matched_node": "all_matched_node",
        "matched_edge": "all_matched_edge",
        "matched_action": "all_matched_action",
        "matched_all": "all_matched_all",
        "node_goals": "all_node_goals",
        "edge_goals": "all_edge_goals",
        "action_goals": "all_action_goals",
        "all_goals": "all_goals",
    },
    "goal_interpretation": {
        **{
            f"{kind}_{outcome}": f"{outcome}_{kind}_goals"
            for kind in ("node", "edge", "action")
            for outcome in ("TP", "FP", "FN")
        },
        "node_total": "total_node_goals",
        "edge_total": "total_edge_goals",
        "action_total": "total_action_goals",
        "format_wrong": "format_wrong_goals",
        "hallucination": "hallucination_goals",
    },
}
#: Names of what ``scene_evaluate_wID`` returns.
SCENE_RESULT = (
    *("node", "edge", "action", "all_success"),
    *("unmet_node", "unmet_edge", "unmet_action"),
)
RUNTIME_ERRORS = {0: "wrong_order", 1: "missing_step", 2: "affordance", 4: "additional_step"}


class Watch:
    """Stands in for a module's logger and keeps its caller's variables at one message."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.variables: dict[str, Any] | None = None

    def info(self, message: object) -> None:
        if str(message).startswith(self.message):
            self.variables = dict(sys._getframe(1).f_locals)


class Evaluator:
    """One module's published ``evaluate_results`` with what was written down of its last call."""

    def __init__(self, name: str, folder: str) -> None:
        self.name = name
        self.module = importlib.import_module(
            f"virtualhome_eval.evaluation.{name}.scripts.evaluate_results"
        )
        self.folder = folder
        self.inputs = os.path.join(folder, "virtualhome", name)
        os.makedirs(self.inputs, exist_ok=True)
        self.args = published_args(folder, folder)
        self.watch = Watch(LAST_MESSAGE[name])
        self.scenes: list[dict[str, Any]] = []
        self.failures: list[dict[str, Any]] = []

        self.module.logger = self.watch
        self.module.set = dict.fromkeys  # only for list(set(action goals)): keeps their order
        if name == "action_sequencing":
            self.module.scene_evaluate_wID = self._scene_evaluate
            self.module.TemporalOrderChecker = self._checker()
            self.module.copy = SimpleNamespace(deepcopy=_copy_if_changed)

    def __call__(self, output: dict[str, Any]) -> dict[str, Any]:
        """The record of one output; published code that fails is part of it."""
        self.watch.variables, self.scenes, self.failures = None, [], []
        common.TimeMeasurement.reset_all()  # it never forgets a measurement
        with open(os.path.join(self.inputs, "one_outputs.json"), "w") as file:
            json.dump([output], file)

        summary = crash = None
        try:
            summary = self.module.evaluate_results(self.args)["one"][0]
        except Exception as error:
            # After the last message only rates are left: a task without, say, node goals makes
            # the published code divide by zero, but nothing of it is about the output.
            if self.watch.variables is None:
                crash = _describe(error)
                self.watch.variables = self._variables_at(error)
        variables = self.watch.variables or {}
        record = {
            "identifier": output["identifier"],
            "module": self.name,
            "crash": crash,
            "summary": summary,
            "counts": {key: variables.get(name, 0) for key, name in COUNTERS[self.name].items()},
        }
        if self.name == "action_sequencing":
            codes = variables.get("error_code_to_number", {})
            record["counts"].update({name: codes.get(c, 0) for c, name in RUNTIME_ERRORS.items()})
            gold, prediction = [*self.scenes, None, None][:2]
            record["dropped"] = gold is not None and not gold["all_success"]
            record["error_info"] = variables.get("error_info", {}).get(output["identifier"])
            record["failures"] = self.failures
            record["gold_test"] = gold
            record["prediction"] = prediction
            record["executed"] = len(variables.get("history_actions", ()))
            record["changes"] = _changes(variables.get("motion_planner"))
        return record

    def _variables_at(self, error: Exception) -> dict[str, Any]:
        """The local variables ``evaluate_results`` had when ``error`` left it."""
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if _is_evaluate_results(frame, self.module.__file__):
                return dict(frame.f_locals)
        return {}

    def _scene_evaluate(self, *args: Any, **kwargs: Any) -> Any:
        """Called first with the annotation's end state, then with the prediction's."""
        result = eval_utils.scene_evaluate_wID(*args, **kwargs)
        self.scenes.append(dict(zip(SCENE_RESULT, result, strict=True)))
        return result

    def _checker(self) -> type:
        evaluator = self

        class Checker(self.module.TemporalOrderChecker):  # type: ignore[misc, name-defined]
            def run_checker(self) -> Any:
                info = super().run_checker()
                evaluator.failures.append(
                    {
                        "line": self.error_info.current_line_info(),
                        "code": info.error_type,
                        "code_before": self.error_info.error_type,
                        "messages": info.messages,
                    }
                )
                return info

        return Checker


def _changes(planner: Any) -> dict[str, Any] | None:
    """What the executed part of a plan changed: states by object id, and edges."""
    if planner is None:
        return None
    graph, state = planner.env_graph, planner.env_state
    added, removed = [], []
    for from_id, relation in state._new_edges_from.keys() | state._removed_edges_from.keys():
        before = set(graph.get_node_ids_from(from_id, relation))
        after = set(state.get_node_ids_from(from_id, relation))
        added += [(from_id, relation.name, to_id) for to_id in after - before]
        removed += [(from_id, relation.name, to_id) for to_id in before - after]
    nodes = {id: sorted(s.name for s in node.states) for id, node in state._new_nodes.items()}
    return {
        "states": {
            id: states
            for id, states in nodes.items()
            if states != sorted(s.name for s in graph.get_node(id).states)
        },
        "added": sorted(added),
        "removed": sorted(removed),
    }


def _is_evaluate_results(frame: FrameType, path: str | None) -> bool:
    return frame.f_code.co_name == "evaluate_results" and frame.f_code.co_filename == path


def _describe(error: Exception) -> dict[str, str]:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if frame.filename == __file__:
        raise error  # a mistake of ours
    return {
        "type": type(error).__name__,
        "message": str(error),
        "where": f"{os.path.basename(frame.filename)}:{frame.name}",
    }


def _copy_if_changed(value: Any) -> Any:
    """A deep copy, but for the histories of states and actions: nobody changes those."""
    return value if isinstance(value, list | dict) else copy.deepcopy(value)


def published_args(responses: str, output: str) -> SimpleNamespace:
    """The arguments ``agent_evaluation`` makes for the published functions."""
    return SimpleNamespace(
        resource_dir=os.path.join(PACKAGE, "resources"),
        dataset_dir=os.path.join(PACKAGE, "dataset"),
        evaluation_dir=os.path.join(PACKAGE, "evaluation"),
        llm_response_path=responses,
        dataset="virtualhome",
        output_dir=output,
        scene_id=1,
        num_workers=1,
    )


def share_resources() -> None:
    """Reads each of the resources that are only read once, and not for each output."""
    for name in ("load_properties_data", "load_object_placing", "load_name_equivalence"):
        setattr(utils, name, functools.cache(getattr(utils, name)))


def pin_relevant_nodes() -> None:
    """Sorts the relevant (class name, id) pairs, so that a name means its highest id."""
    published = motion_planner.MotionPlanner.get_relevant_nodes

    def sorted_nodes(self: Any, script_id: Any = None) -> list[tuple[str, int]]:
        return sorted(published(self, script_id))

    motion_planner.MotionPlanner.get_relevant_nodes = sorted_nodes


def read_lines(path: str) -> list[Any]:
    with open(path) as file:
        return [json.loads(line) for line in file]


def evaluate(name: str, source: str, target: str) -> None:
    """Evaluates the outputs of the file ``source``, a record a line into ``target``."""
    with tempfile.TemporaryDirectory() as folder, open(target, "w") as out:
        evaluator = Evaluator(name, folder)
        for output in read_lines(source):
            print(json.dumps(evaluator(output)), file=out, flush=True)


#: The parts of each module's prompt that differ from task to task.
PROMPT_PARTS = {
    "action_sequencing": (
        "object_in_scene",
        "cur_change",
        "node_goals",
        "edge_goals",
        "action_goals",
    ),
    "goal_interpretation": ("object_in_scene", "goal_str"),
}


def dump_tasks(name: str, target: str) -> None:
    """Describes every task: its vocabulary, its prompt and whether the gold test drops it.

    Lists of states and properties, and lines of objects and edges, come in an order that depends
    on the hashes of strings, so they are sorted here.
    """
    with tempfile.TemporaryDirectory() as folder, open(target, "w") as out:
        prompts = _prompt_parts(name, folder)
        evaluator = Evaluator(name, folder)
        for identifier, parts in prompts.items():
            record = evaluator({"identifier": identifier, "llm_output": "{}"})
            variables = evaluator.watch.variables or {}
            planner = variables["motion_planner"]
            relevant = planner.get_relevant_nodes()
            task = {
                "identifier": identifier,
                "task": variables["task"],
                "prompt": parts,
                "objects": [planner.env_graph.get_node(id).to_dict() for _, id in relevant],
            }
            for node in task["objects"]:
                del node["bounding_box"]
                node.update({key: sorted(node[key]) for key in ("properties", "states")})
            if name == "action_sequencing":
                task["passes_gold_test"] = not record["dropped"]
                task["relevant_names"] = sorted(variables["relevant_name_to_id"])
            else:
                task["relevant_nodes"] = relevant
            print(json.dumps(task), file=out, flush=True)


def _prompt_parts(name: str, folder: str) -> dict[str, dict[str, str]]:
    """Every task's prompt parts, by handing ``generate_prompts`` a template of only those."""
    published_to_dict = environment.GraphNode.to_dict

    def to_dict(self: Any) -> dict[str, Any]:
        node = published_to_dict(self)
        return {**node, **{key: sorted(node[key]) for key in ("properties", "states")}}

    module = importlib.import_module(f"virtualhome_eval.evaluation.{name}.scripts.generate_prompts")
    separator = "\f"
    template = separator.join(f"<{part}>" for part in PROMPT_PARTS[name])
    module.one_shot = SimpleNamespace(prompt=template)
    environment.GraphNode.to_dict = to_dict
    try:
        path = module.generate_prompts(published_args(folder, folder))
    finally:
        environment.GraphNode.to_dict = published_to_dict
    with open(path) as file:
        prompts = json.load(file)
    result = {}
    for prompt in prompts:
        parts = dict(zip(PROMPT_PARTS[name], prompt["llm_prompt"].split(separator), strict=True))
        for part in ("object_in_scene", "cur_change"):
            if part in parts:
                parts[part] = _sort_lines(parts[part])
        result[prompt["identifier"]] = parts
    return result


def _sort_lines(text: str) -> str:
    """Sorts each run of lines between headings, rules and empty lines."""
    pieces = re.split(r"^((?:Objects in the scene:|Nodes:|Edges:|-+|)\n)", text, flags=re.MULTILINE)
    return "".join("".join(sorted(piece.splitlines(keepends=True))) for piece in pieces)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", choices=tuple(COUNTERS))
    parser.add_argument("--input", help="outputs, a JSON object a line")
    parser.add_argument("--output", required=True)
    parser.add_argument("--dump-tasks", action="store_true")
    options = parser.parse_args()
    share_resources()
    pin_relevant_nodes()
    if options.dump_tasks:
        dump_tasks(options.module, options.output)
    else:
        evaluate(options.module, options.input, options.output)


if __name__ == "__main__":
    main()
