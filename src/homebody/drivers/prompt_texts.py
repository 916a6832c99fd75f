"""The texts of drivers' prompts, for any session."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from homebody.core import Event, HomebodyError, Observation, Session, Tool
from homebody.core.play.conversation import Image
from homebody.core.play.telling import sentence

MAX_READ: Final = 100_000
"""Maximum number of characters of a reply that are read."""
MAX_ANSWER: Final = 1_000
"""Maximum number of characters of an earlier reply that are repeated."""
MAX_TOLD: Final = 4_000
"""Maximum number of characters of the feedback on a reply."""
_RESULT: Final = re.compile(r"\n[^\S\n]*(?:Result|Observation)s?:")


def who_is_who(session: Session, role: str) -> str:
    """Return the model's role."""
    others = [other for other in session.roles if other != role]
    if not others:
        return "You act in a home, step by step, until a task is done."
    return (
        f"You act in a home as {role}, step by step, until a task is done; so does"
        f" {' and '.join(others)}, at the same time."
    )


def task(observation: Observation) -> str:
    """Return the task."""
    return f"Task: {observation.instruction}"


def now(observation: Observation) -> str:
    """Return what the role knows, and how many more times it may act."""
    known = f"What you know now:\n{observation.text}"
    if observation.actions_left is None:
        return known
    times = (
        "once more" if observation.actions_left == 1 else f"{observation.actions_left} more times"
    )
    return f"{known}\n\nYou may act {times}; what fails counts, too."


def visible_images(observation: Observation) -> tuple[Image, ...]:
    """Return the images that models receive."""
    return tuple(observation.images) if observation.shows_images else ()


def news(events: Iterable[Event], role: str) -> str:
    """Return the events as a role reads them, one per line."""
    return clip("\n".join(sentence(event, role) for event in events), MAX_TOLD)


def action_list(tools: Iterable[Tool]) -> str:
    """Return the kinds of actions, one per line: ``- Pick[object]: take an object ...``."""
    return "\n".join(_action(tool) for tool in tools)


def _action(tool: Tool) -> str:
    properties: dict[str, Any] = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", ())
    names = [name if name in required else f"({name})" for name in properties]
    details = [
        f"{name}: {text}" for name, schema in properties.items() if (text := _value(name, schema))
    ]
    more = f" ({'; '.join(details)})" if details else ""
    return f"- {tool.name}[{', '.join(names)}]: {tool.description}{more}"


def _value(name: str, schema: dict[str, Any]) -> str:
    """Return the description of an argument."""
    text = str(schema.get("description", ""))
    choices = schema.get("enum")
    return " ".join([text, f"(one of {', '.join(map(str, choices))})"] if choices else [text])


def clip(text: str, most: int, gap: str = " [...] ") -> str:
    """Return a string that can be sent. If it has more than ``most`` characters, a mark replaces
    its middle. Lone surrogates, which cannot be encoded, are replaced."""
    text = text.encode(errors="replace").decode()
    if len(text) <= most:
        return text
    return f"{text[: most // 4]}{gap}{text[-(most - most // 4) :]}"


def before_results(text: str) -> str:
    """Return the part of a reply that is read. It ends where a model invents the result of its
    action, and has no blank lines at the end."""
    text = text[:MAX_READ]
    found = _RESULT.search(text)
    if found is None:
        return text
    own = text[: found.start() + 1].rstrip()
    return text[: text.index("\n", len(own))]


def not_understood(error: HomebodyError) -> str:
    """Return the feedback on a reply without a readable action."""
    return f"Not understood: {error}" + (f"; {error.hint}" if error.hint else "")
