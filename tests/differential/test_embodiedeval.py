"""homebody beside the published code of EmbodiedEval: its metrics of recorded runs, its predicates.

It takes that code: the environment variable ``HOMEBODY_EMBODIEDEVAL_CHECKOUT`` names its folder.
"""

from __future__ import annotations

import io
import json
import math
import os
import runpy
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED, Protocol, Score
from homebody.goals.embodiedeval import AGENT, Judge, Step, read_predicate
from homebody.suites.embodiedeval.metrics import count, rates
from homebody.suites.embodiedeval.protocol import NO_SPL, QUIRKS
from homebody.suites.embodiedeval.recorded import score_runs
from suites.embodiedeval.test_recorded import record, step

pytestmark = pytest.mark.differential

VARIABLE = "HOMEBODY_EMBODIEDEVAL_CHECKOUT"
EPISODES = 40
UNREAD = {-1: "no option match", -2: "option out of range"}


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Path], Any]:
    """Its metrics of a folder of results and one of people's runs, in a folder with its index."""
    if VARIABLE not in os.environ:
        pytest.skip(f"no published code of EmbodiedEval: {VARIABLE} names no folder")
    files = ModuleType("legent")
    files.load_json = lambda path: json.loads(Path(path).read_text())  # type: ignore[attr-defined]
    files.store_json = lambda said, path: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "legent", files)
    index = [{"index": n, "task_file": f"AttrQA/{n}.json"} for n in range(EPISODES)]
    (tmp_path / "data" / "tasks").mkdir(parents=True)
    (tmp_path / "data" / "tasks" / "tasks.json").write_text(json.dumps(index))
    monkeypatch.chdir(tmp_path)
    code = runpy.run_path(str(Path(os.environ[VARIABLE]) / "metrics.py"))
    return lambda results, people: code["compute_metrics_for_all_types"](
        str(results), "", str(people)
    )[0]


@pytest.mark.parametrize("seed", range(60))
def test_the_metrics_of_recorded_runs_are_the_published_ones(
    published: Callable[[Path, Path], Any], tmp_path: Path, seed: int
) -> None:
    runs(tmp_path / "model", Random(seed))
    theirs = published(tmp_path / "model", tmp_path / "nobody")
    assert ours(tmp_path / "model", PUBLISHED) == told(theirs)


@pytest.mark.parametrize("seed", range(10))
def test_spl_is_the_published_one_where_everybody_has_a_persons_run(
    published: Callable[[Path, Path], Any], tmp_path: Path, seed: int
) -> None:
    """It reads people's runs from ``traj.json`` alone."""
    runs(tmp_path / "model", Random(seed))
    runs(tmp_path / "people", Random(-seed - 1))
    for folder in (tmp_path / "people").iterdir():
        steps = [json.loads(path.read_text()) for path in folder.glob("*a.json")]
        (folder / "traj.json").write_text(json.dumps(steps))
    theirs = published(tmp_path / "model", tmp_path / "people")
    rules = Protocol("published but SPL", QUIRKS.keys() - {NO_SPL})
    assert ours(tmp_path / "model", rules, tmp_path / "people") == told(theirs)


def runs(folder: Path, random: Random) -> None:
    """Runs as its ``run_eval.py`` writes them."""
    for number in range(EPISODES):
        record(folder, number, *episode(random))


def episode(random: Random) -> list[dict[str, Any]]:
    length, steps, met = random.randint(1, 24), [], [0, 0, 0]
    for at in range(length):
        last = at == length - 1
        how = random.choice(("goes on", "right", "wrong", "unread")) if last else "goes on"
        said = random.choice(("success", "failed", "failed: too far", "success: done"))
        met = [max(met[0], random.randint(0, 1)), 0, random.randint(0, 1)]
        if how == "right":
            steps.append(step(at, 1, [1, 1, 1], feedback=said))
        elif how == "wrong":
            steps.append(step(at, -1, [met[0], -1], feedback=said))
        elif how == "unread":
            choice, before = random.choice((-1, -2)), steps[-1] if steps else {}
            flags, feedback = before.get("predicates_done", met), before.get("feedback")
            more = {"action_choice": choice, "action_error": UNREAD[choice], "feedback": feedback}
            steps.append(step(at, 0, flags, **more))
        else:
            steps.append(step(at, 0, met, feedback=said))
    return random.sample(steps, len(steps))


def ours(folder: Path, protocol: Protocol, people: Path | None = None) -> dict[str, Any]:
    sums = None
    for each in score_runs(folder, protocol, people):
        assert isinstance(each, Score)
        sums = count(each) if sums is None else sums + count(each)
    assert sums is not None
    said = rates(sums, exact=True)
    counts = {kind: said["errors"].get(kind, 0) for kind in UNREAD.values()}
    names = ("success", "gcs", "spl", "steps_used_up", "interactions_done")
    percent = {name: pytest.approx(said[name], abs=0.006) for name in names}
    return {**percent, "steps": pytest.approx(said["mean_steps"], abs=0.006), **counts}


def told(theirs: dict[str, Any]) -> dict[str, Any]:
    """The published names in ours; its average length is a hundred times too long."""
    return {
        "success": theirs["accuracy"],
        "gcs": theirs["avg_goal_condition_success"],
        "spl": theirs["average_spl"],
        "steps_used_up": theirs["max_step_exceed_rate"],
        "interactions_done": theirs["interaction_accuracy"],
        "steps": theirs["average_trajectory_length"] / 100,
        "no option match": round(theirs["no_option_match_rate"] * EPISODES / 100),
        "option out of range": round(theirs["option_out_of_range_rate"] * EPISODES / 100),
    }


def test_corrected_does_not_hang_on_the_order_of_files(tmp_path: Path) -> None:
    runs(tmp_path / "a", Random(1))
    for folder in (tmp_path / "a").iterdir():
        steps = sorted(folder.glob("*a.json"))
        said = [json.loads(path.read_text()) for path in steps]
        (folder / "traj.json").write_text(json.dumps(said[::-1]))
    backwards = [each.metrics["gcs"] for each in score_runs(tmp_path / "a", CORRECTED)]  # type: ignore[union-attr]
    for path in (tmp_path / "a").glob("*/traj.json"):
        path.unlink()
    assert backwards == [each.metrics["gcs"] for each in score_runs(tmp_path / "a", CORRECTED)]  # type: ignore[union-attr]


class Bench:
    """Random positions of an agent (0) and five objects, and what the agent holds and does."""

    TEXTS = ('answer "a"', 'answer "b"', "wipe it", "open it", "move forward")

    def __init__(self, random: Random) -> None:
        self.random, self.held, self.feedback, self.choice = random, -1, "", 4
        self.at = [[random.uniform(0.0, 4.0) for _ in range(3)] for _ in range(6)]

    def do(self, answers: bool) -> None:
        """Some step, which can end on another object."""
        random = self.random
        self.choice = random.randrange(0 if answers else 2, 5)
        self.feedback = random.choice(("success", "failed"))
        self.held = random.choice((-1, -1, 1, 2, 3))
        for name in range(6):
            place = self.at[random.randrange(6)]
            how = random.random()
            if how < 0.3:
                self.at[name] = [each + random.uniform(-0.25, 0.25) for each in place]
            elif how < 0.6:
                self.at[name] = [each + random.uniform(-2.5, 2.5) for each in place]

    def theirs(self) -> Any:
        """The observation of their simulator."""
        places = [dict(zip("xyz", each, strict=True)) for each in self.at]
        return SimpleNamespace(
            game_states={
                "agent": {"position": places[0]},
                "instances": {name: {"position": place} for name, place in enumerate(places)},
                "agent_grab_instance": self.held,
                "option_mode_info": {"feedback": self.feedback},
            }
        )

    def ours(self) -> Step:
        """The step in homebody's terms; their second number is the height."""

        def place(name: str) -> list[float]:
            return self.at[0 if name == AGENT else int(name)]

        def flat(one: str, other: str) -> float:
            return math.dist(place(one)[::2], place(other)[::2])

        text, answered = self.TEXTS[self.choice], self.choice < 2
        return Step(
            text.removeprefix('answer "').removesuffix('"') if answered else text,
            answered,
            self.feedback == "success",
            str(self.held),
            flat,
            lambda one, other: math.dist(place(one), place(other)),
            lambda *_: False,
            lambda *_: False,
        )


PREDICATES = (
    'choose answer "a"',
    "agent_at 1",
    "agent_near 2",
    "agent_pass 3",
    "at 1 2",
    "near 2 3",
    "not_near 3 4",
    "not_at 1 4",
    "closer 4 5",
    "further 2 5",
    "grab 1",
    "grab_once 2",
    "special_action_success wipe it",
)


def test_predicates_are_the_published_ones_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 random trajectories, and how each run goes on after each step."""
    build = published_predicates(monkeypatch)
    random, seen = Random(0), Counter[tuple[str, bool]]()
    for _ in range(10_000):
        bench = Bench(random)
        texts = random.sample(PREDICATES, random.randint(1, 4))
        theirs = build(texts, bench.theirs(), False)
        judge = Judge([read_predicate(text) for text in texts], bench.ours(), QUIRKS.keys())
        for _ in range(random.randint(1, 24)):
            bench.do(answers=random.random() < 0.3)
            action = SimpleNamespace(action_choice=bench.choice)
            done = [each.task_done(action, bench.theirs(), Bench.TEXTS, None)[0] for each in theirs]
            judge.follow(bench.ours())
            assert judge.met == tuple(each == 1 for each in done), texts
            assert judge.wrong == (-1 in done), texts
            assert judge.success == all(each == 1 for each in done)
            seen.update(zip(texts, judge.met, strict=True))
            if judge.wrong or judge.success:
                break
    assert all(seen[text, met] > 500 for text in PREDICATES for met in (True, False)), seen


def published_predicates(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Their reader of predicates, with the two functions of their simulator that it needs."""
    if VARIABLE not in os.environ:
        pytest.skip(f"no published code of EmbodiedEval: {VARIABLE} names no folder")
    legent, tools, maths = ModuleType("legent"), ModuleType("legent.utils"), ModuleType("m")
    vars(legent).update(Action=object, Observation=object)
    vars(maths).update(
        vec_xz=lambda place: np.array([place["x"], place["z"]]),
        distance=lambda one, other: np.linalg.norm(one - other),
    )
    for name, module in (("", legent), (".utils", tools), (".utils.math", maths)):
        monkeypatch.setitem(sys.modules, f"legent{name}", module)
    code = runpy.run_path(str(Path(os.environ[VARIABLE]) / "predicate.py"))

    def build(*given: Any) -> Any:
        with redirect_stdout(io.StringIO()):  # it prints them
            return code["build_predicate"](*given)

    return build
