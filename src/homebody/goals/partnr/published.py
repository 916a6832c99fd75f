"""Differences of the published evaluation of PARTNR from its paper, as named quirks.

Where the paper does not say, homebody follows the published code, unless one of :data:`OPEN_RULES`
is chosen: an argument constraint compares the names that *first* satisfied the propositions;
"after" and "before" are about earlier steps; an order is transitive; a proposition that does not
count in the last step does not hold at the end.
The published code raises an exception if an argument constraint names an argument of
``is_clustered``, or if ``is_clustered`` has no list of numbers. homebody judges both as the code's
documentation says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    "dependencies_gain_the_counter": (
        "Unrolling `number` adds the loop counter (1, 2, ...) to a dependency, instead of the"
        " index of the new proposition.",
        "The new proposition has the dependencies of the old one.",
    ),
    "number_counts_pairs": (
        "Without `is_same_*`, `number` counts pairs, so that one object next to two others counts"
        " twice; names that are listed twice count twice.",
        "`number` counts distinct objects of the first list.",
    ),
    "last_pair_suffices": (
        "If there are fewer objects than `number`, only the last object of the first list and the"
        " last of the second decide: if that pair holds, so does the proposition. With one"
        " alternative for each argument, `number` therefore has no effect.",
        "With fewer objects than `number`, the proposition does not hold.",
    ),
    "while_looks_a_step_back": (
        "`while_satisfied` considers what held in the step before.",
        "It considers what holds now.",
    ),
    "after_unsatisfied_for_good": (
        "`after_unsatisfied` stays met once the propositions that it waits for were satisfied and"
        " then undone.",
        "It is met whenever these propositions are not satisfied.",
    ),
    "arguments_by_letters": (
        "Two names are the same for an argument constraint if they have a letter in common.",
        "Names are the same if they are equal.",
    ),
    "arguments_are_the_last_counted": (
        "An argument constraint considers only one object and one place of a proposition: those"
        " that, in the order of the lists, completed the number.",
        "It considers all objects and places that satisfied the proposition.",
    ),
    "clusters_are_connected": (
        "A cluster is one connected group of all listed objects, with enough objects of each list."
        " An object in two lists counts for both, and a single object may be a cluster.",
        "Each object of a cluster is next to another object of it, and counts for one list.",
    ),
}

LAST_SATISFACTION: Final = "last_satisfaction"
OPEN_RULES: Final[Mapping[str, tuple[str, str]]] = {
    LAST_SATISFACTION: (
        "An argument constraint compares the names that satisfied the propositions last, so that an"
        " object at a wrong place can be moved to the right one.",
        "It compares the names that satisfied them first, as the published code does.",
    ),
}
"""Rule that the paper leaves open -> its meaning, and the default."""
