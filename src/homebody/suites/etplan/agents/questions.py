"""The pipeline's queries of a model and the parsing of its outputs.

Each query is independent, as in the paper (tables 11 to 15; here in homebody's own words). The
answer is a list in brackets. If an output has several lists, the last one counts."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from homebody.core import HomebodyError
from homebody.core.ground.nesting import read_json
from homebody.goals.etplan import RELATION_WORDS, Condition, Job, Target

PROMPTS: Final = ("zero-shot", "few-shot", "thinking")
"""Kinds of prompts, the default first."""
KINDS: Final[dict[str, str]] = {
    "navigation": "find something, and do nothing else",
    "manipulation": "find one object and put it somewhere",
    "several": "find several objects and put them at the same place",
    "temporal": "put an object into or onto another, and then put both together somewhere",
}
MAX_READ: Final = 20_000
"""Last characters of an output that are read."""
MAX_NAMES: Final = 300
MAX_JOBS: Final = 6
MAX_NAME: Final = 60
_FOUND: Final = {word: relation for relation, word in RELATION_WORDS.items()}
_KEYS: Final = ("thing", "found", "at", "put", "target", "target_found", "target_at")
_LIST: Final = re.compile(r"\[[^\[\]]*\]")
_SMALL: Final = frozenset({"a", "an", "the", "of", "some", "any"})
_SAME: Final = {"light": "lamp", "couch": "sofa", "refrigerator": "fridg", "television": "tv"}


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A query of the pipeline, before it is put into words.

    Attributes:
        about: ``kind``, ``jobs``, ``rooms``, ``furniture`` or ``seen`` (the content of pictures).
        instruction: The instruction of the task.
        kind: The kind of the task that the model named.
        wanted: The object to find.
        room: The robot's room, or the room that it searched.
        choices: Names to choose from.
        notes: Sentences on the choices.
    """

    about: str
    instruction: str
    kind: str = ""
    wanted: Target | None = None
    room: str = ""
    choices: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


_ASKED: Final[dict[str, str]] = {
    "kind": """A robot in a home receives the instruction: "{instruction}"

Which kind of task is this?

{kinds}

Answer with a list of one of these four words: ["..."]""",
    "jobs": """A robot in a home receives the instruction: "{instruction}"

This is a task of the kind {kind}: {meant}. What must the robot do with which thing? Answer with a
list of JSON objects, one for each thing to find, in the order of the steps:

{form}

If the instruction says what the thing is near, on or in, "found" is "near", "on" or "in", and "at"
is what it is near, on or in. If the thing must be put on or in something, "put" is "on" or "in",
and "target" is what it is put on or in; "target_found" and "target_at" describe where the target
is, as "found" and "at" do for the thing. All other fields are "". Use the names of the
instruction.""",
    "rooms": """A robot in a home looks for {wanted}. The rooms are: {choices}. In which order
should it search them? Answer with a list of all of these names, the most likely room first.""",
    "furniture": """A robot looks for {wanted}. It has looked all around in {room} and has not
found it. It sees: {choices}.{notes} The object may be in, on, behind or near one of these. To which
of them should it go? Answer with a list of the names that are worth a look, the most promising
first; answer [] if no name is.""",
    "seen": """These pictures show what a robot in {room} sees ahead, to its left, behind it and to
its right. Which furniture and objects do they show? Answer with a list of kinds, such as
["table", "mug"], each once.""",
}
_STUDY: Final = (Condition("INSIDE", "desk", "study"),)
_CASE: Final = Target("jewel_case")
_JOBS: Final[dict[str, tuple[str, tuple[Job, ...]]]] = {
    "navigation": (
        "Go to the broom near the boiler.",
        (Job(Target("broom", (Condition("CLOSE", "broom", "boiler"),))),),
    ),
    "manipulation": (
        "Take the stapler to the desk in the study.",
        (Job(Target("stapler"), "ON", Target("desk", _STUDY)),),
    ),
    "several": (
        "Lay the map and a compass on the workbench.",
        tuple(Job(Target(each), "ON", Target("workbench")) for each in ("map", "compass")),
    ),
    "temporal": (
        "Lay the ring into the jewel case and take that to the dresser.",
        (Job(Target("ring"), "INSIDE", _CASE), Job(_CASE, "ON", Target("dresser"))),
    ),
}
_EXAMPLES: Final = {
    "rooms": 'a broom; the rooms: attic, utility_room -> ["utility_room", "attic"]',
    "furniture": 'a stapler; it sees bathtub, chest, desk -> ["desk", "chest"]',
    "seen": 'a desk with a lamp on it, before a window -> ["desk", "lamp", "window"]',
}
"""Examples for the queries: one for each query or, for kinds and jobs, one for each kind of
task."""


def format_question(inquiry: Inquiry, prompt: str) -> str:
    """Return a query as text, in one of the :data:`PROMPTS`."""
    paragraphs = (" ".join(each.split()) for each in _ASKED[inquiry.about].split("\n\n"))
    text = "\n\n".join(paragraphs).format(
        instruction=inquiry.instruction,
        kinds="\n".join(f"- {name}: {meant}" for name, meant in KINDS.items()),
        kind=inquiry.kind,
        meant=KINDS.get(inquiry.kind, ""),
        form=json.dumps([dict.fromkeys(_KEYS, "...")]),
        wanted="" if inquiry.wanted is None else describe_target(inquiry.wanted),
        room=inquiry.room,
        choices=", ".join(inquiry.choices) or "nothing to search",
        notes="".join(f" {note}" for note in inquiry.notes),
    )
    if prompt == "thinking":
        return f"{text}\n\nThink step by step first. The last line is the list, and nothing else."
    if prompt == "few-shot":
        match inquiry.about:
            case "kind":
                examples = [f'{case} -> ["{kind}"]' for kind, (case, _) in _JOBS.items()]
            case "jobs":
                case, jobs = _JOBS[inquiry.kind]
                examples = [f"{case} -> {format_jobs(jobs)}"]
            case other:
                examples = [_EXAMPLES[other]]
        text = "\n- ".join([f"{text}\n\nExamples, of other homes:", *examples])
    return f"{text}\n\nSay nothing but the list."


def describe_target(wanted: Target) -> str:
    """Describe an object to find: ``a key that is near console table``."""
    where = " and ".join(
        f"{RELATION_WORDS[c.relation]} {c.second.replace('_', ' ')}" for c in wanted.where
    )
    name = f'"{wanted.category.replace("_", " ")}"'
    return f"{name} that is {where}" if where else name


def describe_choices(condition: Condition, related: Iterable[str]) -> str:
    """Return a sentence such as ``Near a bed: chair, chest.`` on the choices with a relation."""
    place = f"{RELATION_WORDS[condition.relation]} a {condition.second.replace('_', ' ')}"
    return f"{place.capitalize()}: {', '.join(related) or 'none of them'}."


def read_names(text: str) -> tuple[str, ...]:
    """Return the distinct names in the last list of an output. Raises HomebodyError without one."""
    found = _LIST.findall(text[-MAX_READ:])
    if not found:
        raise HomebodyError("the answer has no list", 'write one as ["name", "name"]')
    names = (part.strip(" \t\r\n\"'`") for part in found[-1][1:-1].split(","))
    return tuple(dict.fromkeys(name[:MAX_NAME] for name in names if name))[:MAX_NAMES]


def read_some(text: str, choices: Collection[str], or_none: bool = False) -> list[str]:
    """Return the choices that an output names, in order. Raises HomebodyError without any."""
    names = read_names(text)
    found = select_choices(names, choices)
    if found or (or_none and names in ((), ("None",), ("none",))):
        return found
    hint = "; write [] for none" if or_none else ""
    raise HomebodyError("it names none of these", f"{', '.join([*choices][:40])}{hint}")


def read_jobs(text: str, classes: Collection[str]) -> tuple[Job, ...]:
    """Return the jobs of an output.

    Names become the classes that they match; others stay as they are.

    Raises:
        HomebodyError: The output is invalid; the message says why.
    """
    text = text[-MAX_READ:]
    start, end = text.rfind("[{"), text.rfind("]")
    if start < 0:
        start = text.find("[")
    try:
        values = read_json(text[start : end + 1]) if start >= 0 else None
    except ValueError as error:
        raise HomebodyError("the list is not valid JSON") from error
    if not isinstance(values, list) or not values:
        raise HomebodyError("the answer has no list of objects", 'write one as [{"thing": "..."}]')
    return tuple(_read_job(value, classes) for value in values[:MAX_JOBS])


def _read_job(value: Any, classes: Collection[str]) -> Job:
    if not isinstance(value, Mapping) or not value.get("thing"):
        raise HomebodyError('an object of the list has no "thing"')
    said = {}
    for key in _KEYS:
        if not isinstance(text := value.get(key) or "", str):
            raise HomebodyError(f'"{key}" is not a string')
        said[key] = "_".join(text.lower().replace("_", " ").split())[:MAX_NAME]
    for key in ("thing", "at", "target", "target_at"):
        said[key] = next(iter(match_choices(said[key], classes)), said[key])
    put, target = said["put"], said["target"]
    if bool(put) != bool(target) or put not in ("", "on", "in"):
        raise HomebodyError('"put" is "on" or "in" where there is a "target", and "" where not')
    thing = _read_target(said["thing"], said["found"], said["at"])
    if not put:
        return Job(thing)
    return Job(thing, _FOUND[put], _read_target(target, said["target_found"], said["target_at"]))


def _read_target(name: str, found: str, at: str) -> Target:
    if bool(found) != bool(at) or found not in ("", *_FOUND):
        raise HomebodyError('where something is found is "near", "on" or "in" something, or ""')
    return Target(name, (Condition(_FOUND[found], name, at),) if found else ())


def format_jobs(jobs: Iterable[Job]) -> str:
    """Format jobs as an output."""
    answers = []
    for job in jobs:
        said = dict.fromkeys(_KEYS, "") | {"put": RELATION_WORDS.get(job.relation, "")}
        for wanted, key, prefix in ((job.thing, "thing", ""), (job.target, "target", "target_")):
            if wanted is not None:
                said[key] = wanted.category.replace("_", " ")
                for where in wanted.where[:1]:
                    said[f"{prefix}found"] = RELATION_WORDS[where.relation]
                    said[f"{prefix}at"] = where.second.replace("_", " ")
        answers.append(said)
    return json.dumps(answers)


def match_choices(said: str, choices: Iterable[str]) -> list[str]:
    """Return the choices that a name matches.

    A choice matches if it is equal except for word order, plural and articles ("bottles of oil" is
    ``oil_bottle``). If none is equal, the choices with the most words in the name match ("bar of
    soap" is ``soap``, "bedroom" is ``bedroom_0``)."""
    words = _words(said)
    parts = {choice: _words(choice) for choice in sorted(choices)}
    same = [  # "slice of bread" is breadslice
        choice
        for choice, part in parts.items()
        if sorted("".join(part)) == sorted("".join(words)) or _letters(choice) == _letters(said)
    ]
    if same:
        return same if words else []
    exact = f"_{said.lower().replace(' ', '_')}_"
    most: tuple[int, bool] = (0, True)
    inside: list[str] = []
    for choice, part in parts.items():
        share = set(filter(str.isalpha, part))
        rank = len(share), f"_{choice}_" in exact
        if share <= words and rank > most:
            most, inside = rank, []
        if share <= words and rank == most:
            inside.append(choice)
    return inside


def select_choices(names: Iterable[str], choices: Iterable[str]) -> list[str]:
    """Return the choices that names match, in the order of the names."""
    return list(dict.fromkeys(choice for name in names for choice in match_choices(name, choices)))


def _letters(name: str) -> list[str]:
    return sorted("".join(_content_words(name)))


def _content_words(name: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+", name.lower().replace("'", ""))
    return [word for word in words if word not in _SMALL]


def _words(name: str) -> frozenset[str]:
    stems = (re.sub("(?<=..)[seiy]+$", "", word) for word in _content_words(name))
    return frozenset(_SAME.get(stem, stem.replace("v", "f")) for stem in stems)
