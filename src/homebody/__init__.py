"""homebody: evaluate embodied decision making in homes.

    import homebody as hb

    print(hb.run("eai.virtualhome.action_sequencing", "oracle"))

All public names are in ``__all__``, described in docs/reference/python.md, and imported on first
use. The command line is ``homebody --help``.
"""

from __future__ import annotations

from homebody._lazy import import_lazily
from homebody._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from homebody.api import check_suite, compare, house, replay, run, score, session
    from homebody.core import (
        CORRECTED,
        DONE,
        PUBLISHED,
        STRICT,
        WAIT,
        Action,
        Event,
        HomebodyError,
        Measure,
        Observation,
        Playing,
        Policy,
        Prompting,
        Protocol,
        Reporting,
        Score,
        Scoring,
        Session,
        Suite,
        Tasks,
        TextAgent,
        Tool,
        ToolCall,
        Transcript,
    )
    from homebody.core.play.conversation import Image
    from homebody.core.play.rounds import Rounds, play
    from homebody.core.play.session import (
        NotReadyError,
        StaleError,
        View,
        read_action,
        take,
    )
    from homebody.core.play.session_base import SessionBase
    from homebody.core.play.transcript import TranscriptEntry, decode
    from homebody.core.play.turn_session import Game, TurnSession
    from homebody.core.published import Published
    from homebody.core.suite import Experiments, Summary
    from homebody.core.viewing import Viewing
    from homebody.results.comparison_records import Comparison
    from homebody.results.results import Results
    from homebody.suites import get_suite, list_suites, register_suite
    from homebody.worlds.house import House

__all__ = [
    "CORRECTED",
    "DONE",
    "PUBLISHED",
    "STRICT",
    "WAIT",
    "Action",
    "Comparison",
    "Event",
    "Experiments",
    "Game",
    "HomebodyError",
    "House",
    "Image",
    "Measure",
    "NotReadyError",
    "Observation",
    "Playing",
    "Policy",
    "Prompting",
    "Protocol",
    "Published",
    "Reporting",
    "Results",
    "Rounds",
    "Score",
    "Scoring",
    "Session",
    "SessionBase",
    "StaleError",
    "Suite",
    "Summary",
    "Tasks",
    "TextAgent",
    "Tool",
    "ToolCall",
    "Transcript",
    "TranscriptEntry",
    "TurnSession",
    "View",
    "Viewing",
    "__version__",
    "check_suite",
    "compare",
    "decode",
    "get_suite",
    "house",
    "list_suites",
    "play",
    "read_action",
    "register_suite",
    "replay",
    "run",
    "score",
    "session",
    "take",
]

_MODULES = {
    "api": "check_suite compare house replay run score session",
    "core": (
        "CORRECTED DONE PUBLISHED STRICT WAIT Action Event HomebodyError Measure"
        " Observation Playing Policy Prompting Protocol Reporting Score Scoring Session"
        " Suite Tasks TextAgent Tool ToolCall Transcript"
    ),
    "core.play.session_base": "SessionBase",
    "core.play.conversation": "Image",
    "core.play.rounds": "Rounds play",
    "core.play.session": "NotReadyError StaleError View read_action take",
    "core.play.transcript": "TranscriptEntry decode",
    "core.play.turn_session": "Game TurnSession",
    "core.published": "Published",
    "core.suite": "Experiments Summary",
    "core.viewing": "Viewing",
    "results.results": "Results",
    "results.comparison_records": "Comparison",
    "suites": "get_suite list_suites register_suite",
    "worlds.house": "House",
}
"""Module -> its public names, which are imported on first use."""

if not TYPE_CHECKING:  # type checkers know the names from above
    __getattr__, __dir__ = import_lazily(globals(), _MODULES)
