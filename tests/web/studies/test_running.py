"""A study as it is run: step by step, tries, pairs, time limits, what is kept and what comes of
it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from command import Homebody, caller
from homebody.authoring.partnr.checks.people import find_complaint, read_people
from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.rounds import play
from homebody.results.table import Format, render_records
from homebody.suites import get_suite
from homebody.web.access import RefusedError
from homebody.web.registry import Games
from homebody.web.server import make_app
from homebody.web.serving import HOST_TOKEN, delete_participant
from homebody.web.studies.api import study_api
from homebody.web.studies.results import result_rows, write_study_outputs
from homebody.web.studies.running import RunningStudy, participant_file
from homebody.web.studies.study import AskedQuestion, Condition, Study, check_study

SECRET = "a-secret"
EFFORT = AskedQuestion("effort", "How hard was it?")
Homes = Callable[..., RunningStudy]


def study(**changes: Any) -> Study:
    usual: dict[str, Any] = {
        "title": "Bring it",
        "suite": "house.bring",
        "conditions": (Condition("alone", {"agent": "person"}),),
        "participants": 2,
        "tasks": ("home-0-1", "home-0-2"),
        "order": "listed",
        "tries": 2,
        "consent": "# You agree",
        "instructions": "Bring it.",
        "goodbye": "Thank you",
        "before": (AskedQuestion("games", "Do you play?", "choice", choices=("yes", "no")),),
        "after_task": (EFFORT,),
        "after": (AskedQuestion("more", "What else?", "text", optional=True),),
    }
    return Study(**(usual | changes))


def running(folder: Path, of: Study) -> RunningStudy:
    games = Games(folder, (of.suite,), 1e6)
    assert list(games.load()) == []
    return RunningStudy(of, games, folder, SECRET)


def solve(run: RunningStudy, seat: str, well: bool = True) -> None:
    """Play a game to its end: by the expert, or not at all."""
    found = run._games.find(seat)
    assert found is not None
    game, role = found
    game.join(role)
    calls = ["Done[]"]
    if well:
        playing = get_suite("house.bring").playing
        assert playing is not None
        task = get_suite("house.bring").task(game.header.task)
        session = playing.start(task, {}, game.header.seed, CORRECTED)
        play(session, {role: playing.policies["expert"](session, None)})  # type: ignore[arg-type]
        calls = [entry.call for entry in session.transcript().entries]
    for number, call in enumerate(calls):
        game.act(role, call, f"{number}")
    assert game.ending


def take_part(run: RunningStudy, number: int) -> list[str]:
    """All steps of a participant, who solves every task at the second try."""
    steps = []
    while (now := run.step(number))["step"] != "done":
        steps.append(now["step"])
        if "seat" in now:
            solve(run, now["seat"], well=now["try"] == 2)
            continue
        answers = {"before": {"games": "no"}, "after": {}}.get(now["step"], {})
        if now["step"].startswith("task"):
            answers = {"effort": 3}
        run.finish_step(number, now["step"], answers)
    return steps


def test_a_participant_goes_through_all_steps_and_gets_a_code(tmp_path: Path) -> None:
    run = running(tmp_path, study())
    begun = ["consent", "instructions", "before"]
    played = ["play 0", "play 0", "task 0", "play 1", "play 1", "task 1"]
    assert take_part(run, 1) == [*begun, *played, "after"]
    done = run.step(1)
    assert done["text"] == "Thank you"
    assert len(done["code"]) == 10
    assert done["code"] != run.code(2)
    assert run.step(2)["step"] == "consent"


def test_a_study_that_is_started_again_goes_on(tmp_path: Path) -> None:
    run = running(tmp_path, study())
    run.finish_step(1, "consent", {})
    run.finish_step(1, "instructions", {})
    run.finish_step(1, "before", {"games": "yes"})
    now = run.step(1)
    again = running(tmp_path, study())
    assert again.step(1) == now
    solve(again, now["seat"])
    assert again.step(1)["step"] == "task 0"
    assert again.token(1) == run.token(1)


def test_answers_are_checked_and_given_once(tmp_path: Path) -> None:
    run = running(tmp_path, study(consent="", instructions=""))
    for wrong in ({}, {"games": "maybe"}, {"games": 1}, {"games": "yes", "x": 1}, {"games": None}):
        with pytest.raises(HomebodyError):
            run.finish_step(1, "before", wrong)
    with pytest.raises(RefusedError):
        run.finish_step(1, "after", {})
    run.finish_step(1, "before", {"games": "yes"})
    run.finish_step(1, "before", {"games": "no"})  # sent again
    _, *lines = participant_file(tmp_path, 1).read_text().splitlines()  # after the header
    assert [json.loads(line)["answers"] for line in lines] == [{"games": "yes"}]
    with pytest.raises(RefusedError):
        run.finish_step(1, "play 0", {})


def test_a_pair_waits_for_each_other_and_goes_on_together(tmp_path: Path) -> None:
    pair = Condition("pair", {"human": "person", "robot": "person"})
    tasks = ("val-18-0",)
    known = [task.id for task in get_suite("partnr.val").tasks.load(CORRECTED)[:1]]
    run = running(
        tmp_path,
        study(
            suite="partnr.val", conditions=(pair,), tasks=tuple(known) or tasks, tries=1,
            consent="", instructions="", before=(), after=(),
        ),
    )  # fmt: skip
    assert run.step(1)["waiting"]  # both are where the task is, but only one is here
    assert run.step(2)["seat"]
    seats = [run.step(number)["seat"] for number in (1, 2)]
    found = [run._games.find(seat) for seat in seats]
    assert found[0] is not None
    assert found[1] is not None
    (game, first), (other, second) = found[0], found[1]
    assert game is other
    assert {first, second} == {"human", "robot"}
    for role in (first, second):
        game.join(role)
    game.stop("enough")
    assert [run.step(number)["step"] for number in (1, 2)] == ["task 0", "task 0"]


def test_who_is_ahead_waits(tmp_path: Path) -> None:
    pair = Condition("pair", {"human": "person", "robot": "person"})
    task = get_suite("partnr.val").tasks.load(CORRECTED)[0].id
    run = running(tmp_path, study(suite="partnr.val", conditions=(pair,), tasks=(task,)))
    for step, answers in (("consent", {}), ("instructions", {}), ("before", {"games": "no"})):
        run.finish_step(1, step, answers)
    assert run.step(1)["waiting"] is True


def test_a_try_whose_time_is_up_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = running(tmp_path, study(time_limit=60, tries=1, consent="", instructions="", before=()))
    now = run.step(1)
    assert now["seconds_left"] == 60
    import time

    later = time.time() + 61
    with monkeypatch.context() as much_later:  # nobody has come yet
        much_later.setattr("homebody.web.studies.running.time.time", lambda: later)
        assert run.step(1)["seconds_left"] == 60
    found = run._games.find(now["seat"])
    assert found is not None
    found[0].join(found[1])
    assert 0 < run.step(1)["seconds_left"] <= 60
    monkeypatch.setattr("homebody.web.studies.running.time.time", lambda: later)
    assert run.step(1)["step"] == "task 0"


def test_what_came_of_it_is_a_table_and_outputs_by_condition(tmp_path: Path) -> None:
    of = study()
    run = running(tmp_path, of)
    take_part(run, 1)
    run._games.close()
    rows = result_rows(of, tmp_path)
    assert [(row["item"], row["try"], row["solved"]) for row in rows] == [
        ("1", "1", "no"), ("1", "2", "yes"), ("2", "1", "no"), ("2", "2", "yes"),
    ]  # fmt: skip
    assert {row["games"] for row in rows} == {"no"}
    assert {row["effort"] for row in rows} == {"3"}
    assert all(float(row["seconds"]) >= 0 and int(row["actions"]) >= 1 for row in rows)
    assert {row["partner_actions"] for row in rows} == {"0"}
    (file,) = write_study_outputs(of, tmp_path, tmp_path / "out")
    assert file.name == "alone_outputs.json"
    outputs = json.loads(file.read_text())
    assert [entry["identifier"] for entry in outputs] == ["home-0-1", "home-0-2"]


def test_practice_comes_first_and_counts_for_nothing(tmp_path: Path) -> None:
    of = study(practice=("home-0-3",), tries=1)
    run = running(tmp_path, of)
    steps = [step for step in take_part(run, 1) if step.startswith(("play", "task"))]
    assert steps == ["play 0", "play 1", "task 1", "play 2", "task 2"]
    run._games.close()
    rows = result_rows(of, tmp_path)
    assert [(row["task"], row["practice"]) for row in rows] == [
        ("home-0-3", "yes"), ("home-0-1", "no"), ("home-0-2", "no"),
    ]  # fmt: skip
    (file,) = write_study_outputs(of, tmp_path, tmp_path / "out")
    outputs = json.loads(file.read_text())
    assert [entry["identifier"] for entry in outputs] == ["home-0-1", "home-0-2"]
    with pytest.raises(HomebodyError, match="has no task"):
        check_study(study(practice=("nowhere",)))


def test_of_a_participant_that_is_deleted_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / HOST_TOKEN).write_text(SECRET)
    of = study()
    run = running(tmp_path, of)
    take_part(run, 1)
    take_part(run, 2)
    run._games.close()
    before = {row["participant"]: row["session"] for row in result_rows(of, tmp_path)}
    assert delete_participant(of, tmp_path, 1) == 4
    assert {row["participant"] for row in result_rows(of, tmp_path)} == {"2"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in files if before["1"].encode() in path.read_bytes()]
    with pytest.raises(HomebodyError, match="nothing is stored"):
        delete_participant(of, tmp_path, 1)


def test_a_token_leads_to_one_participant_only(tmp_path: Path) -> None:
    run = running(tmp_path, study())
    app = make_app(
        run._games, "host", frozenset({"testserver"}), routers=lambda stage: [study_api(stage, run)]
    )
    with TestClient(app) as client:

        def ask(token: str, body: Any = None) -> Any:
            headers = {"Authorization": f"Bearer {token}"}
            if body is None:
                return client.get("/api/v1/study", headers=headers)
            return client.post("/api/v1/study", json=body, headers=headers)

        for wrong in ("", "x", run.token(1)[:-1], "host"):
            assert ask(wrong).status_code == 404
            assert ask(wrong, {"step": "consent"}).status_code == 404
        assert ask(run.token(1), {"step": "consent"}).json()["step"] == "instructions"
        assert ask(run.token(2)).json()["step"] == "consent"
        for body in ({}, {"step": 1}, {"step": "before", "answers": {"games": [1]}}, [], 1):
            assert ask(run.token(1), body).status_code == 422
        assert ask(run.token(1), {"step": "after", "answers": {}}).status_code == 409


def test_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    homebody: Homebody = caller(capsys, monkeypatch, "study")
    file = tmp_path / "study.toml"
    file.write_text(
        'title = "T"\nsuite = "house.bring"\nparticipants = 2\ntasks = 2\n'
        '[[conditions]]\nname = "alone"\nseats = {agent = "person"}\n'
    )
    told = homebody("check", file)
    assert "2 participants, 2 groups" in told.out
    empty = homebody("results", file, "--record", tmp_path / "kept")
    assert empty.code == 0
    assert "0 in total" in empty.out
    assert homebody("delete", file, "1", "--record", tmp_path).code == 2
    assert homebody("check", tmp_path / "none.toml").code == 2


def pairs(**changes: Any) -> Study:
    """Two who play two tasks together, and are asked after each."""
    return study(
        **{
            "suite": "partnr.val",
            "conditions": (Condition("two", {"robot": "person", "human": "person"}, chat=True),),
            "tasks": ("val-18-0", "val-58-77"),
            **{"consent": "", "instructions": "", "before": (), "after": ()},
            **changes,
        }
    )


def test_who_waits_in_vain_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000.0]
    monkeypatch.setattr("homebody.web.studies.running.time.monotonic", lambda: clock[0])
    run = running(tmp_path, pairs(wait_limit=60))
    for _ in range(6):
        assert run.step(1)["waiting"]
        clock[0] += 9
    clock[0] += 40  # it was gone, and so has not waited
    assert run.step(1)["waiting"]
    for _ in range(6):
        clock[0] += 9.9
        assert run.step(1)["waiting"]
    clock[0] += 9.9
    told = run.step(1)  # the second task is waited for anew
    assert "Nobody came" in told["note"]
    assert (told["step"], told["waiting"]) == ("play 1", True)
    # who comes late is not waited for at what is over, and both play the next
    told = run.step(2)
    assert told["step"] == "play 1"
    assert "Nobody came" in told["note"]
    assert "seat" in told
    assert "seat" in run.step(1)
    rows = result_rows(run.study, tmp_path)
    assert [(row["participant"], row["item"], row["solved"]) for row in rows] == [
        ("1", "1", "nobody came"),
        ("2", "1", "nobody came"),
    ]
    later = running(tmp_path, pairs(wait_limit=60))  # a server that was started again
    assert later.step(1)["step"] == "play 1"


def test_without_a_limit_one_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000.0]
    monkeypatch.setattr("homebody.web.studies.running.time.monotonic", lambda: clock[0])
    run = running(tmp_path, pairs(wait_limit=0))
    for _ in range(1_000):
        assert run.step(1)["waiting"]
        clock[0] += 20


def test_what_was_written_is_counted(tmp_path: Path) -> None:
    run = running(tmp_path, pairs(tries=1, tasks=("val-18-0",)))
    run.step(1)
    seats = {number: run.step(number)["seat"] for number in (2, 1)}
    for number, seat in seats.items():
        found = run._games.find(seat)
        assert found is not None
        game, role = found
        game.join(role)
        for count in range(number):
            game.write(role, "hello", f"m{count}")
    for seat in seats.values():
        found = run._games.find(seat)
        assert found is not None
        game, role = found
        game.act(role, "Done[]", "done")
        game.advance()
    for number in (1, 2):
        run.step(number)
    run._games.close()
    rows = result_rows(run.study, tmp_path)
    assert {row["participant"]: row["messages"] for row in rows} == {"1": "1", "2": "2"}


def act_of(run: RunningStudy, number: int, step: str, **answers: str) -> Any:
    run.finish_step(number, step, answers)
    return run.step(number)


def test_a_participant_marks_a_task_while_playing(tmp_path: Path) -> None:
    run = running(
        tmp_path, study(consent="", instructions="", before=(), after=(), mark_tasks=True)
    )
    assert run.step(1)["marks"] is True
    for wrong in ("", "fine", "bad"):
        with pytest.raises((HomebodyError, RefusedError)):
            run.finish_step(1, "play 0", {"mark": wrong})
    assert act_of(run, 1, "play 0", mark="infeasible")["step"] == "task 0"
    run.finish_step(1, "play 0", {"mark": "infeasible"})  # sent again
    kinds = [
        json.loads(line)["kind"]
        for line in participant_file(tmp_path, 1).read_text().splitlines()[1:]
    ]
    assert kinds == ["try", "mark"]
    run.finish_step(1, "task 0", {"effort": 3})
    solve(run, run.step(1)["seat"])
    assert run.step(1)["step"] == "task 1"  # what is solved is not judged
    again = running(tmp_path, run.study)
    assert again.step(1)["step"] == "task 1"
    run._games.close()
    rows = result_rows(run.study, tmp_path)
    assert [(row["item"], row["solved"], row["mark"]) for row in rows] == [
        ("1", "no", "infeasible"),
        ("2", "yes", ""),
    ]
    file = tmp_path / "results.csv"
    file.write_text(render_records(rows, Format.CSV))
    people = read_people(file)
    assert [find_complaint(people[row["task"]]) for row in rows] == [
        "0 of 1 people solved it, 1 marked it as infeasible",
        "",
    ]


def test_who_has_not_solved_a_task_is_asked_why(tmp_path: Path) -> None:
    run = running(
        tmp_path, study(consent="", instructions="", before=(), after_task=(), mark_tasks=True)
    )
    for _ in range(2):
        solve(run, run.step(1)["seat"], well=False)
    now = run.step(1)
    assert now["step"] == "mark 0"
    (question,) = now["questions"]
    with pytest.raises(HomebodyError):
        run.finish_step(1, "mark 0", {})
    assert act_of(run, 1, "mark 0", mark=question["choices"][1])["step"] == "play 1"
    run._games.close()
    assert [row["mark"] for row in result_rows(run.study, tmp_path)] == ["ambiguous"] * 2


def test_a_mark_ends_the_task_of_the_partner(tmp_path: Path) -> None:
    run = running(tmp_path, pairs(mark_tasks=True, after_task=(), tasks=("val-18-0",)))
    run.step(1)
    assert all("seat" in run.step(number) for number in (2, 1))
    assert act_of(run, 1, "play 0", mark="ambiguous")["step"] == "done"
    now = run.step(2)
    assert "problem with the last task" in now["note"]
    assert now["step"] == "mark 0"  # asked, because it has played
    run.finish_step(2, "mark 0", {"mark": "fine"})
    run._games.close()
    rows = result_rows(run.study, tmp_path)
    assert [(row["participant"], row["try"], row["solved"], row["mark"]) for row in rows] == [
        ("1", "1", "no", "ambiguous"),
        ("2", "1", "no", "fine"),
        ("2", "0", "partner marked it", "fine"),
    ]


def test_without_the_setting_and_in_practice_nothing_is_marked(tmp_path: Path) -> None:
    usual = study(consent="", instructions="", before=(), after=(), after_task=())
    practice = study(
        consent="", instructions="", before=(), after=(), after_task=(), mark_tasks=True,
        practice=("home-0-3",), tries=1,
    )  # fmt: skip
    for number, of in enumerate((usual, practice)):
        run = running(tmp_path / str(number), of)
        assert run.step(1)["marks"] is False
        with pytest.raises(RefusedError):
            run.finish_step(1, "play 0", {"mark": "infeasible"})
        solve(run, run.step(1)["seat"], well=False)
        assert run.step(1)["step"].startswith("play")
        run._games.close()
