"""Runs the published evaluator of subgoal decomposition on one output at a time.

Started by :mod:`test_subgoal_decomposition` inside an environment with ``eai-eval``; needs nothing
else. ``evaluate_results`` runs unedited. Around it, this script only

* writes down the report that a summary is made of;
* pins the two choices that are drawn: of parts joined by ``or`` the first is taken;
* leaves out work without effect: copies of what is only read, files read again for every output,
  the text of every fact of a state written again for every look at it.

One copy does have an effect: a set of ids that is copied element by element may change its
order, and verdicts hang on that (see ``worlds/virtualhome/published.py``). The copies of a state
therefore still rebuild those sets, as often as the published code does.

Usage: ``_driver_subgoals.py --input IN.jsonl --output OUT.jsonl [--seconds MOST]``
"""

import argparse
import functools
import io
import json
import os
import random
import signal
import tempfile
import threading
from types import SimpleNamespace
from typing import Any

import virtualhome_eval
from virtualhome_eval.evaluation.subgoal_decomposition import (
    checkers,
    state_action_translator,
    subgoal_eval_utils,
    subgoal_sim_utils,
)
from virtualhome_eval.evaluation.subgoal_decomposition.scripts import evaluate_results as module
from virtualhome_eval.simulation.evolving_graph import common, utils
from virtualhome_eval.simulation.evolving_graph.environment import EnvironmentState
from virtualhome_eval.tl_formula import simple_tl

PACKAGE = os.path.dirname(os.path.abspath(virtualhome_eval.__file__))
NAME = "subgoal_decomposition"
MOST = 4  # runs of which the end is written down


class TooLong(BaseException):
    """An output took more than its time; no published handler catches this."""


class Evaluator:
    """The published ``evaluate_results`` for one output at a time."""

    def __init__(self, folder: str, seconds: int) -> None:
        self.seconds = seconds
        self.inputs = os.path.join(folder, "virtualhome", NAME)
        self.results = os.path.join(folder, "results")
        os.makedirs(self.inputs)
        self.args = SimpleNamespace(
            mode="evaluate_results",
            eval_type=NAME,
            resource_dir=os.path.join(PACKAGE, "resources"),
            dataset_dir=os.path.join(PACKAGE, "dataset"),
            evaluation_dir=os.path.join(PACKAGE, "evaluation"),
            llm_response_path=folder,
            dataset="virtualhome",
            output_dir=self.results,
            scene_id=1,
            num_workers=1,
        )
        self.report: Any = None
        self.checker: Any = None
        module.evaluate_task = self._evaluate_task
        subgoal_sim_utils.SubgoalRuntimeChecker = self._runtime_checker()

    def __call__(self, output: dict[str, Any]) -> dict[str, Any]:
        """The record of one output: counts as the summary's, and what was done."""
        common.TimeMeasurement.reset_all()  # it never forgets a measurement
        fact_texts.cache_clear()
        self.report, self.checker = None, None
        log = os.path.join(self.results, "one", "error_info.json")
        if os.path.exists(log):
            os.remove(log)
        with open(os.path.join(self.inputs, "one_outputs.json"), "w") as file:
            named = {**output, "identifier": f"scene_1_{output['identifier']}"}
            json.dump([named], file)
        signal.setitimer(signal.ITIMER_PROF, self.seconds)
        try:
            summary = module.evaluate_results(self.args)["one"]
        except (TooLong, UnboundLocalError):  # the latter from a published ``finally``
            if self.report is not None:
                raise
            return {"identifier": output["identifier"], "too_long": True}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return {
            "identifier": output["identifier"],
            "too_long": False,
            "summary": summary,
            "report": str(self.report),
            **_told(self.report),
            **self._ends(),
        }

    def _evaluate_task(self, *args: Any) -> Any:
        self.report = subgoal_sim_utils.evaluate_task(*args)
        return self.report

    def _runtime_checker(self) -> type:
        evaluator = self

        class Checker(checkers.SubgoalRuntimeChecker):  # type: ignore[misc]
            """Keeps the states of finished runs, and writes each fact once."""

            def __init__(self, *args: Any) -> None:
                evaluator.checker = self
                self.finished: dict[tuple[str, ...], Any] = {}
                super().__init__(*args)

            def check_tl_final_goal(self, raw_states: Any, raw_actions_list: Any) -> Any:
                self.finished.setdefault(tuple(raw_actions_list), raw_states[-1])
                return super().check_tl_final_goal(raw_states, raw_actions_list)

            def get_tl_states_seq(self, raw_states: Any, id_2_name_dict: Any) -> Any:
                names = [f"{name}.{number}" for number, name in id_2_name_dict.items()]
                return [_state(raw, id_2_name_dict, names, self.vocab) for raw in raw_states]

        return Checker

    def _ends(self) -> dict[str, Any]:
        """What runs that were refined to their end changed, and whether the one that counts, done
        again to count its goals, ends otherwise."""
        if self.checker is None:
            return {"ends": [], "replayed_otherwise": False}
        finished, planner = self.checker.finished, self.checker.planner
        start = _facts(planner.init_state.to_dict())
        ends = [(list(plan), _facts(state)) for plan, state in finished.items()]
        plan = _told(self.report)["plan"]
        again = _facts(planner.env_state.to_dict()) if hasattr(self.checker, "goal_info") else None
        return {
            "ends": [[plan, sorted(end - start), sorted(start - end)] for plan, end in ends[:MOST]],
            "replayed_otherwise": any(end != again for other, end in ends if other == plan),
        }


def _told(report: Any) -> dict[str, Any]:
    """What a report says."""
    category = report[0]
    told: dict[str, Any] = {
        "category": category,
        "detail": None,
        "goals": report[-1],
        "errors": None,
        "plan": None,
        "subgoal": None,
        "action": None,
    }
    if category in ("NotParseable", "Hallucination"):
        told["detail"] = report[1]
        return told
    errors = report[-2]
    told["errors"] = [error["error_info"]["error_type"] for error in errors]
    if category == "Correct":
        told["plan"] = report[2][0]
    elif errors:
        told["plan"] = errors[-1]["failed_action_sequence"]
        told["subgoal"] = errors[-1]["failed_subgoal"]
        told["action"] = errors[-1]["failed_action"]
    return told


def _facts(state: Any) -> set[tuple[Any, ...]]:
    states = {(name, node["id"]) for node in state["nodes"] for name in node["states"]}
    return states | {(e["relation_type"], e["from_id"], e["to_id"]) for e in state["edges"]}


# -- work without effect -------------------------------------------------------------------------


def copied(value: Any) -> Any:
    """A copy that nothing published can tell from a deep one."""
    if isinstance(value, EnvironmentState):
        return _copied_state(value)
    if isinstance(value, list):
        return list(value)  # what is in these lists is only read
    assert isinstance(value, dict), type(value)
    return value  # histories: only read


def _copied_state(state: EnvironmentState) -> EnvironmentState:
    """Its graph and its nodes are shared: they are only read. Its sets are rebuilt."""
    assert vars(state).keys() == vars(EnvironmentState(state._graph, {})).keys()
    copy = EnvironmentState.__new__(EnvironmentState)
    vars(copy).update(vars(state))
    for name in ("_removed_edges_from", "_new_edges_from"):
        sets = getattr(state, name)
        setattr(copy, name, {key: set(list(ids)) for key, ids in sets.items()})  # noqa: C414
    copy._new_nodes = dict(state._new_nodes)
    copy._script_objects = dict(state._script_objects)
    copy.executor_data = dict(state.executor_data)
    return copy


@functools.lru_cache(maxsize=100_000)
def fact_texts(predicate: str, args: tuple[str, ...]) -> str:
    return str(simple_tl.Proposition(predicate, list(args)))


def _state(raw: Any, names: dict[int, str], objects: list[str], vocabulary: Any) -> Any:
    """The published ``State`` of a scene, which holds facts by their text.

    The published constructor would give every argument without an id one, but all have one.
    """
    states = vocabulary.get_vh_states_to_tl_dict()
    relations = vocabulary.get_vh_relations_to_tl_dict()
    facts = {
        fact_texts(states[state], (f"{node['class_name']}.{node['id']}",))
        for node in raw["nodes"]
        for state in node["states"]
    }
    named = {number: f"{name}.{number}" for number, name in names.items()}
    facts |= {
        f"{relations[e['relation_type']]}({named[e['from_id']]}, {named[e['to_id']]})"
        for e in raw["edges"]
    }
    state = simple_tl.State.__new__(simple_tl.State)
    state.objects, state.propositions = objects, facts
    return state


@functools.cache
def _resource(path: str) -> Any:
    with open(path) as file:
        return json.load(file)


def _load(file: io.TextIOBase) -> Any:
    """``json.load``, once for each resource; scene files and results are read every time."""
    path = os.path.abspath(file.name)  # type: ignore[attr-defined]
    if os.path.dirname(path) == os.path.join(PACKAGE, "resources"):
        return _resource(path)
    return json.load(file)


def share_work() -> None:
    for name in ("load_properties_data", "load_object_placing", "load_name_equivalence"):
        setattr(utils, name, functools.cache(getattr(utils, name)))
    quick_json = SimpleNamespace(load=_load, loads=json.loads, dump=json.dump)
    checkers.copy = state_action_translator.copy = SimpleNamespace(deepcopy=copied)
    checkers.json = subgoal_eval_utils.json = quick_json
    published_parse = subgoal_sim_utils.parse_simple_tl  # of the task's goal only
    parsed: dict[str, Any] = {}

    def parse_goal(text: str, predicates: Any, actions: Any) -> Any:
        if text not in parsed:
            parsed[text] = published_parse(text, predicates, actions)
        return parsed[text]

    subgoal_sim_utils.parse_simple_tl = parse_goal
    goals = functools.cache(lambda: published_goals(SimpleNamespace(resource_dir=RESOURCES)))
    published_goals = subgoal_eval_utils.get_all_scene_goal_stats
    subgoal_eval_utils.get_all_scene_goal_stats = lambda args: goals()
    module.Manager = lambda: SimpleNamespace(Lock=threading.Lock)  # one worker needs no other


RESOURCES = os.path.join(PACKAGE, "resources")


def pin_choices() -> None:
    """Of an ``or``, the first part."""
    random.choice = lambda parts: parts[0]  # type: ignore[assignment]


def _too_long(*_: Any) -> None:
    raise TooLong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--input", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--seconds", type=int, default=60, help="most time for one output")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _too_long)
    pin_choices()
    share_work()
    with tempfile.TemporaryDirectory() as folder, open(options.output, "w") as out:
        evaluator = Evaluator(folder, options.seconds)
        with open(options.input) as lines:
            for line in lines:
                print(json.dumps(evaluator(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
