"""What drivers tell models, whatever they play."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from homebody.core import Event, HomebodyError, Observation, Session, Tool
from homebody.core.play.conversation import Image
from homebody.core.play.telling import sentence

MAX_READ: Final = 100_000
"""Characters of an answer that are read: models may say anything of any length."""
MAX_ANSWER: Final = 1_000
"""Characters of an earlier answer that are shown again."""
MAX_TOLD: Final = 4_000
"""Characters of what came of it."""
_RESULT: Final = re.compile(r"\n[^\S\n]*(?:Result|Observation)s?:")


def who_is_who(session: Session, role: str) -> str:
    """Who a model is."""
    others = [other for other in session.roles if other != role]
    if not others:
        return "You act in a home, step by step, until a task is done."
    return (
        f"You act in a home as {role}, step by step, until a task is done; so does"
        f" {' and '.join(others)}, at the same time."
    )


def task(observation: Observation) -> str:
    """What is to be done."""
    return f"Task: {observation.instruction}"


def now(observation: Observation) -> str:
    """What is known, and how often one may still act."""
    known = f"What you know now:\n{observation.text}"
    if observation.actions_left is None:
        return known
    times = (
        "once more" if observation.actions_left == 1 else f"{observation.actions_left} more times"
    )
    return f"{known}\n\nYou may act {times}; what fails counts, too."


def shown(observation: Observation) -> tuple[Image, ...]:
    """What is shown besides."""
    return tuple(observation.images) if observation.shows_images else ()


def news(events: Iterable[Event], role: str) -> str:
    """What has happened, a line each."""
    return clipped("\n".join(sentence(event, role) for event in events), MAX_TOLD)


def action_list(tools: Iterable[Tool]) -> str:
    """What can be done, a line each: ``- Pick[object]: take an object ...``."""
    return "\n".join(_action(tool) for tool in tools)


def _action(tool: Tool) -> str:
    properties: dict[str, Any] = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", ())
    names = [name if name in required else f"({name})" for name in properties]
    told = [
        f"{name}: {text}" for name, schema in properties.items() if (text := _value(name, schema))
    ]
    more = f" ({'; '.join(told)})" if told else ""
    return f"- {tool.name}[{', '.join(names)}]: {tool.description}{more}"


def _value(name: str, schema: dict[str, Any]) -> str:
    """What an argument is."""
    text = str(schema.get("description", ""))
    choices = schema.get("enum")
    return " ".join([text, f"(one of {', '.join(map(str, choices))})"] if choices else [text])


def clipped(text: str, most: int, gap: str = " [...] ") -> str:
    """A text that can be sent: one of more than so many characters without its middle, with a gap
    that says so in its place. What cannot be encoded (lone surrogates) is replaced."""
    text = text.encode(errors="replace").decode()
    if len(text) <= most:
        return text
    return f"{text[: most // 4]}{gap}{text[-(most - most // 4) :]}"


def before_results(text: str) -> str:
    """An answer, as far as it is read, up to where a model goes on by itself and tells what came
    of its action; blank lines before that are left out."""
    text = text[:MAX_READ]
    found = _RESULT.search(text)
    if found is None:
        return text
    said = text[: found.start() + 1].rstrip()
    return text[: text.index("\n", len(said))]


def not_understood(error: HomebodyError) -> str:
    """Why no action could be read."""
    return f"Not understood: {error}" + (f"; {error.hint}" if error.hint else "")
