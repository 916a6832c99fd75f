"""Stage (a): a model invents tasks for a house (PARTNR paper, appendix A.3).

The model receives the rooms, the furniture and the kinds of objects, and returns JSON. The names
of rooms, furniture and objects are checked. A later stage adds evaluation functions
(:mod:`.evaluation`).
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
        "Every step carries an object to a place. Anybody may do the steps in any order, and it"
        " does not matter how objects are placed relative to each other."
    ),
    "spatial": (
        "The instruction says how objects are placed relative to each other: next to each other,"
        " all together, on the same table, or each on a different shelf. It names the furniture"
        " where they go."
    ),
    "temporal": (
        "The order of the steps matters, and at least two steps follow each other. The instruction"
        " states the order with words such as first, then, after that, before, once or finally."
    ),
    "heterogeneous": (
        "Only the person can do some of the steps: washing or wiping things, filling vessels with"
        " water, or switching things on or off. The other steps carry objects. Set the initial"
        ' state of an object so that it needs such a step, for example "object_states":'
        ' {"clean": false}.'
    ),
}
"""Type of task (section 3.3) -> its definition in prompts."""

SYSTEM: Final = """\
You write tasks for a person and a robot who share a home. The person gives an instruction. Then \
both carry it out together, at the same time.

Both can walk, open and close furniture, pick up objects and put them down. Only the person can \
clean things, fill things with water, empty them, and switch things on or off. Nobody can cook, \
fold, cut, assemble, hang up or throw anything.

Rules for an instruction:
- Write what a person would really say: one to four sentences of everyday English. Do not use \
identifiers: write "the kitchen counter", not "counter_0".
- State clearly which objects go where, and which states they must have. The reader must be able \
to tell when the task is done. A wish such as "make it cosy" is not enough.
- Involve at least two objects.
- Mention only rooms and furniture of this house, and objects that you place in initial_state.
- No part of the task is done already at the start. No part undoes or contradicts another part.
- If you write several tasks, use different wording, rooms, objects and purposes.

Answer with JSON only. Write a list of tasks in this format:
[{"instruction": TEXT,
  "initial_state": [{"number": N, "object_classes": [KIND OF OBJECT], "furniture_names": \
[FURNITURE], "allowed_regions": [ROOM], "object_states": {STATE: TRUE OR FALSE}}, ...],
  "initial_furniture_state": [{"furniture_names": [FURNITURE], "object_states": {STATE: TRUE OR \
FALSE}}, ...]}, ...]

Rules for the format:
- Copy the names of rooms, furniture and kinds of objects exactly from the user's lists. The \
mark ~ is not part of a name. It means that nothing can be placed on or in this furniture.
- An entry of initial_state places N objects of one kind on one piece of furniture or on the \
floor of a room. Add "location": "in" to place them inside the furniture.
- The states are clean, filled, powered_on and open. "object_states" may be omitted in \
initial_state. Floors have no states.
- Leave initial_furniture_state empty unless the task is about cleaning furniture or switching it \
on or off."""

_TASK: Final = """\
Rooms of the house, each with its furniture:
{house}

Kinds of objects:
{objects}

Write {count} tasks of this type. {type}"""


_LIKE_TASK: Final = """\
Rooms of the house, each with its furniture:
{house}

Kinds of objects:
{objects}

This task is from another house:
{task}

Write one similar task for this house. Keep the kind of goal and everything that makes the task \
difficult, such as an order of steps, objects that must be next to each other, or objects that \
must be cleaned or switched on. Use rooms, furniture and kinds of objects from the lists. Change \
the wording where this sounds more natural."""


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
    """Return at most ``count`` drafts that a model writes for a house, without evaluation
    functions."""
    return read_drafts(ask(author_messages(house, kind, count)), house)[:count]


def adapt_messages(seed: Draft, house: House) -> tuple[Message, ...]:
    """Return the conversation that requests a task for another house, similar to a given task."""
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
