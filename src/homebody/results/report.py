"""Runs to be looked at: for each, what was seen, said and done at every step, as one HTML file.

Nothing of it was kept in logs: the transcript is played again, and the suite's ``snapshot`` says
what is shown at each moment. The file needs no other, runs no scripts and fetches nothing. What
models have said is hostile: it is cut, escaped, and its invisible characters are shown.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from homebody.core import HomebodyError, Progress, Protocol, Suite
from homebody.core.conversation import Image
from homebody.core.session import retrace
from homebody.core.shown import shown
from homebody.core.suite import Snapshot
from homebody.core.transcript import UNREAD, TranscriptEntry

EPISODES: Final = 20
"""That are shown if nobody says otherwise."""
WIDTH: Final = 320
"""Of pictures, pixels."""
MAX_STEPS: Final = 200
"""Of an episode, that are shown: its first."""
MAX_SAID: Final = 1_500
"""Characters of what is said at a step."""
MAX_LINE: Final = 400
"""Characters of any other text."""


@dataclass(frozen=True, slots=True)
class Recording:
    """What is there of a run of a task.

    Attributes:
        identifier: Of the task.
        epoch: Which run of it, from 1.
        output: Its transcript.
        said: Role -> what its model said, in order; empty if that was not kept.
    """

    identifier: str
    epoch: int
    output: str
    said: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Step:
    """Before a step, what was tried in it, and what its model said."""

    before: Snapshot
    entry: TranscriptEntry
    said: str


def chosen(
    recordings: Sequence[Recording], wanted: Sequence[str], most: int
) -> tuple[Recording, ...]:
    """The recordings of some tasks, by id, or of all if none are named; the first so many.

    Raises:
        HomebodyError: there is none of a task that is named.
    """
    known = {recording.identifier for recording in recordings}
    for name in wanted:
        if name not in known:
            raise HomebodyError(f"there is no episode of {shown(name, 80)}")
    return tuple(each for each in recordings if not wanted or each.identifier in wanted)[:most]


def report(
    suite: Suite[Any],
    recordings: Sequence[Recording],
    protocol: Protocol,
    *,
    of: int,
    source: str = "",
    width: int = WIDTH,
    progress: Progress | None = None,
) -> str:
    """Episodes as a page of HTML.

    Args:
        suite: Which was played.
        recordings: Those that are shown.
        protocol: How they are judged.
        of: How many there are; the page says so.
        source: Where they are from, in words.
        width: Of pictures, pixels.
        progress: Told of episodes done.

    Raises:
        HomebodyError: the suite has no reports, or a recording is of a task that it does not have.
    """
    look = suite.reporting.snapshot
    if suite.playing is None or look is None:
        raise HomebodyError(f"there are no reports of runs of {suite.name}")
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(protocol)}
    parts = []
    for number, recording in enumerate(recordings, 1):
        if recording.identifier not in tasks:
            raise HomebodyError(
                f"{suite.name} has no task {shown(recording.identifier, 80)}",
                f"see: homebody list {suite.name}",
            )
        task = tasks[recording.identifier]
        parts.append("".join(_episode(suite, task, recording, protocol, look, width)))
        if progress:
            progress("drawing episodes", number, len(recordings))
    shown_of = (
        f"{len(recordings)} of {of} episodes"
        if len(recordings) < of
        else f"{of} episode{'s' * (of != 1)}"
    )
    about = ", ".join(filter(None, (f"{protocol.name} protocol", shown_of, source)))
    return _PAGE.format(title=_text(suite.title), about=_text(about), style=_STYLE) + "".join(
        [*parts, "</main>\n"]
    )


def _episode(
    suite: Suite[Any],
    task: Any,
    recording: Recording,
    protocol: Protocol,
    look: Callable[[Any], Snapshot],
    width: int,
) -> Iterator[str]:
    assert suite.playing is not None
    name = f"{recording.identifier}" + (f", {recording.epoch}" if recording.epoch > 1 else "")
    session, entries, problem = suite.playing.begun(task, recording.output, protocol)
    steps: list[_Step] = []
    for entry in retrace(session, entries):
        if isinstance(entry, TranscriptEntry) and session.ready() and len(steps) <= MAX_STEPS:
            steps.append(_Step(look(session), entry, _said(recording, entries, entry)))
    end = look(session)
    score = session.score(protocol)
    metrics = ", ".join(f"{metric} {value:.3g}" for metric, value in score.metrics.items())
    explanation = str(score.record.get("explanation", ""))
    yield f'<section><h2>{_text(name)} <span class="score">{_text(metrics)}</span></h2>\n'
    yield f'<p class="task">{_text(suite.tasks.describe(task), MAX_SAID)}</p>\n'
    yield f'<p class="why">{_text(" ".join(filter(None, (problem, explanation))))}</p>\n'
    if len(steps) > MAX_STEPS:
        yield f'<p class="why">The first {MAX_STEPS} of {len(entries)} steps are shown.</p>\n'
    yield '<div class="strip">\n'
    afters = [*(step.before for step in steps), end][1:]
    for number, (step, after) in enumerate(list(zip(steps, afters, strict=True))[:MAX_STEPS], 1):
        yield from _card(f"Step {number}", step.before, after, step, width)
    yield from _card("At the end", end, end, None, width)
    yield "</div></section>\n"


def _said(recording: Recording, entries: Sequence[TranscriptEntry], entry: TranscriptEntry) -> str:
    """What was said when an entry was decided on: the last attempt's replies are the last ones."""
    said = recording.said.get(entry.planner, ())
    cycles = max((e.cycle for e in entries if e.planner == entry.planner), default=0)
    at = len(said) - cycles + entry.cycle - 1
    return said[at] if entry.cycle and 0 <= at < len(said) else ""


def _card(
    title: str, before: Snapshot, after: Snapshot, step: _Step | None, width: int
) -> Iterator[str]:
    """One step: what was seen, said and chosen, and then what came of it and what is met."""
    yield f"<article><h3>{title}</h3>\n"
    for image in before.images:
        alt = _text(image.name)
        yield f'<img src="{data_uri(image, width)}" alt="{alt}" title="{alt}">\n'
    if before.note:
        yield f'<p class="note">{_text(before.note)}</p>\n'
    if step is not None:
        if step.said.strip():
            yield f'<p class="said">{_text(step.said, MAX_SAID)}</p>\n'
        call = step.entry.call
        listed = before.options.get(call)
        text = call.removeprefix(UNREAD) if listed is None else listed
        yield f'<p class="choice{" unread" * (listed is None)}">{_text(text)}</p>\n'
        if after.news:
            yield f'<p class="news">{_text(after.news)}</p>\n'
    for condition, met in after.conditions:
        mark = ("open", "&#9675;") if not met else ("met", "&#9679;")
        yield f'<p class="{mark[0]}">{mark[1]} {_text(condition)}</p>\n'
    if step is not None and before.options:
        yield f"<details><summary>{len(before.options)} options</summary><ol>"
        for option, text in before.options.items():
            is_chosen = ' class="choice"' * (option == step.entry.call)
            yield f"<li{is_chosen}>{_text(text)}</li>"
        yield "</ol></details>\n"
    yield "</article>\n"


def data_uri(image: Image, width: int = WIDTH) -> str:
    """A picture, not wider than so many pixels, as a data URI of JPEG."""
    from PIL import Image as Pictures

    picture = Pictures.fromarray(image.rgb)
    if picture.width > width:
        picture = picture.resize((width, max(1, round(picture.height * width / picture.width))))
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=80)
    return f"data:image/jpeg;base64,{b64encode(data.getvalue()).decode()}"


def _text(text: str, most: int = MAX_LINE) -> str:
    return escape(shown(text, most, lines=True))


_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5em; }
h1 { font-size: 1.4em; margin-bottom: 0; }
h2 { font-size: 1.1em; margin: 1.6em 0 0; border-top: 1px solid #8886; padding-top: 0.8em; }
h3 { font-size: 1em; margin: 0 0 0.4em; }
p { margin: 0.3em 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.score, .why, .note, .about, summary { color: #777; font-weight: normal; font-size: 0.92em; }
.task { font-weight: 600; }
.strip { display: flex; gap: 1em; overflow-x: auto; align-items: flex-start; padding: 0.6em 0; }
article { flex: 0 0 320px; }
img { width: 100%; display: block; margin-bottom: 0.3em; border-radius: 3px; }
.said { font-style: italic; max-height: 14em; overflow-y: auto; }
.choice { font-weight: 600; }
p.choice::before { content: "\\2192  "; }
.unread { color: #b60; font-family: monospace; }
.met { color: #190; }
.open { color: #777; }
ol { margin: 0.3em 0; padding-left: 2.2em; }
"""
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" \
content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head><body>
<h1>{title}</h1><p class="about">{about}</p><main>
"""
