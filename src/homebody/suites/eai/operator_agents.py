"""Agents for transition modeling that need no model.

Source of the format: EAI paper, appendix I.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from homebody.core.task import AgentFunction
from homebody.suites.eai.operators import TransitionTask, reference
from homebody.suites.eai.published_transition import TextOperator
from homebody.worlds.virtualhome.pddl import translations

if TYPE_CHECKING:
    import numpy as np

_LITERALS = 5
"""Most literals in a random condition or effect."""


def render(operators: Iterable[str]) -> str:
    """Texts of operators in the format that the prompt asks for."""
    return json.dumps({"output": "\n".join(operators)})


def annotated(task: TransitionTask) -> str:
    """The official operators of a task: what logic matching compares with."""
    return render(str(reference().texts[name]) for name in task.asked)


def oracle(task: TransitionTask, generator: np.random.Generator) -> str:
    """Operators generated from the action schemas of homebody's VirtualHome."""
    return render(translations()[name].text for name in task.asked)


def random(task: TransitionTask, generator: np.random.Generator) -> str:
    """A few random literals over the parameters, of the right types, in each condition and
    effect."""
    domain = reference().domain

    def literals(names: Mapping[str, str]) -> str:
        found = []
        predicates = list(domain.predicates)
        for _ in range(int(generator.integers(1, _LITERALS + 1))):
            predicate = predicates[int(generator.integers(len(predicates)))]
            words = [predicate]
            for parameter in domain.predicates[predicate]:
                fitting = [n for n, kind in names.items() if kind == parameter.type]
                if not fitting:
                    break
                words.append(fitting[int(generator.integers(len(fitting)))])
            else:
                literal = f"({' '.join(words)})"
                found.append(literal if generator.random() < 0.7 else f"(not {literal})")
        return f"(and {' '.join(found)})" if found else "()"

    def operator(name: str) -> str:
        names = {p.name: p.type for p in reference().operators[name].parameters}
        parameters = reference().texts[name].parameters
        return str(TextOperator(name, parameters, literals(names), literals(names)))

    return render(operator(name) for name in task.asked)


def empty(task: TransitionTask, generator: np.random.Generator) -> str:
    """Operators without preconditions and effects."""
    texts = reference().texts
    return render(
        str(TextOperator(name, texts[name].parameters, "()", "()")) for name in task.asked
    )


AGENTS: Mapping[str, AgentFunction[TransitionTask]] = {
    "oracle": oracle,
    "random": random,
    "empty": empty,
}
