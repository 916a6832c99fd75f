"""What people play is scored as any agent's outputs are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command import Homebody, caller
from homebody.core import CORRECTED
from homebody.core.play.rounds import play
from homebody.results.outputs import find_outputs, read_outputs
from homebody.results.scoring import score_outputs
from homebody.suites import get_suite
from web.conftest import Served

Serve = Callable[..., Served]


@pytest.fixture
def homebody(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Homebody:
    return caller(capsys, monkeypatch)


def calls_of_the_expert(suite: str, role: str) -> list[str]:
    """What one does who knows how the first task is judged."""
    played = get_suite(suite)
    assert played.playing is not None
    session = played.playing.start(played.tasks.load(CORRECTED)[0], {}, 0, CORRECTED)
    play(session, {role: played.playing.policies["expert"](session, None)})  # type: ignore[arg-type]
    return [entry.call for entry in session.transcript().entries]


def test_a_task_that_is_played_to_success_is_an_output_with_that_score(
    serve: Serve, tmp_path: Path
) -> None:
    served = serve("house.bring")
    calls = calls_of_the_expert("house.bring", "agent")
    for _ in range(2):
        token = served.new("house.bring", {"agent": "person"})["agent"]
        for number, call in enumerate(calls):
            assert served.act(token, f"{number}", call).status_code == 200
        result = served.get("/seat/result", token).json()
        assert result["success"] is True
    served.games.close()
    files = find_outputs(tmp_path / "house.bring", "house.bring")
    assert list(files) == ["person"]
    scored = score_outputs(get_suite("house.bring"), read_outputs(files["person"]), CORRECTED)
    assert [(score.epoch, dict(score.metrics)) for score in scored.scores] == [
        (1, result["score"]),
        (2, result["score"]),
    ]


def test_what_a_kill_kept_from_being_written_is_written_at_the_next_start(
    serve: Serve, tmp_path: Path
) -> None:
    served = serve("house.bring")
    token = served.new("house.bring", {"agent": "person"})["agent"]
    served.seat(token)
    served.act(token, "a", "Done[]")
    served.games.close()
    file = tmp_path / "house.bring" / "person_outputs.json"
    kept = file.read_bytes()
    file.unlink()
    serve("house.bring").games.close()
    assert file.read_bytes() == kept


@pytest.mark.slow
def test_what_a_person_solved_can_be_learnt_from(
    serve: Serve, tmp_path: Path, homebody: Homebody
) -> None:
    """Traces and samples for fine-tuning are made of people's runs as of models'."""
    suite = get_suite("partnr.val")
    assert suite.playing is not None
    task = suite.tasks.load(CORRECTED)[0]
    session = suite.playing.start(task, {"team": "single"}, 0, CORRECTED)
    play(session, {"human": suite.playing.policies["expert"](session, None)})  # type: ignore[arg-type]
    served = serve("partnr.val")
    more = {"task": task.id, "settings": {"team": "single"}}
    token = served.new("partnr.val", {"human": "person"}, **more)["human"]
    for number, entry in enumerate(session.transcript().entries):
        served.act(token, f"{number}", entry.call)
    assert served.get("/seat/result", token).json()["success"] is True
    served.games.close()
    file = tmp_path / "partnr.val" / "person_outputs.json"
    for command in ("traces", "finetune"):
        out = tmp_path / f"{command}.jsonl"
        done = homebody("partnr", command, file, "-o", out)
        assert done.code == 0, done.err
        assert out.read_text().count("\n") >= 1
