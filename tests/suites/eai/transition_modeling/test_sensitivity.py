"""Which operator is to blame, on VirtualHome."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED, PUBLISHED, HomebodyError
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling import sensitivity
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome.transition_modeling import (
    SUITE,
    load_transition_tasks,
    reference,
)
from suites.eai.virtualhome.operator_answers import GRAB, LAMP, answer, task

pytestmark = pytest.mark.usefixtures("eai_data")


def test_annotated_operators_are_never_to_blame() -> None:
    outputs = [
        (one.id, operator_agents.annotated_output(one)) for one in load_transition_tasks()[:20]
    ]
    found = sensitivity.sensitivity(SUITE, outputs)
    assert {rate.success_rate for rate in found} == {1.0}
    overall = {r.operator: r.tried for r in found if r.category == "overall"}
    assert sum(overall.values()) == sum(len(one.to_define) for one in load_transition_tasks()[:20])


def test_one_operator_is_to_blame() -> None:
    """Each is tried among annotated ones, so that a broken one does not spoil the others."""
    broken = answer(GRAB, grab={"effect": "()"}, walk_towards={"effect": "(shiny ?obj)"})
    trials = sensitivity.try_each(SUITE, [(GRAB, broken), (LAMP, answer(LAMP, plug_in=None))])
    found = {(trial.task, trial.operator): (trial.solved, trial.reason) for trial in trials}
    assert found[GRAB, "grab"][0] is found[GRAB, "walk_towards"][0] is False
    assert "shiny" in found[GRAB, "walk_towards"][1]
    assert found[LAMP, "switch_on"] == (True, "")
    assert found[LAMP, "plug_in"] == (False, "it was not predicted")
    rates = sensitivity.rates(SUITE, trials)
    walking = next(r for r in rates if (r.operator, r.category) == ("walk_towards", "overall"))
    assert (walking.solved, walking.tried) == (1, 2)
    rows = {row["operator"]: row for row in sensitivity.records(SUITE, rates)}
    assert list(rows["grab"])[:4] == ["operator", "tasks", "overall", "object states"]
    assert (rows["walk_towards"]["tasks"], rows["walk_towards"]["overall"]) == (2, 50.0)
    assert rows["grab"]["object orientation"] is None


def test_sensitivity_is_among_the_operators_asked_for() -> None:
    """A lamp that must be faced: only `turn_to` could help, which the task does not ask for."""
    text = reference().texts["switch_on"].precondition
    output = answer(LAMP, switch_on={"precondition": f"{text[:-1]} (facing ?char ?obj))"})
    for protocol, solved in ((CORRECTED, False), (PUBLISHED, True)):
        trials = sensitivity.try_each(SUITE, [(LAMP, output)], protocol)
        found = {trial.operator: trial.solved for trial in trials}
        assert found == {"plug_in": True, "walk_towards": True, "switch_on": solved}
        assert score(task(LAMP), output, protocol).record["success"] == solved


def test_sensitivity_of_unreadable_outputs_and_unknown_tasks() -> None:
    trials = sensitivity.try_each(SUITE, [(GRAB, "no")])
    assert [trial.solved for trial in trials] == [False, False]
    with pytest.raises(HomebodyError):
        sensitivity.try_each(SUITE, [("0_0", "no")])
