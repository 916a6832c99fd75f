"""Journals: whose they are, one writer at a time, and files in which something is broken."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from evals.quizzes import quiz
from homebody.core.ground.journal import append
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.score import NOT_WRITTEN
from homebody.evals import run, scores_from_log
from homebody.evals.run_journal import journal_path, read_journal
from homebody.suites import register_suite
from patience import PATIENCE

NAME = "toy.journals"


@pytest.fixture(autouse=True)
def suite(monkeypatch: pytest.MonkeyPatch) -> None:
    from homebody import suites as registry

    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz(NAME, "a", "b", "c"))


def parrot(log_dir: Path, **options: Any) -> Any:
    return run(NAME, agent="parrot", workers=1, log_dir=log_dir, **options)


def said(result: Any) -> list[str]:
    return [score.record["said"] for score in result.scores]


def teller(answer: str, *, wait: Any = None, begun: Any = None) -> Any:
    """A function that is called as all others here."""

    def agent(prompt: str) -> str:
        if begun is not None:
            begun.set()
            assert wait.wait(PATIENCE)
        return answer

    return agent


def test_functions_of_one_name_have_journals_of_their_own(tmp_path: Path) -> None:
    """Also those that run at the same time."""
    wait, begun = threading.Event(), threading.Event()
    slow: list[Any] = []
    agent = teller("slow", wait=wait, begun=begun)
    thread = threading.Thread(target=lambda: slow.append(run(NAME, agent=agent, log_dir=tmp_path)))
    thread.start()
    assert begun.wait(PATIENCE)
    quick = run(NAME, agent=teller("quick"), log_dir=tmp_path)
    wait.set()
    thread.join(PATIENCE)
    assert said(quick) == ["quick"] * 3
    assert said(slow[0]) == ["slow"] * 3
    assert quick.log_path != slow[0].log_path
    assert [score.record["said"] for score in scores_from_log(slow[0].log_path)] == ["slow"] * 3


def test_the_results_of_a_function_are_no_others(tmp_path: Path) -> None:
    run(NAME, agent=teller("first"), log_dir=tmp_path)
    second = run(NAME, agent=teller("second"), log_dir=tmp_path, reuse=True)
    assert (said(second), second.reused) == (["second"] * 3, False)


def test_who_interrupts_a_function_is_not_told_to_go_on(tmp_path: Path) -> None:
    def interrupted(prompt: str) -> str:
        if prompt == "b":
            raise KeyboardInterrupt
        return "x"

    with pytest.raises(KeyboardInterrupt) as caught:
        run(NAME, agent=interrupted, log_dir=tmp_path)
    (path,) = tmp_path.glob("*.jsonl")
    assert str(caught.value) == f"interrupted; finished samples are in {path}"
    assert [key for key, _ in read_journal(path).scored] == ["a"]


def test_a_run_does_not_go_on_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from homebody.evals import agents

    refused: list[str] = []
    judged = agents.judge

    def again(setup: Any, identifier: str, *rest: Any) -> Any:
        (path,) = tmp_path.glob("*.jsonl")
        append(path, b'{"half a line of ')  # as if it were just being written
        before = path.read_bytes()
        with pytest.raises(HomebodyError, match="this run is already in progress") as caught:
            parrot(tmp_path)
        refused.append(str(caught.value))
        assert path.read_bytes() == before
        append(path, b'another"}\n')
        return judged(setup, identifier, *rest)

    monkeypatch.setattr(agents, "judge", again)
    assert said(parrot(tmp_path)) == ["a", "b", "c"]
    assert len(refused) == 3
    monkeypatch.undo()
    register_suite(quiz(NAME, "a", "b", "c"), replace=True)
    assert said(parrot(tmp_path)) == ["a", "b", "c"]  # the lock is gone


def test_a_sample_that_is_not_in_the_journal_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from homebody.evals import runner

    def losing(path: Path, lines: bytes) -> None:
        append(path, lines if b'"id": "b"' not in lines else b'{"id": "b", "epoch"\n')

    monkeypatch.setattr(runner, "append", losing)
    result = parrot(tmp_path)
    assert said(result) == ["a", "c"]
    assert [(e.identifier, e.reason) for e in result.errors] == [("b", NOT_WRITTEN)]


BAD_LINES = (
    b"garbage\n",
    b"\xff\x00\n",
    b"[" * 100_000 + b"\n",
    b'{"id": "b"}\n',
    b'{"id": "b", "epoch": 1, "output": "b", "score": 3}\n',
    b'{"id": ["b"], "epoch": 1, "output": "b", "score": {}}\n',
    b'{"id": "b", "epoch": 1, "output": "b", "score": {"identifier": "b", "metrics": 1,'
    b' "record": 2, "valid": true}}\n',
    b'{"id": "b", "epoch": 1, "output": "b", "score": {"identifier": "b", "metrics": {"success":'
    b' "all"}, "record": {}, "valid": true}}\n',
    b'{"id": "z", "epoch": 1, "error": {"kind": "agent_error", "reason": "", "traceback": ""}}\n',
    b'{"id": "a", "epoch": 1, "error": "not as errors are written"}\n',
    b'{"id": "a", "epoch": 1, "error": {"kind": "?", "reason": "", "traceback": ""}}\n',
)


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_costs_its_sample(bad: bytes, tmp_path: Path) -> None:
    path = parrot(tmp_path).log_path
    header, first, _, third = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + first + bad + third)
    assert [key for key, _ in read_journal(path).scored] == ["a", "c"]
    result = parrot(tmp_path)
    assert (said(result), result.resumed, result.errors) == (["a", "b", "c"], 2, ())


def test_what_is_no_journal_is_kept(tmp_path: Path) -> None:
    path = parrot(tmp_path).log_path
    for number in (1, 2):
        path.write_bytes(b"precious %d" % number)
        result = parrot(tmp_path)
        assert (said(result), result.resumed) == (["a", "b", "c"], 0)
        kept = path.with_name(f"{path.name}.{number}.old")
        assert kept.read_bytes() == b"precious %d" % number


def test_other_tasks_are_another_run(tmp_path: Path) -> None:
    path = parrot(tmp_path).log_path
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    register_suite(quiz(NAME, "c", "d", "b"), replace=True)
    result = parrot(tmp_path, reuse=True)
    assert (said(result), result.resumed, result.reused) == (["c", "d", "b"], 0, False)
    assert len(list(tmp_path.glob("*.old"))) == 1
    assert parrot(tmp_path, reuse=True).reused


def test_the_package_of_a_suite_makes_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from homebody.evals import options

    before = parrot(tmp_path).log_path
    assert "distribution" not in read_journal(before).run
    monkeypatch.setattr(options, "distribution_of", lambda name: "toys 1.0")
    first = parrot(tmp_path).log_path
    monkeypatch.setattr(options, "distribution_of", lambda name: "toys 1.1")
    second = parrot(tmp_path, reuse=True)
    assert len({before, first, second.log_path}) == 3
    assert not second.reused
    header = json.loads(first.read_text().splitlines()[0])
    assert header["run"]["distribution"] == "toys 1.0"
    assert journal_path(tmp_path, header["run"]) == first


def test_a_folder_that_cannot_be_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: object, **options: object) -> Any:
        raise PermissionError(13, "Permission denied")

    for name in ("open", "touch"):
        monkeypatch.setattr(Path, name, refused)
    for agent in ("parrot", teller("x")):
        with pytest.raises(HomebodyError, match=r"cannot write .*: Permission denied"):
            run(NAME, agent=agent, workers=1, log_dir=tmp_path)
