"""Agents for transition modeling that need no model (format: EAI paper, appendix I.4)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING

from homebody.core import TextAgent
from homebody.core.formula import (
    And,
    Atom,
    Formula,
    Literal,
    Not,
    Or,
    Parameter,
    atom_of,
    substitute,
)
from homebody.core.ground.seeds import choose
from homebody.planning.pddl import Operator
from homebody.suites.eai.agents import majority
from homebody.suites.eai.transition_modeling.operators import (
    Reference,
    TransitionTask,
    as_text,
)
from homebody.suites.eai.transition_modeling.published import TextOperator

if TYPE_CHECKING:
    import numpy as np

MAX_LITERALS = 5
"""Maximum number of literals in a random condition or effect."""


def render(operators: Iterable[str]) -> str:
    """Write strings of operators in the format of the prompt."""
    return json.dumps({"output": "\n".join(operators)})


def annotated_output(task: TransitionTask) -> str:
    """Return the official operators of a task as an output, under the names in its prompt."""
    texts, spelled = task.reference.texts, _prompt_names(task.reference)
    return render(
        str(replace(texts[name], name=spelled.get(name, name))) for name in task.to_define
    )


def _prompt_names(reference: Reference) -> dict[str, str]:
    return {name: spelling for spelling, name in reference.spellings.items()}


def oracle(task: TransitionTask, generator: np.random.Generator) -> str:
    """Return the official operators."""
    return annotated_output(task)


def random(task: TransitionTask, generator: np.random.Generator) -> str:
    """Return operators with a few random, well-typed literals in each condition and effect."""
    reference = task.reference
    domain, spelled = reference.domain, _prompt_names(reference)

    def literals(names: Mapping[str, str]) -> str:
        written = []
        predicates = list(domain.predicates)
        for _ in range(int(generator.integers(1, MAX_LITERALS + 1))):
            predicate = choose(generator, predicates)
            words = [predicate]
            for parameter in domain.predicates[predicate]:
                fitting = [n for n, kind in names.items() if kind == parameter.type]
                if not fitting:
                    break
                words.append(choose(generator, fitting))
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
    """Return operators without preconditions and effects."""
    texts, spelled = task.reference.texts, _prompt_names(task.reference)
    return render(
        str(TextOperator(spelled.get(name, name), texts[name].parameters, "()", "()"))
        for name in task.to_define
    )


# -- shortcuts -----------------------------------------------------------------------------------


def copycat(task: TransitionTask, generator: np.random.Generator) -> str:
    """Return operators with the goal as effect, over all their parameters, and no preconditions."""
    stated = dict.fromkeys(
        (atom_of(literal).predicate, isinstance(literal, Atom))
        for literal in _literals(task.problem.goal)
    )
    predicates = task.reference.domain.predicates

    def effects(operator: Operator) -> Iterator[Literal]:
        for predicate, positive in stated:
            declared = [_kind(parameter) for parameter in predicates[predicate]]
            for chosen in permutations(operator.parameters, len(declared)):
                if [_kind(parameter) for parameter in chosen] == declared:
                    atom = Atom(predicate, tuple(parameter.name for parameter in chosen))
                    yield atom if positive else Not(atom)

    return _define_operators(task, lambda operator: ((), effects(operator)))


def frequent(task: TransitionTask, generator: np.random.Generator) -> str:
    """Return operators with the literals that most operators with similar parameters have."""
    operators = task.reference.operators

    def frequent_conditions(operator: Operator) -> tuple[list[Literal], list[Literal]]:
        names = {role: name for name, role in _roles(operator).items()}
        others = [o for o in operators.values() if o is not operator]
        alike = [o for o in others if {*_roles(o).values()} == {*names}]

        def frequent_literals(condition: Callable[[Operator], Formula]) -> list[Literal]:
            listed = [[*_literals(substitute(condition(o), _roles(o)))] for o in alike]
            return [*_literals(substitute(And(tuple(majority(listed))), names))]

        return frequent_literals(lambda o: o.precondition), frequent_literals(lambda o: o.effect)

    return _define_operators(task, frequent_conditions)


def _define_operators(
    task: TransitionTask,
    define: Callable[[Operator], tuple[Iterable[Literal], Iterable[Literal]]],
) -> str:
    """Return an output with the preconditions and effects that ``define`` gives to operators."""
    operators, spelled = task.reference.operators, _prompt_names(task.reference)
    written = []
    for name in task.to_define:
        precondition, effect = define(operators[name])
        made = replace(
            operators[name],
            name=spelled.get(name, name),
            precondition=And(tuple(precondition)),
            effect=And(tuple(effect)),
        )
        written.append(str(as_text(made)))
    return render(written)


def _kind(parameter: Parameter) -> str:
    return "agent" if parameter.type in ("agent", "character") else "thing"


def _roles(operator: Operator) -> dict[str, str]:
    """Map each parameter to a common name, made from its kind and its index among the parameters of
    that kind."""
    seen: Counter[str] = Counter()
    roles = {}
    for parameter in operator.parameters:
        kind = _kind(parameter)
        roles[parameter.name] = f"?{kind}{seen[kind]}"
        seen[kind] += 1
    return roles


def _literals(formula: Formula) -> Iterator[Literal]:
    """Yield the literals that a formula joins by ``and`` and ``or``."""
    match formula:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _literals(part)
        case Atom() | Not(Atom()):
            yield formula


AGENTS: Mapping[str, TextAgent[TransitionTask]] = {
    "oracle": TextAgent(oracle),
    "random": TextAgent(random),
    "copycat": TextAgent(copycat),
    "frequent": TextAgent(frequent),
    "empty": TextAgent(empty),
}
