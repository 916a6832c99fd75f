"""Protocols of the Embodied Agent Interface: named quirks of its published evaluator.

``published`` keeps all quirks, ``corrected`` none. Each world lists its own
(``virtualhome/protocol.py``, ``behavior/protocol.py``); those of transition modeling, which both
worlds share, are here. ``docs/benchmarks/eai-protocols.md`` repeats the lists, and a test has a
case for every quirk.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final, TypeAlias

from homebody.core import CORRECTED, PUBLISHED, STRICT, Protocol


@dataclass(frozen=True, slots=True)
class Difference:
    """One quirk: its place, the behaviour of the published evaluator, and the correct behaviour.

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
        "Newlines are taken out before comments are, so that a comment swallows what follows, and"
        " apostrophes are made double quotes; the text between parentheses after each"
        " `:parameters`, `:precondition` and `:effect` is taken, wherever it belongs, and what"
        " ends too early is cut off. Of JSON that cannot be read, the raw text is searched. Of"
        " several operators of a name the last counts.",
        "The output holds one object with the text of the operators, read as"
        " docs/benchmarks/eai-answers.md says, or that text alone; it is read as PDDL, and an"
        " operator that is not PDDL, closes before its last part, or is defined twice and"
        " differently, has no part that is.",
    ),
    "unreadable_outputs_left_out": (
        "An output that cannot be read is excluded from all metrics, the planner's success rate"
        " included.",
        "All its operators are missed, and its problem is not solved.",
    ),
    "other_parameters_accepted": (
        "An operator may have more parameters than the prompt gives it, fewer, or others.",
        "It has no part that is right, and is not planned with: the planner could choose what the"
        " additional ones are. Only the names of the variables are free; their types are"
        " conditions, and PDDL takes a missing type for the widest.",
    ),
    "missing_operators_cost_nothing": (
        "An operator that was requested and not predicted is not compared: it lowers no recall.",
        "Its preconditions and effects are missed.",
    ),
    "conditions_compared_as_text": (
        "Conditions match if they are the same text, variable names and all, in the same nesting;"
        " bound variables are renamed only where two quantifiers are in the same place of two"
        " lists, and letter by letter, so that `?obj` changes `?obj2`.",
        "Parameters correspond by position and bound variables by what they bind; nested `and`"
        " and `or` are one, and so are other ways to write the same, as `not` of `or`; `=` is"
        " ignored. Conditions are compared part by part and in disjunctive form (appendix"
        " D.4), and the better counts.",
    ),
    "unreadable_conditions_cost_nothing": (
        "A condition that cannot be compared (a connective with too many parts, parentheses that"
        " do not match) counts neither as wrong nor as missed.",
        "The annotated condition is missed.",
    ),
    "matched_rows_misread": (
        "A predicted part counts as matched if its position in the list is one of a matched part"
        " of the ground truth, not its own; and what fits a part of the ground truth that is"
        " paired with another counts as matched too.",
        "Parts count as matched if they are paired.",
    ),
    "parts_of_clauses_suffice": (
        "A nested conjunction matches one that has all its parts and others.",
        "Clauses match if they are identical (appendix D.4).",
    ),
    "predicates_counted_once": (
        "Of the matched, unmatched and missed parts of a condition the sets of predicate names"
        " are counted, so that a predicate may be right, wrong and missed at once, and twice"
        " wrong counts as once.",
        "Every predicate in a clause counts.",
    ),
    "unknown_predicates_cost_nothing": (
        "A predicate that the domain does not have is not counted as wrong; in a condition that"
        " matches (`not` of a conjunction with more parts) it raises an exception that ends the"
        " whole evaluation. homebody marks the sample (`published_crash`) and continues.",
        "It is wrong: it counts in the overall figures, in no category.",
    ),
    "tools_apart": (
        "`recipient`, `containers` and `cover_object` are of a sixth category, in the overall"
        " figures only.",
        "They are affordances, of the five categories of appendix L.5.",
    ),
    "domain_completed_with_ground_truth": (
        "The planner also receives the ground truth of every operator that was not predicted,"
        " requested or not: an output without any operator, such as a refusal, counts as solved.",
        "The planner receives the operators that were requested and predicted; the annotated ones"
        " of each task suffice for its problem.",
    ),
    "quantified_parts_refused": (
        "The planner crashes at an effect that is conditional as a whole, has several parts,"
        " and one of them quantified: the problem counts as unsolved.",
        "Such an effect is PDDL like any other.",
    ),
    "hallucinated_operators_planned_with": (
        "The planner may use, or refuse, operators that were not requested.",
        "They are excluded from the domain.",
    ),
}
