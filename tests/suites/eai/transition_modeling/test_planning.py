"""Planning with predicted operators."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED, PUBLISHED
from homebody.planning.pddl import parse_operators
from homebody.planning.solver import fast_downward
from homebody.suites.eai.transition_modeling import planning as operator_planning
from homebody.suites.eai.transition_modeling.planning import can_break_planner
from homebody.suites.eai.transition_modeling.published import TextOperator
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome.transition_modeling import reference
from suites.eai.virtualhome.operator_answers import CONDITIONAL, GOOD, GRAB, LAMP, answer, task

pytestmark = pytest.mark.usefixtures("eai_data")


def test_planning_needs_the_asked_operators_only() -> None:
    whole = score(task(GRAB), answer(GRAB), CORRECTED)
    assert whole.record["plan"][0].startswith("walk_towards character")
    assert not score(task(GRAB), answer(GRAB, walk_towards=None), CORRECTED).record["success"]
    extra = answer(GRAB)[:-2] + "(:action cheat :parameters () :effect (nonsense))" + '"}'
    assert score(task(GRAB), extra, CORRECTED).record["success"]


def test_two_operators_that_differ_in_case_only() -> None:
    """A planner reads both; so do we."""
    output = answer(GRAB)[:-2] + GOOD.replace("grab", "Grab").replace("near", "next_to") + '"}'
    assert score(task(GRAB), output, PUBLISHED).record["success"]


def test_fast_downward_reads_what_would_break_it() -> None:
    """The effect in a form that it reads, for the problems that are left to it."""
    (operator,) = parse_operators(
        str(TextOperator("switch_on", "(?char - character ?obj - object)", "()", **CONDITIONAL))
    )
    assert can_break_planner(operator)
    operators = {**reference().operators, "switch_on": operator}
    domain = operator_planning.domain_of(tuple(operators.values()), reference())
    problem = task(LAMP).problem
    answered = fast_downward.ask(domain, problem, seconds=30, memory_mb=2048)
    assert answered.verdict == "solved"
