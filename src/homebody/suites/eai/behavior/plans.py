"""Reading plans on BEHAVIOR: ``[{"action": "OPEN", "object": "fridge_97"}, ...]``.

The example in the official prompt has comments behind its entries (``# ...``), so that models
write them too: a list is read like a Python literal, and never evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from homebody.core import Action, ErrorType, Protocol
from homebody.suites.eai import parsing
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.plan_results import GrammarError
from homebody.worlds.behavior import action_schemas


def read_plan(task: BehaviorTask, output: str, protocol: Protocol) -> tuple[Action, ...]:
    """Parse an output and look up its actions and objects.

    Raises:
        GrammarError: it is not a plan over the task's vocabulary.
    """
    published = protocol.keeps("first_brackets_evaluated")
    entries: Sequence[tuple[Any, Any]]
    entries = _published_entries(output) if published else _entries(output)
    names = frozenset(known_objects(task))
    arity = {name: schema.arity for name, schema in action_schemas().items()}
    if protocol.keeps("burn_is_known"):
        arity["BURN"] = 1
    steps: list[tuple[str, tuple[str, ...]]] = []
    for index, (written, objects) in enumerate(entries):
        name = written if published else written.strip().upper()
        if isinstance(name, list | dict | set):  # the published evaluator looks it up in a set
            raise _crash("action", name, index)
        if name not in arity:
            reason = f"there is no action {str(written)[:60]!r}"
            raise GrammarError(ErrorType.ACTION_HALLUCINATION, reason, index, str(written)[:60])
        if not isinstance(objects, str):
            raise _crash("object", objects, index)
        args = tuple(word.strip() for word in objects.strip().split(","))
        for thing in args:
            if thing not in names:
                reason = f"there is no object {thing!r}"
                raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, index, name)
        steps.append((name, args))
    for index, (name, args) in enumerate(steps):
        if len(args) != arity[name]:
            plural = "object" if arity[name] == 1 else "objects"
            reason = f"{name} takes {arity[name]} {plural}, not {len(args)}"
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, index, name)
    return tuple(Action(name, args) for name, args in steps)


def known_objects(task: BehaviorTask) -> list[str]:
    """What a plan can name, by name: the task's objects and the parts of those that can be
    sliced."""
    return sorted(set(task.task.initial.objects) - {task.task.world.agent})


def _entries(output: str) -> list[tuple[str, str]]:
    """The actions and objects of the one list in an output, as written."""
    try:
        listed = parsing.parse_list(output)
    except parsing.ParsingError as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    if not listed:
        raise GrammarError(ErrorType.PARSING, "the output has no action")
    entries = []
    for index, entry in enumerate(listed):
        words = [entry.get(key) for key in ("action", "object")] if isinstance(entry, dict) else []
        match words:
            case [str(name), str(objects)]:
                entries.append((name, objects))
            case _:
                reason = 'it is no object with the texts "action" and "object"'
                raise GrammarError(ErrorType.PARSING, reason, index)
    return entries


def _published_entries(output: str) -> list[tuple[Any, Any]]:
    """What the published evaluator takes from an output: the entries with both keys of what is
    between the first ``[`` and the first ``]``, which it evaluates."""
    start, end = output.find("["), output.find("]")
    try:
        value = parsing.python_literal(output[start : end + 1])
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
