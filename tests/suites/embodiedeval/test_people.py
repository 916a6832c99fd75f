"""People play all tasks in a study, and their games are scored like the runs of models."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from homebody.core import CORRECTED
from homebody.core.play.rounds import play
from homebody.results.outputs import read_outputs
from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.suite import TEST
from homebody.suites.embodiedeval.tasks import load
from homebody.web.registry import Games
from homebody.web.studies.assignment import assign
from homebody.web.studies.results import result_rows, write_study_outputs
from homebody.web.studies.running import RunningStudy
from homebody.web.studies.study import Condition, Study, read_study
from places import DOCS


def test_the_study_of_the_page_plays_each_task_once(tmp_path: Path) -> None:
    text = (DOCS / "benchmarks" / "embodiedeval.md").read_text()
    (toml,) = re.findall(r"^```toml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for name in ("consent.md", "instructions.md"):
        (tmp_path / name).write_text("I agree.")
    (tmp_path / "people.toml").write_text(toml)
    groups = assign(read_study(tmp_path / "people.toml"))
    played = Counter(item.task for group in groups for item in group.items)
    assert played == {task.id: 1 for task in load("test")}


@pytest.mark.slow
def test_games_of_people_have_pictures_and_times_and_are_scored(tmp_path: Path) -> None:
    task = min(load("test"), key=lambda task: len(task.plan))
    people = Condition("people", {AGENT: "person"})
    study = Study(
        title="People",
        suite=TEST.name,
        conditions=(people,),
        participants=1,
        tasks=(task.id,),
        tries=1,
    )
    games = Games(tmp_path, (TEST.name,), 1e6)
    assert list(games.load()) == []
    running = RunningStudy(study, games, tmp_path, "a-secret")
    while (now := running.step(1))["step"] != "done":
        if "seat" not in now:
            running.finish_step(1, now["step"], {})
            continue
        found = games.find(now["seat"])
        assert found is not None
        game, role = found
        game.join(role)
        assert game.seat(role)["images"]
        session = start(TEST.task(game.header.task), {}, game.header.seed, CORRECTED)
        play(session, {AGENT: agents.oracle(session, None)})  # type: ignore[arg-type]
        for number, entry in enumerate(session.transcript().entries):
            game.act(role, entry.call, f"{number}")
        assert game.ending
    games.close()
    (row,) = result_rows(study, tmp_path)
    assert (row["solved"], row["success"]) == ("yes", "1.0000")
    assert float(row["seconds"]) > 0
    (path,) = write_study_outputs(study, tmp_path, tmp_path / "out")
    (output,) = read_outputs(path)
    assert TEST.score(task, output.text, CORRECTED).record["success"]
