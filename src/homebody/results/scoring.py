"""What outputs are worth: each is judged as an answer to its task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from homebody.core import HomebodyError, Protocol, SampleError, Score, Suite
from homebody.results.outputs import Output

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoredOutputs:
    """What outputs are worth.

    Attributes:
        scores: Of those that have one, in their order.
        outputs: What each score is of.
        errors: Those that have none, and why.
    """

    scores: tuple[Score, ...]
    outputs: tuple[str, ...]
    errors: tuple[SampleError, ...] = ()


def score_outputs(
    suite: Suite[Any], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> ScoredOutputs:
    """Score outputs in their order. One of a task that there is not, and one whose scoring ends in
    an exception, has no score, and costs the others nothing.

    Raises:
        HomebodyError: no output is for a task that the suite has.
    """
    known, errors = match_tasks(suite, outputs, protocol)
    scores: list[Score] = []
    texts: list[str] = []
    for task, output in known:
        try:
            score = suite.score(task, output.text, protocol)
            scores.append(replace(score, epoch=output.epoch))
            texts.append(output.text)
        except Exception as error:  # whatever it is, it is about this output
            name = suite.tasks.identify(task)
            errors.append(SampleError.of(name, output.epoch, "internal_error", error))
    return ScoredOutputs(tuple(scores), tuple(texts), tuple(errors))


def match_tasks(
    suite: Suite[T], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> tuple[list[tuple[T, Output]], list[SampleError]]:
    """Outputs with their tasks, and errors for those that are of none. Those of the same task are
    numbered in their order: its epochs.

    Raises:
        HomebodyError: no output is for a task that the suite has.
    """
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(protocol)}
    label, aliases = suite.published.output_id, suite.published.aliases
    if label is not None:
        tasks.update({label(task): task for task in tasks.values()})
    tasks.update({alias: tasks[name] for alias, name in aliases.items() if name in tasks})
    known: list[tuple[T, Output]] = []
    errors: list[SampleError] = []
    epochs: Counter[str] = Counter()
    for output in outputs:
        name = output.identifier
        here = suite.tasks.identify(tasks[name]) if name in tasks else name
        epochs[here] += 1
        if isinstance(output, SampleError):
            errors.append(replace(output, epoch=epochs[here]))
        elif name in tasks:
            known.append((tasks[name], replace(output, epoch=epochs[here])))
        else:
            reason = f"{suite.name} has no such task"
            errors.append(SampleError(name, epochs[here], "agent_error", reason))
    if not known:
        why = "there are no outputs"
        if errors:
            why = f"{errors[0].reason}: {errors[0].identifier[:80]!r}"
        raise HomebodyError(why, f"see: homebody list {suite.name}")
    return known, errors
