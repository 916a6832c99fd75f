"""Evaluation functions and episodes as JSON: published field names in and out, nothing trusted."""

import copy
import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from differential.partnr_runs import random_evaluation
from homebody.goals.partnr import (
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    EvaluationError,
    Judge,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    read_episode,
    read_episodes,
    read_evaluation,
    write_episode,
    write_evaluation,
)

PLACE = [[1.0, 0.0, 0.0, -2.5], [0.0, 1.0, 0.0, 0.7], [0.0, 0.0, 1.0, 3], [0.0, 0.0, 0.0, 1.0]]
EPISODE: dict[str, Any] = {
    "episode_id": 12,
    "scene_id": "102344280",
    "scene_dataset_config": "somewhere/scenes.json",
    "start_position": [0, 0, 0],
    "info": {"extra_info": {}},
    "instruction": "Bring two cups to one table.",
    "evaluation_propositions": [
        {
            "function_name": "is_on_top",
            "args": {
                "object_handles": ["cup_:0000", "cup_:0001"],
                "receptacle_handles": ["table_:0000", "table_:0001"],
                "number": 2,
                "is_same_receptacle": True,
            },
        },
        {
            "function_name": "is_clustered",
            "args": {"*args": [["cup_:0000"], ["cup_:0001"]], "number": 1, "l2_threshold": 1},
        },
        {"function_name": "is_clean", "args": {"object_handles": ["cup_:0000"]}},
    ],
    "evaluation_proposition_dependencies": [
        {"proposition_indices": [1], "depends_on": [0], "relation_type": "while_satisfied"}
    ],
    "evaluation_constraints": [
        {
            "type": "TemporalConstraint",
            "args": {"dag_edges": [[2, 0], [2, 1]], "n_propositions": 3},
        },
        {"type": "TerminalSatisfactionConstraint", "args": {"proposition_indices": [0, 1]}},
        {
            "type": "SameArgConstraint",
            "args": {"proposition_indices": [0, 2], "arg_names": ["object_handles"] * 2},
        },
        {
            "type": "DifferentArgConstraint",
            "args": {"proposition_indices": [0, 1], "arg_names": ["object_handles", "*args_0"]},
        },
    ],
    "rigid_objs": [["cup.object_config.json", PLACE]],
    "name_to_receptacle": {"cup_:0000": "table_:0002|receptacle_mesh.0000"},
    "object_states": {"is_clean": {"cup_:0000": False}},
}


def test_a_published_episode() -> None:
    found = read_episode(EPISODE)
    assert (found.id, found.scene, found.house_seed) == ("12", "102344280", None)
    assert found.objects[0][0] == "cup.object_config.json"
    assert found.objects[0][1][2] == (0.0, 0.0, 1.0, 3.0)
    assert found.states == {"is_clean": {"cup_:0000": False}}
    assert found.receptacles["cup_:0000"].startswith("table_:0002|")
    cups, tables = ("cup_:0000", "cup_:0001"), ("table_:0000", "table_:0001")
    assert found.evaluation == Evaluation(
        (
            Proposition("is_on_top", (cups, tables), (2,), True),
            Proposition("is_clustered", (cups[:1], cups[1:]), (1, 1), threshold=1.0),
            Proposition("is_clean", (cups[:1],)),
        ),
        (Dependency((1,), (0,), "while_satisfied"),),
        (
            TemporalConstraint(((2, 0), (2, 1))),
            TerminalSatisfactionConstraint((0, 1)),
            SameArgConstraint((0, 2), ("object_handles", "object_handles")),
            DifferentArgConstraint((0, 1), ("object_handles", "*args_0")),
        ),
    )
    written = write_episode(found)
    assert read_episode(json.loads(json.dumps(written))) == found
    assert written["evaluation_constraints"][0] == EPISODE["evaluation_constraints"][0]
    assert "house_seed" not in written
    assert read_episode({**EPISODE, "house_seed": 7}).house_seed == 7


def test_who_is_said_to_do_what_is_written_and_checked() -> None:
    found = read_episode({**EPISODE, "assigned": {"human": [0], "robot": []}})
    assert found.assigned == {"human": (0,), "robot": ()}
    assert read_episode(write_episode(found)) == found
    assert "assigned" not in write_episode(read_episode(EPISODE))
    count = len(found.evaluation.propositions)
    for wrong in ([], {"human": 0}, {"human": [count]}, {"human": [-1]}, {"human": [True]}):
        with pytest.raises(EvaluationError, match="assigned"):
            read_episode({**EPISODE, "assigned": wrong})


@pytest.mark.parametrize("name", ["val.json", "val.json.gz"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    text = json.dumps({"config": None, "episodes": [EPISODE, {**EPISODE, "episode_id": "b"}]})
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    assert [one.id for one in read_episodes(path)] == ["12", "b"]
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(EvaluationError, match=r"val\.json"):
        list(read_episodes(path))


def test_the_episode_at_fault_is_named(tmp_path: Path) -> None:
    path = tmp_path / "val.json"
    path.write_text(json.dumps({"episodes": [EPISODE, {**EPISODE, "instruction": 3}]}))
    with pytest.raises(EvaluationError, match="episode 1: instruction"):
        list(read_episodes(path))
    for text in ("[]", '{"episodes": {}}', "[" * 100_000):
        path.write_text(text)
        with pytest.raises(EvaluationError):
            list(read_episodes(path))


@settings(max_examples=200)
@given(st.integers(0, 10**9))
def test_writing_and_reading_back(seed: int) -> None:
    evaluation = random_evaluation(Random(seed))
    written = json.loads(json.dumps(write_evaluation(evaluation)))
    assert read_evaluation(written) == evaluation
    assert evaluation.rename({"ab": "x"}).rename({"x": "ab"}) == evaluation


def _places(raw: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = raw.items() if isinstance(raw, dict) else enumerate(raw)
    found = []
    for key, value in inner:
        found.append((*path, key))
        if isinstance(value, dict | list):
            found += _places(value, (*path, key))
    return found


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(-2, 9), max_size=3),
    st.lists(st.lists(st.text(max_size=2), max_size=2), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@settings(max_examples=500)
@given(st.sampled_from(_places(EPISODE)), JUNK)
def test_junk_anywhere_is_read_or_refused(path: tuple[Any, ...], junk: Any) -> None:
    raw = copy.deepcopy(EPISODE)
    inner = raw
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    try:
        found = read_episode(raw)
    except EvaluationError:
        return
    judge = Judge(found.evaluation)  # what is read can be judged
    judge.step(lambda predicate, arguments: True)
    judge.result()
    assert read_episode(write_episode(found)) == found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"evaluation_propositions": None}, "not a list"),
        ({"evaluation_constraints": [{"type": "Exec", "args": {}}]}, "unknown constraint: 'Exec'"),
        ({"evaluation_propositions": [{"function_name": "eval", "args": {}}]}, "unknown predicate"),
        ({"object_states": {"is_clean": {"cup": 1}}}, "neither true nor false"),
        ({"rigid_objs": [["cup", PLACE[:3]]]}, "4 by 4"),
        ({"rigid_objs": [["cup", [*PLACE[:3], [0, 0, 0, 10**400]]]]}, "not finite"),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        read_episode({**EPISODE, **change})
