"""Digests of the texts that models receive, so that a new wording raises ``Suite.prompt_version``.

    python tests/prompt_versions.py                   # after raising prompt_version of the suites
    python tests/prompt_versions.py --keep-versions   # if no run with the old wording is published

The digest of a suite covers the first queries of its first task for fixed replies, with each
driver: prompts, tools, observations and feedback.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from homebody.core import HomebodyError, Reply, Suite
from homebody.drivers import DRIVERS
from homebody.evals.options import Options
from homebody.evals.samples import Setup, sample_dialogue
from homebody.suites import get_suite, list_suites

FILE: Final = Path(__file__).with_name("prompt_versions.json")
REPLIES: Final = ("", "I do not know.", "Action: 1", "Action: Wait", "Action: Fly[moon]")


def our_suites() -> list[str]:
    """Return the names of the suites that homebody offers."""
    return [name for name in list_suites() if not name.startswith(("toy", "own"))]


def read_digests() -> dict[str, dict[str, Any]]:
    """Return suite -> version and digest of its prompts, as recorded."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def digest_of(suite: Suite[Any]) -> str:
    """Return the digest of a suite's prompts. Raises HomebodyError if its data is not stored."""
    digest = hashlib.sha256()
    for driver in ("", *DRIVERS) if suite.playing is not None else ("",):
        for text in _queries(suite, driver):
            digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def _queries(suite: Suite[Any], driver: str) -> Iterator[str]:
    retries = 1 if suite.experiments.feedback is not None else 0
    setup = Setup(suite, options=Options(driver=driver, retries=retries))
    dialogue = sample_dialogue(setup, setup.task_ids[0], 1)
    questions = next(dialogue, ())
    for reply in REPLIES:
        for question in questions:
            yield question.role
            for message in question.messages:
                names = [each.name for each in (*message.images, *message.videos)]
                yield f"{message.role}: {message.text} {names}"
            for tool in question.tools:
                yield f"{tool.name}: {tool.description} {json.dumps(tool.parameters)}"
        try:
            questions = dialogue.send(tuple(Reply(reply) for _ in questions))
        except StopIteration:
            break
    dialogue.close()


def main() -> None:
    """Rewrite the file of digests; refuse a new digest under an old version."""
    recorded, refused = read_digests(), []
    for name in our_suites():
        suite = get_suite(name)
        try:
            entry = {"version": suite.prompt_version, "digest": digest_of(suite)}
        except HomebodyError as error:
            print(f"{name}: kept, as its data is missing: {error}")
            continue
        old = recorded.get(name, entry)
        if old != entry and old["version"] == entry["version"]:
            print(f"{name}: the wording changed")
            if "--keep-versions" not in sys.argv:
                refused.append(name)
                continue
        recorded[name] = entry
    FILE.write_text(json.dumps(dict(sorted(recorded.items())), indent=2) + "\n")
    if refused:
        sys.exit(f"raise prompt_version of: {', '.join(refused)} (or pass --keep-versions)")


if __name__ == "__main__":
    main()
