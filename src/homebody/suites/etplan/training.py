"""Data for fine-tuning: what the pipeline asks, answered by who knows the home or as a model did in
a run, and the plans that come of it (section A.7; table 10 of the paper)."""

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
from homebody.suites.etplan.facts import TaskContext
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import SPLITS, EtplanTask
from homebody.worlds.house.play.session import HouseSession

Recorded: TypeAlias = tuple[EtplanTask, Sequence[str] | None, Mapping[str, str] | None]
"""A run: its task, what the model said, and settings, as :func:`collect_samples` takes them."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A question of a successful run and its answer, or the plan of the run.

    Attributes:
        task: Of the run.
        about: What was asked (:class:`.questions.Inquiry`), or ``plan``.
        question: As a model is asked.
        answer: What the run went on with.
    """

    task: EtplanTask
    about: str
    question: str
    answer: str

    def line(self) -> bytes:
        """A line of chat JSONL."""
        messages = [
            {"role": "user", "content": self.question},
            {"role": "assistant", "content": self.answer},
        ]
        tags = {"task": self.task.id, "row": self.task.row, "about": self.about}
        return json.dumps({"messages": messages, **tags}).encode() + b"\n"


def split_of(tasks: Iterable[EtplanTask]) -> str:
    """The split that tasks are of. Raises HomebodyError if they are of none, or of several."""
    homes = {task.house for task in tasks}
    for split, seeds in SPLITS.items():
        if homes and homes.issubset(seeds):
            return split
    if any(isinstance(house, str) for house in homes):
        raise HomebodyError("there are tasks of scene graphs, which are of no split")
    raise HomebodyError("the tasks are of homes of more than one split, or of none")


def collect_samples(
    task: EtplanTask,
    answers: Sequence[str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> tuple[Sample, ...]:
    """What is asked of a task in the course of the pipeline, and the plan; nothing if it does not
    succeed so.

    Args:
        task: What is to be done.
        answers: What a model said in a run, all of it in order; who knows the home answers if left
            out. Where it was asked again, only its last answer counts.
        settings: Of the run.
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
        said = (
            next(given, "")
            if answers is not None
            else true_answer(session.source, pipeline.inquiry)
        )
        if len(question.messages) > 1:
            made.pop()
        made.append(Sample(task, pipeline.inquiry.about, question.messages[0].text, said))
        replies = (Reply(said),)
    if session.score().metrics["success"] < 1.0:
        return ()
    done = [event for event in session.simulation.log if event.ok]
    plan = "\n".join(f"{n}. {write_call(event.action)}" for n, event in enumerate(done, 1))
    asked = f'A robot in a home is told: "{task.instruction}"\n\nWhich actions did it take?'
    told = (each for each in made if each.about != "seen")  # pictures are in no chat
    return (*told, Sample(task, "plan", asked, plan))


def replay_samples(run: Recorded) -> tuple[Sample, ...]:
    """The samples of a run."""
    return collect_samples(*run)


def true_answer(asked: TaskContext, inquiry: Inquiry) -> str:
    """What somebody answers who knows the task's criterion, and where everything is."""
    match inquiry.about:
        case "kind":
            return json.dumps([asked.row.kind])
        case "jobs":
            return format_jobs(jobs(asked.task.goal))
    assert inquiry.wanted is not None
    name, facts = _instance(asked, inquiry.wanted), asked.facts
    if inquiry.about == "rooms":
        room = facts.room(name)
        return json.dumps(sorted(inquiry.choices, key=lambda each: each != room))
    if facts.room(name) != inquiry.room:
        return "[]"
    around = map(facts.category, facts.around(name)[:6])
    return json.dumps(select_choices(around, inquiry.choices)[:3])


def _instance(asked: TaskContext, wanted: Target) -> str:
    """The thing that the shortest plan has for what is wanted."""
    for action in reversed(asked.task.reference):
        for name in action.args:
            if wanted.category == asked.facts.category(name):
                return name
    raise HomebodyError(f"the plan of {asked.task.id} has no {wanted.category}")


def statistics(made: Iterable[Sample]) -> dict[str, Counter[str]]:
    """Row -> how many samples there are of it, by what was asked."""
    counts: dict[str, Counter[str]] = {}
    for sample in made:
        counts.setdefault(sample.task.row, Counter())[sample.about] += 1
    return counts
