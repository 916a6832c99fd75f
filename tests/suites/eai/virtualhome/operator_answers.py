"""What tests of operators on VirtualHome share."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from homebody.core import CORRECTED, Protocol, Score
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.operators import Prediction, TransitionTask
from homebody.suites.eai.transition_modeling.operators import read as read_as
from homebody.suites.eai.transition_modeling.published import TextOperator
from homebody.suites.eai.virtualhome.transition_modeling import (
    NAME,
    load_transition_tasks,
    reference,
)

GRAB, LAMP = "491_2", "125_2"  # ask for walk_towards and grab; plug_in, walk_towards, switch_on
GOOD = "(:action grab :parameters (?c - character ?o - object) :precondition (near ?c ?o))"
CONDITIONAL = {
    "effect": "(when (off ?obj) (and (on ?obj) (not (off ?obj))"
    " (forall (?o - object) (not (facing ?char ?o)))))"
}


def task(identifier: str) -> TransitionTask:
    return next(one for one in load_transition_tasks() if one.id == identifier)


def read(output: str, protocol: Protocol) -> dict[str, Prediction]:
    return read_as(output, protocol, reference())


def blocks(identifier: str, changed: Mapping[str, Mapping[str, str] | None] = {}) -> list[str]:
    """The annotated operators of a task, with some pieces of text changed, or left out."""
    found = []
    for name in task(identifier).to_define:
        new = changed.get(name, {})
        if new is not None:
            text = reference().texts[name]
            pieces = {key: getattr(text, key) for key in ("parameters", "precondition", "effect")}
            found.append(str(TextOperator(name, **{**pieces, **new})))
    return found


def answer(identifier: str, /, **changed: Mapping[str, str] | None) -> str:
    return operator_agents.render(blocks(identifier, changed))


def counts(found: Score) -> list[int]:
    """Predicates right, wrong and missed, over everything."""
    parts = found.record["counts"].values()
    return [sum(row[at] for part in parts for row in part.values()) for at in range(3)]


def agent_scores(name: str, protocol: Protocol = CORRECTED) -> list[Score]:
    generator = np.random.default_rng(3)
    suite = get_suite(NAME)
    return [
        suite.score(one, suite.text_agents[name].answer(one, generator), protocol)
        for one in suite.tasks.load(protocol)
    ]
