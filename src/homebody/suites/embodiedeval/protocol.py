"""How runs are judged: the protocols of the suite, and what the published code does otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import CORRECTED, PUBLISHED, Protocol

GOES_ON: Final = "right-answer-goes-on"
UNREAD_ENDS: Final = "unread-ends"
LAST_ANSWERS: Final = "last-step-answers"
CUT_LIST: Final = "conditions-cut"
NO_SPL: Final = "no-spl"
LISTED: Final = "steps-as-listed"
EXCUSED: Final = "failures-with-reasons-count"
CRASHES_FAIL: Final = "provider-errors-fail"
STALE: Final = "conditions-of-another-run"
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    GOES_ON: (
        "After the right answer a run goes on if another predicate is not met.",
        "Any answer ends the run (algorithm 1).",
    ),
    UNREAD_ENDS: (
        "A reply in which no option is named ends the run.",
        "It is a step that did nothing, and the model is told so.",
    ),
    LAST_ANSWERS: (
        "Of a question only the answers are listed at the last step.",
        "All options are listed at every step.",
    ),
    CUT_LIST: (
        "After a wrong answer only the predicates up to choose count for goal-condition success.",
        "All predicates count.",
    ),
    NO_SPL: (
        "SPL is 0 unless there is a folder of people's runs, which there is not.",
        "SPL is measured against the shortest successful run.",
    ),
    LISTED: (
        "Of recorded runs, the last step is the last file that the file system lists.",
        "Steps are in the order of their numbers.",
    ),
    EXCUSED: (
        "Of recorded runs, an interaction has failed if its feedback is the word failed alone;"
        " the feedback before a reply that could not be read counts twice.",
        "It has failed if its feedback begins so, and counts once.",
    ),
    CRASHES_FAIL: (
        "Of recorded runs, one that an error of the provider ended is a failure.",
        "It is an error, and counts for nothing.",
    ),
    STALE: (
        "Of recorded runs, one whose first reply could not be read has the conditions of the run"
        " before.",
        "Nothing was done, so that no condition is met.",
    ),
}
"""Quirk -> what the published code does, and what we do."""
PLAYED: Final = frozenset({GOES_ON, UNREAD_ENDS, LAST_ANSWERS})
"""Those that change when a run ends, or what is listed."""
PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol for protocol in (CORRECTED, PUBLISHED)
}
