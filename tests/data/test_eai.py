"""The official EAI data: fetched, checked and stored, shown on a tiny wheel made by hand."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody import cli
from homebody.core import HomebodyError
from homebody.data import eai

RESOURCES = "virtualhome_eval/resources/"
PROGRAMS = "virtualhome_eval/dataset/programs_processed_precond_nograb_morepreconds/"
SCENE = "TrimmedTestScene1_graph/results_intentions_march-13-18"
GOALS = RESOURCES + "virtualhome/task_state_LTL_formula_accurate.json"
VOCABULARY = (
    "virtualhome/action_space.json",
    "virtualhome/relation_types.json",
    "virtualhome/relation_object_pairs.json",
    "object_states_full.json",
    "virtualhome/vocabulary.json",
    "virtualhome/id2category_2.json",
)
PDDL = (
    "virtualhome/gold_action.json",
    "virtualhome/id2action.json",
    "virtualhome/gold_pddl_plan.json",
    "virtualhome/id2task.json",
    "virtualhome/success_task.json",
    "virtualhome/predicates_category.json",
)
METADATA = "Metadata-Version: 2.1\nName: eai-eval\nVersion: 1.0.5\n"
TAG = "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
BOOBY_TRAP = "\nraise SystemExit('the module was executed')\n"

Raw = dict[str, Any]
"""A scene graph as the wheel has it."""


def node(number: int, name: str, *states: str, properties: tuple[str, ...] = ()) -> Raw:
    return {
        "id": number,
        "class_name": name,
        "category": "Things",
        "properties": list(properties),
        "states": list(states),
        "prefab_name": None,
        "bounding_box": None,
    }


def edge(first: int, relation: str, second: int) -> Raw:
    return {"from_id": first, "relation_type": relation, "to_id": second}


def graph(nodes: list[Raw], edges: list[Raw]) -> Raw:
    return {"nodes": nodes, "edges": edges}


CHARACTER = node(65, "character", "SITTING")
LAMP = node(7, "lamp", "OFF", "CLEAN", properties=("HAS_SWITCH", "GRABBABLE"))
TABLE = node(9, "table")
TASKS: dict[str, tuple[Raw, Raw]] = {
    "1_1": (
        graph(
            [CHARACTER, LAMP, TABLE, node(1000, "book", "CLOSED")],
            [edge(7, "ON", 9), edge(1000, "ON", 9), edge(65, "CLOSE", 9), edge(65, "CLOSE", 7)],
        ),
        graph(
            [CHARACTER, node(7, "lamp", "CLEAN", "ON"), TABLE, node(1000, "book", "OPEN")],
            [edge(65, "HOLDS_RH", 1000), edge(7, "ON", 9), edge(65, "CLOSE", 7)],
        ),
    ),
    "2_1": (  # 1000 is another thing here, the lamp is gone, names and states are lower-case
        graph(
            [CHARACTER, node(9, "table", "dirty"), node(1000, "cup"), node(1001, "cup")],
            [edge(1001, "on", 9), edge(1000, "on", 9), edge(1000, "on", 9)],
        ),
        graph([CHARACTER, node(9, "table", "clean"), node(1000, "cup")], [edge(1000, "on", 9)]),
    ),
}


def write_wheel(path: Path, tasks: Mapping[str, tuple[Raw, Raw]]) -> Path:
    """A wheel with the layout of the official one, that pip accepts as it."""
    goal = {"vh_goal": {"actions": ["READ"], "goal": []}, "tl_goal": "SITTING(character.65)"}
    members: dict[str, str] = {
        GOALS: json.dumps({"scene_1": {"Read": dict.fromkeys(tasks, goal)}}),
        "eai_eval-1.0.5.dist-info/METADATA": METADATA,
        "eai_eval-1.0.5.dist-info/WHEEL": TAG,
        "eai_eval-1.0.5.dist-info/RECORD": "",
    }
    for name in (*VOCABULARY, *PDDL):
        members[RESOURCES + name] = json.dumps({"name": name})
    for name in ("virtualhome.pddl", "virtualhome_pd.pddl", "problem_pddl/Read/1_1.pddl"):
        members[f"{RESOURCES}virtualhome/{name}"] = f"(define {name})"
    for module in ("goal_interpretation", "action_sequencing", "transition_modeling"):
        literal = f'import nowhere\nprompt = """Do the {module}:\n<goal>"""\n'
        members[f"virtualhome_eval/evaluation/{module}/prompts/one_shot.py"] = literal + BOOBY_TRAP
    members["virtualhome_eval/evaluation/subgoal_decomposition/prompts/meta_prompt.py"] = (
        "system_prompt = 'You split.'\ntarget_task_prompt = 'Split <goal>'\n" + BOOBY_TRAP
    )
    for key, (initial, final) in tasks.items():
        members[f"{PROGRAMS}init_and_final_graphs/{SCENE}/file{key}.json"] = json.dumps(
            {"init_graph": initial, "final_graph": final}
        )
        members[f"{PROGRAMS}executable_programs/{SCENE}/file{key}.txt"] = (
            f"Read {key}\nSit down and read.\n\n\n[WALK] <table> (1.9) \n[READ] <x> (1.1)\n"
        )
    with zipfile.ZipFile(path, "w") as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return path


def pass_for(sha256: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have another file taken for the official one."""
    package = replace(eai.STORE.packages["source"], sha256=sha256)
    monkeypatch.setattr(eai, "STORE", replace(eai.STORE, packages={"source": package}))


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny wheel that passes for the official one, and an empty cache."""
    folder = tmp_path / "links"
    folder.mkdir()
    path = write_wheel(folder / "eai_eval-1.0.5-py3-none-any.whl", TASKS)
    pass_for(hashlib.sha256(path.read_bytes()).hexdigest(), monkeypatch)
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "cache"))
    return path


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's pip has no network and no other place to look."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("PIP_NO_INDEX", "1")


def no_pip(*args: object, **options: object) -> None:
    raise AssertionError(f"a process was started: {args}")


def cached() -> dict[str, int]:
    """What is in the cache: path -> when it was written."""
    root = eai.STORE.folder().parent
    return {str(p.relative_to(root)): p.stat().st_mtime_ns for p in root.rglob("*")}


# --- Conversion -----------------------------------------------------------------------------------


def plain(raw: Raw) -> Raw:
    """A scene graph without what homebody leaves out; written here a second time on purpose."""
    edges: dict[tuple[str, int], list[int]] = {}
    for row in raw["edges"]:
        ends = edges.setdefault((row["relation_type"].upper(), row["from_id"]), [])
        if row["to_id"] not in ends:
            ends.append(row["to_id"])
    nodes = {
        row["id"]: (
            row["class_name"],
            row["category"],
            set(row["properties"]),
            {state.upper() for state in row["states"]},
        )
        for row in raw["nodes"]
    }
    return {"nodes": nodes, "edges": edges}


def rebuilt(base: Raw, *differences: Raw) -> Raw:
    """``base`` with stored differences put over it, in the form of :func:`plain`."""
    nodes, edges = dict(base["nodes"]), dict(base["edges"])
    for difference in differences:
        for whole, part in ((nodes, difference["nodes"]), (edges, difference["edges"])):
            for key, row in part.items():
                if row is None:
                    del whole[key]
                else:
                    whole[key] = row
    return {
        "nodes": {int(k): (name, kind, set(p), set(s)) for k, (name, kind, p, s) in nodes.items()},
        "edges": {(k.split()[0], int(k.split()[1])): ends for k, ends in edges.items()},
    }


def assert_same_graphs(stored: Raw, tasks: Mapping[str, tuple[Raw, Raw]]) -> None:
    base, by_id = stored["base"], {task["id"]: task for task in stored["tasks"]}
    for key, (initial, final) in tasks.items():
        task = by_id[key]
        assert rebuilt(base, task["initial"]) == plain(initial), key
        assert rebuilt(base, task["initial"], task["final"]) == plain(final), key


def test_base_and_differences_give_back_every_graph(wheel: Path) -> None:
    eai.fetch(wheel)
    assert_same_graphs(eai.load(), TASKS)


def test_the_base_holds_nothing_that_a_script_brought_in(wheel: Path) -> None:
    base = eai.convert(wheel, lambda *step: None)["base"]
    assert list(base["nodes"]) == ["65", "7", "9"]
    assert base["edges"] == {"ON 7": [9], "CLOSE 65": [9, 7]}


numbers = st.sampled_from([1, 2, 999, 1000, 1001])
words = st.sampled_from(["on", "ON", "Close", "OFF"])
nodes = st.lists(st.builds(node, numbers, words, words), unique_by=lambda n: n["id"], max_size=4)
edges = st.lists(st.builds(edge, numbers, words, numbers), max_size=6)
graphs = st.builds(graph, nodes, edges)


@settings(max_examples=50)
@given(scenes=st.lists(st.tuples(graphs, graphs), min_size=1, max_size=3))
def test_any_graphs_are_given_back(
    scenes: list[tuple[Raw, Raw]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    tasks = {f"{at}_1": scene for at, scene in enumerate(scenes)}
    path = write_wheel(tmp_path_factory.mktemp("wheel") / "any.whl", tasks)
    assert_same_graphs(eai.convert(path, lambda *step: None), tasks)


def test_scripts_and_goals(wheel: Path) -> None:
    task = eai.convert(wheel, lambda *step: None)["tasks"][0]
    assert {key: task[key] for key in ("id", "name", "title", "instruction", "goal", "ltl")} == {
        "id": "1_1",
        "name": "Read",
        "title": "Read 1_1",
        "instruction": "Sit down and read.",
        "goal": {"actions": ["READ"], "goal": []},
        "ltl": "SITTING(character.65)",
    }
    assert task["script"] == ["[WALK] <table> (1.9)", "[READ] <x> (1.1)"]


def test_prompts_are_read_without_running_their_modules(wheel: Path) -> None:
    assert eai.convert(wheel, lambda *step: None)["prompts"] == {
        "goal_interpretation": "Do the goal_interpretation:\n<goal>",
        "action_sequencing": "Do the action_sequencing:\n<goal>",
        "transition_modeling": "Do the transition_modeling:\n<goal>",
        "subgoal_decomposition": "Split <goal>",
        "subgoal_decomposition_system": "You split.",
    }


def test_the_pddl_files_are_kept(wheel: Path) -> None:
    pddl = eai.convert(wheel, lambda *step: None)["pddl"]
    assert pddl["domain"] == "(define virtualhome.pddl)"
    assert pddl["predicates"] == "(define virtualhome_pd.pddl)"
    assert pddl["problems"] == {"1_1": "(define problem_pddl/Read/1_1.pddl)"}
    assert {
        entry["name"] for entry in pddl.values() if isinstance(entry, dict) and "name" in entry
    } == set(PDDL)


def test_the_vocabulary_is_kept(wheel: Path) -> None:
    vocabulary = eai.convert(wheel, lambda *step: None)["vocabulary"]
    assert {entry["name"] for entry in vocabulary.values()} == set(VOCABULARY)


def test_progress_counts_up_to_all_tasks(wheel: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    eai.fetch(wheel, progress=lambda *step: seen.append(step))
    assert [step for step in seen if step[0] == "reading scenes"] == [
        ("reading scenes", done, 2) for done in range(3)
    ]


# --- Fetching -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("offline")
def test_the_wheel_comes_from_where_the_users_pip_looks(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    assert not eai.STORE.is_ready()
    assert [task["id"] for task in eai.load()["tasks"]] == ["1_1", "2_1"]
    assert eai.STORE.is_ready()
    assert sorted(cached()) == [
        "eai-1.0.5",
        f"eai-1.0.5{os.sep}manifest.json",
        f"eai-1.0.5{os.sep}virtualhome.json.zlib",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_nothing_in_the_current_folder_is_run(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may stand in a folder of outputs from strangers when the data is first fetched."""
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "pip.py").write_text("open('executed', 'w')")
    monkeypatch.chdir(tmp_path / "strange")
    eai.fetch()
    assert eai.STORE.is_ready()
    assert os.listdir() == ["pip.py"]


@pytest.mark.usefixtures("offline")
def test_another_wheel_from_the_index_is_refused(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    found, expected = eai.STORE.packages["source"].sha256, "0" * 64
    pass_for(expected, monkeypatch)
    with pytest.raises(HomebodyError, match=rf"(?s){found}.*{expected}"):
        eai.fetch()
    assert cached() == {}


def test_a_changed_wheel_is_refused(wheel: Path) -> None:
    with wheel.open("ab") as file:
        file.write(b"\0")
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    with pytest.raises(HomebodyError, match=rf"(?s){found}.*{eai.STORE.packages['source'].sha256}"):
        eai.fetch(wheel)
    assert cached() == {}


@pytest.mark.parametrize("name", ["missing.whl", "."])
def test_a_wheel_that_cannot_be_read(name: str, wheel: Path) -> None:
    with pytest.raises(HomebodyError, match="cannot read"):
        eai.fetch(wheel.parent / name)
    assert cached() == {}


@pytest.mark.usefixtures("offline")
def test_without_network_the_error_names_the_command(wheel: Path) -> None:
    with pytest.raises(HomebodyError, match=r"could not download eai-eval==1\.0\.5") as caught:
        eai.load()
    assert "homebody data fetch eai" in caught.value.hint
    assert "--wheel" in caught.value.hint
    assert cached() == {}


def test_without_pip_the_error_says_so(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    scripts = "Scripts" if os.name == "nt" else "bin"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / scripts / "python"))
    with pytest.raises(HomebodyError, match="No module named pip") as caught:
        eai.fetch()
    assert "--wheel" in caught.value.hint
    assert cached() == {}


def test_fetching_twice_does_nothing_the_second_time(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = eai.fetch(wheel)
    before = cached()
    monkeypatch.setattr(subprocess, "run", no_pip)
    assert eai.fetch() == first
    assert cached() == before


def test_a_fetch_that_fails_keeps_what_was_there(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eai.fetch(wheel)
    before = cached()

    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(eai, "convert", interrupted)
    with pytest.raises(KeyboardInterrupt):
        eai.fetch(wheel, force=True)
    assert cached() == before


FETCH_AND_WAIT = """
import sys
from dataclasses import replace
from pathlib import Path
from homebody.data import eai

def progress(what, done, total):
    if what == "writing":
        print("half-way", flush=True)
        sys.stdin.read()

package = replace(eai.STORE.packages["source"], sha256=sys.argv[2])
eai.STORE = replace(eai.STORE, packages={"source": package})
eai.fetch(Path(sys.argv[1]), progress=progress)
"""


@pytest.mark.skipif(os.name == "nt", reason="process ids are not looked up there")
def test_a_killed_fetch_is_made_good_by_the_next(wheel: Path) -> None:
    killed = subprocess.Popen(
        [sys.executable, "-c", FETCH_AND_WAIT, str(wheel), eai.STORE.packages["source"].sha256],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    assert killed.stdout.readline() == "half-way\n"
    killed.kill()
    killed.communicate()
    assert not eai.STORE.is_ready()
    assert len(cached()) == 1, "the killed process had no chance to clean up"

    eai.fetch(wheel)
    assert eai.STORE.is_ready()
    assert [path.name for path in eai.STORE.folder().parent.iterdir()] == [eai.STORE.folder().name]


def test_a_place_that_cannot_be_written(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "file"))
    with pytest.raises(HomebodyError, match="cannot write to the data directory") as caught:
        eai.fetch(wheel)
    assert "HOMEBODY_DATA" in caught.value.hint


# --- Damage ---------------------------------------------------------------------------------------


def replace_content(path: Path) -> None:
    """Other content of the same size, that can still be unpacked and read."""
    value = orjson.dumps({"tasks": [], "base": {}})
    packed = zlib.compress(value, 0)
    path.write_bytes(packed + b"\0" * (path.stat().st_size - len(packed)))
    assert zlib.decompressobj().decompress(path.read_bytes()) == value


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_a_damaged_store_is_fetched_again(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_content(eai.fetch(wheel) / "virtualhome.json.zlib")
    with pytest.raises(HomebodyError, match=r"is damaged, .* could not download") as caught:
        eai.load()
    assert "homebody data fetch eai" in caught.value.hint
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    assert_same_graphs(eai.load(), TASKS)


@pytest.mark.slow
@pytest.mark.usefixtures("offline")
def test_a_store_of_an_older_homebody_is_fetched_again(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = eai.fetch(wheel) / "manifest.json"
    older = orjson.loads(manifest.read_bytes())
    del older["digests"]
    manifest.write_bytes(orjson.dumps(older))
    with pytest.raises(HomebodyError, match="of another version of homebody"):
        eai.fetch()
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    eai.fetch()
    assert "digests" in orjson.loads(manifest.read_bytes())


@pytest.mark.parametrize("name", ["manifest.json", "virtualhome.json.zlib"])
@pytest.mark.parametrize("damage", ["removed", "cut off"])
def test_an_incomplete_store_is_built_again(name: str, damage: str, wheel: Path) -> None:
    path = eai.fetch(wheel) / name
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-10])
    assert not eai.STORE.is_ready()
    eai.fetch(wheel)
    assert eai.STORE.is_ready()
    assert_same_graphs(eai.load(), TASKS)


def test_a_store_of_another_version_is_built_again(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eai.fetch(wheel)
    monkeypatch.setattr(eai, "STORE", replace(eai.STORE, schema=eai.STORE.schema + 1))
    assert not eai.STORE.is_ready()
    eai.fetch(wheel)
    assert eai.STORE.is_ready()


# --- On the command line --------------------------------------------------------------------------


def test_fetch_and_status_as_commands(
    wheel: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*args: str) -> str:
        monkeypatch.setattr(sys, "argv", ["homebody", *args])
        try:
            cli.main()
        except SystemExit as end:
            if end.code:
                raise
        return capsys.readouterr().out

    assert printed("data", "fetch", "eai", "--wheel", str(wheel)) == f"{eai.STORE.folder()}\n"
    assert "eai: ready, 2 VirtualHome tasks" in printed("data", "status")


# --- The real data --------------------------------------------------------------------------------


@pytest.mark.usefixtures("eai_data")
def test_the_official_tasks_are_all_here() -> None:
    tasks = eai.load()["tasks"]
    assert len(tasks) == 342
    assert len({task["id"] for task in tasks}) == 342


@pytest.mark.usefixtures("eai_data")
def test_the_store_is_small() -> None:
    assert sum(path.stat().st_size for path in eai.STORE.folder().iterdir()) < 30e6


@pytest.mark.usefixtures("eai_data")
def test_the_official_prompts_have_their_places() -> None:
    prompts = eai.load()["prompts"]
    assert "<object_in_scene>" in prompts["action_sequencing"]
    assert "<goal_str>" in prompts["goal_interpretation"]
    assert "<problem_file>" in prompts["transition_modeling"]
    assert "<relevant_objects>" in prompts["subgoal_decomposition"]
    assert "HOLDS_RH" in prompts["subgoal_decomposition_system"]


@pytest.fixture(scope="session")
def official_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    done = subprocess.run(
        [*command, eai.STORE.packages["source"].requirement], capture_output=True, text=True
    )
    if done.returncode != 0:
        pytest.skip(f"the official wheel cannot be had: {done.stderr.strip()[-200:]}")
    return next(folder.glob("*.whl"))


@pytest.mark.differential
@pytest.mark.usefixtures("eai_data")
def test_every_official_graph_is_given_back(official_wheel: Path) -> None:
    stored = eai.load()
    with zipfile.ZipFile(official_wheel) as archive:
        for task in stored["tasks"]:
            member = f"{PROGRAMS}init_and_final_graphs/{SCENE}/file{task['id']}.json"
            raw = json.loads(archive.read(member))
            assert_same_graphs(stored, {task["id"]: (raw["init_graph"], raw["final_graph"])})
