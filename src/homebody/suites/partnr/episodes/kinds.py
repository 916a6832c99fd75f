"""The four types of tasks, determined by the evaluation function alone.

Source: PARTNR paper, section 3 and figure 4. A task may have several types; a constraint-free task
has no other."""

from __future__ import annotations

from typing import Final

from homebody.goals.partnr import Evaluation
from homebody.suites.partnr.episodes.predicates import STATES

SPATIAL: Final = "spatial"
TEMPORAL: Final = "temporal"
HETEROGENEOUS: Final = "heterogeneous"
FREE: Final = "constraint-free"
KINDS: Final = (FREE, SPATIAL, TEMPORAL, HETEROGENEOUS)
"""The types, in the order of the paper's figure 4."""

_SPATIAL: Final = frozenset({"is_next_to", "is_clustered"})


def kinds(evaluation: Evaluation) -> frozenset[str]:
    """Return the types of a task, one or more of :data:`KINDS`.

    Spatial: something has to be next to or among other objects. Temporal: some goals come before
    others. Heterogeneous: a state has to change, which only the human can do."""
    predicates = {proposition.predicate for proposition in evaluation.propositions}
    types = set()
    if predicates & _SPATIAL:
        types.add(SPATIAL)
    if not predicates.isdisjoint(STATES):
        types.add(HETEROGENEOUS)
    if evaluation.edges:
        types.add(TEMPORAL)
    return frozenset(types or {FREE})


def kinds_in_order(evaluation: Evaluation) -> list[str]:
    """Return the types of a task in the order of the paper."""
    types = kinds(evaluation)
    return [kind for kind in KINDS if kind in types]


def label(evaluation: Evaluation) -> str:
    """Return the types as one word, such as ``spatial+temporal``."""
    return "+".join(kinds_in_order(evaluation))
