"""Reading and writing plans on VirtualHome, for prompts and in the form of simulator scripts.

Prompts request ``{"GRAB": ["soap", "1002"], ...}``. Source: EAI paper, section 2.5 and appendix
D.2.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from homebody.core import Action, ErrorType, Protocol
from homebody.suites.eai.plan_results import (
    GrammarError,
    WrittenPlan,
    parsing_as_grammar_error,
    wrong_number_text,
)
from homebody.suites.eai.plans import find_objects, read_steps, spellings
from homebody.suites.eai.published import published_clean, published_plan
from homebody.suites.eai.reading import ParsingError, Reading
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_ALIASES,
    ACTION_NAMES,
    VirtualHomeTask,
    class_of,
    id_of,
)

_ACTIONS = frozenset({*ACTION_NAMES, *ACTION_ALIASES})
_NOT_PUBLISHED = frozenset({"PLUGIN", "PLUGOUT", "RELEASE"})


@parsing_as_grammar_error()
def read_plan(
    task: VirtualHomeTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> WrittenPlan:
    """Parse an output and look up its actions and objects.

    Under the published protocol, the plan keeps the spelling of the output, because the published
    evaluator compares it with the ground truth.

    Args:
        task: Task whose objects the names refer to.
        output: Output of a model.
        protocol: Protocol by which it is read.
        reading: Notes deviations, unless the output is read as published.

    Raises:
        GrammarError: It is not a plan over the task's vocabulary.
    """
    reading = reading or Reading.of(protocol)
    steps = _parse(output, protocol, reading)
    if protocol.keeps("ids_required"):
        for index, (name, args) in enumerate(steps):
            if len(args) % 2:
                reason = f"{name} has a name without an id"
                raise GrammarError(ErrorType.PARSING, reason, index, name)
    for index, (name, _) in enumerate(steps):
        if not _is_known(name, protocol):
            reason = f"there is no action {name!r}"
            raise GrammarError(ErrorType.ACTION_HALLUCINATION, reason, index, name)
    ids_required = protocol.keeps("ids_required")
    few = protocol.keeps("only_changed_objects_known")
    pool = task.relevant if few else task.task.initial.objects
    known = (_names_by_id if ids_required else _spellings)(tuple(pool))
    looked_up = []
    for index, (name, args) in enumerate(steps):
        try:
            objects = (
                _find_by_id(args, known)
                if ids_required
                else find_objects(
                    [str(word) for word in args if str(word) != ""],
                    known,
                    lambda word: object_of_class(task, word, pool),
                    lambda thing: (class_of(thing), str(id_of(thing))),
                    reading,
                )
            )
        except LookupError as why:
            reason = str(why.args[0])
            raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, name) from None
        looked_up.append((name, objects))
    schemas = task.task.world.schemas
    actions = []
    crash = ""
    for index, (name, objects) in enumerate(looked_up):
        if not protocol.keeps("crashes"):
            reading.upper(name)
        elif name != name.upper():
            crash = crash or f"KeyError: {name!r}"
        schema = schemas[ACTION_ALIASES.get(name.upper(), name.upper())]
        if len(objects) != schema.arity:
            reason = wrong_number_text(name, schema.arity, len(objects))
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, index, name, crash=crash)
        actions.append(Action(schema.name, objects))
    written = []
    for (name, args), (_, objects) in zip(steps, looked_up, strict=True):
        if protocol.keeps("ids_required"):
            written.append(script_line(name, objects, args[::2]))
        else:
            written.append(script_line(name.upper(), objects))
    return WrittenPlan(tuple(actions), tuple(written), crash)


def _parse(output: str, protocol: Protocol, reading: Reading) -> list[tuple[str, list[Any]]]:
    if not protocol.keeps("outputs_read_by_pattern"):
        raw = read_steps(output, reading, listed=False, actions=_ACTIONS)
        return [(step.name, list(step.args)) for step in raw]
    try:
        steps = published_plan(published_clean(output))
    except ParsingError as error:
        twice = 2 if protocol.keeps("parsing_errors_counted_twice") else 1
        raise GrammarError(ErrorType.PARSING, str(error), count=twice) from None
    if not steps:
        raise GrammarError(ErrorType.PARSING, "the output has no action with objects")
    return steps


def _is_known(name: str, protocol: Protocol) -> bool:
    action = ACTION_ALIASES.get(name.upper(), name.upper())
    if action not in ACTION_NAMES:
        return False
    return not (protocol.keeps("actions_missing_from_vocabulary") and action in _NOT_PUBLISHED)


def _find_by_id(args: Sequence[Any], known: Mapping[str, str]) -> tuple[str, ...]:
    """Look up pairs of name and id by ``name_id``. Raises LookupError."""
    keys = [f"{name}_{number}" for name, number in zip(args[::2], args[1::2], strict=True)]
    for key in keys:
        if key not in known:
            raise LookupError(f"there is no object {key!r}")
    return tuple(known[key] for key in keys)


@lru_cache(maxsize=8)
def _names_by_id(names: tuple[str, ...]) -> Mapping[str, str]:
    """Map ``name_id`` to objects."""
    return {f"{class_of(name)}_{id_of(name)}": name for name in names}


_spellings = lru_cache(maxsize=8)(spellings)


def object_of_class(task: VirtualHomeTask, name: str, pool: Collection[str]) -> str | None:
    """Return the listed object of a class with the lowest id. If none is listed, return one from
    the pool, or None."""
    objects = task.task.initial.objects
    for names in (task.relevant, pool):
        same = [n for n in names if objects[n].category == name]
        if same:
            return min(same, key=id_of)
    return None


def render(actions: Sequence[Action]) -> str:
    """Write a plan as the JSON object that the prompt requests; its keys may repeat."""
    lines = []
    for action in actions:
        words = [word for name in action.args for word in (class_of(name), str(id_of(name)))]
        lines.append(f'"{action.name}": {json.dumps(words)}')
    return "{" + ", ".join(lines) + "}"


# -- plans in records ----------------------------------------------------------------------------


def script_line(action: str, objects: Sequence[str], spelt: Iterable[object] = ()) -> str:
    """Return ``[GRAB] <soap> (1002)``, as the simulator writes steps.

    Args:
        action: Name of the action, as written.
        objects: Names with ids.
        spelt: Classes as spelt, if different.
    """
    things = zip(list(spelt) or map(class_of, objects), objects, strict=True)
    return f"[{action}]" + "".join(f" <{word}> ({id_of(thing)})" for word, thing in things)


def plan_line(action: Action) -> str:
    """Return the script line of an action."""
    return script_line(action.name, action.args)


_STEP = re.compile(r"\[([^\[\]]+)\]")
_OBJECT = re.compile(r"\((\d+)\)")


def step_name(line: str) -> str:
    """Return the action of a line of :func:`script_line`, in its official spelling."""
    step = _STEP.match(line)
    assert step is not None
    return ACTION_ALIASES.get(step[1].upper(), step[1].upper())


def read_script(task: VirtualHomeTask, lines: Iterable[str]) -> tuple[Action, ...]:
    """Read the actions of script lines."""
    names = {id_of(name): name for name in task.task.initial.objects}
    schemas = task.task.world.schemas
    actions = []
    for line in lines:
        name = step_name(line)
        arity = schemas[name].arity
        ids = _OBJECT.findall(line)[-arity:] if arity else ()
        actions.append(Action(name, tuple(names[int(number)] for number in ids)))
    return tuple(actions)
