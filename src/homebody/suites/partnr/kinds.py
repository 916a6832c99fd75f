"""The four types of tasks, told from the evaluation function alone.

Source: PARTNR paper, section 3 and figure 4. A task may be of several types; a constraint-free one
is of no other.
"""

from __future__ import annotations

from typing import Final

from homebody.goals.partnr import Evaluation, TemporalConstraint
from homebody.suites.partnr.predicates import STATES

SPATIAL: Final = "spatial"
TEMPORAL: Final = "temporal"
HETEROGENEOUS: Final = "heterogeneous"
FREE: Final = "constraint-free"
KINDS: Final = (FREE, SPATIAL, TEMPORAL, HETEROGENEOUS)
"""In the order of the paper's figure 4."""

_SPATIAL: Final = frozenset({"is_next_to", "is_clustered"})


def kinds(evaluation: Evaluation) -> frozenset[str]:
    """The types of a task, one or more of :data:`KINDS`.

    Spatial: something has to be next to or among other things. Temporal: some things come before
    others. Heterogeneous: a state has to change, which only the human can do.
    """
    predicates = {one.predicate for one in evaluation.propositions}
    found = set()
    if predicates & _SPATIAL:
        found.add(SPATIAL)
    if not predicates.isdisjoint(STATES):
        found.add(HETEROGENEOUS)
    if any(isinstance(one, TemporalConstraint) and one.edges for one in evaluation.constraints):
        found.add(TEMPORAL)
    return frozenset(found or {FREE})


def label(evaluation: Evaluation) -> str:
    """The types in one word, such as ``spatial+temporal``, in the order of :data:`KINDS`."""
    found = kinds(evaluation)
    return "+".join(kind for kind in KINDS if kind in found)
