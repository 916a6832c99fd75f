"""EAI's data for BEHAVIOR, from the ``eai-eval`` wheel and the ``bddl`` 1.0.1 distribution.

Both are downloaded as data with pip, checked against their sha256, and never imported or run. The
published evaluator takes its objects from iGibson. homebody does not need iGibson: the published
prompts have the names and categories of the objects, and the taxonomy maps categories to abilities.
"""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from homebody.core.ground.progress import Progress
from homebody.data import bddl, eai
from homebody.data.downloads import literal
from homebody.data.store import Store, as_expected

WHEEL = eai.official_wheel("behavior --wheel")
_EVALUATION = "behavior_eval/evaluation/"
_GOALS = _EVALUATION + "goal_interpretation/resources/"
_ACTIONS = _EVALUATION + "action_sequencing/resources/"
_SUBGOALS = _EVALUATION + "subgoal_decomposition/resources/"
_TRANSITIONS = _EVALUATION + "transition_modeling/resources/"
_PDDL = "virtualhome_eval/resources/behavior/"
"""The reference of published transition modeling; ``behavior_eval`` has an older copy."""
_PDDL_FILES = {
    "operators": "gold_action.json",
    "task_operators": "id2action.json",
    "task_plans": "gold_pddl_plan.json",
    "task_names": "id2task.json",
    "evaluated": "success_task.json",
    "predicate_categories": "predicates_category.json",
    "task_categories": "id2category_2.json",
}
_DEMO = re.compile(
    r"(?P<activity>.+)_(?P<definition>\d+)_(?P<scene>[A-Z][a-z]+(?:_\d)?_int)_(?P<instance>\d+)"
    r"_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d"
)
_IN_ROOM = re.compile(r"\(\s*inroom\s+([^\s()]+)\s+([^\s()]+)\s*\)")
_NUMBER = re.compile(r"_\d+$")
_AGENT = "agent.n.01_1"
_FLOOR = "floors"
_VOCABULARY = {
    "subgoals": _SUBGOALS + "base_vocabulary.json",
    "states": _GOALS + "data/object_states.json",
    "relations": _GOALS + "data/binary_relations_behavior.json",
}


STORE = Store(
    name="behavior",
    folder_name=f"eai-behavior-{WHEEL.version}",
    schema=1,
    packages={"taxonomy": bddl.BEHAVIOR_100, "source": WHEEL},
    parts=("tasks", "goals", "prompts", "pddl", "vocabulary", "taxonomy"),
    convert=lambda files, report: convert(files["source"], files["taxonomy"], report),
    count=lambda parts: len(parts["tasks"]),
)


def fetch(
    wheel: Path | None = None,
    sdist: Path | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Make sure that BEHAVIOR's data is in the cache; see :meth:`Store.fetch`. ``wheel`` is a local
    file of ``eai-eval``, ``sdist`` of the source distribution of ``bddl`` 1.0.1."""
    return STORE.fetch({"source": wheel, "taxonomy": sdist}, force=force, progress=progress)


def load(part: str) -> Any:
    """Load one part of the data (see :func:`convert`); fetch it first if it is missing.

    Raises:
        HomebodyError: it is missing and cannot be fetched, or is damaged.
    """
    return STORE.load(part)


def convert(
    wheel: Path, sdist: Path, report: Progress = lambda step, done, total: None
) -> dict[str, Any]:
    """Read what homebody needs, in memory: nothing is unpacked to disk.

    Returns a dict with

    - ``tasks``: one dict per task, in the official order, see :func:`_task`;
    - ``goals``: task id -> for each goal condition its ground options, each a list of literals,
      the reference of published goal interpretation;
    - ``prompts``: ``user`` (ability -> task id -> text), ``system`` (ability -> text, for two of
      the four) and ``template`` (ability -> the template of the user's prompts);
    - ``pddl``: the data of transition modeling, as :func:`homebody.data.eai.convert` has it for
      VirtualHome: ``domain`` and ``predicates`` (the domain file with and without its
      operators), ``problems`` (task id -> text), and the JSON files of :data:`_PDDL_FILES`;
    - ``vocabulary``: ``subgoals``, ``states`` and ``relations``, the official JSON files;
    - ``taxonomy``: see :data:`homebody.data.bddl.Taxonomy`.

    Raises:
        HomebodyError: a file is missing, or two of them contradict each other.
    """
    report("reading activities", 0, 1)
    activities, taxonomy = bddl.read_behavior_100(sdist)
    with as_expected(wheel), zipfile.ZipFile(wheel) as archive:
        reader = _Reader(archive)
        tasks = _tasks(reader, activities, taxonomy)
        data = {
            "tasks": tasks,
            "goals": _goal_options(reader, tasks),
            "prompts": _prompts(reader),
            "pddl": _pddl(reader, tasks),
            "vocabulary": {name: reader.json(member) for name, member in _VOCABULARY.items()},
            "taxonomy": taxonomy,
        }
    report("reading activities", 1, 1)
    return data


class _Reader:
    """Return members of the wheel, as text or JSON."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def text(self, member: str) -> str:
        return self._archive.read(member).decode("utf-8").replace("\r\n", "\n")

    def json(self, member: str) -> Any:
        return orjson.loads(self._archive.read(member))


def _tasks(
    reader: _Reader, activities: Mapping[str, str], taxonomy: bddl.Taxonomy
) -> list[dict[str, Any]]:
    shared = {
        "demos": reader.json("behavior_eval/data/demo_stats.json"),
        "instructions": reader.json(_GOALS + "data/instructions_by_activity_name.json"),
        "phrases": reader.json(_GOALS + "data/natural_language_goal_conditions.json"),
        "states": reader.json(_GOALS + "data/all_objects.json"),
        "at_first": reader.json(_SUBGOALS + "error_list_dict.json"),
        "prompts": _by_task(reader.json(_ACTIONS + "prompts/helm_prompts.json")),
        "activities": activities,
        "synsets": bddl.synset_of_category(taxonomy),
    }
    names = reader.json("behavior_eval/data/demo_names.json")
    return [_task(name, reader, shared) for name in names]


def _task(name: str, reader: _Reader, shared: Mapping[str, Any]) -> dict[str, Any]:
    """Return one task with these fields.

    - ``id`` (the demonstration's name), ``activity``, ``definition`` (its number in the activity),
      ``scene`` and ``instance`` (which sample of its initial state in that scene);
    - ``instruction`` (a sentence), ``phrases`` (one for each goal condition);
    - ``problem`` (BDDL text), ``original`` (the problem in bddl 1.0.1 if its goal is different,
      else None);
    - ``objects``, in the problem's order, without the agent: see :func:`_objects`;
    - ``rooms``: BDDL name -> kind of room;
    - ``initial``: literals, as ``["inside", "apple.n.01_1", "cabinet.n.01_1"]`` or ``["not",
      "dusty", "plate.n.04_2"]``;
    - ``goal``: the words of each goal condition, flattened, as in the published prompts;
    - ``at_first``: whether the published simulator finds each goal condition true at the start (the
      conditions of ``original``, if present: they were recorded before EAI changed the goal);
    - ``plan``: the annotated trajectory, as ``[action, objects]``.
    """
    parsed = _DEMO.fullmatch(name)
    demo = shared["demos"][name]
    if parsed is None or (parsed["activity"], parsed["scene"]) != (demo["task"], demo["scene_id"]):
        raise ValueError(f"a name that contradicts its data: {name}")
    info = reader.json(f"{_TRANSITIONS}behavior_bddl_info/{name}.json")
    problem = reader.text(f"{_TRANSITIONS}pddl_behavior/{name}.pddl")
    activity = demo["task"]
    original = shared["activities"][activity]
    at_first = shared["at_first"][name]
    same_goal = original.split() == problem.split()
    if same_goal and at_first["subgoals"] != info["goal_condition"]:
        raise ValueError(f"two goals for {name}")
    plan = reader.json(f"{_ACTIONS}human_annotations/{name}.json")
    return {
        "id": name,
        "activity": activity,
        "definition": demo["task_id"],
        "scene": demo["scene_id"],
        "instance": int(parsed["instance"]),
        "instruction": shared["instructions"][activity],
        "phrases": shared["phrases"][activity],
        "problem": problem,
        "original": None if same_goal else original,
        "objects": _objects(name, info["name_category"], shared),
        "rooms": dict(_IN_ROOM.findall(problem)),
        "initial": info["initial_condition"],
        "goal": info["goal_condition"],
        "at_first": at_first["subgoal_success"],
        "plan": [[step["action"], step["object"]] for step in plan],
    }


def _objects(
    task: str, categories: Mapping[str, str], shared: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the objects of one task with these fields.

    - ``bddl`` and ``category``: its name and synset in the problem;
    - ``name``: its name in iGibson, which is its name in plans;
    - ``model``: its category in iGibson, and ``synset``: the synset of that category. This is the
      problem's synset or a synset below it; it determines the abilities;
    - ``states``: its possible unary states, as in the published prompts.

    The published prompts list the objects of the simulator in the order of the problem.
    """
    listed = _listed_objects(shared["prompts"][task])
    named = [(name, category) for name, category in categories.items() if name != _AGENT]
    if [category for _, category in named] != [row["category"] for row in listed]:
        raise ValueError(f"the objects of {task} are ambiguous")
    objects = []
    for (name, category), row in zip(named, listed, strict=True):
        model = _FLOOR if row["name"].startswith("room_floor") else _NUMBER.sub("", row["name"])
        objects.append(
            {
                "bddl": name,
                "category": category,
                "name": row["name"],
                "model": model,
                "synset": shared["synsets"][model],
                "states": shared["states"][task][name],
            }
        )
    return objects


def _listed_objects(prompt: str) -> list[dict[str, str]]:
    """Return the interactable objects of an official action-sequencing prompt."""
    listed = prompt.rpartition("interactable objects:")[2].partition("Please output")[0]
    return [ast.literal_eval(line) for line in listed.splitlines() if line.strip()]


def _by_task(listed: list[dict[str, str]]) -> dict[str, str]:
    return {entry["identifier"]: entry["llm_prompt"] for entry in listed}


def _goal_options(reader: _Reader, tasks: list[dict[str, Any]]) -> dict[str, Any]:
    conditions = reader.json(_GOALS + "data/all_conditions.json")
    return {task["id"]: list(conditions[task["id"]]["goal_conditions"].values()) for task in tasks}


def _prompts(reader: _Reader) -> dict[str, Any]:
    def user(resources: str) -> dict[str, str]:
        return _by_task(reader.json(resources + "prompts/helm_prompts.json"))

    def system(resources: str) -> str:
        return str(reader.json(resources + "prompts/system_setup.json")["system_prompt"])

    def template(member: str, name: str) -> str:
        return literal(reader.text(member), name)

    return {
        "user": {
            # in prompts/user_prompts.json one of them has another demonstration's name
            "goal_interpretation": reader.json(_GOALS + "data/llm_prompts.json"),
            "action_sequencing": user(_ACTIONS),
            "subgoal_decomposition": user(_SUBGOALS),
            "transition_modeling": user(_TRANSITIONS),
        },
        "system": {
            "goal_interpretation": system(_GOALS),
            "subgoal_decomposition": system(_SUBGOALS),
        },
        "template": {
            "goal_interpretation": reader.text(
                _GOALS + "prompt_template/behavior_goal_interpretation.txt"
            ),
            "action_sequencing": template(_ACTIONS + "prompt_templates/one_shot.py", "prompt"),
            "subgoal_decomposition": template(
                _SUBGOALS + "prompt_template/meta_prompt.py", "target_task_info"
            ),
            "transition_modeling": template(
                _TRANSITIONS + "prompt_templates/prompts.py", "prompt2"
            ),
        },
    }


def _pddl(reader: _Reader, tasks: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "domain": reader.text(_PDDL + "behavior.pddl"),
        "predicates": reader.text(_PDDL + "behavior_pd.pddl"),
        "problems": {
            task["id"]: reader.text(f"{_PDDL}problem_pddl/{task['id']}.pddl") for task in tasks
        },
        **{name: reader.json(_PDDL + file) for name, file in _PDDL_FILES.items()},
    }
