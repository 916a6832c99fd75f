"""Differences of the published evaluation of PARTNR from its paper, as named quirks.

Where the paper is silent, ours follows the published code: an argument constraint compares what
satisfied the proposition *first*; "after" and "before" are about earlier steps; an order is
transitive; a proposition that does not count in the last step does not hold at the end. The
published code raises an exception if an argument constraint names an argument of ``is_clustered``,
and if that has no list of numbers; ours judges both as the code's documentation says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    "dependencies_gain_the_counter": (
        "Unrolling `number` adds the counter of its loop, 1, 2 and so on, to a dependency, in"
        " place of the index of the new proposition.",
        "The new proposition depends on what the old one depends on.",
    ),
    "number_counts_pairs": (
        "Without `is_same_*`, `number` counts pairs, so that one object next to two others counts"
        " twice; names that are listed twice count twice.",
        "`number` counts different things of the first list.",
    ),
    "last_pair_suffices": (
        "Where there are too few things for `number`, the last thing of the first list with the"
        " last of the second decides instead: if that pair holds, so does the proposition. So"
        " `number` does not matter with one alternative for each argument.",
        "Too few are too few.",
    ),
    "while_looks_a_step_back": (
        "`while_satisfied` considers what held in the step before.",
        "It considers what holds now.",
    ),
    "after_unsatisfied_for_good": (
        "Once what `after_unsatisfied` waits for has been satisfied and undone, it stays met.",
        "It is met while that is not satisfied.",
    ),
    "arguments_by_letters": (
        "Two names are the same for an argument constraint if they have a letter in common.",
        "Names are the same if they are equal.",
    ),
    "arguments_are_the_last_counted": (
        "An argument constraint knows one thing and one place of a proposition: those that, in"
        " the order of the lists, made up the number.",
        "Whatever satisfied the proposition may be what an argument constraint asks for.",
    ),
    "clusters_are_connected": (
        "A cluster is one connected group, of all that is listed, with enough things of each"
        " list; a thing in two lists counts for both, and a single thing may be a cluster.",
        "Each thing of a cluster is next to another of it, and counts for one list.",
    ),
}
