"""The official Embodied Agent Interface data, from the ``eai-eval`` wheel.

The wheel is downloaded as data with pip, checked against its sha256, and never imported. Its scene
graphs (389 MB of JSON) are nearly equal, so homebody stores them as differences from one base
graph.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from homebody.core.ground.progress import Progress
from homebody.data.downloads import Package, literal
from homebody.data.store import Store, as_expected

VERSION = "1.0.5"
SHA256 = "fe09f2a84cfb2451e111d02a2fa57e18797e747b73de23cb036d0d4e6502099f"
_RESOURCES = "virtualhome_eval/resources/"
_EVALUATION = "virtualhome_eval/evaluation/"
_PROGRAMS = "virtualhome_eval/dataset/programs_processed_precond_nograb_morepreconds/"
_SCENE = "TrimmedTestScene1_graph/results_intentions_march-13-18"
_FIRST_ADDED = 1000
"""First id of the objects that scripts add to a scene."""
_PROMPTS = {
    "goal_interpretation": ("goal_interpretation/prompts/one_shot.py", "prompt"),
    "action_sequencing": ("action_sequencing/prompts/one_shot.py", "prompt"),
    "transition_modeling": ("transition_modeling/prompts/one_shot.py", "prompt"),
    "subgoal_decomposition": ("subgoal_decomposition/prompts/meta_prompt.py", "target_task_prompt"),
    "subgoal_decomposition_system": (
        "subgoal_decomposition/prompts/meta_prompt.py",
        "system_prompt",
    ),
}
"""Module -> file of the official prompt, and the variable that holds it."""
_VOCABULARY = {
    "action_space": "virtualhome/action_space.json",
    "relation_types": "virtualhome/relation_types.json",
    "relation_object_pairs": "virtualhome/relation_object_pairs.json",
    "object_states": "object_states_full.json",
    "vocabulary": "virtualhome/vocabulary.json",
    "task_categories": "virtualhome/id2category_2.json",
}
_PDDL = {
    "operators": "virtualhome/gold_action.json",
    "task_operators": "virtualhome/id2action.json",
    "task_plans": "virtualhome/gold_pddl_plan.json",
    "task_names": "virtualhome/id2task.json",
    "evaluated": "virtualhome/success_task.json",
    "predicate_categories": "virtualhome/predicates_category.json",
}


def official_wheel(fetched_by: str) -> Package:
    """Return the package with EAI's data of VirtualHome and BEHAVIOR; see :class:`Package`."""
    return Package("eai-eval", VERSION, SHA256, "wheel", 27, fetched_by)


STORE = Store(
    name="eai",
    folder_name=f"eai-{VERSION}",
    schema=2,
    packages={"source": official_wheel("eai --wheel")},
    parts=("virtualhome",),
    convert=lambda files, report: {"virtualhome": convert(files["source"], report)},
    count=lambda parts: len(parts["virtualhome"]["tasks"]),
    level=6,  # 389 MB of scenes
)


def fetch(
    wheel: Path | None = None, *, force: bool = False, progress: Progress | None = None
) -> Path:
    """Make sure that VirtualHome's data is in the cache; see :meth:`Store.fetch`. ``wheel`` is a
    local official wheel."""
    return STORE.fetch({"source": wheel}, force=force, progress=progress)


def load() -> dict[str, Any]:
    """Load the stored data (see :func:`convert`); fetch it first if it is missing.

    Raises:
        HomebodyError: it is missing and cannot be fetched, or is damaged.
    """
    data: dict[str, Any] = STORE.load("virtualhome")
    return data


def convert(path: Path, report: Progress) -> dict[str, Any]:
    """Read the needed parts of the wheel, in memory: nothing is unpacked to disk.

    Returns a dict with

    - ``base``: the scene graph that all tasks share, see :func:`_graph`;
    - ``tasks``: one dict per task, in the official order: ``id``, ``name`` (of its group),
      ``title`` and ``instruction`` (of its script), ``script`` (the ground-truth lines),
      ``goal`` (``vh_goal``), ``ltl`` (``tl_goal``), ``initial`` and ``final`` (differences from
      ``base``, see :func:`_difference`);
    - ``prompts``: module -> the official prompt template;
    - ``vocabulary``: name -> the official JSON file;
    - ``pddl``: the data of transition modeling: ``domain`` and ``predicates`` (the official domain
      file with and without its operators), ``problems`` (task id -> problem file), and the
      official JSON files of :data:`_PDDL` by name.

    Raises:
        HomebodyError: a file is missing or has unexpected content.
    """
    with as_expected(path), zipfile.ZipFile(path) as archive:
        goals = orjson.loads(
            archive.read(_RESOURCES + "virtualhome/task_state_LTL_formula_accurate.json")
        )["scene_1"]
        listed = [(name, key, goal) for name, group in goals.items() for key, goal in group.items()]
        base: dict[str, Any] | None = None
        tasks = []
        for done, (name, key, goal) in enumerate(listed):
            report("reading scenes", done, len(listed))
            graphs = orjson.loads(
                archive.read(f"{_PROGRAMS}init_and_final_graphs/{_SCENE}/file{key}.json")
            )
            initial, final = _graph(graphs["init_graph"]), _graph(graphs["final_graph"])
            if base is None:
                base = _household(initial)
            script = archive.read(f"{_PROGRAMS}executable_programs/{_SCENE}/file{key}.txt")
            lines = script.decode("utf-8").splitlines()
            tasks.append(
                {
                    "id": key,
                    "name": name,
                    "title": lines[0],
                    "instruction": lines[1],
                    "script": [line.strip() for line in lines if line.startswith("[")],
                    "goal": goal["vh_goal"],
                    "ltl": goal["tl_goal"],
                    "initial": _difference(base, initial),
                    "final": _difference(initial, final),
                }
            )
        report("reading scenes", len(listed), len(listed))
        return {
            "base": base,
            "tasks": tasks,
            "prompts": {
                module: literal(archive.read(_EVALUATION + member).decode("utf-8"), name)
                for module, (member, name) in _PROMPTS.items()
            },
            "vocabulary": {
                name: orjson.loads(archive.read(_RESOURCES + member))
                for name, member in _VOCABULARY.items()
            },
            "pddl": _pddl(archive),
        }


def _graph(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scene graph as ``nodes`` (id -> [class, category, properties, states]) and ``edges``
    (``"RELATION from"`` -> ids, in the file's order)."""
    nodes = {
        str(n["id"]): [
            n["class_name"],
            n["category"],
            sorted(n["properties"]),
            sorted(s.upper() for s in n["states"]),
        ]
        for n in raw["nodes"]
    }
    edges: dict[str, list[int]] = {}
    for edge in raw["edges"]:
        row = edges.setdefault(f"{edge['relation_type'].upper()} {edge['from_id']}", [])
        row.append(edge["to_id"])
    return {"nodes": nodes, "edges": {k: list(dict.fromkeys(v)) for k, v in edges.items()}}


def _household(graph: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a scene that all tasks share. Objects that scripts add are excluded,
    because their ids mean different objects in different tasks."""
    nodes = {key: row for key, row in graph["nodes"].items() if int(key) < _FIRST_ADDED}
    edges = {
        key: row
        for key, row in graph["edges"].items()
        if max(int(key.split()[1]), *row) < _FIRST_ADDED
    }
    return {"nodes": nodes, "edges": edges}


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes from ``old`` to ``new``; None deletes an entry."""
    changed: dict[str, Any] = {}
    for part in ("nodes", "edges"):
        before, after = old[part], new[part]
        changed[part] = {key: row for key, row in after.items() if before.get(key) != row}
        changed[part].update({key: None for key in before if key not in after})
    return changed


def _pddl(archive: zipfile.ZipFile) -> dict[str, Any]:
    def text(member: str) -> str:
        return archive.read(_RESOURCES + member).decode("utf-8")

    files: dict[str, Any] = {name: orjson.loads(text(member)) for name, member in _PDDL.items()}
    problems = {
        member.rpartition("/")[2].removesuffix(".pddl"): archive.read(member).decode("utf-8")
        for member in archive.namelist()
        if member.startswith(f"{_RESOURCES}virtualhome/problem_pddl/") and member.endswith(".pddl")
    }
    return {
        **files,
        "domain": text("virtualhome/virtualhome.pddl"),
        "predicates": text("virtualhome/virtualhome_pd.pddl"),
        "problems": problems,
    }
