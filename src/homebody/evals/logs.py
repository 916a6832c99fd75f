"""Read scores, outputs, messages and errors from Inspect's logs and agents' journals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homebody.core import HomebodyError, Message, SampleError, Score
from homebody.core.ground.escaping import escape
from homebody.core.score import MAX_REASON, NOT_WRITTEN, Usage
from homebody.evals.metadata import score_from_metadata
from homebody.evals.model_resume import RUN, open_readable
from homebody.evals.replanning import attempts_of
from homebody.evals.run_journal import read_journal, read_journal_identity
from homebody.results.viewing.runs import Key, Log
from homebody.results.writing import record_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ChatMessage

SCORER = "suite_score"
ERROR = "provider_error"
"""Key in a sample's metadata: why a model could not be queried (``reason``), and whether this ended
the run (``outage``)."""


def scores_from_log(log: EvalLog | Path | str) -> list[Score]:
    """Return the scores in a log or journal, in the suite's order of tasks, then by epoch.

    They equal the scores that the run made, so ``suite.summarise(scores)`` gives its summary. The
    log of an unfinished run gives the scores so far.

    Raises:
        HomebodyError: The file cannot be read, or is not a log of a homebody suite.
    """
    if isinstance(log, Path | str) and str(log).endswith(".jsonl"):
        journal = read_journal(Path(log))
        return [journal.scored[key].score for key in journal.keys if key in journal.scored]
    from inspect_ai.log import EvalLog, read_eval_log

    if not isinstance(log, EvalLog):
        try:
            log = read_eval_log(str(log))
        except (OSError, ValueError, KeyError) as error:
            raise HomebodyError(f"cannot read the Inspect log {log}: {error}") from error
    scores = [score for sample in _scored_samples(log) if (score := _score_of(sample)) is not None]
    if log.samples and not scores and log.status == "success":
        raise HomebodyError(f"{log.location} is not a log of a homebody suite")
    return scores


def outputs_from_log(log: EvalLog) -> list[tuple[str, str]]:
    """Return ``(task id, output)`` in the order of :func:`scores_from_log`."""
    return [(str(s.id), (s.scores or {})[SCORER].answer or "") for s in _scored_samples(log)]


def first_attempts_from_log(log: EvalLog) -> list[tuple[Score, str]]:
    """Return scores and outputs before any retry, in the order of :func:`scores_from_log`.

    The list is empty for a run without retries.
    """
    first = [attempts_of(sample.metadata)[:1] for sample in _scored_samples(log)]
    return [(attempt.score, attempt.output) for attempts in first for attempt in attempts]


def read_replies(path: Path) -> Iterator[tuple[Mapping[str, Any], str, tuple[str, ...]]]:
    """For each scored sample, yield the run's identity, the task and the models' replies.

    Raises:
        HomebodyError: The file is not a log of a run.
    """
    log = _open_log(path)
    run = (log.eval.metadata or {}).get(RUN)
    if not isinstance(run, Mapping):
        raise HomebodyError(f"{path} is not a log of a homebody suite")
    for sample in _scored_samples(log):
        said = (each.text for each in sample.messages if each.role == "assistant")
        yield run, str(sample.id), tuple(text.partition("] ")[2] for text in said)


def read_log_identity(path: Path) -> Mapping[str, Any] | None:
    """Return the options that identify the run of a log or journal.

    None if the file is neither, or Inspect is not installed.
    """
    if path.suffix == ".jsonl":
        return read_journal_identity(path)
    try:
        from inspect_ai.log import read_eval_log

        log = read_eval_log(str(path), header_only=True)
    except Exception:  # half-written, or another version's
        return None
    run = (log.eval.metadata or {}).get(RUN)
    return run if isinstance(run, Mapping) else None


def read_log(path: Path) -> Log:
    """Read the samples of a log or journal; the run may still be in progress.

    Raises:
        HomebodyError: The file is neither.
    """
    if path.suffix == ".jsonl":
        journal = read_journal(path)
        done = [key for key in journal.keys if key in journal.scored or key in journal.errors]
        return Log(
            path,
            journal.run,
            len(journal.keys),
            tuple(
                record_of(journal.scored[key].score)
                if key in journal.scored
                else journal.errors[key].record
                for key in done
            ),
            {key: journal.scored[key].output for key in done if key in journal.scored},
        )
    with open_readable(path) as whole:
        log = _open_log(whole)
    run = (log.eval.metadata or {}).get(RUN)
    if not isinstance(run, Mapping):
        raise HomebodyError(f"{path} is not a log of a homebody suite")
    samples = _scored_samples(log)
    ended = {(str(sample.id), sample.epoch) for sample in log.samples or ()}
    failed = errors_from_log(log)
    if log.status == "started":  # missing samples are still to come
        failed = [error for error in failed if (error.identifier, error.epoch) in ended]
    planned = len(log.eval.dataset.sample_ids or ()) * (log.eval.config.epochs or 1)
    keys: list[Key] = [(str(sample.id), sample.epoch) for sample in samples]
    return Log(
        path,
        run,
        max(planned, len(samples) + len(failed)),
        (
            *(record_of(score) for sample in samples if (score := _score_of(sample)) is not None),
            *(error.record for error in failed),
        ),
        {key: (s.scores or {})[SCORER].answer or "" for key, s in zip(keys, samples, strict=True)},
        {key: tuple(map(_message, s.messages)) for key, s in zip(keys, samples, strict=True)},
    )


def _message(message: ChatMessage) -> Message:
    """Convert a message; calls are written as text, and media are only named."""
    parts = [message.text]
    if message.role == "assistant":
        parts += [f"{call.function}({call.arguments})" for call in message.tool_calls or ()]
    if not isinstance(message.content, str):
        others = (part.type for part in message.content if part.type in ("image", "video"))
        parts += [f"[{kind}]" for kind in others]
    return Message(message.role, "\n".join(filter(None, parts)))


def _open_log(path: Path) -> EvalLog:
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(str(path), resolve_attachments=True)
    except (OSError, ValueError, KeyError) as error:
        raise HomebodyError(f"cannot read the Inspect log {path}: {error}") from error


def errors_from_log(log: EvalLog) -> list[SampleError]:
    """Return the samples of a complete log without a score, in the order of tasks, then epochs."""
    samples = {(str(sample.id), sample.epoch): sample for sample in log.samples or ()}
    keys = [
        (str(task), epoch)
        for task in log.eval.dataset.sample_ids or ()
        for epoch in range(1, (log.eval.config.epochs or 1) + 1)
    ]
    return [
        _error_of(key, samples.get(key))
        for key in keys
        if key not in samples or _score_of(samples[key]) is None
    ]


def outage_of(log: EvalLog) -> str | None:
    """Return the reason why a run could not query any model any more. None if it ended
    otherwise."""
    errors = [(sample.metadata or {}).get(ERROR) for sample in log.samples or () if sample.error]
    return next((error["reason"] for error in errors if error and error["outage"]), None)


def _error_of(key: tuple[str, int], sample: EvalSample | None) -> SampleError:
    if sample is None or sample.error is None:
        return SampleError(*key, "internal_error", NOT_WRITTEN)
    reported = (sample.metadata or {}).get(ERROR)
    if reported is not None:
        return SampleError(*key, "provider_error", reported["reason"])
    traceback = sample.error.traceback
    reason = traceback.strip().rpartition("\n")[2] or sample.error.message
    return SampleError(*key, "internal_error", escape(reason, MAX_REASON), traceback)


def _usage_of(sample: EvalSample) -> Usage | None:
    """Return a sample's usage; None if no model was queried."""
    models = sample.model_usage.values()
    if not any(each.output_tokens for each in models):
        return None
    costs = [each.total_cost for each in models if each.total_cost is not None]
    given = sum(
        each.input_tokens
        + (each.input_tokens_cache_read or 0)
        + (each.input_tokens_cache_write or 0)
        for each in models
    )
    return Usage(
        given,
        sum(each.output_tokens for each in models),
        round(sample.working_time or sample.total_time or 0.0, 3),
        sum(costs) if costs else None,
    )


def _score_of(sample: EvalSample) -> Score | None:
    """Return the score of a sample; None if it has no readable score."""
    kept = (sample.scores or {}).get(SCORER)
    try:
        score = None if kept is None else score_from_metadata(kept.metadata or {})
    except ValueError:
        return None
    return None if score is None else replace(score, usage=_usage_of(sample))


def _scored_samples(log: EvalLog) -> list[EvalSample]:
    order = {str(name): at for at, name in enumerate(log.eval.dataset.sample_ids or ())}
    samples = [sample for sample in log.samples or () if _score_of(sample) is not None]
    return sorted(samples, key=lambda s: (order.get(str(s.id), len(order)), str(s.id), s.epoch))
