"""The files of an EmbodiedEval submission: transcripts, and runs in the published code's format.

:mod:`.recorded` reads these runs. Two fields are empty, because only the published simulator has
them: the scene's file, and the agent's position in it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from homebody.core import CORRECTED, HomebodyError, Score
from homebody.core.play.replay import replay
from homebody.core.play.transcript import UNREAD, decode, read_call
from homebody.core.published import Submission
from homebody.goals.embodiedeval import read_predicate
from homebody.suites.embodiedeval.game import NO_OPTION, EmbodiedGame
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.replies import NO_MATCH, kind_of_error
from homebody.suites.embodiedeval.session import MAX_STEPS, start
from homebody.suites.embodiedeval.tasks import ANSWER, EmbodiedTask

_FOLDERS: Final = {
    "attribute_qa": "AttrQA",
    "spatial_qa": "SpatialQA",
    "navigation": "Navigation",
    "object_interaction": "ObjectInteraction",
    "social_interaction": "SocialInteraction",
}
"""Category -> prefix of a task's id, which identifies it."""


def _extra_files(answers: Sequence[tuple[EmbodiedTask, str, Score]]) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for number, (task, output, _) in enumerate(answers):
        folder = f"traj{number:04d}"
        files[f"{folder}/task.json"] = _json(_setting(task))
        for at, step in enumerate(record_steps(task, output)):
            files[f"{folder}/{at:04d}a.json"] = _json(step)
    return files


def record_steps(task: EmbodiedTask, output: str) -> list[dict[str, Any]]:
    """Return the steps of a transcript in the published code's format; none if it is unreadable."""
    try:
        transcript = decode(output, MAX_STEPS)
        # the settings of pictures do not change the steps
        session = start(task, {}, transcript.seed, CORRECTED)
    except HomebodyError:
        return []
    game = cast(EmbodiedGame, session.game)
    steps: list[dict[str, Any]] = []

    def add(choice: int, text: str, error: str) -> None:
        met = list(map(int, game.judge.met))
        over = 1 if game.judge.success else -1 if game.judge.answered else 0
        taken = game.taken[-1] if choice > 0 else None
        feedback = "" if taken is None or taken.kind in ("move", ANSWER) else taken.feedback
        steps.append(
            {
                "step": len(steps),
                "action_choice": choice,
                "action": text,
                "action_error": error,
                "done_after_action": over,
                "feedback": feedback,
                "predicates_done": met,
            }
        )

    for entry in transcript.entries:
        if session.ending is not None:
            break
        action, options = read_call(entry.call), list(session.options(AGENT))
        before, taken = session.clock, len(game.taken)
        replay(session, [entry], until=entry.clock + 1)
        if session.clock == before:
            continue
        if action is None:
            error = kind_of_error(entry.call.removeprefix(UNREAD))
            add(-1 if error == NO_MATCH else -2, entry.call.removeprefix(UNREAD), error)
        elif len(game.taken) > taken and game.taken[-1].kind == NO_OPTION:
            add(-1, entry.call, NO_MATCH)
        elif action in options:
            add(options.index(action) + 1, game.text(action), "")
        else:  # not listed because it had no effect, or given up
            add(0, entry.call, "")
    return steps


def _setting(task: EmbodiedTask) -> dict[str, Any]:
    return {
        "task_id": f"{_FOLDERS[task.category]}/{task.id}",
        "scene": {
            "task_instance": {
                "task_text": task.instruction,
                "scene_path": "",
                "agent_position": [0.0, 0.0, 0.0],
                "agent_rotation": [0.0, 0.0, 0.0],
                "options": [
                    {
                        "option_type": "Answer" if option.verb == ANSWER else option.verb,
                        "option_text": option.text,
                    }
                    for option in task.options
                ],
                "predicates": list(map(_predicate, task.predicates)),
            }
        },
    }


def _predicate(text: str) -> dict[str, str]:
    predicate = read_predicate(text)
    answer = predicate.arguments[0] if predicate.name == "choose" else ""
    return {"predicate_type": predicate.name, "right_answer_content": answer}


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2).encode()


def _describe_trouble(record: Mapping[str, Any]) -> str:
    return "unreadable" if record.get("problem") else "off format" if record.get("errors") else ""


SUBMISSION: Final[Submission[EmbodiedTask]] = Submission(
    "embodiedeval_test_outputs.json", _describe_trouble, _extra_files
)
