"""Export of solved traces and training samples of a run, as lines of a file."""

from __future__ import annotations

from collections.abc import Sequence

from homebody.core import HomebodyError
from homebody.core.ground.json_lines import encode_lines
from homebody.suites.partnr.episodes.files import decode
from homebody.suites.partnr.prompting.traces import (
    fine_tuning_lines,
    solved_traces,
    training_samples,
)
from homebody.suites.partnr.tasks import PartnrTask


def export(form: str, roles: Sequence[str], run: tuple[bytes, str]) -> list[bytes]:
    """Return traces or samples of a successful run; none for other runs.

    Args:
        form: ``traces``, for prompts, or ``chats``, for fine-tuning.
        roles: The roles whose actions are exported.
        run: An episode, as a line of a file, and the transcript of a run.
    """
    line, transcript = run
    try:
        task = PartnrTask(decode(line))
        if form == "traces":
            traces = solved_traces(task, transcript)
            return [encode_lines([trace]) for trace in traces if trace.role in roles]
        return list(
            fine_tuning_lines(
                each for each in training_samples(task, transcript) if each.role in roles
            )
        )
    except HomebodyError:
        return []
