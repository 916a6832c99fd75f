"""Which operator is to blame, on BEHAVIOR."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED, PUBLISHED, HomebodyError
from homebody.suites.eai.behavior.transition_modeling import SUITE, load_transition_tasks
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling import sensitivity
from suites.eai.behavior.operator_answers import DOORS, answer, task

pytestmark = pytest.mark.usefixtures("behavior_data")


@pytest.mark.slow
def test_annotated_operators_are_never_to_blame() -> None:
    for protocol in (CORRECTED, PUBLISHED):
        some = load_transition_tasks(protocol)[::5]
        outputs = [(one.id, operator_agents.annotated_output(one)) for one in some]
        trials = sensitivity.try_each(SUITE, outputs, protocol)
        failed = {trial.operator for trial in trials if not trial.solved}
        assert failed <= ({"slice-carvingknife"} if protocol is PUBLISHED else set())
        assert len(trials) == sum(len(one.to_define) for one in some)


def test_one_operator_is_to_blame() -> None:
    one = task(DOORS)
    trials = sensitivity.try_each(SUITE, [(DOORS, answer(one, close={"effect": "()"}))])
    assert {trial.operator: trial.solved for trial in trials} == {
        "close": False,
        **{name: True for name in one.to_define if name != "close"},
    }
    rows = sensitivity.records(SUITE, sensitivity.rates(SUITE, trials))
    (row,) = [row for row in rows if row["operator"] == "close"]
    assert row == {
        "operator": "close",
        "tasks": 1,
        "overall": 0.0,
        "object states": None,
        "spatial relations": 0.0,
        "non-spatial relations": 0.0,
    }


def test_of_several_outputs_for_a_task_the_last_counts() -> None:
    good, bad = (DOORS, answer(task(DOORS))), (DOORS, "no")
    assert not any(trial.solved for trial in sensitivity.try_each(SUITE, [good, bad]))
    twice = sensitivity.try_each(SUITE, [bad, good])
    assert len(twice) == len(task(DOORS).to_define)
    assert all(trial.solved for trial in twice)
    with pytest.raises(HomebodyError, match="no task 'x'"):
        sensitivity.try_each(SUITE, [("x", "no")])
