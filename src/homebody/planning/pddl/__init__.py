"""PDDL (the ``:adl`` part: and, or, not, imply, exists, forall, when), read, checked and written.

What is read: typed domains with predicates and actions, problems with objects, facts and a goal.
Names are in lower case, as PDDL does not tell cases apart; a comment goes from ``;`` to the end
of its line; text is ASCII. Constants, functions, derived predicates, durations and ``either`` are
not read. ``()`` is true as the whole of a condition and as the whole effect of an action, and a
mistake elsewhere.

What it means:

- ``object`` is the root of all types, whether a domain declares it or not.
- A condition or an effect is a formula of :mod:`homebody.core.formula`, with quantifiers over lists
  (``Quantification``) and, in effects, ``When``.
- A variable means what the innermost list around it says.
- All conditions of an effect are read in the state before; what is both taken out and put in is
  put in.
- An action may be given the same object twice.

Source of the language: the operators that EAI's transition modeling asks for (EAI paper, sections
2.6 and D.4); where PDDL leaves room, Fast Downward's translator, which the published evaluator
plans with. :func:`is_plain` tells the effects on which it has ideas of its own.
"""

from homebody.planning.pddl.check import (
    check_domain,
    check_operator,
    check_problem,
    check_types,
    is_plain,
    supertypes,
)
from homebody.planning.pddl.domain import Domain, Operator, Problem
from homebody.planning.pddl.printing import (
    domain_text,
    operator_text,
    problem_text,
)
from homebody.planning.pddl.reading import (
    CONNECTIVES,
    MAX_DEPTH,
    MAX_LENGTH,
    PddlError,
    parse_domain,
    parse_expression,
    parse_operators,
    parse_problem,
    read_operators,
)
from homebody.planning.sexpr import formula_text, parameters_text

__all__ = [
    "CONNECTIVES",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "Domain",
    "Operator",
    "PddlError",
    "Problem",
    "check_domain",
    "check_operator",
    "check_problem",
    "check_types",
    "domain_text",
    "formula_text",
    "is_plain",
    "operator_text",
    "parameters_text",
    "parse_domain",
    "parse_expression",
    "parse_operators",
    "parse_problem",
    "problem_text",
    "read_operators",
    "supertypes",
]
