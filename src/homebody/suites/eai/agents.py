"""Agents that need no model, for any suite of EAI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from homebody.core import Action, TextAgent
from homebody.suites.eai.plan_results import AnnotatedTask

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
A = TypeVar("A", bound=AnnotatedTask)
Render = Callable[[Sequence[Action]], str]
"""Writes a plan as the prompt asks for it."""


def always(output: str) -> TextAgent[Any]:
    """An agent that answers every task with the same text."""

    return TextAgent(lambda task, generator: output)


def annotated_plan(render: Render) -> TextAgent[AnnotatedTask]:
    """An agent that gives the annotated plan."""

    return TextAgent(lambda task, generator: render(task.task.reference))


def random_plan(
    render: Render, objects: Callable[[A], Sequence[str]], length: int | None = None
) -> TextAgent[A]:
    """An agent that does random actions on random objects.

    Args:
        render: Writes a plan.
        objects: Task -> what actions are done on.
        length: Of the plan; as many as the annotated plan has if None.
    """

    def answer(task: A, generator: np.random.Generator) -> str:
        arity = {name: schema.arity for name, schema in task.task.world.schemas.items()}
        number = len(task.task.reference) if length is None else length
        calls = random_calls(arity, objects(task), number, generator)
        return render([Action(name, args) for name, args in calls])

    return TextAgent(answer)


def random_calls(
    arity: Mapping[str, int],
    objects: Sequence[str],
    number: int,
    generator: np.random.Generator,
) -> list[tuple[str, tuple[str, ...]]]:
    """So many names of ``arity``, each with as many random objects as it takes."""
    names = sorted(arity)
    calls = []
    for _ in range(number):
        name = names[generator.integers(len(names))]
        picked = generator.integers(len(objects), size=arity[name])
        calls.append((name, tuple(objects[i] for i in picked)))
    return calls


def pick(options: Sequence[T], generator: np.random.Generator) -> T:
    """One of the options, all as likely."""
    return options[int(generator.integers(len(options)))]
