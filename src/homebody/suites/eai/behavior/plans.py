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
    wrong_number,
)
from homebody.suites.eai.plans import find_objects, numbered, read_steps
from homebody.suites.eai.published import python_literal
from homebody.suites.eai.reading import Deviation, Reading
from homebody.worlds.behavior import action_schemas

PROMPTED = (Deviation.COMMENTS, Deviation.COMMAS, Deviation.PYTHON)
"""What the examples in the official prompt have: comments, commas behind the last item, single
quotes."""


@parsing_as_grammar_error()
def read_plan(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> WrittenPlan:
    """Parse an output and look up its actions and objects.

    Args:
        task: Whose objects are meant.
        output: What a model wrote.
        protocol: How it is read.
        reading: Notes what was read through, unless it is read as published.

    Raises:
        GrammarError: it is not a plan over the task's vocabulary.
    """
    arity = {name: schema.arity for name, schema in action_schemas().items()}
    if protocol.keeps("burn_is_known"):
        arity["BURN"] = 1
    published = protocol.keeps("first_brackets_evaluated")
    steps = (
        _published_steps(task, output, arity)
        if published
        else _steps(task, output, arity, reading or Reading.of(protocol, *PROMPTED))
    )
    for index, (name, args) in enumerate(steps):
        if len(args) != arity[name]:
            reason = wrong_number(name, arity[name], len(args))
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, index, name)
    plan = tuple(Action(name, args) for name, args in steps)
    return WrittenPlan(plan, tuple(map(str, plan)))


def _steps(
    task: BehaviorTask, output: str, arity: Mapping[str, int], reading: Reading
) -> list[tuple[str, tuple[str, ...]]]:
    known = numbered(known_objects(task))
    steps = []
    for index, step in enumerate(read_steps(output, reading, listed=True, actions=arity)):
        if step.name.upper() not in arity:
            raise _no_action(step.name, index)
        name = reading.upper(step.name)
        try:
            objects = find_objects(step.args, known, lambda word: None, lambda it: (it,), reading)
        except LookupError as why:
            raise _no_object(str(why), index, name) from None
        steps.append((name, objects))
    return steps


def _published_steps(
    task: BehaviorTask, output: str, arity: Mapping[str, int]
) -> list[tuple[str, tuple[str, ...]]]:
    names = frozenset(known_objects(task))
    steps = []
    for index, (name, objects) in enumerate(_published_entries(output)):
        if isinstance(name, list | dict | set):  # the published evaluator looks it up in a set
            raise _crash("action", name, index)
        if name not in arity:
            raise _no_action(name, index)
        if not isinstance(objects, str):
            raise _crash("object", objects, index)
        args = tuple(word.strip() for word in objects.strip().split(","))
        for thing in args:
            if thing not in names:
                raise _no_object(f"there is no object {thing!r}", index, name)
        steps.append((name, args))
    return steps


def _no_action(name: object, index: int) -> GrammarError:
    written = str(name)[:60]
    reason = f"there is no action {written!r}"
    return GrammarError(ErrorType.ACTION_HALLUCINATION, reason, index, written)


def _no_object(reason: str, index: int, action: str) -> GrammarError:
    return GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, action)


def known_objects(task: BehaviorTask) -> list[str]:
    """What a plan can name, by name: the task's objects and the parts of those that can be
    sliced."""
    return sorted(set(task.task.initial.objects) - {task.task.world.agent})


def _published_entries(output: str) -> list[tuple[Any, Any]]:
    """What the published evaluator takes from an output: the entries with both keys of what is
    between the first ``[`` and the first ``]``, which it evaluates."""
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


def _crash(key: str, value: object, index: int) -> GrammarError:
    reason = f"the {key} of an entry is of type {type(value).__name__}"
    return GrammarError(ErrorType.PARSING, reason, index, crash=reason)


def render(actions: Sequence[Action]) -> str:
    """A plan as the prompt asks for it: a JSON list."""
    return json.dumps(
        [{"action": action.name, "object": ", ".join(action.args)} for action in actions]
    )
