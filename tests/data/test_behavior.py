"""EAI's BEHAVIOR data and BEHAVIOR-1K: converted from tiny packages, and checked whole."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import tarfile
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import HomebodyError
from homebody.data import bddl, behavior, behavior1k, store
from patience import calls

DEMO = "cutting_fruit_0_Rs_int_1_2021-01-02_03-04-05"
EVALUATION = "behavior_eval/evaluation/"
GOALS = EVALUATION + "goal_interpretation/resources/"
ACTIONS = EVALUATION + "action_sequencing/resources/"
SUBGOALS = EVALUATION + "subgoal_decomposition/resources/"
TRANSITIONS = EVALUATION + "transition_modeling/resources/"
PDDL = "virtualhome_eval/resources/behavior/"
PDDL_FILES = {
    "operators": "gold_action.json",
    "task_operators": "id2action.json",
    "task_plans": "gold_pddl_plan.json",
    "task_names": "id2task.json",
    "evaluated": "success_task.json",
    "predicate_categories": "predicates_category.json",
    "task_categories": "id2category_2.json",
}
PROBLEM = """(define (problem cutting_fruit_0)
    (:domain igibson)
    (:objects fruit.n.01_1 - fruit.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
    (:init (onfloor fruit.n.01_1 floor.n.01_1) (inroom floor.n.01_1 kitchen)
        (onfloor agent.n.01_1 floor.n.01_1))
    (:goal (and (sliced fruit.n.01_1))))
"""
PROMPT = """An example:
interactable objects:
{'name': 'nothing_0', 'category': 'nothing.n.01'}

Please output the plan.
Your task:
interactable objects:
{'name': 'red_apple_3', 'category': 'fruit.n.01'}
{'name': 'room_floor_kitchen_0', 'category': 'floor.n.01'}


Please output the plan."""
TRAP = "\nraise SystemExit('the module was executed')\n"
TREE: dict[str, Any] = {
    "name": "entity.n.01",
    "abilities": {},
    "igibson_categories": [],
    "children": [
        {
            "name": "fruit.n.01",
            "abilities": {},
            "igibson_categories": [],
            "children": [
                {
                    "name": "apple.n.01",
                    "abilities": {"sliceable": {}, "cookable": {"cook_temperature": 60.0}},
                    "igibson_categories": ["red_apple", "half_apple"],
                }
            ],
        },
        {"name": "floor.n.01", "abilities": {}, "igibson_categories": ["floors"]},
    ],
}


def prompts(text: str, name: str = DEMO) -> list[dict[str, str]]:
    return [{"identifier": name, "llm_prompt": text}]


def members() -> dict[str, Any]:
    """What the official wheel has, for one task: texts as they are, the rest as JSON."""
    literal = "x = 1\nprompt = 'Act: {obj_list}'\n" + TRAP
    return {
        "behavior_eval/data/demo_names.json": [DEMO],
        "behavior_eval/data/demo_stats.json": {
            DEMO: {"task": "cutting_fruit", "task_id": 0, "scene_id": "Rs_int"}
        },
        GOALS + "data/instructions_by_activity_name.json": {"cutting_fruit": "Cut the fruit."},
        GOALS + "data/natural_language_goal_conditions.json": {"cutting_fruit": ["it is sliced"]},
        GOALS + "data/all_objects.json": {
            DEMO: {"fruit.n.01_1": ["Sliced", "Cooked"], "floor.n.01_1": []}
        },
        GOALS + "data/all_conditions.json": {
            DEMO: {"initial_conditions": {}, "goal_conditions": {"1": [[["sliced", "f_1"]]]}}
        },
        GOALS + "data/object_states.json": {"node_states": ["Sliced"]},
        GOALS + "data/binary_relations_behavior.json": {"inside": "within"},
        GOALS + "data/llm_prompts.json": {DEMO: "Interpret it."},
        GOALS + "prompts/system_setup.json": {"system_prompt": "You interpret."},
        GOALS + "prompt_template/behavior_goal_interpretation.txt": "Interpret:\r\n<it>",
        ACTIONS + "prompts/helm_prompts.json": prompts(PROMPT),
        ACTIONS + "prompt_templates/one_shot.py": literal,
        ACTIONS + f"human_annotations/{DEMO}.json": [
            {"action": "SLICE", "object": "red_apple_3"},
            {"action": "RIGHT_PLACE_NEXTTO_ONTOP", "object": "red_apple_3, room_floor_kitchen_0"},
        ],
        SUBGOALS + "base_vocabulary.json": {"states": ["sliced"]},
        SUBGOALS + "error_list_dict.json": {
            DEMO: {"subgoals": [["sliced", "fruit.n.01_1"]], "subgoal_success": [False]}
        },
        SUBGOALS + "prompts/helm_prompts.json": prompts("Split it."),
        SUBGOALS + "prompts/system_setup.json": {"system_prompt": "You split."},
        SUBGOALS + "prompt_template/meta_prompt.py": "target_task_info = 'Split: <it>'\n" + TRAP,
        TRANSITIONS + "prompts/helm_prompts.json": prompts("Model it."),
        TRANSITIONS + "prompt_templates/prompts.py": "prompt2 = 'Model: <it>'\n" + TRAP,
        TRANSITIONS + f"behavior_bddl_info/{DEMO}.json": {
            "initial_condition": [["onfloor", "fruit.n.01_1", "floor.n.01_1"]],
            "goal_condition": [["sliced", "fruit.n.01_1"]],
            "goal_option": [[["sliced", "fruit.n.01_1"]]],
            "name_category": {
                "fruit.n.01_1": "fruit.n.01",
                "floor.n.01_1": "floor.n.01",
                "agent.n.01_1": "agent.n.01",
            },
        },
        TRANSITIONS + f"pddl_behavior/{DEMO}.pddl": PROBLEM,
        PDDL + "behavior.pddl": "(define (domain igibson) (:action slice))",
        PDDL + "behavior_pd.pddl": "(define (domain igibson)",
        PDDL + f"problem_pddl/{DEMO}.pddl": "(define (problem p))",
        **{PDDL + name: {"file": name} for name in PDDL_FILES.values()},
    }


def write_wheel(path: Path, content: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in content.items():
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return path


def write_sdist(path: Path, files: dict[str, Any]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, value in files.items():
            data = (value if isinstance(value, str) else json.dumps(value)).encode()
            info = tarfile.TarInfo("bddl-0/" + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def definitions(problem: str = PROBLEM, tree: Any = TREE) -> dict[str, Any]:
    return {
        "setup.py": TRAP,
        "bddl/hierarchy_owned.json": tree,
        "bddl/activity_definitions/cutting_fruit/problem0.bddl": problem,
    }


@pytest.fixture
def sdist(tmp_path: Path) -> Path:
    return write_sdist(tmp_path / "bddl.tar.gz", definitions())


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "eai.whl", members())


# --- Conversion -----------------------------------------------------------------------------------


def test_a_task(wheel: Path, sdist: Path) -> None:
    assert behavior.convert(wheel, sdist)["tasks"] == [
        {
            "id": DEMO,
            "activity": "cutting_fruit",
            "definition": 0,
            "scene": "Rs_int",
            "instance": 1,
            "instruction": "Cut the fruit.",
            "phrases": ["it is sliced"],
            "problem": PROBLEM,
            "original": None,
            "objects": [
                {
                    "bddl": "fruit.n.01_1",
                    "category": "fruit.n.01",
                    "name": "red_apple_3",
                    "model": "red_apple",
                    "synset": "apple.n.01",
                    "states": ["Sliced", "Cooked"],
                },
                {
                    "bddl": "floor.n.01_1",
                    "category": "floor.n.01",
                    "name": "room_floor_kitchen_0",
                    "model": "floors",
                    "synset": "floor.n.01",
                    "states": [],
                },
            ],
            "rooms": {"floor.n.01_1": "kitchen"},
            "initial": [["onfloor", "fruit.n.01_1", "floor.n.01_1"]],
            "goal": [["sliced", "fruit.n.01_1"]],
            "at_first": [False],
            "plan": [
                ["SLICE", "red_apple_3"],
                ["RIGHT_PLACE_NEXTTO_ONTOP", "red_apple_3, room_floor_kitchen_0"],
            ],
        }
    ]


def test_the_other_parts(wheel: Path, sdist: Path) -> None:
    data = behavior.convert(wheel, sdist)
    assert sorted(data) == sorted(behavior.STORE.parts)
    assert data["goals"] == {DEMO: [[[["sliced", "f_1"]]]]}
    assert data["prompts"] == {
        "user": {
            "goal_interpretation": {DEMO: "Interpret it."},
            "action_sequencing": {DEMO: PROMPT},
            "subgoal_decomposition": {DEMO: "Split it."},
            "transition_modeling": {DEMO: "Model it."},
        },
        "system": {
            "goal_interpretation": "You interpret.",
            "subgoal_decomposition": "You split.",
        },
        "template": {
            "goal_interpretation": "Interpret:\n<it>",
            "action_sequencing": "Act: {obj_list}",
            "subgoal_decomposition": "Split: <it>",
            "transition_modeling": "Model: <it>",
        },
    }
    assert data["pddl"] == {
        "domain": "(define (domain igibson) (:action slice))",
        "predicates": "(define (domain igibson)",
        "problems": {DEMO: "(define (problem p))"},
        **{name: {"file": file} for name, file in PDDL_FILES.items()},
    }
    assert data["vocabulary"] == {
        "subgoals": {"states": ["sliced"]},
        "states": {"node_states": ["Sliced"]},
        "relations": {"inside": "within"},
    }


def test_another_goal_in_bddl_is_kept_beside_and_other_spaces_are_not(
    wheel: Path, tmp_path: Path
) -> None:
    spaced = write_sdist(tmp_path / "s.tar.gz", definitions(PROBLEM.replace("\n", "\n\n\t")))
    assert behavior.convert(wheel, spaced)["tasks"][0]["original"] is None
    other = PROBLEM.replace("(sliced fruit", "(cooked fruit")
    changed = write_sdist(tmp_path / "c.tar.gz", definitions(other))
    assert behavior.convert(wheel, changed)["tasks"][0]["original"] == other


HOSTILE = "__import__('pathlib').Path('/tmp/homebody-was-here').touch()"


@pytest.mark.parametrize(
    ("member", "change"),
    [
        (ACTIONS + "prompts/helm_prompts.json", prompts(PROMPT.replace("fruit.n", "veg.n"))),
        (ACTIONS + "prompts/helm_prompts.json", prompts(PROMPT.replace("red_apple", "hat"))),
        (ACTIONS + "prompts/helm_prompts.json", prompts(f"interactable objects:\n{HOSTILE}")),
        (ACTIONS + "prompts/helm_prompts.json", prompts("interactable objects:\n{'name'")),
        (ACTIONS + "prompts/helm_prompts.json", prompts(PROMPT, "another task")),
        (ACTIONS + "prompt_templates/one_shot.py", "prompt = 'a' + 'b'"),
        (ACTIONS + "prompt_templates/one_shot.py", "prompt = 'unended"),
        (
            SUBGOALS + "error_list_dict.json",
            {DEMO: {"subgoals": [["cooked", "fruit.n.01_1"]], "subgoal_success": [False]}},
        ),
        (GOALS + "data/all_objects.json", {DEMO: {}}),
        (GOALS + "data/all_objects.json", "{not json"),
        (TRANSITIONS + f"behavior_bddl_info/{DEMO}.json", []),
        (
            "behavior_eval/data/demo_stats.json",
            {DEMO: {"task": "cutting_fruit", "task_id": 0, "scene_id": "Merom_0_int"}},
        ),
    ],
)
def test_contradictions_are_refused(member: str, change: Any, sdist: Path, tmp_path: Path) -> None:
    content = members()
    content[member] = change
    with pytest.raises(HomebodyError, match=r"other\.whl is not as expected"):
        behavior.convert(write_wheel(tmp_path / "other.whl", content), sdist)
    assert not Path("/tmp/homebody-was-here").exists()


@pytest.mark.parametrize("member", sorted(members()))
def test_every_file_is_needed(member: str, sdist: Path, tmp_path: Path) -> None:
    content = members()
    del content[member]
    with pytest.raises(HomebodyError, match="is not as expected"):
        behavior.convert(write_wheel(tmp_path / "other.whl", content), sdist)


def test_no_wheel_at_all(sdist: Path, tmp_path: Path) -> None:
    path = tmp_path / "no.whl"
    path.write_bytes(b"no archive")
    with pytest.raises(HomebodyError, match=r"no\.whl is not as expected"):
        behavior.convert(path, sdist)


def test_no_taxonomy(wheel: Path, tmp_path: Path) -> None:
    files = definitions()
    del files["bddl/hierarchy_owned.json"]
    with pytest.raises(HomebodyError, match=r"holds no bddl/hierarchy_owned\.json"):
        behavior.convert(wheel, write_sdist(tmp_path / "s.tar.gz", files))


# --- The taxonomy ---------------------------------------------------------------------------------


def test_abilities_and_categories() -> None:
    flat = bddl.taxonomy(TREE)
    assert list(flat) == ["apple.n.01", "entity.n.01", "floor.n.01", "fruit.n.01"]
    assert flat["apple.n.01"] == {
        "parents": ["fruit.n.01"],
        "abilities": {"cookable": {"cook_temperature": 60.0}, "sliceable": {}},
        "categories": ["red_apple", "half_apple"],
    }
    assert flat["entity.n.01"]["parents"] == []
    assert bddl.synset_of_category(flat) == {
        "red_apple": "apple.n.01",
        "half_apple": "apple.n.01",
        "floors": "floor.n.01",
    }


def test_a_synset_told_about_twice() -> None:
    apple = TREE["children"][0]["children"][0]
    pome: dict[str, Any] = {"name": "pome.n.01", "abilities": {}, "igibson_categories": []}
    pome["children"] = [apple]
    twice = {**TREE, "children": [*TREE["children"], pome]}
    assert bddl.taxonomy(twice)["apple.n.01"]["parents"] == ["fruit.n.01", "pome.n.01"]
    pome["children"] = [{**apple, "abilities": {}}]
    with pytest.raises(HomebodyError, match=r"two different entries for apple\.n\.01"):
        bddl.taxonomy(twice)


def test_a_bottomless_tree() -> None:
    tree: dict[str, Any] = {"name": "x", "abilities": {}}
    for number in range(100):
        tree = {"name": f"x{number}", "abilities": {}, "children": [tree]}
    with pytest.raises(HomebodyError, match="nested too deep"):
        bddl.taxonomy(tree)


trees: st.SearchStrategy[list[Any]] = st.recursive(
    st.just([]),
    lambda inner: st.lists(st.tuples(st.integers(0, 9), inner), max_size=4),
    max_leaves=12,
)


@given(shape=trees)
def test_every_edge_of_the_tree_is_a_parent(shape: list[Any]) -> None:
    edges: set[tuple[str, str]] = set()

    def build(name: str, children: list[Any]) -> dict[str, Any]:
        edges.update((f"s{number}", name) for number, _ in children)
        below = [build(f"s{number}", inner) for number, inner in children]
        return {"name": name, "abilities": {}, "children": below}

    flat = bddl.taxonomy(build("root", shape))
    assert {(name, above) for name, entry in flat.items() for above in entry["parents"]} == edges


# --- The cache ------------------------------------------------------------------------------------


@pytest.fixture
def official(wheel: Path, sdist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny packages pass for the official ones, and the cache is empty."""

    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    packages = {
        "taxonomy": replace(bddl.BEHAVIOR_100, sha256=digest(sdist)),
        "source": replace(behavior.WHEEL, sha256=digest(wheel)),
    }
    monkeypatch.setattr(behavior, "STORE", replace(behavior.STORE, packages=packages))
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "cache"))


def no_download(*args: object) -> None:
    raise AssertionError("a download was started")


@pytest.mark.usefixtures("official")
def test_fetched_once_and_loaded_by_part(
    wheel: Path, sdist: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not behavior.STORE.is_ready()
    steps: list[str] = []
    behavior.fetch(wheel, sdist, progress=lambda what, done, total: steps.append(what))
    assert behavior.STORE.is_ready()
    assert steps
    monkeypatch.setattr("homebody.data.downloads.download", no_download)
    assert behavior.fetch() == behavior.STORE.folder()
    assert {part: behavior.load(part) for part in behavior.STORE.parts} == behavior.convert(
        wheel, sdist
    )
    with pytest.raises(ValueError, match="no such part"):
        behavior.load("../secrets")


@pytest.mark.usefixtures("official")
def test_a_wrong_file_leaves_the_cache_as_it_was(wheel: Path, sdist: Path) -> None:
    behavior.fetch(wheel, sdist)
    before = {path.name: path.read_bytes() for path in behavior.STORE.folder().iterdir()}
    sdist.write_bytes(sdist.read_bytes() + b"x")
    with pytest.raises(HomebodyError, match=r"not the official bddl==1\.0\.1 sdist"):
        behavior.fetch(wheel, sdist, force=True)
    assert {path.name: path.read_bytes() for path in behavior.STORE.folder().iterdir()} == before
    assert [path.name for path in behavior.STORE.folder().parent.iterdir()] == [
        behavior.STORE.folder().name
    ]


@pytest.mark.usefixtures("official")
def test_a_damaged_part_is_fetched_again(wheel: Path, sdist: Path) -> None:
    behavior.fetch(wheel, sdist)
    (behavior.STORE.folder() / "tasks.json.zlib").write_bytes(b"")
    assert not behavior.STORE.is_ready()
    behavior.fetch(wheel, sdist)
    assert len(behavior.load("tasks")) == 1


def test_the_same_bytes_every_time(wheel: Path, sdist: Path) -> None:
    first, second = (json.dumps(behavior.convert(wheel, sdist)) for _ in range(2))
    assert first == second


def test_behavior_1k(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generated = "bddl/generated_data/"
    tree = {
        "name": "entity.n.01",
        "abilities": {},
        "children": [
            {"name": "dust.n.01", "abilities": {"substance": {}}, "substances": ["dust"]},
            {"name": "sink.n.01", "abilities": {"toggleable": {}}, "categories": ["sink"]},
        ],
    }
    rooms = {"house": {"bath_0": {"sink-b": 2, "sink-a": 1, "odd": 1}}, "barn": {"stall_0": {}}}
    files: dict[str, Any] = {
        generated + "output_hierarchy_properties.json": tree,
        generated + "combined_room_object_list.json": {"scenes": rooms},
        "bddl/activity_definitions/wash/problem0.bddl": "(define wash)",
        "bddl/activity_definitions/bake/problem0.bddl": "(define bake)",
        "bddl/activity_definitions/domain_omnigibson.bddl": "(define domain)",
        "setup.py": TRAP,
    }
    names = ["slicing", "dicing", "heat_cook", "melting", "mixing_stick", "washer"]
    names += ["single_toggleable_machine", "substance_cooking", "substance_watercooking"]
    for name in names:
        files[f"{generated}transition_map/tm_jsons/{name}.json"] = [name]
    path = write_sdist(tmp_path / "bddl-1k.tar.gz", files)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    packages = {"source": replace(bddl.BEHAVIOR_1K, sha256=digest)}
    monkeypatch.setattr(behavior1k, "STORE", replace(behavior1k.STORE, packages=packages))
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "cache"))

    assert not behavior1k.STORE.is_ready()
    behavior1k.fetch(path)
    assert behavior1k.STORE.is_ready()
    assert behavior1k.load("activities") == {"bake": "(define bake)", "wash": "(define wash)"}
    assert behavior1k.load("rooms") == {
        "barn": {"stall_0": {}},
        "house": {"bath_0": {"odd": 1, "sink": 3}},
    }
    assert behavior1k.load("rules") == {name: [name] for name in names}
    assert behavior1k.load("taxonomy")["dust.n.01"] == {
        "parents": ["entity.n.01"],
        "abilities": {"substance": {}},
        "categories": [],
        "substances": ["dust"],
    }
    with pytest.raises(ValueError, match="no such part"):
        behavior1k.load("tasks")


# --- The official data ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tasks() -> list[dict[str, Any]]:
    try:
        behavior.fetch()
    except HomebodyError as error:
        pytest.skip(f"no official BEHAVIOR data: {error}")
    found = behavior.load("tasks")
    assert isinstance(found, list)
    return found


def test_there_are_a_hundred_activities(tasks: list[dict[str, Any]]) -> None:
    assert len({task["id"] for task in tasks}) == len({task["activity"] for task in tasks}) == 100
    differ = [task["activity"] for task in tasks if task["original"] is not None]
    assert differ == ["organizing_school_stuff", "rearranging_furniture", "sorting_mail"]
    for task in tasks:
        if task["original"] is None:
            assert len(task["at_first"]) == len(task["goal"]), task["id"]


STATES = {
    "dustyable": "Dusty",
    "stainable": "Stained",
    "openable": "Open",
    "cookable": "Cooked",
    "burnable": "Burnt",
    "freezable": "Frozen",
    "sliceable": "Sliced",
    "soakable": "Soaked",
    "toggleable": "ToggledOn",
}


def above(synset: str, taxonomy: bddl.Taxonomy) -> set[str]:
    found, pending = {synset}, [synset]
    while pending:
        new = set(taxonomy[pending.pop()]["parents"]) - found
        found |= new
        pending += new
    return found


def test_the_taxonomy_gives_every_object_the_states_that_the_simulator_gave_it(
    tasks: list[dict[str, Any]],
) -> None:
    taxonomy = behavior.load("taxonomy")
    odd = []
    for task in tasks:
        for thing in task["objects"]:
            abilities = taxonomy[thing["synset"]]["abilities"]
            assert {STATES[a] for a in abilities if a in STATES} == set(thing["states"]), thing
            if thing["category"] not in above(thing["synset"], taxonomy):
                odd.append((task["activity"], thing["bddl"], thing["model"]))
    assert odd == [("cleaning_freezer", "stove.n.01_1", "burner")]


def test_names_are_known_wherever_they_are_used(tasks: list[dict[str, Any]]) -> None:
    for task in tasks:
        by_bddl = {thing["bddl"]: thing for thing in task["objects"]}
        by_name = {thing["name"]: thing for thing in task["objects"]}
        assert len(by_bddl) == len(by_name) == len(task["objects"])
        for literal in task["initial"]:
            words = literal[1:] if literal[0] == "not" else literal
            assert set(words[1:]) <= {*by_bddl, "agent.n.01_1"}, (task["id"], literal)
        assert set(task["rooms"]) <= by_bddl.keys()
        for _, names in task["plan"]:
            for name in names.split(","):
                whole = re.sub(r"_part_[01]$", "", name.strip())
                assert whole in by_name, (task["id"], name)
                if whole != name.strip():
                    assert "Sliced" in by_name[whole]["states"]


def unspaced(text: str) -> list[str]:
    """Lines without the spaces that end them: a template was tidied after the prompts were made."""
    return [line.rstrip() for line in text.splitlines()]


def test_the_published_prompts_follow_from_the_tasks(tasks: list[dict[str, Any]]) -> None:
    prompts_ = behavior.load("prompts")
    for texts in prompts_["user"].values():
        assert set(texts) == {task["id"] for task in tasks}
    for task in tasks:
        names = {thing["bddl"]: thing["name"] for thing in task["objects"]}

        def lines(rows: list[list[str]], names: dict[str, str] = names) -> str:
            return "".join(f"{[names.get(word, word) for word in row]}\n" for row in rows)

        listed = [{"name": x["name"], "category": x["category"]} for x in task["objects"]]
        made = prompts_["template"]["action_sequencing"].format(
            init_state=lines(task["initial"]),
            target_state=lines(task["goal"]),
            obj_list="".join(f"{row}\n" for row in listed),
        )
        asked = prompts_["user"]["action_sequencing"][task["id"]]
        assert unspaced(made) == unspaced(asked), task["id"]

        said = {"Task Name": task["activity"], "Goal Instructions": task["instruction"]}
        made = prompts_["template"]["goal_interpretation"]
        for mark, text in {
            "<object_in_scene>": [f"{x['bddl']}: {x['states']}" for x in task["objects"]],
            "<all_initial_states>": [str(row) for row in task["initial"]],
            "<instructions_str>": [json.dumps(said, indent=4)],
        }.items():
            made = made.replace(mark, "\n".join(text))
        asked = prompts_["user"]["goal_interpretation"][task["id"]]
        assert made == asked, task["id"]


def test_goal_options_are_as_many_as_the_paper_counts(tasks: list[dict[str, Any]]) -> None:
    goals = behavior.load("goals")
    options = [math.prod(len(condition) for condition in goals[task["id"]]) for task in tasks]
    assert sum(options) / len(options) == pytest.approx(4164.41)
    first = [
        literal for task in tasks for condition in goals[task["id"]] for literal in condition[0]
    ]
    arity = [len(row[1] if row[0] == "not" else row) for row in first]
    assert (arity.count(2), arity.count(3), len(arity)) == (153, 520, 673)


def test_transition_modeling_has_all_tasks_in_the_paper_s_categories(
    tasks: list[dict[str, Any]],
) -> None:
    pddl = behavior.load("pddl")
    ids = {task["id"] for task in tasks}
    assert ids == set(pddl["evaluated"]) == set(pddl["task_categories"]) == set(pddl["problems"])
    kinds = Counter(kind for found in pddl["task_categories"].values() for kind in found)
    assert kinds == {"object_states": 45, "spatial_relations": 94, "non-spatial_relations": 61}
    for task in ids:
        used = {line.split()[0] for line in pddl["task_plans"][task]}
        assert used == set(pddl["task_operators"][task]) <= pddl["operators"].keys()


def test_loading_is_little_work_and_small(tasks: list[dict[str, Any]]) -> None:
    store._read.cache_clear()
    assert calls(lambda: [behavior.load(part) for part in behavior.STORE.parts]) < 10_000
    assert sum(path.stat().st_size for path in behavior.STORE.folder().iterdir()) < 1e6


def test_all_of_behavior_1k_is_there() -> None:
    try:
        behavior1k.fetch()
    except HomebodyError as error:
        pytest.skip(f"no BEHAVIOR-1K: {error}")
    activities, taxonomy = behavior1k.load("activities"), behavior1k.load("taxonomy")
    assert len(activities) == 1016
    for name, text in activities.items():
        listed = text[text.index(":objects") : text.index(":init")]
        for synset in re.findall(r"\s-\s+([^\s()]+)", listed):
            assert synset in taxonomy, (name, synset)
