"""How a model is asked at each step: as the paper's prompt for several images has it (figure 8), in
other words.

It is told the task, what it has done and what came of it, is shown what it has seen and what it
sees now, and chooses one of the numbered options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homebody.core import Action, Dialogue, HomebodyError, Message, Policy, Question, Session
from homebody.core.conversation import Image, noted
from homebody.drivers import react
from homebody.drivers.words import MAX_ANSWER, MAX_READ, clipped
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.session import MAX_STEPS, SETTINGS

_RULES: Final = f"""\
You see a building and the people in it through a camera at the height of a person's eyes, and do \
what a task says: you walk about, look, handle things, talk to people, or answer a question. At \
each step you get the pictures that you have seen so far, the current one last, and a numbered \
list of options, and choose one.

What you should know:
- Go and look where what the task is about can be. An answer is final: give it once you have seen \
enough.
- You walk between fixed places. Moving forward takes you to the next place ahead, if there is \
one; turning shows the next way or view to that side.
- Only what is in the current picture and close to you can be handled, and only people like that \
be talked to. If it fails, find out why before you try again: you may be too far away or look \
elsewhere.
- You can hold one object. Put it down before you take another.
- Who says "I" or "me" in a task is somebody in the building.
- Do not walk in circles or repeat what did not work.
- There are {MAX_STEPS} steps.

Answer in this form:
Thought: what you see, and what to do next
Choice: [number of the option]"""
_CHOICE: Final = re.compile(r"choice\W{0,10}?\[?\s*(\d{1,6})\b", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\[(\d{1,6})\]")
_NUMBER: Final = re.compile(r"(?<![\w.])(\d{1,6})(?![\w.]*\d)")


def drive(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Have a model play, unless a policy does."""
    yield from react(session, policies) if policies else _play(session)


def _play(session: Any) -> Dialogue:
    settings = session.transcript().settings
    most = int(settings.get("history", SETTINGS["history"][0]))
    seen: list[Image] = []
    history: list[str] = []
    cycle = 0
    while session.ready():
        observation = session.observe(AGENT)
        now = tuple(observation.images) if observation.shows else ()
        shown = [*seen, *now][-most:] if now else []
        options = list(observation.options)
        listed = [f"[{at}] {session.game.text(option)}" for at, option in enumerate(options, 1)]
        (reply,) = yield (Question(AGENT, _messages(session, history, shown, listed)),)
        if not session.ready():  # it has ended while the model was asked
            return
        cycle += 1
        text = reply.text[:MAX_READ]
        seen += [replace(image, name=f"step {cycle}: {image.name}") for image in now]
        try:
            action = read_choice(text, options, [session.game.text(option) for option in options])
        except HomebodyError as error:
            session.note(AGENT, noted(text, reply.stop_reason), cycle, AGENT)
            history.append(f"{clipped(text.strip(), MAX_ANSWER // 4)!r} -> failed: {error}")
            continue
        session.act(AGENT, action, cycle, AGENT)
        history.append(f"{session.game.text(action)} -> {session.game.taken[-1].feedback}")


def _messages(
    session: Any, history: Sequence[str], shown: Sequence[Image], listed: Sequence[str]
) -> tuple[Message, ...]:
    done = [f"{number}. {line}" for number, line in enumerate(history, 1)]
    told = [
        f"Task: {session.instruction}",
        "What you have done so far, and what came of it:\n" + ("\n".join(done) or "nothing yet"),
        session.game.describe(),
    ]
    if shown:
        told.append("What you have seen, the current view last:")
    left = MAX_STEPS - session.clock
    ask = f"This is step {session.clock + 1} of {MAX_STEPS}; {left} left. Your options:\n"
    return (
        Message("system", _RULES),
        Message("user", "\n\n".join(told), images=tuple(shown)),
        Message("user", ask + "\n".join(listed)),
    )


def read_choice(text: str, options: Sequence[Action], texts: Sequence[str]) -> Action:
    """The option that a reply names: after ``Choice``, else in brackets, else in words, else the
    last number. Raises HomebodyError if it names none."""
    for pattern in (_CHOICE, _BRACKETS):
        found = pattern.findall(text)
        if found:
            return _numbered(int(found[-1]), options)
    said = text.strip().rpartition("\n")[2].partition(":")[2] or text
    bare = said.strip().strip("[].\"'").lower()
    for option, words in zip(options, texts, strict=True):
        if bare in (words.lower(), words.lower().removeprefix("answer ").strip('"')):
            return option
    numbers = _NUMBER.findall(text)
    if numbers:
        return _numbered(int(numbers[-1]), options)
    raise HomebodyError("no option is named; end with Choice: [number]")


def _numbered(number: int, options: Sequence[Action]) -> Action:
    if not 1 <= number <= len(options):
        raise HomebodyError(f"there is no option {number}; choose one that is listed")
    return options[number - 1]
