"""What makes tasks hard: counted from scores, shown as tables and figures."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, HomebodyError, Protocol, Score, Suite
from homebody.core.demands import Demands
from homebody.core.suite import Experiments
from homebody.results.correlation import correlate
from homebody.results.difficulty import (
    Difficulty,
    Group,
    bounds,
    difficulty,
    regroup,
)
from homebody.results.difficulty_tables import correlation_records, group_records, render_difficulty
from homebody.results.outputs import Output
from homebody.results.plot import plot_actions, plot_difficulty
from homebody.results.scoring import score_outputs
from homebody.results.table import Format
from homebody.suites import get_suite
from homebody.suites.eai.virtualhome.plans import render
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask

official = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
Write = Callable[[VirtualHomeTask, np.random.Generator], str]


def dropping(share: float) -> Write:
    """A model that forgets this share of the ground truth's steps."""

    def write(task: VirtualHomeTask, generator: np.random.Generator) -> str:
        return render([step for step in task.task.reference if generator.random() >= share])

    return write


def scores_of(write: Write, *, protocol: Protocol = CORRECTED, first: int = 400) -> list[Score]:
    suite = get_suite(PLANS)
    generator = np.random.default_rng(3)
    tasks = suite.tasks.load(protocol)[:first]
    outputs = [Output(task.id, write(task, generator)) for task in tasks]
    return list(score_outputs(suite, outputs, protocol).scores)


def found_in(scores: list[Score], protocol: Protocol = CORRECTED, **options: Any) -> Difficulty:
    suite = get_suite(PLANS)
    return difficulty(suite, scores, suite.tasks.load(protocol), permutations=500, **options)


@pytest.fixture(scope="module")
def sloppy_scores(eai_data: None) -> list[Score]:
    return scores_of(dropping(0.2))


@pytest.fixture(scope="module")
def sloppy(sloppy_scores: list[Score]) -> Difficulty:
    return found_in(sloppy_scores)


@pytest.fixture(scope="module")
def models(sloppy: Difficulty, eai_data: None) -> dict[str, Difficulty]:
    return {"careful": found_in(scores_of(dropping(0.03))), "sloppy": sloppy}


# --- Groups ---------------------------------------------------------------------------------------

counts = st.dictionaries(st.integers(0, 60), st.integers(1, 50), min_size=1, max_size=30)


@given(counts, st.integers(1, 40), st.integers(1, 10))
def test_ranges_hold_every_value_once(sizes: dict[int, int], smallest: int, most: int) -> None:
    found = bounds(sizes, smallest=smallest, most=most)
    assert 1 <= len(found) <= most
    for value in sizes:
        assert sum(low <= value <= high for low, high in found) == 1
    for low, high in found:
        assert low in sizes
        assert high in sizes
        held = sum(size for value, size in sizes.items() if low <= value <= high)
        assert held >= min(smallest, sum(sizes.values()))


def test_values_with_enough_tasks_stay_apart() -> None:
    assert bounds({1: 20, 2: 4, 3: 9, 5: 30, 9: 2}, smallest=10, most=9) == [(1, 1), (2, 3), (5, 9)]
    assert bounds({1: 20, 2: 20, 3: 20, 4: 20}, smallest=10, most=2) == [(1, 2), (3, 4)]
    assert bounds({}, smallest=10, most=2) == []


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40))
def test_groups_put_together_have_the_mean_of_their_tasks(rows: list[tuple[int, bool]]) -> None:
    groups = []
    for value in sorted({value for value, _ in rows}):
        own = [done for at, done in rows if at == value]
        groups.append(Group(value, value, len(own), sum(own) / len(own), 0.0, 1.0))
    (whole,) = regroup(groups, [(0, 9)])
    assert whole.tasks == len(rows)
    assert whole.mean == pytest.approx(sum(done for _, done in rows) / len(rows))
    assert regroup(groups, [(10, 20)]) == []


# --- Counting -------------------------------------------------------------------------------------


def test_every_factor_has_every_task_once(sloppy: Difficulty) -> None:
    assert [factor.name for factor in sloppy.factors] == [
        "goals",
        "state goals",
        "relation goals",
        "action goals",
        "plan length",
        "objects",
    ]
    for factor in sloppy.factors:
        assert sum(group.tasks for group in factor.groups) == sloppy.tasks == 338
        mean = sum(group.mean * group.tasks for group in factor.groups) / sloppy.tasks
        assert mean == pytest.approx(sloppy.mean)
        assert all(group.low <= group.mean <= group.high for group in factor.groups)


def test_goals_are_counted_as_the_paper_counts_them(sloppy: Difficulty) -> None:
    """340, 299 and 162 goals (appendix L.2), but for a relation that one task asks for twice."""
    sums = {
        factor.name: sum(group.least * group.tasks for group in factor.groups)
        for factor in sloppy.factors
    }
    kinds = ("state goals", "relation goals", "action goals")
    assert [sums[name] for name in kinds] == [340, 298, 162]
    assert sums["goals"] == 800


@official
def test_the_agent_is_none_of_the_objects() -> None:
    suite = get_suite(PLANS)
    for task in suite.tasks.load(CORRECTED)[:20]:
        agent = task.task.world.agent
        assert suite.experiments.demands is not None
        assert suite.experiments.demands.factors(task)["objects"] == len(
            set(task.relevant) - {agent}
        )


def test_who_forgets_steps_fails_at_long_plans_and_many_goals(sloppy: Difficulty) -> None:
    by_name = {factor.name: factor.correlation for factor in sloppy.factors}
    for name in ("plan length", "goals", "relation goals"):
        assert by_name[name].spearman < -0.15
        assert by_name[name].kendall < -0.12
        assert by_name[name].p < 0.01


def test_the_ground_truth_fails_at_three_tasks_whatever_they_are(eai_data: None) -> None:
    found = found_in(scores_of(dropping(0)))
    assert found.mean == pytest.approx(335 / 338)
    assert all(factor.correlation.p > 0.001 for factor in found.factors)
    assert all(use.tasks for use in found.actions)


def test_goals_met_are_those_of_the_records(sloppy: Difficulty, sloppy_scores: list[Score]) -> None:
    for kind in ("state", "relation", "action"):
        own = [use for use in sloppy.predicates if use.kind == kind]
        recorded = [score.record["goals_met"][kind] for score in sloppy_scores if score.valid]
        assert sum(use.goals for use in own) == sum(total for _, total in recorded)
        met = sum(use.goals * use.met for use in own)
        assert met == pytest.approx(sum(met for met, _ in recorded))
    names = {use.name for use in sloppy.predicates if use.kind == "action"}
    assert "RINSE|WASH" in names  # whether it was done or not, it is one goal
    assert not names & {"RINSE", "WASH"}


def test_steps_stop_counting_where_a_plan_stops(
    sloppy: Difficulty, sloppy_scores: list[Score]
) -> None:
    tried: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for score in sloppy_scores:
        if score.valid:
            words = [line[1 : line.index("]")] for line in score.record["plan"]]
            tried.update(words[: score.record["error_step"]])
            if score.record["error_action"]:
                failed[score.record["error_action"].partition("(")[0]] += 1
    assert {use.name: use.steps for use in sloppy.actions if use.steps} == dict(tried)
    for use in sloppy.actions:
        if use.steps:
            assert use.executed == pytest.approx(1 - failed[use.name] / use.steps)
            assert use.executed_low <= use.executed <= use.executed_high
    assert sum(failed.values()) > 20


@official
def test_outputs_that_are_no_plans_try_no_steps_and_meet_no_goals() -> None:
    found = found_in(scores_of(lambda task, generator: "I cannot do that.", first=20))
    assert found.mean == 0
    assert all(use.steps == 0 and math.isnan(use.executed) for use in found.actions)
    assert {use.met for use in found.predicates} == {0.0}


@official
def test_published_verdicts_are_followed() -> None:
    """The plan of the ground truth is not judged there, and meets nothing."""
    published = get_suite(PLANS).protocol("published")
    found = found_in(scores_of(dropping(0), protocol=published), published)
    assert found.tasks == 305
    by_action = {use.name: use for use in found.actions}
    assert by_action["GRAB"].executed == 1
    assert found.mean < 0.05


@official
def test_tasks_asked_twice_count_once() -> None:
    right, wrong = scores_of(dropping(0), first=60), scores_of(dropping(1), first=60)
    both = found_in([*right, *wrong])
    assert both.tasks == found_in(right).tasks
    assert both.mean == pytest.approx((found_in(right).mean + found_in(wrong).mean) / 2)
    once = {use.name: use.goals for use in found_in(right).predicates}
    assert {use.name: use.goals for use in both.predicates} == {k: 2 * n for k, n in once.items()}


@official
def test_other_metrics_can_be_asked_for(sloppy_scores: list[Score]) -> None:
    found = found_in(sloppy_scores, metric="executable")
    counted = [score.metrics["executable"] for score in sloppy_scores if score.valid]
    assert found.mean == pytest.approx(np.mean(counted))
    with pytest.raises(HomebodyError, match="no metric 'luck'") as error:
        found_in(sloppy_scores, metric="luck")
    assert "executable" in error.value.hint


@official
def test_goal_interpretation_has_no_plans_but_factors() -> None:
    suite = get_suite("eai.virtualhome.goal_interpretation")
    tasks = suite.tasks.load(CORRECTED)
    generator = np.random.default_rng(1)
    scores = [
        suite.score(t, suite.text_agents["random"].answer(t, generator), CORRECTED)
        for t in tasks[:40]
    ]
    found = difficulty(suite, scores, tasks, metric="f1", permutations=100)
    assert found.predicates == ()
    assert all(use.steps == 0 for use in found.actions)
    assert "F1" in render_difficulty({"m": found}, Format.TABLE)


def test_no_scores_and_other_suites_are_mistakes(suite: Suite[str]) -> None:
    scores = [suite.score("t1", "yes", CORRECTED)]
    with pytest.raises(HomebodyError, match="all scores are excluded"):
        difficulty(suite, [suite.score("t1", "-", CORRECTED)], ["t1"])
    with pytest.raises(HomebodyError, match="does not state"):
        difficulty(suite, scores, ["t1"], metric="right")


@pytest.mark.sampled
@pytest.mark.parametrize("number", [1, 5, 7])
def test_a_suite_says_itself_what_its_tasks_ask_for(
    number: int, suite: Suite[str], tmp_path: Path
) -> None:
    """Other factors, halves, and kinds of goals that VirtualHome does not have."""
    demands: Demands[str] = Demands(
        factors=lambda task: {f"factor {at}": int(task[1:]) / 2 for at in range(number)},
        actions=lambda task: ["SAY", "SAY"],
        steps=lambda task, score: [("SAY", True), ("SHOUT", score.record["right"])],
        goals=lambda task, score: [("mixed", "said", score.record["right"]), ("state", "A", True)],
    )
    suite = replace(suite, experiments=Experiments(demands=demands))
    answers = {"t1": "yes", "t2": "yes", "t3": "yes", "t4": "no!"}
    scores = [suite.score(task, text, CORRECTED) for task, text in answers.items()]
    found = difficulty(suite, scores, answers, metric="right", permutations=50)
    assert [factor.name for factor in found.factors] == [f"factor {at}" for at in range(number)]
    assert [group.label for group in found.factors[0].groups] == ["0.5", "1", "1.5", "2"]
    assert [(u.name, u.tasks, u.steps, u.executed) for u in found.actions] == [
        ("SAY", 4, 4, 1.0),
        ("SHOUT", 0, 4, 0.75),
    ]
    assert [(u.kind, u.name, u.goals, u.met) for u in found.predicates] == [
        ("state", "A", 4, 1.0),
        ("mixed", "said", 4, 0.75),
    ]
    pytest.importorskip("matplotlib", reason="needs: pip install 'homebody[plots]'")
    for at, draw in enumerate(DRAW.values()):
        draw({"m": found}, tmp_path / f"{at}.svg")
    assert f"Factor {number - 1}" in (tmp_path / "0.svg").read_text()
    assert "Mixed goals" in (tmp_path / "1.svg").read_text()


# --- Tables ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_json_holds_everything(models: dict[str, Difficulty]) -> None:
    document = json.loads(render_difficulty(models, Format.JSON))
    assert [entry["model"] for entry in document] == ["careful", "sloppy"]
    factor = document[1]["factors"][0]
    assert factor["name"] == "goals"
    assert factor["groups"][0] == {
        field: getattr(models["sloppy"].factors[0].groups[0], field)
        for field in ("least", "most", "tasks", "mean", "low", "high")
    }
    assert set(factor["correlation"]) == {"spearman", "kendall", "p", "why_none"}


def test_csv_is_one_table(models: dict[str, Difficulty]) -> None:
    lines = list(csv.DictReader(io.StringIO(render_difficulty(models, Format.CSV))))
    assert {line["table"] for line in lines} == {"factor", "correlation", "action", "predicate"}
    tasks = [
        int(line["n"])
        for line in lines
        if (line["model"], line["table"], line["name"]) == ("sloppy", "factor", "objects")
    ]
    assert sum(tasks) == 338


@pytest.mark.parametrize("form", [Format.TABLE, Format.MARKDOWN])
def test_tables_for_people_have_all_sections(models: dict[str, Difficulty], form: Format) -> None:
    text = render_difficulty(models, form)
    for word in ("Rank correlation", "Spearman", "plan length", "SWITCHON", "PLUGGED_IN"):
        assert word in text
    assert "nan" not in text


def test_a_correlation_that_does_not_exist_says_why(models: dict[str, Difficulty]) -> None:
    assert "Why none" not in correlation_records(models)[0]
    name, measured = next(iter(models.items()))
    none = correlate([1, 2, 3], [1, 1, 1], names=("goals", "success"))
    flat = {name: replace(measured, factors=(replace(measured.factors[0], correlation=none),))}
    (record,) = correlation_records(flat)
    assert [record[key] for key in ("Spearman", "Kendall", "p")] == ["-", "-", "-"]
    assert record["Why none"] == "success is always the same"
    lines = csv.DictReader(io.StringIO(render_difficulty(flat, Format.CSV)))
    told = [line["value"] for line in lines if line["table"] == "correlation"]
    assert told == ["none: success is always the same"]


def test_where_no_score_counts_it_is_said_why() -> None:
    scores = [Score("339_1", {"success": 0.0}, {}).exclude("no goal")]
    with pytest.raises(HomebodyError, match=r"all scores are excluded: no goal \(1\)"):
        difficulty(get_suite(PLANS), scores, [])


def test_tables_group_the_same_values_for_all_models(models: dict[str, Difficulty]) -> None:
    records = group_records(models)
    labels = {
        model: [(r["Factor"], r["Value"]) for r in records if r["Model"] == model]
        for model in models
    }
    assert labels["careful"] == labels["sloppy"]
    assert all(int(record["Tasks"]) >= 10 for record in records)


# --- Figures --------------------------------------------------------------------------------------

DRAW: Mapping[str, Callable[[Mapping[str, Difficulty], Path], None]] = {
    "difficulty": plot_difficulty,
    "actions": plot_actions,
}
draws = pytest.mark.parametrize("draw", DRAW.values(), ids=DRAW)
BEGINNINGS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.mark.slow
@draws
@pytest.mark.parametrize(
    "suffix", [".svg", *(pytest.param(end, marks=pytest.mark.slow) for end in (".png", ".pdf"))]
)
def test_the_same_numbers_give_the_same_figure(
    models: dict[str, Difficulty],
    tmp_path: Path,
    suffix: str,
    draw: Callable[[Mapping[str, Difficulty], Path], None],
) -> None:
    pytest.importorskip("matplotlib", reason="needs: pip install 'homebody[plots]'")
    first, second = tmp_path / f"new/a{suffix}", tmp_path / f"b{suffix.upper()}"
    draw(models, first)
    draw(models, second)
    assert first.read_bytes().startswith(BEGINNINGS[suffix])
    assert first.read_bytes() == second.read_bytes()


@draws
@pytest.mark.filterwarnings("error")
def test_names_and_few_outputs_are_no_trouble(
    sloppy_scores: list[Score],
    tmp_path: Path,
    draw: Callable[[Mapping[str, Difficulty], Path], None],
) -> None:
    """Names that a drawing library would read as formulas or leave out, and next to no data."""
    pytest.importorskip("matplotlib", reason="needs: pip install 'homebody[plots]'")
    small = found_in([score for score in sloppy_scores if score.valid][:1])
    long = {"x" * 500 + end: small for end in ("a", "b")}
    draw({r"$\frac{1}$": small, "_hidden": small, "": small, **long}, tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert "xa" in text  # variants of a model differ at the end
    assert "xb" in text
    assert r"$\frac{1}$" in text
    assert "_hidden" in text
    assert "x" * 100 not in text


@draws
def test_mistakes_are_told_apart(
    sloppy: Difficulty,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    draw: Callable[[Mapping[str, Difficulty], Path], None],
) -> None:
    with pytest.raises(HomebodyError, match=r"\.gif is not a figure format") as error:
        draw({"m": sloppy}, tmp_path / "figure.gif")
    assert ".png" in error.value.hint
    with pytest.raises(HomebodyError, match="no models to plot"):
        draw({}, tmp_path / "figure.png")
    with pytest.raises(HomebodyError, match="9 models"):
        draw({str(at): sloppy for at in range(9)}, tmp_path / "figure.png")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HomebodyError, match="need matplotlib") as error:
        draw({"m": sloppy}, tmp_path / "figure.png")
    assert "homebody[plots]" in error.value.hint


def test_a_file_that_cannot_be_written_is_a_mistake(sloppy: Difficulty, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs: pip install 'homebody[plots]'")
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(HomebodyError, match="cannot write"):
        plot_difficulty({"m": sloppy}, tmp_path / "taken.png")
