"""`homebody report`: runs as one page, out of results, logs and journals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Homebody
from homebody.core import Suite
from own_suites import in_place
from toy_runs import NAME, chores, keep

SUITE = "house.bring"


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    suite = chores()
    with in_place([suite]):
        yield suite


def document(page: Path, path: str) -> dict[str, object]:
    _, _, after = page.read_text().partition(f'data-path="{path}">')
    made: dict[str, object] = json.loads(after.partition("</script>")[0])
    return made


def test_results_become_a_page(homebody: Homebody, toy: Suite[str]) -> None:
    for name in ("one", "two"):
        keep(Path("out"), toy, name, ["yes", "half", "no"])
    told = homebody("report", "out", "-o", "new/page.html", "--samples", "2", "--title", "<b>")
    assert told.code == 0, told.err
    assert "new/page.html: 2 runs, 6 samples, 4 of them in detail" in told.err
    page = Path("new/page.html")
    assert document(page, "data/runs.json")["name"] == "<b>"
    assert "<b>" not in page.read_text()
    assert sorted(document(page, "index")) == [
        f"data/sample/{NAME}.{name}/{number}.json" for name in ("one", "two") for number in (1, 2)
    ]


def test_a_task_can_be_asked_for(homebody: Homebody, toy: Suite[str]) -> None:
    keep(Path("out"), toy, "one", ["yes", "half", "no"])
    assert homebody("report", "out", "--task", "room-0").code == 0
    assert list(document(Path("report.html"), "index")) == [f"data/sample/{NAME}.one/0.json"]
    refused = homebody("report", "out", "--task", "x")
    assert refused.code == 2
    assert "no sample of x" in refused.err


@pytest.mark.slow
def test_a_journal_is_enough(homebody: Homebody) -> None:
    assert homebody("run", SUITE, "-a", "random", "--limit", "2", "--log-dir", "logs").code == 0
    told = homebody("report", "logs")
    assert told.code == 0, told.err
    assert "1 runs, 2 samples, 2 of them in detail" in told.err


@pytest.mark.slow
def test_results_and_their_journal_are_one_run(homebody: Homebody) -> None:
    run = ("run", SUITE, "-a", "random", "--limit", "2", "--log-dir", "logs")
    assert homebody(*run, "--out", "out").code == 0
    assert homebody("run", SUITE, "-a", "idle", "--limit", "1", "--log-dir", "logs").code == 0
    told = homebody("report", "out")
    assert "1 runs, 2 samples" in told.err


@pytest.mark.slow
def test_answers_may_lie_elsewhere(homebody: Homebody) -> None:
    assert homebody("run", SUITE, "-a", "random", "--limit", "1", "--out", "mine").code == 0
    Path("answers").mkdir()
    Path("mine/random_outputs.json").rename("answers/random_outputs.json")
    assert homebody("score", SUITE, "answers", "--out", "scored").code == 0
    for places, replayed in ((["scored"], False), (["scored", "answers"], True)):
        told = homebody("report", *places, "--log-dir", "none")
        assert told.code == 0, told.err
        index = document(Path("report.html"), "index")
        assert any("data/replay/" in path for path in index) is replayed
    (Path("answers") / "random_outputs.json").write_text("[]")
    assert homebody("report", "scored", "answers").code == 0, "they are others"
    assert not any("data/replay/" in path for path in document(Path("report.html"), "index"))


def test_what_cannot_be_shown_is_told_of(homebody: Homebody, toy: Suite[str]) -> None:
    keep(Path("out"), toy, "one", ["yes"])
    (keep(Path("out"), toy, "two", ["yes"]) / "run.json").write_text("{")
    told = homebody("report", "out")
    assert told.code == 0
    assert "two/run.json is damaged" in told.err
    assert homebody("report", "nothing").code == 2
    Path("some.jsonl").write_text("{}\n")
    assert "not a journal (homebody-run)" in homebody("report", "some.jsonl").err
