"""Score outputs, each for its task."""

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
    """The scores of outputs.

    Attributes:
        scores: Scores in the order of the outputs.
        outputs: The scored outputs.
        errors: Outputs that could not be scored.
    """

    scores: tuple[Score, ...]
    outputs: tuple[str, ...]
    errors: tuple[SampleError, ...] = ()


def score_outputs(
    suite: Suite[Any], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> ScoredOutputs:
    """Score outputs in their order.

    Outputs that cannot be scored (unknown task, scorer error) become errors and are excluded from
    all metrics.

    Raises:
        HomebodyError: No output is for a task of the suite.
    """
    known, errors = match_tasks(suite, outputs, protocol)
    scores: list[Score] = []
    texts: list[str] = []
    for task, output in known:
        try:
            score = suite.score(task, output.text, protocol)
            scores.append(replace(score, epoch=output.epoch))
            texts.append(output.text)
        except Exception as error:  # any exception concerns this output only
            name = suite.tasks.identify(task)
            errors.append(SampleError.of(name, output.epoch, "internal_error", error))
    return ScoredOutputs(tuple(scores), tuple(texts), tuple(errors))


def match_tasks(
    suite: Suite[T], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> tuple[list[tuple[T, Output]], list[SampleError]]:
    """Match outputs with tasks; return the pairs, and errors for unknown tasks.

    Outputs of the same task are numbered in their order as epochs.

    Raises:
        HomebodyError: No output is for a task of the suite.
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
