"""A session of a task, and its score."""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from homebody.core import HomebodyError, Protocol, Score
from homebody.core.play.conversation import Image
from homebody.core.play.replay import replay
from homebody.core.play.transcript import UNREAD, TranscriptEntry
from homebody.core.play.turn_session import TurnSession
from homebody.core.protocol import resolve_protocol
from homebody.core.score import cut_text
from homebody.suites.embodiedeval.game import NO_OPTION, EmbodiedGame
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.metrics import QUESTIONS, goal_conditions, spl_of
from homebody.suites.embodiedeval.pictures import KeptPictures, open_set
from homebody.suites.embodiedeval.protocol import GOES_ON, LAST_ANSWERS, PLAYED, QUIRKS, UNREAD_ENDS
from homebody.suites.embodiedeval.replies import NO_MATCH, kind_of_error
from homebody.suites.embodiedeval.tasks import EmbodiedTask
from homebody.suites.embodiedeval.views import (
    SIDE,
    boxed_picture,
    camera_of,
    picture,
    prepare_renderer,
)
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.video import require_mp4

MAX_STEPS: Final = 24
"""Maximum number of steps of a run (section 4.1)."""
SETTINGS: Final = {
    "picture": ("448", "224", "896", "none"),
    "boxes": ("no", "yes"),
    "history": ("24", "8", "1"),
    "view": ("images", "frames", "video"),
    "reply": ("choice", "call"),
    "pictures": (),
}
"""Setting -> its values, the default first.

``picture`` is the side of pictures in pixels, or none at all. ``boxes`` draws boxes with names.
``history`` is the number of steps whose pictures are shown, the current one included. ``view`` can
add the views between two steps, as pictures or as a video. ``reply`` is a number or a call of a
tool. ``pictures`` is a folder of pictures that were rendered in advance (:mod:`.pictures`). They
are used while the house is in its initial state."""
KEPT_FROM: Final = "pictures_from"
"""An internal setting that transcripts record: the set of the pictures."""
UNREAD_ENDING: Final = "a reply could not be read"
"""The ending by a reply that names no option."""
NOW: Final = "current view"
"""Name of the picture of the current view, the last one of a step."""


def check_settings(settings: Mapping[str, str]) -> None:
    """Raise HomebodyError if settings contradict each other or videos cannot be made."""
    view, boxes = settings.get("view", "images"), settings.get("boxes", "no")
    if settings.get("picture") == "none" and (view, boxes) != ("images", "no"):
        raise HomebodyError(
            "with picture=none, view and boxes have no effect", "omit view and boxes"
        )
    if view == "video":
        require_mp4()
    if pictures := settings.get("pictures"):
        if boxes != "no" or settings.get("picture", "448") != str(SIDE):
            raise HomebodyError(
                f"with pictures=FOLDER, boxes must be no and picture must be {SIDE}",
                "omit boxes and picture",
            )
        open_set(Path(pictures))


def build(task: EmbodiedTask) -> House:
    """Return the house of a task and prepare its first picture. Raises HomebodyError."""
    game = EmbodiedGame(task)
    with suppress(HomebodyError):
        prepare_renderer(game.state, game.view)
    return game.house


def start(
    task: EmbodiedTask, given: Mapping[str, str], seed: int, protocol: Protocol
) -> TurnSession:
    """Return a deterministic session of a task. Raises HomebodyError if it is impossible."""
    quirks = protocol.kept_quirks(QUIRKS)
    game = EmbodiedGame(task, quirks)
    kept = None
    if folder := given.get("pictures"):
        kept = KeptPictures(folder, given.get(KEPT_FROM, ""), task, game.state)
    session = TurnSession(
        task.id,
        task.instruction,
        game,
        max_actions=MAX_STEPS,
        seed=seed,
        settings=given,
        role=AGENT,
        source=task,
        measure=partial(_score, Protocol("", quirks)),
        images=None if given.get("picture") == "none" else partial(_pictures, given, kept),
        over=partial(_find_ending, quirks),
        without_done=True,
    )
    if LAST_ANSWERS in quirks and task.category in QUESTIONS:
        game.answers_only = partial(_is_last_step, session)
    return session


def _is_last_step(session: TurnSession) -> bool:
    return session.clock == MAX_STEPS - 1


def _find_ending(quirks: Set[str], session: TurnSession) -> str | None:
    """Return the reason why a session ends before all predicates are met; None if it continues."""
    if UNREAD_ENDS in quirks and session.entries and _is_unread(session.entries[-1]):
        return UNREAD_ENDING
    game: Any = session.game
    judge = game.judge
    ended = judge.wrong if GOES_ON in quirks else judge.answered
    return "an answer was given" if ended else None


def _pictures(
    given: Mapping[str, str], kept: KeptPictures | None, session: TurnSession
) -> tuple[Image, ...]:
    """Return the agent's pictures, and record the set that they come from."""
    game: Any = session.game
    if kept is not None and kept.pictures is not None:
        session.record(KEPT_FROM, str(kept.pictures))
    return _images(game, given, kept)


def _images(
    game: EmbodiedGame, given: Mapping[str, str], kept: KeptPictures | None
) -> tuple[Image, ...]:
    """Return the agent's picture. If frames are shown, the pictures on the way come first."""
    side = int(given.get("picture", SETTINGS["picture"][0]))
    boxes = given.get("boxes") == "yes"
    ways = game.way if given.get("view") in ("frames", "video") else ()
    cameras = [*ways, camera_of(game.house, game.view, lowered=game.lowered)]
    sized = [replace(camera, width=side, height=side) for camera in cameras]
    found = kept.find(game.state, sized[-1]) if kept is not None else None
    game.source = str(kept.pictures) if kept is not None and found is not None else ""
    rgbs = [
        boxed_picture(game.state, camera) if boxes else picture(game.state, camera).rgb
        for camera in (sized if found is None else sized[:-1])
    ]
    rgbs += [found] if found is not None else []
    names = [*(f"on the way {at}" for at in range(1, len(rgbs))), NOW]
    return tuple(map(Image, names, rgbs))


def _score(own: Protocol, session: TurnSession, score: Score, wanted: Protocol | None) -> Score:
    """Return the score of a session, based on the default score of turn-based sessions.

    If the quirks change the end of a run, the steps are replayed under these rules."""
    game: Any = session.game
    quirks = resolve_protocol(wanted, own, QUIRKS).kept_quirks(QUIRKS)
    if (quirks ^ own.kept_quirks(QUIRKS)) & PLAYED:
        rules = Protocol("", quirks)
        transcript = session.transcript()
        other = start(game.task, transcript.settings, transcript.seed, rules)
        return replay(other, transcript.entries).score(rules)
    task, judge = game.task, game.judge
    choose = [at for at, text in enumerate(task.predicates) if text.startswith("choose ")]
    wrong = choose[0] if judge.wrong else None
    gcs = goal_conditions(judge.met, wrong, quirks)
    spl = spl_of(judge.success, len(task.plan), session.clock, quirks)
    done = [step for step in game.taken if step.kind not in ("move", "answer", NO_OPTION)]
    errors = [
        kind_of_error(entry.call.removeprefix(UNREAD))
        for entry in session.entries
        if _is_unread(entry)
    ]
    source = session.transcript().settings.get(KEPT_FROM)
    errors += [NO_MATCH for step in game.taken if step.kind == NO_OPTION]
    record: dict[str, Any] = {
        **score.record,
        "success": judge.success,
        "gcs": gcs,
        "spl": spl,
        "category": task.category,
        "family": task.family,
        "capabilities": list(task.capabilities),
        "instruction": task.instruction,
        "steps": session.clock,
        "shortest": len(task.plan),
        "steps_used_up": session.clock >= MAX_STEPS and not judge.success and not judge.answered,
        "interactions": len(done),
        "interactions_done": sum(step.ok for step in done),
        "errors": errors,
        **({KEPT_FROM: source} if source else {}),
        "predicates": [[text, met] for text, met in zip(task.predicates, judge.met, strict=True)],
        "trajectory": [[step.text, step.feedback] for step in game.taken],
        "explanation": cut_text(_explanation(game)),
    }
    metrics = {"success": float(judge.success), "gcs": gcs, "spl": spl}
    return replace(score, metrics=metrics, record=record)


def _is_unread(entry: TranscriptEntry) -> bool:
    return entry.call.startswith(UNREAD)


def _explanation(game: EmbodiedGame) -> str:
    judge = game.judge
    if judge.success:
        return f"All predicates are met after {len(game.taken)} steps."
    unmet = [text for text, met in zip(game.task.predicates, judge.met, strict=True) if not met]
    how = "An answer was given, and" if judge.answered else "At the end"
    return f"{how} this is not met: {'; '.join(unmet)}."
