"""What models are asked first, as it would be sent: of one task, or of all in a file.

    {"identifier": "27_2", "system": "", "prompt": "The task is to guide a robot ..."}

is the line of a task that is one question. Of a task that is played there are also the ``role``
that is asked and the ``tools`` that it is given, and ``others`` has the same of those who are asked
at the same time.
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
    """What is asked at first of a task, at the same time; nothing if no model is asked at all."""
    with closing(sample_dialogue(setup, identifier, 1)) as dialogue:
        return next(dialogue, ())


def prompt_lines(setup: Setup, identifiers: Iterable[str]) -> Iterator[str]:
    """A line of JSON for each of some tasks, without its end."""
    for identifier in identifiers:
        asked = list(map(_record, first_questions(setup, identifier)))
        first = asked[0] if asked else {"system": "", "prompt": ""}  # no model plays
        others = {"others": asked[1:]} if asked[1:] else {}
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
    """Write a file of prompts, or in place of one. Raises HomebodyError if it cannot be written, or
    what is there is something else: see :func:`check_prompts`."""
    check_prompts(path)
    lines = []
    for line in prompt_lines(setup, identifiers):
        lines.append(f"{line}\n")
        report("prompts", len(lines), len(identifiers))
    write_whole(path, "".join(lines))


def check_prompts(path: Path) -> None:
    """See that a file of prompts can be written, and that what is there, if anything, is one too.

    Raises:
        HomebodyError: it is something else, or the folder cannot be written to.
    """
    make_folder(path.parent)
    if path.is_dir():
        raise HomebodyError(f"{path} is a folder", "give a file, such as prompts.jsonl")
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            there = read_json(next(file, b"{}"))
    except (OSError, ValueError):
        there = None
    if not isinstance(there, dict) or (there and not {"identifier", "prompt"} <= there.keys()):
        raise HomebodyError(
            f"{path} holds no prompts, and would be overwritten", "give another file, or remove it"
        )
