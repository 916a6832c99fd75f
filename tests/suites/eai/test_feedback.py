"""What is said of a failed plan: enough to mend it, as much as the paper says, and no more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, ErrorType, Protocol
from homebody.suites import get_suite
from homebody.suites.eai.feedback import MEANINGS
from homebody.suites.eai.stochastic import make_unreliable
from homebody.suites.eai.virtualhome.tasks import load_task

pytestmark = pytest.mark.usefixtures("eai_data")
SUITE = get_suite("eai.virtualhome.action_sequencing")
SOAP = '"WALK": ["soap", "1002"], "GRAB": ["soap", "1002"]'


def feedback(output: str, identifier: str = "27_2", protocol: Protocol = CORRECTED) -> str | None:
    task = load_task(identifier, protocol)
    assert SUITE.experiments.feedback is not None
    return SUITE.experiments.feedback(task, SUITE.score(task, output, protocol))


def reference(identifier: str) -> str:
    return SUITE.text_agents["oracle"].answer(load_task(identifier), np.random.default_rng(0))


CASES = {
    ErrorType.PARSING: ("I would rather not.", "no JSON", None),
    ErrorType.ACTION_HALLUCINATION: ('{"FLY": ["soap", "1002"]}', "no action 'FLY'", None),
    ErrorType.OBJECT_HALLUCINATION: ('{"GRAB": ["unicorn", "7"]}', "no object 'unicorn 7'", None),
    ErrorType.ARGUMENT_NUMBER: ('{"GRAB": []}', "GRAB takes 1 object, not 0", None),
    ErrorType.AFFORDANCE: (
        '{"WALK": ["soap", "1002"], "OPEN": ["soap", "1002"]}',
        "Step 2, OPEN(soap.1002), could not",
        "cannot be opened",
    ),
    ErrorType.MISSING_STEP: (
        f'{{{SOAP}, "FIND": ["washing_machine", "1001"],'
        ' "PUTIN": ["soap", "1002", "washing_machine", "1001"]}',
        "Step 4, PUTIN(soap.1002, washing_machine.1001), could not",
        "not open",
    ),
    ErrorType.WRONG_ORDER: (
        '{"WALK": ["soap", "1002"], "WALK": ["bedroom", "67"], "GRAB": ["soap", "1002"]}',
        "Step 3, GRAB(soap.1002), could not",
        "near",
    ),
}


@pytest.mark.parametrize("error", CASES)
def test_an_error_is_named_placed_and_explained(error: ErrorType) -> None:
    output, where, hidden = CASES[error]
    said = feedback(output)
    assert said is not None
    assert where in said
    assert f"{error.value.replace('_', ' ')!r}: {MEANINGS[error]}" in said
    if hidden:  # the record says which condition was unmet; the paper's feedback does not
        record = SUITE.score(load_task("27_2"), output, CORRECTED).record
        assert hidden in record["explanation"]
        assert hidden not in said


def test_unmet_goals_are_listed() -> None:
    said = feedback(f"{{{SOAP}}}")
    assert said is not None
    assert "All steps could be carried out" in said
    for goal in ("ON(washing_machine.1001)", "ONTOP(soap.1002, washing_machine.1001)"):
        assert f"{goal} does not hold" in said


def test_another_seat_is_not_said_to_be_needless() -> None:
    task, chair = "323_2", '"FIND": ["chair", "103"], "SIT": ["chair", "103"]'
    said = feedback(reference(task).replace('"SIT"', f'{chair}, "SIT"'), task)
    assert said is not None
    assert said.startswith("Step 7, SIT(toilet.37), could not be carried out.")


def test_of_steps_that_were_passed_over_it_is_not_said_that_they_were_carried_out() -> None:
    said = feedback(f"{{{SOAP}, {SOAP.partition(', ')[2].partition(', ')[2]}}}")
    assert said is not None
    assert said.startswith(
        "The steps that were not needed were passed over and all others carried out, but the goals"
        " are not met. Step 3, GRAB(soap.1002): Not needed: "
    )


def test_a_chance_failure_is_not_blamed_on_the_plan() -> None:
    task = make_unreliable(load_task("27_2"), 1.0, seed=0, epoch=1)
    assert SUITE.experiments.feedback is not None
    said = SUITE.experiments.feedback(task, SUITE.score(task, reference("27_2"), CORRECTED))
    assert said is not None
    assert said.startswith("Step 1, WALK(")
    assert "the plan itself is not to blame" in said


def test_every_error_has_a_meaning() -> None:
    assert set(MEANINGS) == set(ErrorType)


@pytest.mark.parametrize("protocol", [CORRECTED, PUBLISHED])
def test_nothing_is_said_of_success_nor_where_a_retry_changes_nothing(protocol: Protocol) -> None:
    # published does not judge a plan that equals the ground truth: saying so would give it away
    score = SUITE.score(load_task("345_1", protocol), reference("345_1"), protocol)
    assert score.valid
    assert score.record["success"] == (protocol is CORRECTED)
    assert feedback(reference("345_1"), "345_1", protocol) is None
    assert feedback("{}", "345_1", protocol) is not None
    assert feedback("nonsense", "339_1") is None  # without a goal, left out
    goalless = protocol.keeps("goalless_tasks_counted")
    assert (feedback("nonsense", "339_1", protocol) is not None) == goalless


@pytest.mark.slow
@settings(max_examples=300)
@given(
    words=st.lists(
        st.sampled_from(
            [*"{}[]:,", '"FIND"', '"GRAB"', '"remote_control"', '"1000"', "\ud800", "\x00"]
        )
        | st.text(max_size=6),
        max_size=14,
    ),
    published=st.booleans(),
)
def test_any_failed_output_gets_feedback(words: list[str], published: bool) -> None:
    protocol = PUBLISHED if published else CORRECTED
    task = load_task("345_1", protocol)
    score = SUITE.score(task, "".join(words), protocol)
    assert SUITE.experiments.feedback is not None
    said = SUITE.experiments.feedback(task, score)
    assert (said is None) == bool(score.record["success"] and score.record["executable"])
