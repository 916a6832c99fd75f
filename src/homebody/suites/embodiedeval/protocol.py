"""The protocols of the suite, and the quirks of the published code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import CORRECTED, PUBLISHED, Protocol
from homebody.goals.embodiedeval import CHOICE_ENDS, START_SKIPPED

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
        "After the right answer a run continues if another predicate is unmet.",
        "Any answer ends the run (algorithm 1).",
    ),
    CHOICE_ENDS: (
        "`choose` is met only at the step of the right answer.",
        "It stays met.",
    ),
    START_SKIPPED: (
        "Nothing is met before the first step: a start does not count for `agent_pass`.",
        "Predicates are also judged at the start.",
    ),
    UNREAD_ENDS: (
        "A reply that names no option ends the run.",
        "It is a step without effect, and the model receives a message.",
    ),
    LAST_ANSWERS: (
        "At the last step of a question only its answers are listed.",
        "All options are listed at every step.",
    ),
    CUT_LIST: (
        "After a wrong answer only the predicates up to `choose` count for goal-condition success.",
        "All predicates count.",
    ),
    NO_SPL: (
        "SPL is 0 without a folder of people's runs, which was not released.",
        "SPL is measured against the shortest successful run.",
    ),
    LISTED: (
        "In recorded runs the last step is the file that the file system lists last.",
        "Steps are in the order of their numbers.",
    ),
    EXCUSED: (
        "In recorded runs an interaction failed only if its feedback is the single word failed; the"
        " feedback before an unreadable reply counts twice.",
        "It failed if its feedback begins with that word, and counts once.",
    ),
    CRASHES_FAIL: (
        "A recorded run that an error of the provider ended is a failure.",
        "It is an error, and is excluded.",
    ),
    STALE: (
        "A recorded run whose first reply is unreadable has the conditions of the run before it.",
        "No action was done, so no condition is met.",
    ),
}
"""Quirk -> the behaviour of the published code, and the behaviour of homebody."""
PLAYED: Final = frozenset({GOES_ON, CHOICE_ENDS, START_SKIPPED, UNREAD_ENDS, LAST_ANSWERS})
"""Quirks that change the end of a run, its predicates or the list of options."""
PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol for protocol in (CORRECTED, PUBLISHED)
}
