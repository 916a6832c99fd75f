"""The queries of a model at each step.

They have the same structure as the paper's prompt for several images (figure 8) and the published
prompt for video, in homebody's own words. The model receives the task, its actions with feedback,
and past and current pictures, and chooses a numbered option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import (
    Action,
    Dialogue,
    Event,
    HomebodyError,
    Message,
    Policy,
    Question,
    Reply,
    Session,
)
from homebody.core.play.conversation import CUT_OFF, Image, Video, check_complete, transcript_text
from homebody.core.play.session import take
from homebody.drivers.model_rounds import play_rounds
from homebody.drivers.prompt_texts import MAX_READ, clip
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.replies import read_choice
from homebody.suites.embodiedeval.session import MAX_STEPS, NOW, SETTINGS
from homebody.suites.embodiedeval.views import FOV
from homebody.worlds.house.play.navigation_graph import AHEAD, PITCH
from homebody.worlds.house.rendering.video import mp4

FRAMES_A_SECOND: Final = 4
"""Frames per second of videos: a movement takes one second."""
WAY: Final = "what you have seen"
"""Name of a video."""
MAX_SAID: Final = 250
"""Characters of a reply without an option that are kept and shown again."""
_SHOWN: Final = {
    "images": (
        "the pictures that you have seen so far, the current one last",
        "What you have seen, the current view last:",
    ),
    "frames": (
        "pictures of all that you have seen on your way, the current view last",
        "What you have seen on your way, the current view last:",
    ),
    "video": (
        "a video of all that you have seen on your way, whose last frame is the current view",
        "What you have seen on your way, up to the current view:",
    ),
    "": ("what you have done, without any picture", ""),
}
"""Form of the pictures -> its description in the rules, and the text beside the pictures."""
_FORMS: Final = {
    "choice": """\
Answer in this form:
Thought: what you see, and what to do next
Choice: [number of the option]""",
    "call": "Think briefly about what you see and what to do next. Then call one tool: the one of"
    " an option in the list.",
}


def _rules(shown: str, form: str) -> str:
    return f"""\
You see a building and the people in it through a camera at the height of a person's eyes. You do \
a task: you walk about, look, handle objects, talk to people, or answer a question. At each step \
you receive {_SHOWN[shown][0]}, and a numbered list of options. Choose one of them.

What you should know:
- Look in the places that matter for the task. An answer is final: give it once you have seen \
enough.
- You walk between fixed places. Moving forward takes you to the next place ahead, if there is \
one; turning shows the next way or view to that side. Each step states these distances and angles.
- The camera's field of view is {FOV:.0f} degrees, across as well as up. "Straight ahead" is \
{-AHEAD:.0f} degrees below the horizon; you look up or down by {PITCH:.0f} degrees.
- You can only handle objects, and talk to people, that are in the current view and close to you. \
If it fails, find out why before you try again: you may be too far away or looking elsewhere.
- You can hold one object. Put it down before you take another.
- "I" or "me" in a task is somebody in the building.
- Do not walk in circles or repeat what did not work.
- There are {MAX_STEPS} steps.

{_FORMS[form]}"""


def drive(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Have a model play, unless a policy does."""
    return play_rounds(session, policies, Chooser)


class Chooser:
    """A model that plays, queried anew at each step: a :class:`.Player`."""

    def __init__(self, session: Any, role: str) -> None:
        self._session = session
        settings = session.transcript().settings
        named = ("view", "history", "reply")
        self._view, most, self._form = (settings.get(name, SETTINGS[name][0]) for name in named)
        self._most = int(most)
        self._seen: list[tuple[Image, ...]] = []
        self._history: list[str] = []
        self._now: tuple[Image, ...] = ()
        self._options: list[Action] = []

    def resume(self) -> bool:
        """Return False: every step is a new decision."""
        return False

    def question(self) -> Question:
        """Return the query: pictures, history and options."""
        session = self._session
        observation = session.observe(AGENT)
        self._now = tuple(observation.images) if observation.shows_images else ()
        shown = [image for images in [*self._seen, self._now][-self._most :] for image in images]
        self._options = list(observation.options)
        view = self._view if shown else ""
        return _question(session, view, self._form, self._history, shown, self._texts())

    def _texts(self) -> list[str]:
        return [self._session.game.text(option) for option in self._options]

    def answer(self, reply: Reply) -> None:
        """Execute the option that the model chose."""
        session, step = self._session, len(self._seen) + 1
        if not session.ready():  # it ended during the query
            return
        self._seen.append(
            tuple(replace(image, name=_later(step, image.name)) for image in self._now)
        )
        event: Event | None
        cut = reply.stop_reason == "max_tokens"
        if reply.calls and not cut:
            excerpt = f"a call of {clip(reply.calls[0].name, MAX_SAID)}"
            event = take(session, AGENT, reply.calls[0], step, AGENT)
            assert event is not None  # actions take no time in turn sessions
        else:
            text = reply.text[:MAX_READ].strip()
            excerpt = CUT_OFF if cut else repr(clip(text, MAX_SAID))
            event = _choose(session, reply, self._options, self._texts(), step)
        if event.action.name:
            taken = session.game.taken[-1]
            self._history.append(f"{taken.text} -> {taken.feedback}")
        else:
            self._history.append(f"{excerpt} -> failed: {event.message}")


def _choose(
    session: Any, reply: Reply, options: Sequence[Action], texts: Sequence[str], step: int
) -> Event:
    """Execute the option that a reply names, or record that it names none."""
    try:
        check_complete(reply)
        action = read_choice(reply.text[:MAX_READ], options, texts)
    except HomebodyError as error:
        excerpt = clip(reply.text[:MAX_READ], MAX_SAID)  # the choice is at the end
        session.note(AGENT, transcript_text(excerpt, reply.stop_reason), step, AGENT)
        return Event(AGENT, Action(""), False, error.advice, session.clock - 1, session.clock)
    event: Event = session.act(AGENT, action, step, AGENT)
    return event


def _later(step: int, name: str) -> str:
    """Return the name of a picture in later steps."""
    return f"step {step}" if name == NOW else f"step {step}, {name}"


def _question(
    session: Any,
    view: str,
    form: str,
    history: Sequence[str],
    shown: Sequence[Image],
    texts: Sequence[str],
) -> Question:
    done = [f"{number}. {line}" for number, line in enumerate(history, 1)]
    parts = [
        f"Task: {session.instruction}",
        "What you have done so far, with the results:\n" + ("\n".join(done) or "nothing yet"),
        session.game.describe(),
    ]
    if view:
        parts.append(_SHOWN[view][1])
    listed = [f"[{at}] {text}" for at, text in enumerate(texts, 1)]
    ask = f"This is step {session.clock + 1} of {MAX_STEPS}. Your options:\n"
    text = "\n\n".join(parts)
    if view == "video":
        frames = [image.rgb for image in shown]
        video = Video(WAY, mp4(frames, FRAMES_A_SECOND), len(frames))
        seen = Message("user", text, videos=(video,))
    else:
        seen = Message("user", text, images=tuple(shown))
    return Question(
        AGENT,
        (Message("system", _rules(view, form)), seen, Message("user", ask + "\n".join(listed))),
        tools=tuple(session.tools(AGENT)) if form == "call" else (),
    )
