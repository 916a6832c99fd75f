"""Replays of samples that were played: actions, messages and pictures, step by step.

Replays are not saved: the transcript is replayed, and the suite's snapshots are rendered again.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from homebody.core import HomebodyError, Message, Protocol, Session, Suite
from homebody.core.play.replay import retrace
from homebody.core.play.transcript import UNREAD, TranscriptEntry
from homebody.core.viewing import Film, Snapshot
from homebody.results.viewing.samples import safe

MAX_STEPS: Final = 300
"""Maximum number of steps shown."""
DRAWN: Final = 40
"""Maximum number of steps of a replay with pictures rendered in advance. Each picture takes about
0.1 s in a house."""
MAX_SAID: Final = 4_000
"""Maximum characters of a reply."""
Files: TypeAlias = Mapping[str, Callable[[], bytes]]
"""Name of a file -> function that makes the file."""
SCENES: Final = "data/scene"
"""Folder of the films' files that replays share."""
WIDTH: Final = 448
"""Maximum width of pictures in pixels."""


@dataclass(frozen=True, slots=True)
class Step:
    """An action with its result and the state before it.

    Attributes:
        clock: Step of the clock at its start.
        role: The acting role.
        call: The call in the transcript; unreadable calls begin with ``?``.
        planner: The planner that chose it, if any.
        said: The reply that contained it.
        until: Step of the clock at its end.
        ok: True if it succeeded; None if unknown.
        message: Message of its result.
        before: Snapshot before it.
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
    """A replay of a sample.

    Attributes:
        steps: The first :data:`MAX_STEPS` steps.
        of: Number of all steps.
        end: Snapshot of the end.
        clock: Step of the clock at the end.
        film: The film, if there is one.
        success: True if the task succeeded; None if it is not judged.
        explanation: Explanation of the score.
    """

    steps: tuple[Step, ...]
    of: int
    end: Snapshot
    clock: int
    film: Film | None
    success: bool | None
    explanation: str


def make_replay(
    suite: Suite[Any],
    task: Any,
    output: str,
    protocol: Protocol,
    said: Mapping[str, Sequence[str]] | None = None,
) -> Replay | None:
    """Replay a transcript; None if the suite is not played or nothing was done.

    Args:
        suite: The suite.
        task: The task, loaded for the protocol.
        output: The transcript.
        protocol: The protocol.
        said: Role -> its model's replies in order.
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
    steps = _replay_steps(session, entries, look, film, said or {})
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
    """Return a session's snapshot, with conditions as if it ended now."""
    seen = suite.viewing.snapshot
    shown = seen(session) if seen is not None else Snapshot()
    if shown.conditions:
        return shown
    return replace(shown, conditions=suite.viewing.conditions(session.score(protocol).record))


def _replay_steps(
    session: Session,
    entries: Sequence[TranscriptEntry],
    look: Callable[[Session], Snapshot],
    film: Film | None,
    said: Mapping[str, Sequence[str]],
) -> list[Step]:
    """Return the steps that are shown, and one more for its snapshot."""
    cycles: dict[str, int] = {}
    for entry in entries:
        cycles[entry.planner] = max(cycles.get(entry.planner, 0), entry.cycle)
    steps: list[Step] = []
    open_: dict[str, int] = {}  # role -> its unfinished step
    for event in retrace(session, entries):
        if film is not None:
            film.take()
        if isinstance(event, TranscriptEntry):
            if len(steps) <= MAX_STEPS and session.ready():
                open_[event.role] = len(steps)
                words = _find_reply(said.get(event.planner, ()), cycles[event.planner], event.cycle)
                steps.append(
                    Step(
                        session.clock,
                        event.role,
                        event.call,
                        event.planner,
                        words,
                        session.clock,
                        None,
                        "not understood" if event.call.startswith(UNREAD) else "",
                        look(session),
                    )
                )
        elif event.role in open_:
            at = open_.pop(event.role)
            steps[at] = replace(steps[at], until=event.end, ok=event.ok, message=event.message)
    return steps


def _find_reply(words: Sequence[str], cycles: int, cycle: int) -> str:
    """Return the reply for an entry's cycle. The replies of the last attempt are at the end of the
    list."""
    at = len(words) - cycles + cycle - 1
    return words[at] if cycle and 0 <= at < len(words) else ""


def replies_by_role(messages: Sequence[Message]) -> dict[str, list[str]]:
    """Return a mapping from each role to its model's replies, in order. Messages begin with the
    role in brackets."""
    said: dict[str, list[str]] = {}
    for message in messages:
        if message.role == "assistant":
            role, _, text = message.text.partition("] ")
            said.setdefault(role.removeprefix("["), []).append(text)
    return said


@dataclass(frozen=True, slots=True)
class ShownReplay:
    """A replay in the form that the page shows.

    Attributes:
        document: The JSON document.
        pictures: Its own files, made on demand.
        scenes: Name -> content of its film's files, shared with other replays.
    """

    document: dict[str, Any]
    pictures: Files
    scenes: Mapping[str, bytes]


def shown_replay(replay: Replay, beforehand: bool = False) -> ShownReplay:
    """Return a replay's document and the files that it names.

    Args:
        replay: The replay.
        beforehand: True to render pictures in advance. Then only the first :data:`DRAWN` steps have
            pictures, and there are no floor plans if there is a film.
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
    named: list[dict[str, str]] = []
    if find_spec("PIL") is None:  # it needs the extra ``house``
        return named
    plan = {"the plan": moment.plan} if with_plan and moment.plan is not None else {}
    for at, (name, draw) in enumerate({**plan, **moment.pictures}.items()):
        file = f"p{number}-{at}.jpg"
        files[file] = partial(encode_jpeg, draw)
        named.append({"file": file, "name": safe(name, 200)})
    return named


def encode_jpeg(draw: Callable[[], Any], width: int = WIDTH) -> bytes:
    """Encode a picture of (height, width, 3) bytes as JPEG, scaled down to ``width`` pixels."""
    from PIL import Image as Pictures

    picture = Pictures.fromarray(draw())
    if picture.width > width:
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=80)
    return data.getvalue()
