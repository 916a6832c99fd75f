"""Agents for transition modeling that need no model.

Source of the format: EAI paper, appendix I.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from homebody.core import TextAgent
from homebody.suites.eai.agents import pick
from homebody.suites.eai.transition_modeling.operators import Reference, TransitionTask
from homebody.suites.eai.transition_modeling.published import TextOperator

if TYPE_CHECKING:
    import numpy as np

MAX_LITERALS = 5
"""Most literals in a random condition or effect."""


def render(operators: Iterable[str]) -> str:
    """Texts of operators in the format that the prompt asks for."""
    return json.dumps({"output": "\n".join(operators)})


def annotated(task: TransitionTask) -> str:
    """The official operators of a task, under the names that its prompt has: what logic matching
    compares with."""
    texts, spelled = task.reference.texts, _spelled(task.reference)
    return render(
        str(replace(texts[name], name=spelled.get(name, name))) for name in task.to_define
    )


def _spelled(reference: Reference) -> dict[str, str]:
    return {name: spelling for spelling, name in reference.spellings.items()}


def oracle(task: TransitionTask, generator: np.random.Generator) -> str:
    """The official operators."""
    return annotated(task)


def random(task: TransitionTask, generator: np.random.Generator) -> str:
    """A few random literals over the parameters, of the right types, in each condition and
    effect."""
    reference = task.reference
    domain, spelled = reference.domain, _spelled(reference)

    def literals(names: Mapping[str, str]) -> str:
        written = []
        predicates = list(domain.predicates)
        for _ in range(int(generator.integers(1, MAX_LITERALS + 1))):
            predicate = pick(predicates, generator)
            words = [predicate]
            for parameter in domain.predicates[predicate]:
                fitting = [n for n, kind in names.items() if kind == parameter.type]
                if not fitting:
                    break
                words.append(pick(fitting, generator))
            else:
                literal = f"({' '.join(words)})"
                written.append(literal if generator.random() < 0.7 else f"(not {literal})")
        return f"(and {' '.join(written)})" if written else "()"

    def operator(name: str) -> str:
        names = {p.name: p.type for p in reference.operators[name].parameters}
        parameters = reference.texts[name].parameters
        written = spelled.get(name, name)
        return str(TextOperator(written, parameters, literals(names), literals(names)))

    return render(operator(name) for name in task.to_define)


def empty(task: TransitionTask, generator: np.random.Generator) -> str:
    """Operators without preconditions and effects."""
    texts, spelled = task.reference.texts, _spelled(task.reference)
    return render(
        str(TextOperator(spelled.get(name, name), texts[name].parameters, "()", "()"))
        for name in task.to_define
    )


AGENTS: Mapping[str, TextAgent[TransitionTask]] = {
    "oracle": TextAgent(oracle),
    "random": TextAgent(random),
    "empty": TextAgent(empty),
}
