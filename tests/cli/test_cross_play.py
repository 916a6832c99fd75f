"""`homebody run --partners`: agents beside each of several partners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command import Homebody, Result
from homebody.cli.cross_play import read_partners
from homebody.suites import get_suite
from homebody.suites.partnr.partners import PARTNERS
from homebody.suites.partnr.report import robot_share

TASK = ("--task", "val-18-0", "--task", "val-58-77")


@pytest.fixture
def run(homebody: Homebody, tmp_path: Path) -> Any:
    logs = ("--log-dir", tmp_path / "logs", "--engine", "serial")
    return lambda *args: homebody("run", "partnr.val", *TASK, *logs, *args)


def rows(done: Result) -> dict[str, dict[str, float]]:
    assert done.code == 0, done.err
    return {row["model"]: row["values"] for row in json.loads(done.out)["models"]}


def test_each_agent_is_run_beside_each_partner(run: Any, tmp_path: Path) -> None:
    beside = ("--partners", "fair,idle", "-f", "json", "--out", tmp_path / "out")
    made = rows(run("-a", "expert", "-a", "copycat", *beside))
    labels = ("human=fair", "human=idle", "2 partners")
    assert list(made) == [
        f"{agent} ({label})" for agent in ("expert", "copycat") for label in labels
    ]
    columns = ["Success", "Complete", "Steps", "Share of work", "Extraneous"]
    assert {tuple(values) for values in made.values()} == {tuple(columns)}
    alone, beside_fair = made["expert (human=idle)"], made["expert (human=fair)"]
    assert alone["Share of work"] == 100.0 > beside_fair["Share of work"]
    assert beside_fair["Success"] == 100.0
    both = [made[f"copycat ({label})"]["Complete"] for label in labels]
    assert both[2] == pytest.approx(sum(both[:2]) / 2, abs=1e-3)
    # results of different partners are in different folders, and each says whose it is
    settings = {
        path.parent.name: json.loads(path.read_text())["run"]["settings"]
        for path in (tmp_path / "out").rglob("run.json")
    }
    assert settings == {
        f"{agent}_human={name}": {"human": name}
        for agent in ("expert", "copycat")
        for name in ("fair", "idle")
    }


def test_a_run_is_not_resumed_beside_another_partner(run: Any, tmp_path: Path) -> None:
    first = run("-a", "expert", "--partners", "slow", "-f", "json")
    again = run("-a", "expert", "--partners", "slow,lazy", "-f", "json", "--reuse")
    assert again.err.count("took the result of an earlier run") == 1
    assert rows(again)["expert (human=slow)"] == rows(first)["expert (human=slow)"]
    assert rows(again)["expert (human=lazy)"] != rows(first)["expert (human=slow)"]
    out = ("--out", tmp_path / "out", "-f", "json")
    assert run("-a", "expert", "--set", "human=slow", *out).code == 0
    (folder,) = [path.parent for path in (tmp_path / "out").rglob("run.json")]
    folder.rename(folder.with_name("expert_human=lazy"))
    mixed = run("-a", "expert", "--partners", "lazy", *out)
    assert mixed.code == 2
    assert "has results of another run" in mixed.err
    assert "slow" in mixed.err


def test_all_are_the_partners_of_the_suite() -> None:
    suite = get_suite("partnr.test")
    named = [each["human"] for each in read_partners(suite, "all")]
    assert named == [*PARTNERS, "expert"]
    assert read_partners(suite, "slow, all, slow, idle")[-1] == {"human": "idle"}
    assert len(read_partners(suite, "slow, all, slow, idle")) == len(named) + 1


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["--partners", "nobody"], "partnr.val has no partner 'nobody'"),
        (["--partners", ""], "no partner ''"),
        (["--partners", "all", "--set", "team=single"], "nobody plays beside a partner"),
        (["--partners", "all", "--set", "human=slow"], "both say who plays the human"),
        (["--partners", "all", "--set", "team=centralised"], "one planner decides for both"),
        (["--partners", "slow", "--set", "robot=lazy"], "leave no role to the agent"),
        (["--partners", "slow", "--reference"], "nothing published"),
    ],
)
def test_what_cannot_be_beside_a_partner_is_refused(
    run: Any, args: list[str], problem: str
) -> None:
    done = run("-a", "expert", *args)
    assert done.code == 2
    assert problem in done.err


def test_a_suite_without_partners_says_so(homebody: Homebody) -> None:
    done = homebody("run", "house.bring", "-a", "expert", "--partners", "all")
    assert (done.code, "house.bring has no partners" in done.err) == (2, True)


def test_the_share_of_work_counts_what_both_did_half() -> None:
    met = [{"by": by} for by in (["robot"], ["human"], ["robot", "human"], [])]
    assert robot_share(met) == 0.5
    assert robot_share([{"by": []}]) is None
