"""A session of a task, in its home or in its scene graph, and its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from homebody.core import HomebodyError, Protocol, Score, Session, Transcript
from homebody.core.play.session import ALL_DONE
from homebody.core.play.turn_session import TurnSession
from homebody.core.protocol import resolve_protocol
from homebody.core.score import cut_text
from homebody.goals.etplan import ROBOT, EtplanGoal
from homebody.suites.etplan.agents.questions import PROMPTS
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.house_session import start_in_house
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.metrics import Run, measure, reason_to_exclude
from homebody.suites.etplan.protocol import QUIRKS
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.scenes import graph
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.trace import PlayedRun

KNOWLEDGE: Final = ("visible", "layout", "full")
"""The possible initial knowledge of the robot: rooms and doors; rooms, doors and furniture; or
everything (appendix A.5)."""


def settings(row: Row) -> dict[str, tuple[str, ...]]:
    """Return the settings of a row with their values, the default first."""
    usual = "layout" if row.layout else "visible"
    return {
        "knowledge": (usual, *(level for level in KNOWLEDGE if level != usual)),
        "observation": ("text", "pictures"),
        "prompt": PROMPTS,
    }


def build(task: EtplanTask) -> object:
    """Prepare a task's sight in its home; scene graphs need no preparation."""
    return sight(task.house) if isinstance(task.house, int) else None


def start(
    row: Row, task: EtplanTask, given: Mapping[str, str], seed: int, protocol: Protocol
) -> Session:
    """Return a deterministic session of a task. Raises HomebodyError if it is impossible."""
    knowledge = given.get("knowledge", settings(row)["knowledge"][0])
    own = Protocol("", protocol.kept_quirks(QUIRKS))
    origin = Transcript(dict(given), seed)
    scored = partial(score_run, row, task, own)
    if isinstance(task.house, str):
        return _start_in_graph(row, task, knowledge, origin, scored)
    return start_in_house(row, task, knowledge, origin, scored)


def _start_in_graph(
    row: Row,
    task: EtplanTask,
    knowledge: str,
    origin: Transcript,
    scored: Callable[[PlayedRun, Score, Protocol | None], Score],
) -> TurnSession:
    assert isinstance(task.house, str)
    assert isinstance(task.start, str)
    if origin.settings.get("observation") == "pictures":
        raise HomebodyError("tasks in a scene graph have no pictures", "use observation=text")
    household = graph(task.house).start(task.start)
    game = GraphGame(household, task.goal, knowledge, row.hands)

    return TurnSession(
        task.id,
        task.instruction,
        game,
        max_actions=row.most_actions,
        seed=origin.seed,
        settings=origin.settings,
        role=ROBOT,
        source=TaskContext(row, task, knowledge, game, game.seen),
        measure=partial(_measure_session, task.instruction, scored),
    )


def _measure_session(
    instruction: str,
    scored: Callable[[PlayedRun, Score, Protocol | None], Score],
    session: TurnSession,
    score: Score,
    wanted: Protocol | None,
) -> Score:
    game: Any = session.game
    settings = session.transcript().settings
    record = {**score.record, "instruction": instruction, "settings": settings}
    tried = record["actions"] - (record["ending"] == ALL_DONE)
    played = PlayedRun(game.seen, tuple(game.log), tried, game.metres)
    return scored(played, replace(score, record=record), wanted)


def score_run(
    row: Row,
    task: EtplanTask,
    own: Protocol,
    played: PlayedRun,
    score: Score,
    wanted: Protocol | None,
) -> Score:
    """Return the score of a played run, based on the score of its session."""
    quirks = resolve_protocol(wanted, own, QUIRKS).kept_quirks(QUIRKS)
    verdict = EtplanGoal(task.goal, quirks).judge(played.seen.trace)
    facts = played.seen.facts
    refusal = "" if verdict.success else played.refusal
    run = Run(
        tried=tuple((action, not why) for action, why in played.tried),
        reference=task.reference,
        category=facts.category,
        length=played.length,
        metres=played.metres,
        success=verdict.success,
        most_actions=row.most_actions,
        kind=row.kind,
        stops=tuple(played.seen.stops),
        targets=tuple(map(facts.position, played.seen.walked_to)),
    )
    record = {
        **score.record,
        "success": verdict.success,
        "progress": verdict.progress,
        "explanation": cut_text(" ".join(filter(None, (verdict.explanation, refusal)))),
        "conditions": [[part.text, part.satisfied] for part in verdict.parts],
        **measure(run, quirks),
    }
    metrics = {"success": float(verdict.success), "progress": verdict.progress}
    return Score(task.id, metrics, record).exclude(reason_to_exclude(run, quirks))
