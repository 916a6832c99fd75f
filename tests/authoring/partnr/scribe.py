"""A scripted model that writes tasks: right ones, from the built-in author's, and bad ones."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from homebody.authoring.partnr.checks.lint import lint
from homebody.authoring.partnr.draft import Draft, Rejected
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.prompting.descriptions import describe_house
from homebody.authoring.partnr.prompting.evaluation import evaluate_with_model, example
from homebody.authoring.partnr.prompting.tasks import TASK_TYPES, read_drafts
from homebody.authoring.partnr.situation import objects_of
from homebody.authoring.partnr.verify import verify
from homebody.core import Message
from homebody.core.ground.seeds import generator
from homebody.suites.partnr.episodes.scene import scene

NOWHERE = {
    "instruction": "Bring the rocket to the sofa, and the second rocket too.",
    "initial_state": [{"number": 2, "object_classes": ["rocket"], "furniture_names": ["sofa_0"]}],
}
"""A task with a kind of object that there is not."""


class Scribe:
    """Answers all prompts of generation for some houses.

    Attributes:
        bad: Which answers to author's prompts, counted from 0, are what instead.
        wrong: For as many instructions all propositions name what is not there.
        asked: How often each step was asked for.
    """

    def __init__(self, houses: Sequence[int]) -> None:
        self.houses = {describe_house(scene(seed)): seed for seed in houses}
        self.bad: dict[int, str] = {}
        self.wrong = 0
        self.asked = {"tasks": 0, "propositions": 0, "order": 0, "same or different": 0}
        self._drafts: dict[str, tuple[Draft, int]] = {}
        self._seen: dict[str, int] = {}
        self._lock = threading.Lock()

    def ask(self, messages: Sequence[Message]) -> str:
        return self.converse([(one.role, one.text) for one in messages])

    def converse(self, said: list[tuple[str, str]]) -> str:
        with self._lock:
            step, last = _step(said[0][1]), said[-1][1]
            if step == "tasks":
                return self._tasks(last)
            # a second try has the task in the message before the bad answer
            return self._evaluation(step, last if "Instruction: " in last else said[-3][1])

    def _tasks(self, prompt: str) -> str:
        number = self.asked["tasks"]
        self.asked["tasks"] += 1
        if number in self.bad:
            return self.bad[number]
        seed = next(seed for text, seed in self.houses.items() if text in prompt)
        count = re.search(r"Write (\d+) tasks", prompt)
        kind = next((name for name, text in TASK_TYPES.items() if text in prompt), "spatial")
        wanted = int(count[1]) if count else 1
        tasks = [self._task(seed, kind, number, place) for place in range(wanted)]
        return f"Here you are.\n```json\n{json.dumps(tasks)}\n```"

    def _task(self, seed: int, kind: str, number: int, place: int) -> dict[str, Any]:
        """A task that can be written down and is one."""
        house = scene(seed)
        for attempt in range(100):
            rng = generator(f"scribe {seed} {kind} {number} {place} {attempt}")
            draft = plain(author(house, rng, (kind,)))
            task = written(draft)
            read = read_drafts(json.dumps(task), house)[0]
            if isinstance(read, Rejected) or draft.instruction in self._drafts:
                continue
            self._drafts[draft.instruction] = draft, seed
            try:
                whole = evaluate_with_model(self._rightly, read, house)
                verify(instantiate("x", seed, whole, rng))
            except Rejected:
                continue
            if not lint(whole, house):
                return task
        raise AssertionError("there is no such task")

    def _rightly(self, messages: Sequence[Message]) -> str:
        return self._answer(_step(messages[0].text), _instruction(messages[-1].text))

    def _evaluation(self, step: str, prompt: str) -> str:
        self.asked[step] += 1
        instruction = _instruction(prompt)
        if step == "propositions":
            self._seen.setdefault(instruction, len(self._seen))
            if self._seen[instruction] < self.wrong:
                return 'is_on_top("rocket_0", "sofa_0")'
        return self._answer(step, instruction)

    def _answer(self, step: str, instruction: str) -> str:
        draft, seed = self._drafts[instruction]
        right = example(draft, scene(seed))
        return {
            "propositions": right.propositions,
            "order": right.groups,
            "same or different": right.argument_constraints,
        }[step]


def _step(system: str) -> str:
    """What a system prompt asks for."""
    marks = {
        "You write tasks for a person and a robot": "tasks",
        "Write a list of conditions": "propositions",
        "in which order": "order",
        "whose choices depend": "same or different",
    }
    return next(step for mark, step in marks.items() if mark in system)


def _instruction(prompt: str) -> str:
    found = re.search(r"Instruction: (.*)", prompt)
    assert found is not None
    return found[1]


def plain(draft: Draft) -> Draft:
    """A draft of the built-in author as a model would have made it: its objects are named in their
    order, and of the house's own things it knows nothing."""
    placements = tuple(replace(placed, names=()) for placed in draft.placements)
    names = {
        name: other
        for (name, _), (other, _) in zip(
            objects_of(draft.placements), objects_of(placements), strict=True
        )
    }
    assert draft.evaluation is not None
    of_task = tuple(
        replace(
            one,
            lists=tuple(
                tuple(name for name in listed if name not in (draft.staying or ()))
                for listed in one.lists
            ),
        )
        for one in draft.evaluation.propositions
    )
    evaluation = replace(draft.evaluation, propositions=of_task).rename(names)
    return replace(draft, placements=placements, evaluation=evaluation, staying=None)


def written(draft: Draft) -> dict[str, Any]:
    """A draft as a model writes it."""
    return {
        "instruction": draft.instruction,
        "initial_state": [
            {
                "number": one.number,
                "object_classes": [one.category],
                "furniture_names": [one.furniture],
                "location": "in" if one.relation == "within" else "on",
                "object_states": dict(one.states),
            }
            for one in draft.placements
        ],
        "initial_furniture_state": [
            {"furniture_names": [name], "object_states": dict(states)}
            for name, states in draft.furniture_states.items()
        ],
    }
