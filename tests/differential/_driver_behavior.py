"""Runs the published BEHAVIOR simulator and its evaluators without iGibson, job by job.

Started by :mod:`behavior_scenes` in the environment that has ``eai-eval``. iGibson's modules are
stood in for by a few classes: the graph simulator only asks an object for its name, its box and
the values that its states have at first, and a task for its objects and goal options. All of that
comes from the scenes, so that homebody and the published code start from the same facts. The
published functions run unedited. Around them, this script only

* gives the fake objects a hash of their own, as the order of a set of objects decides in which
  order the published code lists them;
* copies states with pickle, which is quicker than ``deepcopy`` and copies the same;
* has ``random.choice`` take the first: the subgoal evaluator draws one part of an ``or``;
* has the goal verdicts that action sequencing takes from the physics simulator come from the
  graph, as there is no physics here.

Usage: ``_driver_behavior.py --scenes SCENES.json --input JOBS.jsonl --output OUT.jsonl``. A job is
``{"scene": id, "kind": kind, ...}`` with

* ``world``: ``plan``, ``[[action, "a, b"], ...]``, and ``go_on``, whether failures are passed over;
* ``action_sequencing`` or ``subgoals``: ``text``, the model's output;
* ``summary``: ``module`` and ``outputs``, scene -> text: the published summary of all of them.

The record of a job for which the published code never ends is ``{"hang": true}``.
"""

import argparse
import contextlib
import copy
import importlib
import io
import json
import os
import pickle
import random
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any

UNARY = ("Cooked", "Dusty", "Frozen", "Open", "Sliced", "Soaked", "Stained", "ToggledOn", "Burnt")
MARKERS = ("Slicer", "CleaningTool")
BINARY = ("Inside", "OnFloor", "OnTop", "Under", "NextTo", "Touching")


class StatefulObject:
    """What the simulator sees of an object of iGibson."""

    def __init__(self, scene: "Scene", name: str, box: list[float], index: int) -> None:
        self.name = name
        self.bounding_box = box
        self.states = {STATES[name]: STATES[name](self, scene) for name in BINARY}
        self.index = index

    def __hash__(self) -> int:
        return self.index

    def __eq__(self, other: object) -> bool:
        return self is other


class URDFObject(StatefulObject):
    pass


class RoomFloor(StatefulObject):
    pass


class ObjectGrouper:
    def __init__(self, objects: list[StatefulObject]) -> None:
        self.objects = objects


class ObjectMultiplexer:
    """A whole thing and its parts under one name."""

    def __init__(self, whole: StatefulObject, parts: list[StatefulObject]) -> None:
        self.name = whole.name + "_multiplexer"
        self._multiplexed_objects = [whole, ObjectGrouper(parts)]
        self.index = whole.index

    def __hash__(self) -> int:
        return self.index


class BaseRobot:
    name = "robot"


class State:
    """The first value of a state of one object."""

    def __init__(self, of: StatefulObject, scene: "Scene") -> None:
        self.of, self.scene = of, scene

    def get_value(self, other: StatefulObject | None = None) -> bool:
        name = type(self).__name__.lower()
        fact = (name, self.of.name) if other is None else (name, self.of.name, other.name)
        return fact in self.scene.facts


#: Classes of states by name, such as ``igibson.object_states`` has them.
STATES: dict[str, type[State]] = {
    name: type(name, (State,), {"__module__": "igibson.object_states"})
    for name in (*UNARY, *MARKERS, *BINARY)
}


class Condition:
    """A goal condition: its words, and its options, of which one is enough."""

    def __init__(self, terms: list[str], options: list[Any]) -> None:
        self.terms = terms
        self.flattened_condition_options = options
        self.body = terms


class Scene:
    """A task of BEHAVIOR, as the published code sees it."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.id = described["id"]
        self.behavior_activity = described["activity"]
        self.facts = {tuple(fact) for fact in described["facts"]}
        self.goal_conditions = [Condition(c["terms"], c["options"]) for c in described["goal"]]
        self.initial_conditions: list[Condition] = []
        self.object_scope: dict[str, Any] = {"agent.n.01_1": BaseRobot()}
        self.graph_env: Any = None
        index = 0
        for thing in described["things"]:
            kind = RoomFloor if thing["floor"] else URDFObject
            names = [thing["name"], *thing["parts"]]
            made: list[StatefulObject] = []
            for name in names:
                index += 1
                item = kind(self, name, thing["box"], index)
                for state in thing["states"]:
                    item.states[STATES[state]] = STATES[state](item, self)
                made.append(item)
            whole = ObjectMultiplexer(made[0], made[1:]) if thing["parts"] else made[0]
            self.object_scope[thing["bddl"]] = whole

    def check_success(self) -> tuple[bool, dict[str, list[int]]]:
        """The physics simulator's verdict, from the graph instead."""
        verdict = self.graph_env.action_env.cur_state.check_success(self)
        flags = verdict["subgoal_success"]
        return verdict["success"], {
            "satisfied": [i for i, flag in enumerate(flags) if flag],
            "unsatisfied": [i for i, flag in enumerate(flags) if not flag],
        }


SCENES: dict[str, Scene] = {}


class IGibsonEnv:
    """Finds the scene of the configuration that the published code makes."""

    def __init__(self, config_file: dict[str, Any], **_: Any) -> None:
        wanted = config_file["task"]
        self.task = next(s for s in SCENES.values() if s.behavior_activity == wanted)

    def close(self) -> None:
        pass


class EvalEnv:
    """Stands in for the physics simulator: nothing happens in it."""

    def __init__(self, demo_name: str, **_: Any) -> None:
        self.task = SCENES[demo_name]
        self.env = types.SimpleNamespace(close=lambda: None)

    def apply_action(self, action: str, objects: str) -> bool:
        return False

    def final_step(self) -> None:
        pass


def stand_in() -> None:
    """Puts the modules that the published code imports, but that are not here, into place."""
    modules: dict[str, dict[str, Any]] = {
        "igibson": {"configs_path": ""},
        "igibson.object_states": STATES,
        "igibson.object_states.on_floor": {"RoomFloor": RoomFloor},
        "igibson.objects": {},
        "igibson.objects.articulated_object": {"URDFObject": URDFObject},
        "igibson.objects.multi_object_wrappers": {
            "ObjectMultiplexer": ObjectMultiplexer,
            "ObjectGrouper": ObjectGrouper,
        },
        "igibson.tasks": {},
        "igibson.tasks.behavior_task": {"BehaviorTask": Scene},
        "igibson.robots": {"BaseRobot": BaseRobot},
        "igibson.envs": {},
        "igibson.envs.igibson_env": {"iGibsonEnv": IGibsonEnv},
        "igibson.utils": {},
        "igibson.utils.ig_logging": {"IGLogReader": None},
        "igibson.utils.utils": {"parse_config": lambda _: {"robot": {}}},
        "bddl": {},
        "bddl.condition_evaluation": {"HEAD": Condition},
        "gym": {},
        "fire": {},
        "behavior_eval.transition_model.eval_env": {"EvalEnv": EvalEnv},
    }
    for name, content in modules.items():
        module = types.ModuleType(name)
        module.__path__ = []
        module.__dict__.update(content)
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if parent in modules:
            setattr(sys.modules[parent], last, module)


stand_in()

from behavior_eval.evaluation.action_sequencing import (  # noqa: E402
    action_sequence_evaluator as sequencing,
)
from behavior_eval.evaluation.action_sequencing.scripts import (  # noqa: E402
    evaluate_results as sequencing_results,
)
from behavior_eval.evaluation.subgoal_decomposition import (  # noqa: E402
    checkers,
    subgoal_eval_utils,
    subgoal_sim_utils,
)
from behavior_eval.evolving_graph import (  # noqa: E402
    eval_evolving_graph_env as graph_env,
)


def quick_copy(value: Any, memo: Any = None) -> Any:
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


class GraphEnv(graph_env.EvalGraphEnv):  # type: ignore[misc]
    """The published environment, which tells its scene where it is."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.task.graph_env = self


class Nowhere(io.StringIO):
    """Keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    with contextlib.redirect_stdout(Nowhere()):
        yield


def describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def final(state: Any, task: Scene) -> dict[str, Any]:
    """The facts that goals are checked against, what is held, and the goal's verdict."""
    record: dict[str, Any] = {"hands": dict(state.robot_inventory)}
    try:
        facts = state.get_state_dict(task)
        record["unary"] = sorted(
            [word, name] for name, node in facts["nodes"].items() for word in node["states"]
        )
        record["binary"] = sorted(
            {(e["relation"], e["from_name"], e["to_name"]) for e in facts["edges"]}
        )
        verdict = state.check_success(task)
        record["goal"] = verdict["subgoal_success"]
    except Exception as error:
        record["goal_crash"] = describe(error)
    return record


class World:
    """Plans in the published graph simulator."""

    def __init__(self) -> None:
        self.envs: dict[str, tuple[Any, Any]] = {}

    def env(self, scene: str) -> Any:
        if scene not in self.envs:
            made = GraphEnv(task=SCENES[scene])
            self.envs[scene] = made, quick_copy(made.action_env.cur_state)
        env, initial = self.envs[scene]
        env.action_env.cur_state = quick_copy(initial)
        env.action_env.history_states = []
        return env

    def __call__(self, job: dict[str, Any]) -> dict[str, Any]:
        """Each step's printed error types, in order, or its crash; then :func:`final`."""
        env = self.env(job["scene"])
        steps = []
        for action, objects in job["plan"]:
            printed = io.StringIO()
            step: dict[str, Any] = {"done": False, "errors": []}
            steps.append(step)
            try:
                with contextlib.redirect_stdout(printed):
                    step["done"] = bool(env.apply_action(action, objects))
            except Exception as error:
                step["crash"] = describe(error)
            step["errors"] = errors_in(printed.getvalue())
            goes_on = step["done"] or job["go_on"] or "ADDITIONAL_STEP" in step["errors"]
            if "crash" in step or not goes_on:
                break
        state = env.action_env.cur_state
        return {"steps": steps, **final(state, env.task), "history": len(history(env))}


def history(env: Any) -> list[Any]:
    states: list[Any] = env.action_env.history_states
    return states


def errors_in(printed: str) -> list[str]:
    """The error types that the simulator printed, in order."""
    found = []
    for line in printed.splitlines():
        if line.startswith("<Error>"):
            found.append(line.split()[1].removeprefix("ErrorType."))
    return found


def action_sequencing(job: dict[str, Any]) -> dict[str, Any]:
    """What the published evaluator says of one output; a crash is what ends its process."""
    with unheard():
        evaluator = sequencing.ActionSequenceEvaluator(demo_name=job["scene"])
        try:
            info = evaluator.evaluate_all(job["text"])
        except Exception as error:
            return {"crash": describe(error), "errors": [], "goal": None}
    errors = info["error_type"]
    graph = evaluator.evolving_graph.action_env.cur_state
    return {
        "errors": sorted(
            kind.removeprefix("ErrorType.")
            for kind, value in errors.items()
            if kind != "execution_success" and value is not None
        ),
        "executable": errors["execution_success"],
        "execution_crash": "unknown_execution_error" in info,
        "actions": info["parsed_actions"],
        "counts": info["goal_rst"],
        **final(graph, evaluator.task),
    }


def subgoals(job: dict[str, Any]) -> dict[str, Any]:
    """What the published evaluator says of one output, and what of it counts in its summary."""
    output = [{"identifier": job["scene"], "llm_output": job["text"]}]
    with tempfile.TemporaryDirectory() as folder, unheard():
        path = os.path.join(folder, "one.json")
        with open(path, "w") as file:
            json.dump(output, file)
        report = subgoal_sim_utils.evaluate_task(job["scene"], path)
        # As simulate_llm_response keeps it for the summary.
        goal = report[-1]
        kept = {"success": report[0] == "Correct", "info": str(report[:-1]), "goal_info": goal}
        with open(path, "w") as file:
            json.dump({job["scene"]: kept}, file)
        trajectory = subgoal_eval_utils.traj_eval_stats(path)
    counts = None
    if goal is not None:
        vocabulary = subgoal_eval_utils.SimpleVocab()
        analyzer = subgoal_eval_utils.GoalAnalyzer(job["scene"], vocabulary, goal)
        counts = analyzer.check_goal_stats()
    record: dict[str, Any] = {
        "category": report[0],
        "trajectory": trajectory,
        "goal": None if goal is None else goal["subgoal_success"],
        "counts": counts,
        "why": report[1] if report[0] in ("NotParseable", "Hallucination") else None,
        "errors": [],
        "actions": None,
    }
    if report[0] in ("Runtime", "GoalUnreachable"):
        errors = report[2]
        record["actions"] = errors[0]["failed_action_sequence"] if errors else None
        record["errors"] = named(errors)
    elif report[0] == "Correct":
        record["actions"] = report[2][0]
        record["errors"] = named(report[3])
    return record


def named(errors: list[Any]) -> list[Any]:
    """Error types, subgoal and action of each error that was noted."""
    return [
        [
            [str(kind).removeprefix("ErrorType.") for kind in error["error_info"]["error_type"]],
            error["failed_subgoal"],
            error["failed_action"],
        ]
        for error in errors
    ]


def summary(job: dict[str, Any]) -> dict[str, Any]:
    """The summary of a whole file of outputs, by the published function."""
    outputs = [{"identifier": i, "llm_output": text} for i, text in job["outputs"].items()]
    with tempfile.TemporaryDirectory() as folder, unheard():
        path = os.path.join(folder, "one_outputs.json")
        with open(path, "w") as file:
            json.dump(outputs, file)
        if job["module"] == "subgoals":
            script = importlib.import_module(
                "behavior_eval.evaluation.subgoal_decomposition.scripts.evaluate_results"
            )
            made = script.simulate_one_llm(path, "one", 1, folder)
        else:
            made = sequencing_results.evaluate_one_llm(path, 4, folder)
    return {"summary": made}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("scenes", "input", "output"):
        parser.add_argument(f"--{option}", required=True)
    options = parser.parse_args()
    with open(options.scenes) as file:
        SCENES.update({described["id"]: Scene(described) for described in json.load(file)})

    random.choice = lambda items: items[0]  # type: ignore[assignment]
    graph_env.deepcopy = quick_copy
    for module in (graph_env, checkers):
        module.copy = types.SimpleNamespace(deepcopy=copy_state)
    sequencing.EvalGraphEnv = GraphEnv
    kinds: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "world": World(),
        "action_sequencing": action_sequencing,
        "subgoals": subgoals,
        "summary": summary,
    }
    signal.signal(signal.SIGPROF, give_up)
    with open(options.input) as jobs, open(options.output, "w") as out:
        for line in jobs:
            job = json.loads(line)
            try:
                signal.setitimer(signal.ITIMER_PROF, SECONDS[job["kind"]])
                record = kinds[job["kind"]](job)
            except HangError:
                record = {"hang": True}
            except UnboundLocalError as error:  # from a published ``finally``
                if not isinstance(error.__context__, HangError):
                    raise
                record = {"hang": True}
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0.0)
            print(json.dumps(record), file=out, flush=True)


SECONDS = {"world": 30.0, "action_sequencing": 30.0, "subgoals": 300.0, "summary": 3600.0}
"""Processor time after which a job counts as endless; but for some subgoals and summaries, the
longest take well under a second."""


class HangError(BaseException):
    """The published code does not come to an end."""


def give_up(*_: Any) -> None:
    raise HangError


def copy_state(value: Any) -> Any:
    """Like ``deepcopy``; what cannot be pickled, such as parsed subgoals, is copied by it."""
    try:
        return quick_copy(value)
    except Exception:
        return copy.deepcopy(value)


if __name__ == "__main__":
    main()
