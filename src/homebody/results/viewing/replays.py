"""A sample that was played, step by step: what was tried, said and told, and what was seen.

Nothing of it is kept in results or logs: the transcript is played again, and where a suite says
what is shown at a moment (``Reporting.snapshot``), that is drawn again.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, TypeAlias

from homebody.core import HomebodyError, Message, Protocol, Session, Suite
from homebody.core.play.replay import retrace
from homebody.core.play.transcript import UNREAD, TranscriptEntry
from homebody.core.viewing import Film, Snapshot
from homebody.results.viewing.samples import safe

MAX_STEPS: Final = 300
"""That are shown: the first."""
DRAWN: Final = 40
"""Steps of a replay of which pictures are drawn beforehand, some 0.1 s for each in a house."""
MAX_SAID: Final = 4_000
"""Characters of what is said at a step."""
Files: TypeAlias = Mapping[str, Callable[[], bytes]]
"""Name -> makes it."""
SCENES: Final = "data/scene"
"""Where the files of films are that replays share."""
WIDTH: Final = 448
"""Of pictures, pixels at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """An action that was tried, what came before it and what came of it.

    Attributes:
        clock: When it was begun.
        role: Who tried it.
        call: As transcripts have it; what could not be read begins with ``?``.
        planner: Who decided on it, if somebody planned in words.
        said: What was said then.
        until: When it was over.
        ok: Whether it did what it says; None if that was not told.
        message: What was told of it.
        before: What is shown of the moment before it.
    """

    clock: int
    role: str
    call: str
    planner: str = ""
    said: str = ""
    until: int = 0
    ok: bool | None = None
    message: str = ""
    before: Snapshot = field(default_factory=Snapshot)


@dataclass(frozen=True, slots=True)
class Replay:
    """What was done in a sample.

    Attributes:
        steps: In order; the first :data:`MAX_STEPS`.
        of: How many there are.
        end: What is shown of the end.
        clock: When that was.
        film: Of what was where, if it was filmed.
        success: Whether it was one; None if that is not judged.
        explanation: Why.
    """

    steps: tuple[Step, ...]
    of: int
    end: Snapshot
    clock: int
    film: Film | None
    success: bool | None
    explanation: str


def replay_of(
    suite: Suite[Any],
    task: Any,
    output: str,
    protocol: Protocol,
    said: Mapping[str, Sequence[str]] | None = None,
) -> Replay | None:
    """A transcript, played again; None if the suite is not played, or nothing was done.

    Args:
        suite: Which was played.
        task: As the protocol has it.
        output: The transcript.
        protocol: How it is judged.
        said: Role -> what its model said, in order.
    """
    if suite.playing is None:
        return None
    try:
        session, entries, _ = suite.playing.open_transcript(task, output, protocol)
    except HomebodyError:  # the task is not possible
        return None
    if not entries:
        return None
    look = partial(_look, suite, protocol)
    film = suite.viewing.film(session) if suite.viewing.film is not None else None
    steps = _played(session, entries, look, film, said or {})
    end = look(session)
    score = session.score(protocol)
    success = score.record.get("success")
    return Replay(
        tuple(steps[:MAX_STEPS]),
        len(entries),
        steps[MAX_STEPS].before if len(steps) > MAX_STEPS else end,
        steps[MAX_STEPS].clock if len(steps) > MAX_STEPS else session.clock,
        film,
        success if isinstance(success, bool) else None,
        str(score.record.get("explanation", "")),
    )


def _look(suite: Suite[Any], protocol: Protocol, session: Session) -> Snapshot:
    """What is shown of a session now; its conditions as a score would say, if it ended now."""
    seen = suite.viewing.snapshot
    shown = seen(session) if seen is not None else Snapshot()
    if shown.conditions:
        return shown
    return replace(shown, conditions=suite.viewing.conditions(session.score(protocol).record))


def _played(
    session: Session,
    entries: Sequence[TranscriptEntry],
    look: Callable[[Session], Snapshot],
    film: Film | None,
    said: Mapping[str, Sequence[str]],
) -> list[Step]:
    """The steps, and one more than are shown, for what it is like before it."""
    cycles: dict[str, int] = {}
    for entry in entries:
        cycles[entry.planner] = max(cycles.get(entry.planner, 0), entry.cycle)
    steps: list[Step] = []
    open_: dict[str, int] = {}  # role -> its step that is not over
    for told in retrace(session, entries):
        if film is not None:
            film.take()
        if isinstance(told, TranscriptEntry):
            if len(steps) <= MAX_STEPS and session.ready():
                open_[told.role] = len(steps)
                words = _said(said.get(told.planner, ()), cycles[told.planner], told.cycle)
                steps.append(
                    Step(
                        session.clock,
                        told.role,
                        told.call,
                        told.planner,
                        words,
                        session.clock,
                        None,
                        "not understood" if told.call.startswith(UNREAD) else "",
                        look(session),
                    )
                )
        elif told.role in open_:
            at = open_.pop(told.role)
            steps[at] = replace(steps[at], until=told.end, ok=told.ok, message=told.message)
    return steps


def _said(words: Sequence[str], cycles: int, cycle: int) -> str:
    """What was said when an entry was decided on: the last attempt's replies are the last ones."""
    at = len(words) - cycles + cycle - 1
    return words[at] if cycle and 0 <= at < len(words) else ""


def said_by_role(messages: Sequence[Message]) -> dict[str, list[str]]:
    """Role -> all that its model said, in order, out of a conversation in which each text begins
    with its role in brackets."""
    said: dict[str, list[str]] = {}
    for message in messages:
        if message.role == "assistant":
            role, _, text = message.text.partition("] ")
            said.setdefault(role.removeprefix("["), []).append(text)
    return said


@dataclass(frozen=True, slots=True)
class ShownReplay:
    """A replay as a page shows it.

    Attributes:
        document: As JSON.
        pictures: The files that it has for itself, each made when it is asked for.
        scenes: The files of its film: name -> content. Other replays have the same ones.
    """

    document: dict[str, Any]
    pictures: Files
    scenes: Mapping[str, bytes]


def shown_replay(replay: Replay, beforehand: bool = False) -> ShownReplay:
    """A replay, and the files that its document names.

    Args:
        replay: What was done.
        beforehand: Whether pictures are not drawn when they are looked at, but all of them now:
            then only those of the first :data:`DRAWN` steps, and no plans of what is filmed.
    """
    with_plan = not (beforehand and replay.film is not None)
    drawn = DRAWN if beforehand else MAX_STEPS
    files: dict[str, Callable[[], bytes]] = {}
    moments = [*(step.before for step in replay.steps), replay.end]
    last = len(replay.steps)
    seen = [
        _pictures(moment, number, with_plan, files) if number < drawn or number == last else []
        for number, moment in enumerate(moments)
    ]
    steps = [
        {
            "clock": step.clock,
            "until": step.until,
            "role": safe(step.role),
            "call": safe(step.call.removeprefix(UNREAD)),
            "listed": safe(step.before.options.get(step.call)),
            "planner": safe(step.planner),
            "said": safe(step.said, MAX_SAID),
            "ok": step.ok,
            "message": safe(step.message or after.news, MAX_SAID),
            "options": safe(list(step.before.options.values())),
            "conditions": safe([[text, met] for text, met in after.conditions]),
            "pictures": pictures,
            "note": safe(step.before.note),
        }
        for step, after, pictures in zip(replay.steps, moments[1:], seen, strict=False)
    ]
    document = {
        "kind": "plain" if replay.film is None else "house",
        "house": None if replay.film is None else safe(replay.film.document()),
        "steps": steps,
        "of": replay.of,
        "end": {
            "clock": replay.clock,
            "success": replay.success,
            "explanation": safe(replay.explanation),
            "pictures": seen[-1],
            "conditions": safe([[text, met] for text, met in replay.end.conditions]),
        },
    }
    scenes = {} if replay.film is None else replay.film.files()
    return ShownReplay(document, files, scenes)


def _pictures(
    moment: Snapshot, number: int, with_plan: bool, files: dict[str, Callable[[], bytes]]
) -> list[dict[str, str]]:
    named = []
    plan = {"the plan": moment.plan} if with_plan and moment.plan is not None else {}
    for at, (name, draw) in enumerate({**plan, **moment.pictures}.items()):
        file = f"p{number}-{at}.jpg"
        files[file] = partial(jpeg, draw)
        named.append({"file": file, "name": safe(name, 200)})
    return named


def jpeg(draw: Callable[[], Any], width: int = WIDTH) -> bytes:
    """A picture of (height, width, 3) bytes, not wider than so many pixels."""
    from PIL import Image as Pictures

    picture = Pictures.fromarray(draw())
    if picture.width > width:
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=80)
    return data.getvalue()
