"""Outputs are scored: each for itself, in their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.core import CORRECTED, HomebodyError, Protocol, SampleError, Score, Suite
from homebody.results.outputs import Output
from homebody.results.rows import failed_note
from homebody.results.scoring import score_outputs
from homebody.suites import get_suite


def test_outputs_are_scored_in_their_order(suite: Suite[str]) -> None:
    made = [Output("t2", "no"), Output("t1", "yes"), Output("t2", "yes")]
    scored = score_outputs(suite, made, CORRECTED)
    assert scored.outputs == ("no", "yes", "yes")
    assert not scored.errors
    assert [(score.identifier, score.metrics["right"]) for score in scored.scores] == [
        ("t2", 0.0),
        ("t1", 1.0),
        ("t2", 1.0),
    ]


def test_an_output_for_an_unknown_task(suite: Suite[str]) -> None:
    """It costs itself; if all are, they are another suite's."""
    unknown = Output("t9" * 1_000_000, "yes")
    scored = score_outputs(suite, [unknown, Output("t1", "yes")], CORRECTED)
    assert [score.identifier for score in scored.scores] == ["t1"]
    assert scored.outputs == ("yes",)
    (error,) = scored.errors
    assert (error.identifier, error.kind) == (unknown.identifier, "agent_error")
    assert error.reason == "toy.world.quiz has no such task"
    with pytest.raises(HomebodyError, match=r"toy\.world\.quiz has no such task: 't9") as caught:
        score_outputs(suite, [unknown], CORRECTED)
    assert len(str(caught.value)) < 200
    assert "homebody list toy.world.quiz" in caught.value.hint


def test_errors_are_told_by_kind(suite: Suite[str]) -> None:
    unknown = [Output(f"u{at}", "yes") for at in range(20)]
    bad = [SampleError(f"u{at}", 1, "agent_error", f"no llm_output: {at}") for at in range(10)]
    scored = score_outputs(suite, [Output("t1", "yes"), *unknown, *bad], CORRECTED)
    note = failed_note(scored.errors)
    assert ": toy.world.quiz has no such task (20), no llm_output (10);" in note


def test_of_no_outputs_there_is_no_score(suite: Suite[str]) -> None:
    with pytest.raises(HomebodyError, match="there are no outputs"):
        score_outputs(suite, [], CORRECTED)


@pytest.mark.parametrize("error", [RecursionError, HomebodyError, MemoryError, AssertionError])
def test_what_a_scorer_raises_costs_one_output(error: type[Exception], suite: Suite[str]) -> None:
    def score(task: str, output: str, protocol: Protocol) -> Score:
        if output == "raise":
            raise error("too much")
        return suite.scoring.score(task, output, protocol)

    raising = replace(suite, scoring=replace(suite.scoring, score=score))
    made = [Output("t1", "yes"), Output("t2", "raise"), Output("t3", "no")]
    scored = score_outputs(raising, made, CORRECTED)
    assert [score.identifier for score in scored.scores] == ["t1", "t3"]
    assert scored.outputs == ("yes", "no")
    (sample_error,) = scored.errors
    assert (sample_error.identifier, sample_error.kind) == ("t2", "internal_error")
    assert sample_error.reason.endswith(f"{error.__name__}: too much")
    assert "in score" in sample_error.traceback
    assert not score_outputs(raising, made[1:2], CORRECTED).scores


def test_outputs_of_the_same_task_are_its_epochs(suite: Suite[str]) -> None:
    broken = SampleError("t1", 1, "agent_error", "no llm_output")
    nobody = Output("nobody", "yes")
    made = [Output("t1", "yes"), broken, nobody, Output("t2", "no"), Output("t1", "no"), nobody]
    found = score_outputs(suite, made, CORRECTED)
    assert [(s.identifier, s.epoch) for s in found.scores] == [("t1", 1), ("t2", 1), ("t1", 3)]
    of_errors = [(error.identifier, error.epoch) for error in found.errors]
    assert of_errors == [("t1", 2), ("nobody", 1), ("nobody", 2)]


@pytest.mark.usefixtures("behavior_data")
def test_an_identifier_that_the_official_prompts_have_wrong_is_understood() -> None:
    suite = get_suite("eai.behavior.goal_interpretation")
    ((alias, name),) = suite.published.aliases.items()
    task = next(task for task in suite.tasks.load(CORRECTED) if task.id == name)
    text = suite.text_agents["oracle"].answer(task, np.random.default_rng(0))
    made = [Output(alias, text), Output(name, text)]
    found, plain = score_outputs(suite, made, CORRECTED).scores
    assert (found.epoch, plain.epoch) == (1, 2)
    assert replace(found, epoch=2) == plain
    assert found.metrics["f1"] == 1
