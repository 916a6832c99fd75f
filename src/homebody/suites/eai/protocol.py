"""Protocols of the Embodied Agent Interface: named quirks of its published evaluator.

``published`` keeps all quirks, ``corrected`` none. Each world lists its own quirks
(``virtualhome/protocol.py``, ``behavior/protocol.py``). The quirks of transition modeling are here,
because both worlds share them. ``docs/benchmarks/eai-protocols.md`` repeats the lists, and a test
has a case for every quirk.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final, TypeAlias

from homebody.core import CORRECTED, PUBLISHED, STRICT, Protocol


@dataclass(frozen=True, slots=True)
class Difference:
    """One quirk: its module, the behaviour of the published evaluator, and the correct behaviour.

    ``module`` is ``action_sequencing``, ``goal_interpretation``, ``subgoal_decomposition``,
    ``transition_modeling``, ``world`` (its simulator) or ``errors`` (its classification of runtime
    errors).
    """

    name: str
    module: str
    published: str
    corrected: str


PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol for protocol in (CORRECTED, PUBLISHED, STRICT)
}

Differences: TypeAlias = Mapping[str, tuple[str, str]]
"""Name -> published behaviour and correct behaviour."""


def list_differences(**modules: Differences) -> tuple[Difference, ...]:
    """Return the differences of the given modules, in order."""
    return tuple(
        Difference(name, module, *texts)
        for module, differences in modules.items()
        for name, texts in differences.items()
    )


def simulator_differences(quirks: Differences, sorting: Set[str]) -> tuple[Difference, ...]:
    """Return the quirks of a simulator; those in ``sorting`` only change the type of an error."""
    return tuple(
        Difference(name, "errors" if name in sorting else "world", *texts)
        for name, texts in quirks.items()
    )


TRANSITION_MODELING: Differences = {
    "operators_read_by_brackets": (
        "Newlines are removed before comments, so a comment swallows what follows it, and"
        " apostrophes are replaced by double quotes. The text between parentheses after each"
        " `:parameters`, `:precondition` and `:effect` is taken, whatever it belongs to, and is"
        " cut off if it ends too early. If the JSON cannot be read, the raw text is searched. Of"
        " several operators with the same name, the last counts.",
        "The output contains one object with the text of the operators, read as"
        " docs/benchmarks/eai-answers.md describes, or only that text. It is read as PDDL. An"
        " operator that is not PDDL, ends before its last part, or has two different definitions"
        " has no correct part.",
    ),
    "unreadable_outputs_left_out": (
        "An output that cannot be read is excluded from all metrics, the planner's success rate"
        " included.",
        "All its operators are missed, and its problem is not solved.",
    ),
    "other_parameters_accepted": (
        "An operator may have more, fewer or other parameters than the prompt gives it.",
        "No part of it is correct, and it is not given to the planner, which could choose any"
        " values for additional parameters. Only the names of variables are free. Their types are"
        " conditions, and PDDL takes a missing type for the most general one.",
    ),
    "missing_operators_cost_nothing": (
        "An operator that was requested but not predicted is not compared, so it does not lower"
        " recall.",
        "Its preconditions and effects are missed.",
    ),
    "conditions_compared_as_text": (
        "Conditions match if their texts are identical, including variable names and nesting."
        " Bound variables are renamed only if two quantifiers are at the same position of two"
        " lists, and as substrings, so that renaming `?obj` changes `?obj2`.",
        "Parameters correspond by position, and bound variables by what they bind. Nested `and`"
        " and `or` are flattened, other equivalent forms such as `not` of `or` are equal, and `=`"
        " is ignored. Conditions are compared part by part and in disjunctive form (appendix D.4),"
        " and the better result counts.",
    ),
    "unreadable_conditions_cost_nothing": (
        "A condition that cannot be compared (a connective with too many parts, parentheses that"
        " do not match) counts neither as wrong nor as missed.",
        "The annotated condition is missed.",
    ),
    "matched_rows_misread": (
        "Positions are confused: a predicted part counts as matched if the ground-truth part at"
        " the same position of its list is matched. A part that fits a ground-truth part that is"
        " paired with another one also counts as matched.",
        "Parts count as matched if they are paired.",
    ),
    "parts_of_clauses_suffice": (
        "A nested conjunction matches a conjunction that has all its parts and more.",
        "Clauses match if they are identical (appendix D.4).",
    ),
    "predicates_counted_once": (
        "The matched, unmatched and missed parts of a condition are counted as sets of predicate"
        " names, so a predicate may be right, wrong and missed at once, and being wrong twice"
        " counts once.",
        "Every predicate in a clause counts.",
    ),
    "unknown_predicates_cost_nothing": (
        "A predicate that the domain does not have does not count as wrong. In a condition that"
        " matches (`not` of a conjunction with more parts), it raises an exception that ends the"
        " whole evaluation. homebody marks the sample (`published_crash`) and continues.",
        "It is wrong. It counts in the overall metrics, but in no category.",
    ),
    "tools_apart": (
        "`recipient`, `containers` and `cover_object` form a sixth category, which only the"
        " overall metrics include.",
        "They are affordances, one of the five categories of appendix L.5.",
    ),
    "domain_completed_with_ground_truth": (
        "The planner also receives the ground truth of every operator that was not predicted,"
        " requested or not: an output without any operator, such as a refusal, counts as solved.",
        "The planner receives the operators that were requested and predicted; the annotated ones"
        " of each task suffice for its problem.",
    ),
    "quantified_parts_refused": (
        "The planner crashes if a whole effect is conditional and one of its several parts is"
        " quantified. The problem then counts as unsolved.",
        "Such an effect is valid PDDL.",
    ),
    "hallucinated_operators_planned_with": (
        "The planner receives operators that were not requested, and may use or reject them.",
        "They are excluded from the domain.",
    ),
}
