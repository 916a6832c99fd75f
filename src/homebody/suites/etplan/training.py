"""Data for fine-tuning: queries of the pipeline with outputs, and the resulting plans.

The outputs are correct outputs, or a model's outputs in a run (section A.7; table 10 of the
paper)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core import CORRECTED, HomebodyError, Reply
from homebody.core.play.transcript import write_call
from homebody.goals.etplan import Target, jobs
from homebody.suites.etplan.agents.pipeline import PaperAgent
from homebody.suites.etplan.agents.questions import Inquiry, format_jobs, select_choices
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import SPLITS, EtplanTask
from homebody.worlds.house.play.session import HouseSession

Recorded: TypeAlias = tuple[EtplanTask, Sequence[str] | None, Mapping[str, str] | None]
"""A run: its task, the model's outputs, and settings, for :func:`collect_samples`."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A query of a successful run with its output, or the plan of the run.

    Attributes:
        task: The task of the run.
        about: Subject of the query (:class:`.questions.Inquiry`), or ``plan``.
        question: The prompt.
        answer: The output that the run continued with.
    """

    task: EtplanTask
    about: str
    question: str
    answer: str

    def line(self) -> bytes:
        """Encode the sample as a line of chat JSONL."""
        messages = [
            {"role": "user", "content": self.question},
            {"role": "assistant", "content": self.answer},
        ]
        tags = {"task": self.task.id, "row": self.task.row, "about": self.about}
        return json.dumps({"messages": messages, **tags}).encode() + b"\n"


def split_of(tasks: Iterable[EtplanTask]) -> str:
    """Return the split of tasks. Raises HomebodyError unless it is exactly one."""
    homes = {task.house for task in tasks}
    for split, seeds in SPLITS.items():
        if homes and homes.issubset(seeds):
            return split
    if any(isinstance(house, str) for house in homes):
        raise HomebodyError("tasks of scene graphs belong to no split")
    raise HomebodyError("the homes of the tasks belong to no split, or to more than one")


def collect_samples(
    task: EtplanTask,
    answers: Sequence[str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> tuple[Sample, ...]:
    """Return the queries of a task's run with outputs, and its plan; none if the run fails.

    Args:
        task: The task.
        answers: The model's outputs in a run, in order; correct ones if omitted. If a query was
            retried, only the last output counts.
        settings: Settings of the run.
    """
    session = start(ROWS[task.row], task, settings or {}, 0, CORRECTED)
    given = iter(answers or ())
    assert isinstance(session, HouseSession)
    pipeline = PaperAgent(session)
    dialogue = pipeline.play()
    made: list[Sample] = []
    replies = None
    while True:
        try:
            (question,) = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration:
            break
        output = (
            next(given, "")
            if answers is not None
            else true_answer(session.source, pipeline.inquiry)
        )
        if len(question.messages) > 1:
            made.pop()
        made.append(Sample(task, pipeline.inquiry.about, question.messages[0].text, output))
        replies = (Reply(output),)
    if session.score().metrics["success"] < 1.0:
        return ()
    done = [event for event in session.simulation.log if event.ok]
    plan = "\n".join(f"{n}. {write_call(event.action)}" for n, event in enumerate(done, 1))
    received = f'A robot in a home receives the instruction: "{task.instruction}"'
    prompt = f"{received}\n\nWhich actions did it take?"
    chats = (each for each in made if each.about != "seen")  # chats have no pictures
    return (*chats, Sample(task, "plan", prompt, plan))


def replay_samples(run: Recorded) -> tuple[Sample, ...]:
    """Return the samples of a run."""
    return collect_samples(*run)


def true_answer(context: TaskContext, inquiry: Inquiry) -> str:
    """Return the correct output of a query, given the criterion and all places."""
    match inquiry.about:
        case "kind":
            return json.dumps([context.row.kind])
        case "jobs":
            return format_jobs(jobs(context.task.goal))
    assert inquiry.wanted is not None
    name, facts = _instance(context, inquiry.wanted), context.facts
    if inquiry.about == "rooms":
        room = facts.room(name)
        return json.dumps(sorted(inquiry.choices, key=lambda each: each != room))
    if facts.room(name) != inquiry.room:
        return "[]"
    around = map(facts.category, facts.around(name)[:6])
    return json.dumps(select_choices(around, inquiry.choices)[:3])


def _instance(context: TaskContext, wanted: Target) -> str:
    """Return the object that the shortest plan uses for a target."""
    for action in reversed(context.task.reference):
        for name in action.args:
            if wanted.category == context.facts.category(name):
                return name
    raise HomebodyError(f"the plan of {context.task.id} has no {wanted.category}")


def statistics(made: Iterable[Sample]) -> dict[str, Counter[str]]:
    """Return row -> number of its samples by subject."""
    counts: dict[str, Counter[str]] = {}
    for sample in made:
        counts.setdefault(sample.task.row, Counter())[sample.about] += 1
    return counts
