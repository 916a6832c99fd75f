"""The front door: ``import homebody as hb``."""

from __future__ import annotations

import ast
import importlib
import json
import pickle
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import pytest

import homebody as hb
import homebody.core as hb_core
from homebody import suites as registry
from homebody.core.play.policies import idle
from homebody.results.outputs import safe_name
from model_server import ModelServer, inspect_home, isolated, server

__all__ = ["inspect_home", "isolated", "server"]

SUITE = "eai.virtualhome.action_sequencing"
GRAB = '{"WALK": ["soap", "1002"]}'

needs_eai = pytest.mark.usefixtures("eai_data")


def names_imported(code: str) -> set[str]:
    """The modules that code imports in a process of its own, besides those of Python's start."""
    code = f"import sys; before = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_it_imports_next_to_nothing() -> None:
    light = {"homebody", "homebody._lazy", "homebody._version", "__future__"}
    assert names_imported("import homebody") <= light


def test_what_is_light_stays_light() -> None:
    heavy = {"numpy", "rich", "click", "inspect_ai", "orjson", "homebody.worlds", "homebody.evals"}
    for code in ("hb.Action, hb.HomebodyError", "hb.Session, hb.Suite", "hb.list_suites()"):
        assert not names_imported(f"import homebody as hb; {code}") & heavy, code


def test_public_names_are_there_and_no_others() -> None:
    assert len(set(hb.__all__)) == len(hb.__all__)
    assert set(hb.__all__) <= set(dir(hb))
    for name in hb.__all__:
        found = getattr(hb, name)
        if not name.startswith("__") and get_origin(found) is None:  # an alias of a type
            assert found.__doc__ or not callable(found), name
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = hb.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize("package", [hb, hb_core], ids=["homebody", "core"])
def test_what_type_checkers_see_is_what_there_is(package: ModuleType) -> None:
    """Each name is imported for them from where it is."""
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    found = {
        alias.name: node.module
        for node in imports
        if node.module is not None and node.module.startswith("homebody")
        for alias in node.names
        if alias.name != "import_lazily"
    }
    assert set(found) == set(package.__all__)
    modules = {
        name: f"{package.__name__}.{module}"
        for module, names in package._MODULES.items()
        for name in names.split()
    }
    assert modules == {name: module for name, module in found.items() if name != "__version__"}
    for name, module in found.items():
        exec(f"from {module} import {name} as it", names := {})  # noqa: S102 (our own)
        assert getattr(package, name) is names["it"]


def test_a_fresh_process_finds_every_name() -> None:
    """Whatever a process imported before hides no module that is gone."""
    code = "import homebody as hb\nfor name in hb.__all__: getattr(hb, name)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_fresh_process_finds_each_name_first() -> None:
    """In whatever order names are asked for: a submodule is no name."""
    code = "import homebody as hb; print({}.__class__.__name__)"
    for name in ("session", "house"):
        done = subprocess.run(
            [sys.executable, "-c", code.format(f"hb.{name}")],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == "function"


def test_the_names_of_suites() -> None:
    assert SUITE in hb.list_suites()
    assert hb.list_suites() == registry.list_suites()
    assert hb.get_suite(SUITE).name == SUITE


# --- run ------------------------------------------------------------------------------------------


@needs_eai
def test_an_agent_by_name(tmp_path: Path) -> None:
    results = hb.run(SUITE, "oracle", limit=3, log_dir=tmp_path)
    assert [score.metrics["success"] for score in results] == [1.0] * 3
    assert (results.name, results.protocol.name, len(results.outputs)) == ("oracle", "corrected", 3)
    assert results.log is not None
    assert results.log.parent == tmp_path


@needs_eai
def test_a_function_from_prompts_to_answers(tmp_path: Path) -> None:
    prompts = []

    def walker(prompt: str) -> str:
        prompts.append(prompt)
        return GRAB

    results = hb.run(hb.get_suite(SUITE), walker, limit=2, protocol="published", log_dir=tmp_path)
    assert (results.name, results.outputs) == ("walker", (GRAB, GRAB))
    prompting = hb.get_suite(SUITE).prompting
    assert prompting is not None
    tasks = hb.get_suite(SUITE).tasks.load(results.protocol)
    assert prompts == [prompting.text(task) for task in tasks[:2]]


@needs_eai
def test_a_function_that_fails_costs_one_task(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    def fragile(prompt: str) -> str:
        asked["prompts"] += 1
        if asked["prompts"] == 2:
            raise ValueError("out of ideas")
        return GRAB

    results = hb.run(SUITE, fragile, limit=3, log_dir=tmp_path)
    assert len(results) == 2
    (error,) = results.errors
    assert error.reason == "ValueError: out of ideas"


def test_a_function_from_observations_to_actions(tmp_path: Path) -> None:
    def done(observation: hb.Observation) -> str:
        assert observation.instruction
        return "I am finished. Done[]"

    results = hb.run("partnr.val", done, limit=1, log_dir=tmp_path)
    (score,) = results
    assert score.metrics["success"] == 0.0
    calls = [entry[2] for entry in json.loads(results.outputs[0])["entries"]]
    assert set(calls) == {"Done[]"}


@pytest.mark.parametrize(
    ("agent", "part"), [("nobody", "no agent 'nobody'"), ("nowhere/model", "nowhere")]
)
def test_who_is_not_there_is_a_sentence(agent: str, part: str, tmp_path: Path) -> None:
    with pytest.raises(hb.HomebodyError, match=part):
        hb.run("partnr.val", agent, limit=1, log_dir=tmp_path)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"suite": 3}, "a suite must be an hb.Suite or the name of one, not 3"),
        ({"agent": 5}, "an agent must be the name of one or a function, not 5"),
        ({"workers": 0}, "workers must be a whole number of at least 1, not 0"),
        ({"limit": "3"}, "limit must be a whole number of at least 1, not '3'"),
        ({"limit": 2.5}, "limit must be a whole number of at least 1, not 2.5"),
        ({"epochs": 1.5}, "epochs must be a whole number of at least 1, not 1.5"),
        ({"seed": "x"}, "seed must be a whole number of at least 0, not 'x'"),
        ({"settings": {"human": None}}, "settings: human must be a string, not None"),
        ({"settings": "idle"}, "settings must map names to strings, not 'idle'"),
        ({"bounds": 3}, "bounds must map names to numbers, not 3"),
        ({"roles": {"human": 1}}, "roles: human must be a string, not 1"),
        ({"protocol": []}, "protocol must be a string"),
        ({"driver": []}, "driver must be a string"),
        ({"temperature": "hot"}, "temperature must be a number of at least 0, not 'hot'"),
        ({"log_dir": 3}, "log_dir must be a folder, not 3"),
        ({"progress": 3}, "progress must be a function, not 3"),
        ({"retries": 1.5}, "retries must be between 0 and 10"),
    ],
)
def test_what_cannot_be_run_is_a_sentence(given: dict[str, Any], part: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"suite": "partnr.val", "agent": "idle", "log_dir": tmp_path} | given
    with pytest.raises(hb.HomebodyError, match=re.escape(part)):
        hb.run(**options)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_played_is_a_sentence() -> None:
    given: dict[str, Any]
    for given, part in (
        ({"suite": None}, "a suite must be"),
        ({"task": 3}, "task must be a string, not 3"),
        ({"seed": "x"}, "seed must be a whole number of at least 0, not 'x'"),
        ({"settings": {"human": None}}, "settings: human must be a string, not None"),
    ):
        with pytest.raises(hb.HomebodyError, match=part):
            hb.session(**({"suite": "partnr.val", "task": "val-18-0"} | given))
    with pytest.raises(
        hb.HomebodyError, match=r"seed must be a whole number of at least 0, not 1\.5"
    ):
        hb.house(1.5)  # type: ignore[arg-type]


# --- suites of one's own --------------------------------------------------------------------------


def quiz(right: str = "yes") -> hb.Suite[str]:
    def score(task: str, output: str, protocol: hb.Protocol) -> hb.Score:
        good = output.strip() == right
        record = {"identifier": task, "explanation": "right" if good else "wrong"}
        return hb.Score(task, {"success": float(good)}, record)

    return hb.Suite(
        name="toy.quiz",
        title="Say yes",
        tasks=hb.Tasks(load=lambda protocol: ("a", "b"), identify=str, describe=str),
        scoring=hb.Scoring(score),
        reporting=hb.Reporting(means={"Success": "success"}),
        prompting=hb.Prompting(prompt=lambda task: f"Say yes, {task}."),
        text_agents={"yes": hb.TextAgent(lambda task, generator: "yes")},
    )


@pytest.fixture
def no_suites_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})


@pytest.mark.usefixtures("no_suites_of_tests")
def test_a_suite_as_it_is(tmp_path: Path) -> None:
    suite, other = quiz(), quiz("no")
    assert hb.run(suite, "yes", log_dir=tmp_path).row.values == {"Success": 100.0}
    assert hb.run(other, "yes", log_dir=tmp_path / "other").row.values == {"Success": 0.0}
    assert hb.score(other, {"a": "no"}).row.values == {"Success": 100.0}
    assert "toy.quiz" not in hb.list_suites()
    with pytest.raises(hb.HomebodyError, match=r"unknown suite: 'toy\.quiz'"):
        hb.run("toy.quiz", "yes", log_dir=tmp_path)
    hb.register_suite(other)
    with pytest.raises(hb.HomebodyError, match=r"another suite has the name toy\.quiz"):
        hb.run(suite, "yes", log_dir=tmp_path)
    assert hb.run("toy.quiz", lambda prompt: "no", log_dir=tmp_path).row.values == {
        "Success": 100.0
    }


def test_a_session_of_a_suite_as_it_is() -> None:
    suite = replace(hb.get_suite("house.bring"), name="toy.bring")
    task = suite.tasks.identify(suite.tasks.load(hb.CORRECTED)[0])
    assert hb.session(suite, task).roles == ("agent",)


@pytest.mark.slow
def test_a_fresh_process_that_cannot_be_given_a_suite_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere than on Linux, and where there are threads."""
    monkeypatch.setattr("homebody.evals.agents.can_fork", lambda: False)
    suite = replace(quiz(), tasks=hb.Tasks(lambda protocol: "abcd", str, str))
    with pytest.raises(hb.HomebodyError, match="fresh processes cannot import"):
        hb.run(suite, "yes", workers=2, log_dir=tmp_path)


MODULE = """
import homebody as hb

def score(task, output, protocol):
    return hb.Score(task, {"success": float(output == "yes")}, {"identifier": task})

SUITE = hb.Suite(
    name="toy.quiz",
    title="Say yes",
    tasks=hb.Tasks(lambda protocol: tuple("abcd"), str, str),
    scoring=hb.Scoring(score),
    prompting=hb.Prompting(str),
    text_agents={"yes": hb.TextAgent(lambda task, generator: "yes")},
)
"""


def test_a_fresh_process_imports_the_suite_of_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toymodule.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("homebody.evals.agents.can_fork", lambda: False)
    suite = importlib.import_module("toymodule").SUITE
    assert pickle.loads(pickle.dumps(suite)) is suite
    results = hb.run(suite, "yes", workers=2, log_dir=tmp_path)
    assert [score.identifier for score in results] == list("abcd")


@pytest.mark.slow
@pytest.mark.usefixtures("no_suites_of_tests")
def test_models_run_on_a_suite_as_it_is(server: ModelServer, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
    from homebody.evals import tasks  # knows the other suites by now

    assert tasks.TASKS
    server.answer = lambda prompt: "yes" if prompt == "Say yes, a." else "no"
    for name in ("toy.quiz", "toy.other"):
        results = hb.run(replace(quiz(), name=name), server.model, log_dir=tmp_path)
        assert [score.record["explanation"] for score in results] == ["right", "wrong"]
        assert results.suite.name == name


@pytest.mark.usefixtures("no_suites_of_tests")
def test_no_two_records_are_of_the_same_sample(server: ModelServer, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")

    def fails(prompt: str) -> str:
        if "b" in prompt:
            raise ValueError
        return "yes"

    server.answer = lambda prompt: "yes"
    outputs = [(task, "yes") for task in "aabb"]
    suite = quiz()
    whos = ("yes", server.model, fails)
    runs = [hb.run(suite, who, epochs=2, log_dir=tmp_path) for who in whos]
    for results in (*runs, hb.score(suite, outputs)):
        results.save(tmp_path / "out")
        lines = (tmp_path / f"out/{safe_name(results.name)}/samples.jsonl").read_text()
        records = [json.loads(line) for line in lines.splitlines()]
        found = [(record["identifier"], record["epoch"]) for record in records]
        assert found == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]


# --- score ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_suites_of_tests")
def test_a_scorer_that_raises_costs_one_sample_whoever_answers(
    server: ModelServer, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")

    def score(task: str, output: str, protocol: hb.Protocol) -> hb.Score:
        if task == "a":
            raise RecursionError("too deep")
        return quiz().score(task, output, protocol)

    suite = replace(quiz(), name="toy.raising", scoring=hb.Scoring(score))
    server.answer = lambda prompt: "yes"
    for results in (
        hb.run(suite, server.model, log_dir=tmp_path),
        hb.run(suite, "yes", log_dir=tmp_path),
        hb.score(suite, {"a": "yes", "b": "yes"}),
    ):
        assert [score.identifier for score in results] == ["b"]
        assert results.outputs == ("yes",)
        (error,) = results.errors
        assert (error.identifier, error.kind) == ("a", "internal_error")
        assert error.reason == "RecursionError: too deep"
        assert "in score" in error.traceback
        assert (results.row.tasks, results.row.asked) == (1, 2)
        results.save(tmp_path / "out")
        lines = (tmp_path / f"out/{safe_name(results.name)}/samples.jsonl").read_text()
        assert [json.loads(line)["identifier"] for line in lines.splitlines()] == ["b", "a"]


@needs_eai
def test_outputs_that_cannot_be_scored_cost_themselves() -> None:
    results = hb.score(SUITE, {"27_2": GRAB, "x": GRAB})
    assert [score.identifier for score in results] == ["27_2"]
    assert results.outputs == (GRAB,)
    assert [error.reason for error in results.errors] == [f"{SUITE} has no such task"]
    assert "1 of 2 samples failed and is excluded" in str(results)


@needs_eai
def test_outputs_by_task(tmp_path: Path) -> None:
    results = hb.score(SUITE, {"27_2": GRAB, "417_1": ""})
    assert [score.identifier for score in results] == ["27_2", "417_1"]
    assert results.name == "model"
    again = hb.score(SUITE, [("27_2", GRAB), ("417_1", "")], name="mine")
    assert (again.name, again.scores) == ("mine", results.scores)
    results.save(tmp_path)
    for path in (tmp_path, tmp_path / "model_outputs.json", str(tmp_path)):
        read = hb.score(SUITE, path)
        assert (read.name, read.scores) == ("model", results.scores)
    again.save(tmp_path)
    with pytest.raises(hb.HomebodyError, match="outputs of mine, model"):
        hb.score(SUITE, tmp_path)


@needs_eai
def test_outputs_that_cannot_be_scored() -> None:
    with pytest.raises(hb.HomebodyError, match="no such task: 'x'"):
        hb.score(SUITE, {"x": ""})
    with pytest.raises(hb.HomebodyError, match="file or folder not found"):
        hb.score(SUITE, "nowhere.json")
    with pytest.raises(hb.HomebodyError, match="no protocol 'p'"):
        hb.score(SUITE, {}, protocol="p")
    outputs: Any
    for outputs in ({"27_2": None}, [("27_2", 5)]):
        with pytest.raises(hb.HomebodyError, match="the output of 27_2 must be a string, not"):
            hb.score(SUITE, outputs)
    for outputs in (5, None, [1], [("27_2", GRAB, "")]):
        with pytest.raises(hb.HomebodyError, match="outputs must map task ids to strings"):
            hb.score(SUITE, outputs)
    with pytest.raises(hb.HomebodyError, match="bounds must map names to numbers"):
        hb.score(SUITE, {}, bounds=3)  # type: ignore[arg-type]


# --- session and house ----------------------------------------------------------------------------


def test_a_session_is_played_by_hand() -> None:
    suite = hb.get_suite("partnr.val")
    name = suite.tasks.identify(suite.tasks.load(hb.CORRECTED)[0])
    session = hb.session("partnr.val", name, settings={"team": "single"}, seed=3)
    assert session.roles == ("human",)
    (role,) = session.ready()
    event = hb.take(session, role, "Pick[nothing_0]")
    assert event is not None
    assert not event.ok
    policy: Any = idle(session, None)  # type: ignore[arg-type]
    assert hb.play(session, {role: policy}).ending is not None
    assert session.transcript().seed == 3
    again = hb.session(suite, name, settings={"team": "single"}, seed=3)
    assert hb.replay(again, session.transcript().entries).score(hb.CORRECTED) == session.score(
        hb.CORRECTED
    )


def test_a_transcript_that_was_written_is_played_again() -> None:
    def begin() -> hb.Session:
        return hb.session("partnr.val", "val-18-0", settings={"team": "single"}, seed=1)

    session = begin()
    while len(session.transcript().entries) < 4:
        (role,) = session.ready()
        observation = session.observe(role)
        hb.take(session, role, hb.read_action(observation, 1))
        session.advance()
    text = session.transcript().encode()
    transcript = hb.decode(text)
    assert transcript == session.transcript()
    assert all(isinstance(entry, hb.TranscriptEntry) for entry in transcript.entries)
    for played in (transcript, transcript.entries):
        again = hb.replay(begin(), played, until=session.clock)
        assert again.transcript().encode() == text
        assert again.clock == session.clock


def test_a_session_that_there_is_not() -> None:
    with pytest.raises(hb.HomebodyError, match="no task 'x'"):
        hb.session("partnr.val", "x")
    with pytest.raises(hb.HomebodyError, match="unknown setting: 'x'"):
        hb.session("partnr.val", "x", settings={"x": "y"})
    with pytest.raises(hb.HomebodyError, match="are not played"):
        hb.session(SUITE, "27_2")


def test_a_house() -> None:
    house = hb.house(1, rooms=3)
    assert isinstance(house, hb.House)
    assert len(house.rooms) == 3
    assert house == hb.house(1, "home", 3)
    with pytest.raises(hb.HomebodyError, match="unknown kind of scene"):
        hb.house(1, "ship")
