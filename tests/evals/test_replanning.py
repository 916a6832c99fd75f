"""Retries with feedback and actions that fail, for real: through Inspect and HTTP."""

from __future__ import annotations

import itertools
import json
import math
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from evals.kept import kept
from homebody.core import CORRECTED, HomebodyError, execute
from homebody.evals import run, scores_from_log
from homebody.evals.replanning import (
    MAX_FEEDBACK,
    MAX_OUTPUT,
    Attempt,
    with_history,
)
from homebody.evals.run_journal import read_journal
from homebody.suites import get_suite
from homebody.suites.eai.stochastic import make_unreliable
from patience import PATIENCE, wait_until

from .test_model_runs import GARBAGE

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytestmark = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
SUITE = get_suite(PLANS)
IDLE = '{"WALK": ["bathroom", "1"]}'


def oracle(task: Any) -> str:
    return SUITE.text_agents["oracle"].answer(task, np.random.default_rng(0))


def question(prompt: str) -> tuple[str, int]:
    """The prompt as it first was, and which retry this is."""
    first, told, rest = prompt.partition("\n\nYou have tried this before")
    return first, int(rest.partition("This is retry ")[2].partition(".")[0]) if told else 0


def by_prompt(limit: int) -> dict[str, Any]:
    tasks = SUITE.tasks.load(CORRECTED)[:limit]
    return {SUITE.prompting.prompt(task).rstrip(): task for task in tasks}


@pytest.mark.slow
def test_a_failed_answer_is_mended(server: ModelServer, tmp_path: Path) -> None:
    tasks = list(by_prompt(6).values())
    retries = {task.id: at % 4 for at, task in enumerate(tasks)}
    wrong = ["I refuse.", '{"FLY": ["soap"]}', IDLE]

    def answer(prompt: str) -> str:
        first, retry = question(prompt)
        task = by_prompt(6)[first.rstrip()]
        return oracle(task) if retry >= retries[task.id] else wrong[retry]

    server.answer = answer
    result = run(PLANS, model=server.model, retries=3, limit=6, log_dir=tmp_path)
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 6
    assert len(server.requests) == 6 + sum(retries.values())
    assert dict(result.outputs) == {task.id: oracle(task) for task in tasks}
    assert list(scores_from_log(result.log_path)) == list(result.scores)

    # the first attempts are what a run without retries gives
    server.requests.clear()
    plain = run(PLANS, model=server.model, limit=6, log_dir=tmp_path)
    assert result.first_scores == plain.scores
    assert result.first_outputs == plain.outputs
    assert plain.first_scores == plain.first_outputs == ()
    assert [s.metrics["success"] for s in plain.scores] == [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]

    (third,) = (s.record for s in result.scores if s.identifier == tasks[3].id)
    assert [a["output"] for a in third["attempts"]] == [*wrong, oracle(tasks[3])]
    assert third["attempts"][3]["feedback"] is None
    assert "no action 'FLY'" in third["attempts"][1]["explanation"]


def test_prompts_hold_all_attempts_and_nothing_else(server: ModelServer, tmp_path: Path) -> None:
    wrong = ["I refuse.", '{"FLY": ["soap"]}', IDLE, "{}"]
    server.answer = lambda prompt: wrong[question(prompt)[1]]
    result = run(PLANS, model=server.model, retries=3, limit=1, log_dir=tmp_path)
    task = SUITE.tasks.load(CORRECTED)[0]
    assert SUITE.experiments.feedback is not None
    assert [len(body["messages"]) for body in server.requests] == [1] * 4
    first, *others = server.prompts
    assert first == SUITE.prompting.prompt(task)
    for retry, prompt in enumerate(others, start=1):
        assert prompt.startswith(first.rstrip())
        assert f"This is retry {retry}." in prompt
        for number, text in enumerate(wrong, start=1):
            reason = SUITE.experiments.feedback(task, SUITE.score(task, text, CORRECTED))
            told = f"Attempt {number}, your answer:\n{text}\nAttempt {number}, why it failed:\n"
            assert (f"{told}{reason}\n" in prompt) == (number <= retry)
    (score,) = result.scores
    assert score.record["explanation"] == "The output has no action."
    assert [len(score.record["attempts"]), score.metrics["success"]] == [4, 0.0]


def test_hostile_answers_at_every_attempt(server: ModelServer, tmp_path: Path) -> None:
    hostile = [*GARBAGE, "x" * 300_000, '{"' + "A" * 150_000 + '": ["soap"]}']
    limit = len(hostile)
    order = list(by_prompt(limit))

    def answer(prompt: str) -> str | None:
        first, retry = question(prompt)
        return hostile[(order.index(first.rstrip()) + retry) % limit]

    server.answer = answer
    result = run(PLANS, model=server.model, retries=3, limit=limit, log_dir=tmp_path)
    assert len(server.requests) == 4 * limit
    for prompt in server.prompts:
        first, retry = question(prompt)
        assert len(prompt) < len(first) + 400 + retry * (MAX_OUTPUT + MAX_FEEDBACK + 200)
    for score in result.scores:
        assert score.metrics["success"] == 0.0
        assert len(score.record["attempts"]) == 4
        assert all(len(a["output"]) <= MAX_OUTPUT + 60 for a in score.record["attempts"])
        assert json.loads(json.dumps(score.record)) == score.record


@pytest.mark.slow
def test_an_interrupted_run_goes_on(server: ModelServer, tmp_path: Path) -> None:
    def answer(prompt: str) -> str:
        first, retry = question(prompt)
        return oracle(by_prompt(4)[first.rstrip()]) if retry == 2 else IDLE

    server.answer = answer

    def again(**options: Any) -> Any:
        options = {"model": server.model, "limit": 4, "max_connections": 1, **options}
        return run(PLANS, log_dir=tmp_path, retries=options.pop("retries", 2), **options)

    server.fail = [200] * 7 + [401]  # two tasks are done; the third fails at its first retry
    with pytest.raises(HomebodyError, match="out of order"):
        again()
    asked = len(server.requests)
    assert asked == 8
    other = again(retries=1)  # another run: starts afresh
    assert [s.metrics["success"] for s in other.scores] == [0.0] * 4
    assert len(server.requests) == asked + 8
    result = again()
    assert result.resumed == 2
    assert len(server.requests) == asked + 8 + 6
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 4
    assert [s.metrics["success"] for s in result.first_scores] == [0.0] * 4
    assert [len(s.record["attempts"]) for s in result.scores] == [3] * 4

    # without options, a run is named as it was before there were any
    plain = run(PLANS, agent="empty", limit=1, log_dir=tmp_path)
    named = read_journal(plain.log_path).run
    assert not {"retries", "fail_probability", "pipeline", "driver"} & named.keys()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
def test_a_killed_run_keeps_the_attempts_it_made(server: ModelServer, tmp_path: Path) -> None:
    hold, answered = threading.Event(), itertools.count(1)

    def answer(prompt: str) -> str:
        first, retry = question(prompt)
        return oracle(by_prompt(4)[first.rstrip()]) if retry == 1 else IDLE

    def answer_some(prompt: str) -> str:
        if next(answered) > 7:
            hold.wait(PATIENCE)
        return answer(prompt)

    server.answer = answer_some
    steps = tmp_path / "steps"
    options = {"model": server.model, "limit": 4, "max_connections": 1, "retries": 2}
    code = (
        "from homebody.evals import run\n"
        f"run({PLANS!r}, log_dir={str(tmp_path)!r}, **{options!r},"
        f" progress=lambda *step: print(*step, file=open({str(steps)!r}, 'a')))"
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    wait_until(lambda: steps.exists() and len(steps.read_text().splitlines()) >= 3, process)
    wait_until(lambda: kept(tmp_path) >= 3, process)
    process.kill()
    process.wait(PATIENCE)
    hold.set()

    asked = len(server.requests)
    server.answer = answer
    result = run(PLANS, log_dir=tmp_path, **options)  # type: ignore[arg-type]
    assert result.resumed == 3
    assert len(server.requests) == asked + 2
    assert [s.metrics["success"] for s in result.first_scores] == [0.0] * 4
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 4
    assert [len(s.record["attempts"]) for s in result.scores] == [2] * 4


def test_the_published_protocol_is_replanned_by_its_own_verdicts(tmp_path: Path) -> None:
    options: dict[str, Any] = {"protocol": "published", "log_dir": tmp_path, "limit": 30}
    best = run(PLANS, agent="oracle", retries=1, **options)
    for score in best.scores:  # equal to the ground truth: not judged, and left alone
        tries = score.record["attempts"]
        assert (len(tries) == 2) == (score.valid and score.record["error_type"] is not None)
    assert any(len(s.record["attempts"]) == 1 and not s.record["success"] for s in best.scores)
    guess = run(PLANS, agent="random", retries=1, **options)
    assert guess.first_scores == run(PLANS, agent="random", **options).scores


def test_nobody_is_asked_again_about_tasks_that_do_not_count(tmp_path: Path) -> None:
    result = run(PLANS, agent="empty", retries=2, limit=66, log_dir=tmp_path)
    tries = Counter((s.valid, len(s.record["attempts"])) for s in result.scores)
    assert tries == {(True, 3): 64, (False, 1): 2}


# -- actions that fail ---------------------------------------------------------------------------


def test_an_agent_retries_where_actions_fail(tmp_path: Path) -> None:
    chance, retries, tasks = 0.1, 2, SUITE.tasks.load(CORRECTED)[:60]
    options: dict[str, Any] = {"fail_probability": chance, "log_dir": tmp_path}
    result = run(PLANS, agent="oracle", retries=retries, limit=60, seed=4, **options)

    expected: list[list[float]] = []
    for task in tasks:
        worlds = (make_unreliable(task, chance, 4, 1, attempt) for attempt in range(retries + 1))
        scores = [SUITE.score(world, oracle(task), CORRECTED) for world in worlds]
        won = [score.metrics["success"] for score in scores]
        expected.append(won[: won.index(1.0) + 1] if 1.0 in won else won)
    valid = [at for at, task in enumerate(tasks) if task.has_goal]
    found = [[a.score.metrics["success"] for a in attempts] for attempts in _attempts(result)]
    assert [found[at] for at in valid] == [expected[at] for at in valid]
    assert [s.metrics["success"] for s in result.scores] == [row[-1] for row in found]

    # 1 - (1 - q)^(k + 1), q the chance that nothing fails, as the mean over tasks
    usual = [execute(t.task.world, t.task.initial, t.task.reference) for t in tasks]
    q = np.array([(1 - chance) ** len(trace.actions) for trace in usual])[valid]
    for scores, tries in ((result.first_scores, 1), (result.scores, retries + 1)):
        chances = 1 - (1 - q) ** tries
        sigma = math.sqrt(float(np.sum(chances * (1 - chances)))) / len(q)
        rate = np.mean([scores[at].metrics["success"] for at in valid])
        assert rate == pytest.approx(np.mean(chances), abs=4 * sigma)

    # nothing depends on order, on concurrency, or on what else is run
    few = run(PLANS, agent="oracle", retries=2, limit=9, seed=4, max_connections=1, **options)
    assert few.scores == result.scores[:9]
    plain = run(PLANS, agent="oracle", limit=9, seed=4, **options)
    assert plain.scores == result.first_scores[:9]
    other = run(PLANS, agent="oracle", limit=9, seed=5, epochs=2, **options)
    assert [s.record["error_step"] for s in other.scores[::2]] != [
        s.record["error_step"] for s in plain.scores
    ]
    assert [s.record for s in other.scores[::2]] != [s.record for s in other.scores[1::2]]


def _attempts(result: Any) -> list[list[Attempt]]:
    scored = read_journal(result.log_path).scored
    return [list(scored[score.identifier, 1].attempts) for score in result.scores]


def test_the_random_agent_draws_afresh(tmp_path: Path) -> None:
    result = run(PLANS, agent="random", retries=2, limit=4, log_dir=tmp_path)
    for attempts in _attempts(result):
        assert len({attempt.output for attempt in attempts}) == len(attempts) == 3
    plain = run(PLANS, agent="random", limit=4, log_dir=tmp_path)
    assert plain.outputs == result.first_outputs


def test_first_attempts_say_their_epoch_too(tmp_path: Path) -> None:
    result = run(PLANS, agent="random", retries=1, limit=2, epochs=2, log_dir=tmp_path)
    for scores in (result.scores, result.first_scores):
        assert [score.epoch for score in scores] == [1, 2, 1, 2]


def test_a_model_is_told_what_failed_by_chance(server: ModelServer, tmp_path: Path) -> None:
    server.answer = lambda prompt: oracle(by_prompt(1)[question(prompt)[0].rstrip()])
    options: dict[str, Any] = {"limit": 1, "log_dir": tmp_path, "fail_probability": 1.0}
    run(PLANS, model=server.model, retries=1, **options)
    first, second = server.prompts
    assert "Step 1, WALK(dining_room.201), failed." in second
    assert "execution failure" not in first


def test_what_cannot_be_done_is_one_sentence(tmp_path: Path) -> None:
    def refused(match: str, suite: str = PLANS, **options: Any) -> None:
        with pytest.raises(HomebodyError, match=match) as caught:
            run(suite, agent="oracle", log_dir=tmp_path, **options)
        assert "\n" not in str(caught.value)

    goals = "eai.virtualhome.goal_interpretation"
    refused("goal_interpretation does not support replanning", goals, retries=3)
    refused("executes no plans", goals, fail_probability=0.1)
    refused("retries must be between 0 and 10", retries=-1)
    refused("retries must be between 0 and 10", retries=11)
    refused("retries must be between 0 and 10", retries="many")
    refused("between 0 and 1", fail_probability=math.nan)
    refused("between 0 and 1", fail_probability=1.5)
    refused("between 0 and 1", fail_probability="often")
    refused("only the corrected protocol", fail_probability=0.1, protocol="published")
    refused("cannot be replanned", pipeline=True, retries=1)
    assert not list(tmp_path.iterdir())


def test_a_history_is_bounded_and_can_be_sent() -> None:
    assert with_history("Do it.\n", []) == "Do it.\n"
    score = SUITE.score(SUITE.tasks.load(CORRECTED)[0], "", CORRECTED)
    attempt = Attempt("a" * 9_000 + "\ud800", score, "b" * 9_000)
    assert Attempt.from_json(json.loads(json.dumps(attempt.to_json()))) == attempt
    text = with_history("Do it.\n", [attempt] * 3)
    text.encode()
    assert len(text) < 3 * (MAX_OUTPUT + MAX_FEEDBACK + 200) + 400
    shown = replace(attempt, output="a" * 1_000 + "b" * 4_000 + "\ud83d").record()["output"]
    assert shown == "a" * 1_000 + "\n[1,001 characters left out]\n" + "b" * 2_999 + "?"
