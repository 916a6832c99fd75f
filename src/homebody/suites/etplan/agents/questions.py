"""What the pipeline asks a model, and how its answers are read.

Each question stands alone, as the paper's do (tables 11 to 15, in other words here), and is
answered with a list in brackets. Of an answer the last list counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homebody.core import HomebodyError
from homebody.core.nesting import read_json
from homebody.goals.etplan import Condition
from homebody.suites.etplan.agents.jobs import Job, Wanted

PROMPTS: Final = ("zero-shot", "few-shot", "thinking")
"""How it is asked, the usual first."""
KINDS: Final[dict[str, str]] = {
    "navigation": "something is to be found, and nothing else",
    "manipulation": "one thing is to be found and put somewhere",
    "several": "several things are to be found and put at the same place",
    "temporal": "a thing is to be put into or onto another, and then both together somewhere",
}
MAX_READ: Final = 20_000
"""Last characters of an answer that are read."""
MAX_NAMES: Final = 300
MAX_JOBS: Final = 6
MAX_NAME: Final = 60
_FOUND: Final = {"near": "CLOSE", "on": "ON", "in": "INSIDE"}
_LIST: Final = re.compile(r"\[[^\[\]]*\]")
_SMALL: Final = frozenset({"a", "an", "the", "of", "some", "any"})


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question of the pipeline, before it is put into words.

    Attributes:
        about: ``kind``, ``jobs``, ``rooms``, ``furniture`` or ``seen`` (what pictures show).
        instruction: Of the task.
        kind: Of the task, as the model said.
        wanted: What is being looked for.
        room: Where the robot is, or has looked around.
        choices: Names to choose from.
    """

    about: str
    instruction: str
    kind: str = ""
    wanted: Wanted | None = None
    room: str = ""
    choices: tuple[str, ...] = ()


_ASKED: Final[dict[str, str]] = {
    "kind": """A robot in a home is told: "{instruction}"

Which kind of task is that?
{kinds}

Answer with a list of one word, such as ["navigation"].""",
    "jobs": """A robot in a home is told: "{instruction}"

That is a task of the kind {kind}: {meant}. What is to be done with which thing? Answer with a
list of JSON objects, one for each thing to be moved or found, in the order in which it is done:
[{{"thing": what is to be found,
"found": "near", "on" or "in", if it is said where it is, else "",
"at": what it is near, on or in, else "",
"put": "on" or "in", if it is to be put somewhere, else "",
"target": where it is to be put, else "",
"target_found": the same as "found", of the target,
"target_at": the same as "at", of the target}}]
Name things as the task does.""",
    "rooms": """A robot in a home looks for {wanted}. The rooms are {choices}. In which order
should it look into them? Answer with a list of all of these names, the most likely room first.""",
    "furniture": """A robot looks for {wanted}. In {room} it has looked all around, and has not
found it. There are {choices}. What it looks for may be in, on or behind one of these, or near it.
To which of them should it go? Answer with a list of those of these names that are worth a look, the
most promising first; with [] if none is.""",
    "seen": """These pictures show what a robot in {room} sees ahead, to its left, behind it and to
its right. Which furniture and things are in them? Answer with a list of names of kinds, such as
["table", "mug"], each once.""",
}
_EXAMPLES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "kind": (
        ("Where is the broom?", '["navigation"]'),
        ("Put the stapler that is on the shelf into a drawer.", '["manipulation"]'),
        ("Lay the ring into the jewel case and take that to the dresser.", '["temporal"]'),
    ),
    "jobs": (
        (
            "Go to the broom near the boiler.",
            '[{"thing": "broom", "found": "near", "at": "boiler", "put": "", "target": "",'
            ' "target_found": "", "target_at": ""}]',
        ),
        (
            "Take the stapler to the desk in the study.",
            '[{"thing": "stapler", "found": "", "at": "", "put": "on", "target": "desk",'
            ' "target_found": "in", "target_at": "study"}]',
        ),
    ),
    "rooms": (("a broom; the rooms are attic, utility_room", '["utility_room", "attic"]'),),
    "furniture": (("a stapler; it sees bathtub, chest, desk", '["desk", "chest"]'),),
    "seen": (("a desk with a lamp on it, before a window", '["desk", "lamp", "window"]'),),
}


def worded(inquiry: Inquiry, prompt: str) -> str:
    """A question in words, in one of the :data:`PROMPTS`."""
    text = _ASKED[inquiry.about].format(
        instruction=inquiry.instruction,
        kinds="\n".join(f"- {name}: {meant}" for name, meant in KINDS.items()),
        kind=inquiry.kind,
        meant=KINDS.get(inquiry.kind, ""),
        wanted="" if inquiry.wanted is None else described(inquiry.wanted),
        room=inquiry.room,
        choices=", ".join(inquiry.choices) or "nothing to look into",
    )
    if prompt == "thinking":
        return f"{text}\n\nThink step by step first. The last line is the list, and nothing else."
    if prompt == "few-shot":
        examples = "\n".join(f"- {case} -> {answer}" for case, answer in _EXAMPLES[inquiry.about])
        text = f"{text}\n\nExamples, of other homes:\n{examples}"
    return f"{text}\n\nSay nothing but the list."


def described(wanted: Wanted) -> str:
    """A thing to find, in words: ``a key that is near console table``."""
    word = {relation: name for name, relation in _FOUND.items()}
    where = " and ".join(f"{word[c.relation]} {c.second.replace('_', ' ')}" for c in wanted.where)
    name = f'"{wanted.category.replace("_", " ")}"'
    return f"{name} that is {where}" if where else name


def read_names(text: str) -> tuple[str, ...]:
    """The names in the last list of an answer, each once. Raises HomebodyError if there is none."""
    found = _LIST.findall(text[-MAX_READ:])
    if not found:
        raise HomebodyError("there is no list in it", 'write one as ["name", "name"]')
    names = (part.strip(" \t\r\n\"'`") for part in found[-1][1:-1].split(","))
    return tuple(dict.fromkeys(name[:MAX_NAME] for name in names if name))[:MAX_NAMES]


def read_kind(text: str) -> str:
    """The kind of task that an answer names. Raises HomebodyError if it names none."""
    for name in read_names(text):
        if name.lower() in KINDS:
            return name.lower()
    raise HomebodyError("that is no kind of task", f"there are: {', '.join(KINDS)}")


def read_jobs(text: str) -> tuple[Job, ...]:
    """What is to be done, as an answer says. Raises HomebodyError, with what is wrong."""
    text = text[-MAX_READ:]
    start, end = text.rfind("[{"), text.rfind("]")
    if start < 0:
        start = text.find("[")
    try:
        values = read_json(text[start : end + 1]) if start >= 0 else None
    except ValueError as error:
        raise HomebodyError("the list is no JSON") from error
    if not isinstance(values, list) or not values:
        raise HomebodyError("there is no list of objects in it")
    return tuple(map(_job, values[:MAX_JOBS]))


def _job(value: Any) -> Job:
    if not isinstance(value, Mapping) or not _text(value, "thing"):
        raise HomebodyError('an object of the list has no "thing"')
    put, target = _text(value, "put"), _text(value, "target")
    if bool(put) != bool(target) or put not in ("", "on", "in"):
        raise HomebodyError('"put" is "on" or "in" where there is a "target", and "" where not')
    thing = _wanted(_text(value, "thing"), _text(value, "found"), _text(value, "at"))
    if not put:
        return Job(thing)
    place = _wanted(target, _text(value, "target_found"), _text(value, "target_at"))
    return Job(thing, _FOUND[put], place)


def _wanted(name: str, found: str, at: str) -> Wanted:
    if bool(found) != bool(at) or found not in ("", *_FOUND):
        raise HomebodyError('where something is found is "near", "on" or "in" something, or ""')
    return Wanted(name, (Condition(_FOUND[found], name, at),) if found else ())


def _text(value: Mapping[Any, Any], key: str) -> str:
    text = value.get(key) or ""
    if not isinstance(text, str):
        raise HomebodyError(f'"{key}" is no text')
    text = "_".join(text.lower().replace("_", " ").split())
    return text[:MAX_NAME]


def truth_of_jobs(jobs: Iterable[Job]) -> Iterator[dict[str, str]]:
    """Jobs, as answers have them."""
    word = {relation: name for name, relation in _FOUND.items()}
    for job in jobs:
        said = {"put": word.get(job.relation, "")}
        for wanted, prefix in ((job.thing, ""), (job.target, "target_")):
            where = wanted.where[0] if wanted is not None and wanted.where else None
            name = "" if wanted is None else wanted.category.replace("_", " ")
            said[prefix.rstrip("_") or "thing"] = name
            said[f"{prefix}found"] = "" if where is None else word[where.relation]
            said[f"{prefix}at"] = "" if where is None else where.second.replace("_", " ")
        yield {
            key: said[key]
            for key in ("thing", "found", "at", "put", "target", "target_found", "target_at")
        }


def same_name(said: str, category: str) -> bool:
    """Whether words name a class: ``bottles of oil`` is ``oil_bottle``."""
    return _words(said) == _words(category)


def chosen(names: Sequence[str], choices: Sequence[str]) -> list[str]:
    """Those of the choices that are named, in the order in which they are."""
    found = [choice for name in names for choice in choices if same_name(name, choice)]
    return list(dict.fromkeys(found))


def _words(name: str) -> frozenset[str]:
    words = re.findall(r"[a-z0-9]+", name.lower().replace("'", ""))
    return frozenset(word.removesuffix("s") for word in words if word not in _SMALL)
