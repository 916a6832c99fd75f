"""EAI's goal language: linear temporal logic on finite traces, with one connective, ``then``.

:func:`parse` reads a formula, :func:`to_text` prints it and :func:`evaluate` judges it over a whole
trace. :mod:`homebody.goals.ltl.goal` defines how a *task* uses a formula (actions in order,
everything else in the final state).

    (exists x0. (READ(x0) or LOOKAT(x0)) then HOLDS_RH(character.65, novel.1000))

Grammar (EAI paper, appendix C.3), loosest connective first::

    then  <  implies  <  or  <  and  <  not  <  quantifiers  <  ( )

- ``forall x. (...)``, ``exists x. (...)``, and "exactly 2 objects": ``exists=2 x. (...)``, ``forn 2
  x. (...)`` or ``forn 2. x. (...)``. The paper's grammar prints ``forn x. (...)``, without the
  number that its semantics requires. The published parser reads the last form.
- ``implies`` is in the paper's definition of formulas but not in its grammar. It groups to the
  right: ``a implies b implies c`` is ``a implies (b implies c)``.
- Keywords are lower case and cannot be names. An object is ``pants`` or ``pants.1000``.
- A name bound by a quantifier becomes a variable, ``x0`` -> ``?x0``; other names are unchanged.

Normal form: ``and``, ``or`` and ``then`` are associative, have at least two parts, and are not
nested directly in themselves: ``(a and b) and c`` is read as ``And((a, b, c))``.
``parse(to_text(f)) == normalise(f)``.
"""

from homebody.goals.ltl.formula_truth import (
    Step,
    View,
    action_predicates,
    evaluate,
    needs_action,
    steps,
)
from homebody.goals.ltl.printing import show, to_text
from homebody.goals.ltl.reading import (
    KEYWORDS,
    MAX_DEPTH,
    MAX_LENGTH,
    LTLError,
    LTLSyntaxError,
    LTLVocabularyError,
    parse,
)

__all__ = [
    "KEYWORDS",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "LTLError",
    "LTLSyntaxError",
    "LTLVocabularyError",
    "Step",
    "View",
    "action_predicates",
    "evaluate",
    "needs_action",
    "parse",
    "show",
    "steps",
    "to_text",
]
