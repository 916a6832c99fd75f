"""The first queries of tasks, as they would be sent to models.

    {"identifier": "27_2", "system": "", "prompt": "The task is to guide a robot ..."}

is the line of a task with one query. For a task that is played, the line also has the queried
``role`` and its ``tools``; ``others`` has the same fields for roles that are queried at the same
time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from homebody.core import HomebodyError, Progress, Question
from homebody.core.ground.files import make_folder, write_whole
from homebody.core.ground.nesting import read_json
from homebody.evals.samples import Setup, sample_dialogue


def first_questions(setup: Setup, identifier: str) -> tuple[Question, ...]:
    """Return a task's first queries, which are concurrent; empty if no model is queried."""
    with closing(sample_dialogue(setup, identifier, 1)) as dialogue:
        return next(dialogue, ())


def prompt_lines(setup: Setup, identifiers: Iterable[str]) -> Iterator[str]:
    """Yield a line of JSON for each task, without the line end."""
    for identifier in identifiers:
        queries = list(map(_record, first_questions(setup, identifier)))
        first = queries[0] if queries else {"system": "", "prompt": ""}  # no model plays
        others = {"others": queries[1:]} if queries[1:] else {}
        # not orjson: it refuses lone surrogates
        yield json.dumps({"identifier": identifier, **first, **others})


def _record(question: Question) -> dict[str, Any]:
    texts: dict[bool, list[str]] = {True: [], False: []}
    for message in question.messages:
        texts[message.role == "system"].append(message.text)
    system, prompt = ("\n\n".join(texts[of_system]) for of_system in (True, False))
    if not question.role:
        return {"system": system, "prompt": prompt}
    tools = list(map(asdict, question.tools))
    return {"role": question.role, "system": system, "prompt": prompt, "tools": tools}


def write_prompts(path: Path, setup: Setup, identifiers: Sequence[str], report: Progress) -> None:
    """Write or replace a file of prompts.

    Raises:
        HomebodyError: It cannot be written, or another kind of file exists there.
    """
    check_prompts(path)
    lines = []
    for line in prompt_lines(setup, identifiers):
        lines.append(f"{line}\n")
        report("prompts", len(lines), len(identifiers))
    write_whole(path, "".join(lines))


def check_prompts(path: Path) -> None:
    """Check that a file of prompts can be written or replaced.

    Raises:
        HomebodyError: Another kind of file exists there, or the folder cannot be written.
    """
    make_folder(path.parent)
    if path.is_dir():
        raise HomebodyError(f"{path} is a folder", "give a file, such as prompts.jsonl")
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            existing = read_json(next(file, b"{}"))
    except (OSError, ValueError):
        existing = None
    is_dict = isinstance(existing, dict)
    if not is_dict or (existing and not {"identifier", "prompt"} <= existing.keys()):
        raise HomebodyError(
            f"{path} exists and is not a file of prompts", "give another file, or remove it"
        )
