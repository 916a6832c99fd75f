"""Reading, checking and printing of PDDL with ``:adl`` (and, or, not, imply, exists, forall, when).

Supported are typed domains with predicates and actions, and problems with objects, facts and a
goal. Names are in lower case, as PDDL ignores case; a comment extends from ``;`` to the end of its
line; text is ASCII. Constants, functions, derived predicates, durations and ``either`` are not
supported. ``()`` is true as a whole condition and as a whole effect of an action, and an error
elsewhere.

Semantics:

- ``object`` is the root of all types, declared or not.
- Conditions and effects are formulas of :mod:`homebody.core.formula`, with quantifiers over lists
  (``Quantification``) and, in effects, ``When``.
- The innermost list binds a variable.
- All conditions of an effect are evaluated in the state before the action. A fact that is both
  deleted and added is added.
- An action may take the same object twice.

Source of the language: the operators of EAI's transition modeling (EAI paper, sections 2.6 and
D.4). Where PDDL is ambiguous, the source is Fast Downward's translator, which the published
evaluator uses. :func:`is_plain` detects effects that the translator reads differently.
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
