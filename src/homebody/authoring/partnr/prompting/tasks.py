"""Stage (a): a model writes tasks for a house, freely (PARTNR paper, appendix A.3).

It receives the rooms, the furniture and the kinds of objects, and returns JSON, which is checked
entity by entity. The evaluation functions come later (:mod:`.evaluation`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from homebody.authoring.partnr.draft import Draft, Rejected
from homebody.authoring.partnr.prompting.descriptions import describe_house, describe_objects
from homebody.authoring.partnr.regrounding.template import Template, read_templates, to_draft
from homebody.core.play.conversation import Ask, Message
from homebody.worlds.house.model.house import House

TASK_TYPES: Final[Mapping[str, str]] = {
    "constraint-free": (
        "The steps may be done in any order, by anybody. Nothing depends on how"
        " objects lie relative to each other, and every step is carrying an object somewhere."
    ),
    "spatial": (
        "How objects are placed relative to each other matters: next to one another, all together,"
        " on the same table, each on a shelf of its own. Name the piece of furniture they go to."
    ),
    "temporal": (
        "The order matters and the instruction says so, with words such as first, then, after"
        " that, before, once, finally. At least two steps follow each other."
    ),
    "heterogeneous": (
        "Some steps only the person can do: washing or wiping things, filling vessels with water,"
        " switching things on and off. The rest is carrying. Give objects that will need it a"
        ' state at first, such as "object_states": {"clean": false}.'
    ),
}
"""Type of task (section 3.3) -> its definition in prompts."""

SYSTEM: Final = """\
You invent household chores for a person and a robot who share a home. The person says what should \
be done; both then work on it at the same time.

What they can do: the robot walks, opens and closes furniture, picks things up and puts them down. \
The person can do that too, and can also clean things, fill things with water, pour them out, and \
switch things on or off. Nobody can cook, fold, cut, assemble, hang up or throw anything.

Rules for an instruction:
- It is what a person would really say: one to four sentences of everyday English without \
identifiers. Say "the kitchen counter", never "counter_0".
- It leaves no doubt about what should end up where. Whoever reads it must be able to tell when it \
is done, so avoid wishes such as "make it cosy" on their own.
- It asks for at least two objects to be dealt with.
- It only speaks of rooms and furniture that are in the list below and of objects that you put \
into the house yourself.
- Nothing of it is done already at the start, and no part undoes or rules out another.
- The instructions of your answer differ in wording, rooms, objects and purpose.

Answer with JSON only: a list in which each task is
{"instruction": TEXT,
 "initial_state": [{"number": N, "object_classes": [KIND OF OBJECT], "furniture_names": \
[FURNITURE], "allowed_regions": [ROOM]}, ...],
 "initial_furniture_state": [{"furniture_names": [FURNITURE], "object_states": {STATE: TRUE OR \
FALSE}}, ...]}
An entry of initial_state puts N objects of a kind on one piece of furniture; with "location": \
"in" they are inside. The floor of a room counts as furniture. Leave initial_furniture_state empty \
unless the task is about cleaning furniture or switching it on or off. States are clean, filled, \
powered_on and open. Furniture that is marked ~ can bear no objects."""

_TASK: Final = """\
The house, each room with its furniture:
{house}

Kinds of objects:
{objects}

Write {count} tasks of this type. {type}"""


_LIKE_TASK: Final = """\
The house, each room with its furniture:
{house}

Kinds of objects:
{objects}

Here is a task from another house:
{task}

Write one task like it for this house: keep the kind of goal and what makes it demanding, such as \
an order, things that have to be next to each other, or things to clean or switch on. Choose \
rooms, furniture and objects that this house has, and let the wording differ where that sounds \
natural."""


def author_messages(house: House, kind: str, count: int = 5) -> tuple[Message, ...]:
    """Return the conversation that requests tasks of a type, a key of :data:`TASK_TYPES`."""
    return (
        Message("system", SYSTEM),
        Message(
            "user",
            _TASK.format(
                house=describe_house(house),
                objects=describe_objects(),
                count=count,
                type=TASK_TYPES[kind],
            ),
        ),
    )


def read_drafts(text: str, house: House) -> list[Draft | Rejected]:
    """Return the drafts of a model's output; an unusable draft is replaced by its error."""
    return [_try_draft(template, house) for template in read_templates(text)]


def author_with_model(ask: Ask, house: House, kind: str, count: int = 5) -> list[Draft | Rejected]:
    """Return at most ``count`` drafts by a model for a house, without evaluation functions."""
    return read_drafts(ask(author_messages(house, kind, count)), house)[:count]


def adapt_messages(seed: Draft, house: House) -> tuple[Message, ...]:
    """Return the conversation that requests a task similar to a given one, for another house."""
    entries: list[dict[str, object]] = []
    for placed in seed.placements:
        entry: dict[str, object] = {
            "number": placed.number,
            "object_classes": [placed.category],
            "furniture_names": [placed.furniture],
        }
        if placed.relation == "within":
            entry["location"] = "in"
        if placed.states:
            entry["object_states"] = dict(placed.states)
        entries.append(entry)
    furniture = [
        {"furniture_names": [name], "object_states": dict(states)}
        for name, states in seed.furniture_states.items()
    ]
    task = {"instruction": seed.instruction, "initial_state": entries}
    if furniture:
        task["initial_furniture_state"] = furniture
    text = _LIKE_TASK.format(
        house=describe_house(house), objects=describe_objects(), task=json.dumps(task)
    )
    return (Message("system", SYSTEM), Message("user", text))


def adapt_with_model(ask: Ask, seed: Draft, house: House) -> Draft:
    """Return a model's task that is similar to a given one, without an evaluation function. Raises
    Rejected if it is not possible in this house."""
    first = read_drafts(ask(adapt_messages(seed, house)), house)[0]
    if isinstance(first, Rejected):
        raise first
    return first


def _try_draft(template: Template | Rejected, house: House) -> Draft | Rejected:
    if isinstance(template, Rejected):
        return template
    try:
        return to_draft(template, house)
    except Rejected as why:
        return why
