"""Agents that need no model, for any suite of EAI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from homebody.core import Action, TextAgent
from homebody.core.ground.seeds import choose
from homebody.suites.eai.plan_results import AnnotatedTask

if TYPE_CHECKING:
    import numpy as np

T = TypeVar("T")
A = TypeVar("A", bound=AnnotatedTask)
Render = Callable[[Sequence[Action]], str]
"""Writes a plan in the format of the prompt."""


def always(output: str) -> TextAgent[Any]:
    """Return an agent that gives the same output for every task."""
    return TextAgent(lambda task, generator: output)


def annotated_plan(render: Render) -> TextAgent[AnnotatedTask]:
    """Return an agent that gives the annotated plan."""
    return TextAgent(lambda task, generator: render(task.task.reference))


def given_plan(render: Render, plan: Callable[[A], Sequence[Action]]) -> TextAgent[A]:
    """Return an agent whose plan is made from the task alone."""
    return TextAgent(lambda task, generator: render(plan(task)))


def random_plan(
    render: Render, objects: Callable[[A], Sequence[str]], length: int | None = None
) -> TextAgent[A]:
    """Return an agent that does random actions on random objects.

    Args:
        render: Writes a plan.
        objects: Task -> objects of its actions.
        length: Number of actions; None for the length of the annotated plan.
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
    """Sample ``number`` names of ``arity``, each with the number of objects that it takes."""
    names = sorted(arity)
    calls = []
    for _ in range(number):
        name = choose(generator, names)
        picked = generator.integers(len(objects), size=arity[name])
        calls.append((name, tuple(objects[i] for i in picked)))
    return calls


# -- the most frequent outputs -------------------------------------------------------------------


def most_frequent(answers: Iterable[T]) -> T:
    """Return the most frequent output; of equally frequent ones, the first in alphabetical order.
    Raises ValueError if there are no outputs."""
    counts = Counter(answers)
    return min(counts, key=lambda answer: (-counts[answer], repr(answer)))


def majority(answers: Sequence[Collection[T]]) -> list[T]:
    """Return the parts that more than half of the outputs contain, the most frequent first."""
    counts = Counter(part for answer in answers for part in dict.fromkeys(answer))
    often = [part for part in counts if 2 * counts[part] > len(answers)]
    return sorted(often, key=lambda part: (-counts[part], repr(part)))
