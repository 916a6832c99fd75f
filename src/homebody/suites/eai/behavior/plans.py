"""Reading plans on BEHAVIOR: ``[{"action": "OPEN", "object": "fridge_97"}, ...]``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from homebody.core import Action, ErrorType, Protocol
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.plan_results import (
    GrammarError,
    WrittenPlan,
    parsing_as_grammar_error,
    wrong_number_text,
)
from homebody.suites.eai.plans import find_objects, read_steps, spellings
from homebody.suites.eai.published import python_literal
from homebody.suites.eai.reading import Deviation, Reading
from homebody.worlds.behavior import action_schemas

PROMPTED = (Deviation.COMMENTS, Deviation.COMMAS, Deviation.PYTHON)
"""Deviations in the examples of the official prompt."""


@parsing_as_grammar_error()
def read_plan(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> WrittenPlan:
    """Parse an output and look up its actions and objects.

    Args:
        task: Task whose objects the names refer to.
        output: Output of a model.
        protocol: Protocol by which it is read.
        reading: Notes deviations, unless the output is read as published.

    Raises:
        GrammarError: It is not a plan over the task's vocabulary.
    """
    arity = {name: schema.arity for name, schema in action_schemas().items()}
    if protocol.keeps("burn_is_known"):
        arity["BURN"] = 1
    published = protocol.keeps("first_brackets_evaluated")
    steps = (
        _read_published_steps(task, output, arity)
        if published
        else _read_steps(task, output, arity, reading or Reading.of(protocol, *PROMPTED))
    )
    for index, (name, args) in enumerate(steps):
        if len(args) != arity[name]:
            reason = wrong_number_text(name, arity[name], len(args))
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, index, name)
    plan = tuple(Action(name, args) for name, args in steps)
    return WrittenPlan(plan, tuple(map(str, plan)))


def _read_steps(
    task: BehaviorTask, output: str, arity: Mapping[str, int], reading: Reading
) -> list[tuple[str, tuple[str, ...]]]:
    known = spellings(known_objects(task))
    steps = []
    for index, step in enumerate(read_steps(output, reading, listed=True, actions=arity)):
        if step.name.upper() not in arity:
            raise _no_action_error(step.name, index)
        name = reading.upper(step.name)
        try:
            objects = find_objects(step.args, known, lambda word: None, lambda it: (it,), reading)
        except LookupError as why:
            raise _no_object_error(str(why), index, name) from None
        steps.append((name, objects))
    return steps


def _read_published_steps(
    task: BehaviorTask, output: str, arity: Mapping[str, int]
) -> list[tuple[str, tuple[str, ...]]]:
    names = frozenset(known_objects(task))
    steps = []
    for index, (name, objects) in enumerate(_published_entries(output)):
        if isinstance(name, list | dict | set):  # the published evaluator looks it up in a set
            raise _crash_error("action", name, index)
        if name not in arity:
            raise _no_action_error(name, index)
        if not isinstance(objects, str):
            raise _crash_error("object", objects, index)
        args = tuple(word.strip() for word in objects.strip().split(","))
        for thing in args:
            if thing not in names:
                raise _no_object_error(f"there is no object {thing!r}", index, name)
        steps.append((name, args))
    return steps


def _no_action_error(name: object, index: int) -> GrammarError:
    written = str(name)[:60]
    reason = f"there is no action {written!r}"
    return GrammarError(ErrorType.ACTION_HALLUCINATION, reason, index, written)


def _no_object_error(reason: str, index: int, action: str) -> GrammarError:
    return GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, action)


def known_objects(task: BehaviorTask) -> list[str]:
    """Return the objects that a plan can name, sorted: the objects of the task and their sliceable
    parts."""
    return sorted(set(task.task.initial.objects) - {task.task.world.agent})


def _published_entries(output: str) -> list[tuple[Any, Any]]:
    """Evaluate the text between the first ``[`` and ``]``; return entries with both keys."""
    start, end = output.find("["), output.find("]")
    try:
        value = python_literal(output[start : end + 1])
    except ValueError:
        value = ()
    listed = list(value) if isinstance(value, list | tuple | set | dict) else []
    entries = [
        entry for entry in listed if isinstance(entry, dict) and {"action", "object"} <= set(entry)
    ]
    if not entries:
        raise GrammarError(ErrorType.PARSING, "no actions are found")
    return [(entry["action"], entry["object"]) for entry in entries]


def _crash_error(key: str, value: object, index: int) -> GrammarError:
    reason = f"the {key} of an entry is of type {type(value).__name__}"
    return GrammarError(ErrorType.PARSING, reason, index, crash=reason)


def render(actions: Sequence[Action]) -> str:
    """Write a plan as the JSON list that the prompt requests."""
    return json.dumps(
        [{"action": action.name, "object": ", ".join(action.args)} for action in actions]
    )
