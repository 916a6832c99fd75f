"""Observations as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from homebody.core import Action, Event, HomebodyError, Observation
from homebody.core.play.conversation import Image
from homebody.core.play.options import by_kind
from homebody.core.play.transcript import write_call

MAX_OF_A_KIND: Final = 300
"""Maximum number of listed options of one kind of action.

Other options can be found by words (:func:`find_options`) and done by their call.
"""
MAX_FOUND: Final = 60
"""Maximum number of options found at a time."""
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IN_WORDS: Final[Mapping[str, str]] = {
    "Navigate": "Go to",
    "Explore": "Go and look around in",
    "Pick": "Pick up",
    "Place": "Put",
    "Rearrange": "Move",
    "PowerOn": "Switch on",
    "PowerOff": "Switch off",
}
"""Action -> its name for people, if it is different."""


def event_json(event: Event) -> dict[str, Any]:
    """Return an event: role, action, success, message, start and end."""
    return {
        "role": event.role,
        **(action_json(event.action) if event.action.name else {"call": "", "words": ""}),
        "ok": event.ok,
        "message": event.message,
        "start": event.start,
        "end": event.end,
    }


def describe_action(action: Action) -> str:
    """Return an action in words: ``Switch on lamp_0``, ``Put cup_0 on table_1``."""
    name = _IN_WORDS.get(action.name) or _HUMP.sub(" ", action.name).replace("_", " ")
    return " ".join((name[:1].upper() + name[1:].lower(), *action.args))


def listed_options(options: Sequence[Action]) -> list[Action]:
    """Return the listed options in their order, or by kind if a kind has too many."""
    kinds = by_kind(options).values()
    if all(len(kind) <= MAX_OF_A_KIND for kind in kinds):
        return list(options)
    return [option for kind in kinds for option in islice(kind, MAX_OF_A_KIND)]


def options_json(options: Sequence[Action]) -> list[Mapping[str, str]]:
    """Return the listed options in their order."""
    return list(map(action_json, listed_options(options)))


def unlisted_options(options: Sequence[Action]) -> dict[str, int]:
    """Return the number of options of each kind that is not listed completely."""
    counts = {name: len(kind) for name, kind in by_kind(options).items()}
    return {name: count for name, count in counts.items() if count > MAX_OF_A_KIND}


def find_options(options: Sequence[Action], words: Sequence[str]) -> list[Mapping[str, str]]:
    """Return the first options that contain all words, in their call or in words."""
    wanted = [word.lower() for word in words]
    described = map(action_json, options)
    found = (
        option
        for option in described
        if all(word in f"{option['call']} {option['words']}".lower() for word in wanted)
    )
    return list(islice(found, MAX_FOUND))


@lru_cache(20_000)  # the same thousands are sent again and again
def action_json(action: Action) -> Mapping[str, str]:
    """Return an action as its call and in words."""
    return {"call": write_call(action), "words": describe_action(action)}


def observation_json(
    observation: Observation, options: Sequence[Mapping[str, str]]
) -> dict[str, Any]:
    """Return an observation without its pictures; raise StaleError if it is out of date."""
    return {
        "role": observation.role,
        "clock": observation.clock,
        "instruction": observation.instruction,
        "news": list(map(event_json, observation.news)),
        "text": observation.text,
        "learnt": observation.changes,
        "options": options,
        "left": observation.actions_left,
    }


def tools_json(observation: Observation) -> list[Mapping[str, Any]]:
    """Return the tools: name, words for people, description, JSON schema of the arguments."""
    return [
        {
            "name": tool.name,
            "words": describe_action(Action(tool.name)),
            "description": tool.description,
            "parameters": tool.parameters,
        }
        for tool in observation.tools
    ]


def images_of(observation: Observation) -> Sequence[Image]:
    """Return the pictures of an observation. The result is empty if models receive no pictures or
    if rendering fails."""
    if not observation.shows_images:
        return ()
    try:
        return tuple(observation.images)
    except HomebodyError:
        return ()
