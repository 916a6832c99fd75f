"""EAI's goal language: linear temporal logic on finite traces, with one connective, ``then``.

A formula is read with :func:`parse`, printed with :func:`to_text` and judged over a whole trace
with :func:`evaluate`. How a *task* uses a formula (actions in order, everything else in the
final state) is :mod:`homebody.goals.ltl.goal`.

    (exists x0. (READ(x0) or LOOKAT(x0)) then HOLDS_RH(character.65, novel.1000))

Grammar (EAI paper, appendix C.3), loosest connective first::

    then  <  implies  <  or  <  and  <  not  <  quantifiers  <  ( )

- ``forall x. (...)``, ``exists x. (...)``, and "exactly 2 objects": ``exists=2 x. (...)``,
  ``forn 2 x. (...)`` or ``forn 2. x. (...)``. The paper's grammar prints ``forn x. (...)``,
  without the number that its semantics needs; the published parser reads the last of the three.
- ``implies`` is in the paper's definition of formulas but not in its grammar. It groups to the
  right: ``a implies b implies c`` is ``a implies (b implies c)``.
- Keywords are lower case and are no names. An object is ``pants`` or ``pants.1000``.
- A name bound by a quantifier becomes a variable, ``x0`` -> ``?x0``; all others stay as they are.

Normal form: ``and``, ``or`` and ``then`` are n-ary, have two parts or more, and none of them is
a direct part of itself: ``(a and b) and c`` is read as ``And((a, b, c))``. All three are
associative. ``parse(to_text(f)) == normalise(f)``.
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
