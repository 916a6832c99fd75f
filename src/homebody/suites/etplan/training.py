"""Data for fine-tuning: queries of the pipeline with outputs, and the resulting plans.

The outputs are an expert's, or a model's outputs in a run (section A.7; table 10 of the paper). The
expert knows the goal and where objects usually are in the homes for training, but not where they
are in this home. Plans name only objects that the prompt shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from homebody.core import CORRECTED, Action, HomebodyError, Question, Reply, Session
from homebody.core.play.transcript import number_lines, write_call
from homebody.goals.etplan import PLACED, RELATION_WORDS, ROBOT, jobs
from homebody.suites.etplan.agents.pipeline import PaperAgent
from homebody.suites.etplan.agents.questions import Inquiry, format_jobs
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.failures import first_facts
from homebody.suites.etplan.frequencies import holder_share, room_rank
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import SPLITS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.simulation.graph_node import Node

MOST: Final = 3
"""Maximum number of classes of furniture that the expert names."""
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
        answers: The model's outputs in a run, in order; the expert's if omitted. If a query was
            retried, only the last output counts.
        settings: Settings of the run.
    """
    session = start(ROWS[task.row], task, settings or {}, 0, CORRECTED)
    assert isinstance(session, HouseSession)
    given = iter(answers or ())

    def answer(inquiry: Inquiry) -> str:
        return expert_answer(session.source, inquiry) if answers is None else next(given, "")

    made: list[Sample] = []
    for question, inquiry, output in replay_pipeline(session, answer):
        if len(question.messages) > 1:
            made.pop()
        made.append(Sample(task, inquiry.about, question.messages[0].text, output))
    if session.score().metrics["success"] < 1.0:
        return ()
    chats = (each for each in made if each.about != "seen")  # chats have no pictures
    if answers is None:
        actions = task.reference
    else:
        actions = tuple(event.action for event in session.simulation.log if event.ok)
    if not all(map(session.observe(ROBOT).knowledge.knows, objects_of(actions))):
        return (*chats,)
    return (*chats, _plan_sample(task, actions, session.observe(ROBOT).knowledge.nodes.values()))


def replay_pipeline(
    session: Session, answer: Callable[[Inquiry], str]
) -> Iterator[tuple[Question, Inquiry, str]]:
    """Play the pipeline in a session with given outputs. Yield each query with its output, before
    the pipeline continues with it."""
    pipeline = PaperAgent(session)
    dialogue = pipeline.play()
    questions = next(dialogue, ())
    while questions:
        output = answer(pipeline.inquiry)
        yield questions[0], pipeline.inquiry, output
        try:
            questions = dialogue.send((Reply(output),))
        except StopIteration:
            return


def objects_of(actions: Iterable[Action]) -> list[str]:
    """Return the objects that actions name, each once."""
    names = (name for action in actions for name in action.args if name not in PLACED.values())
    return list(dict.fromkeys(names))


def _plan_sample(task: EtplanTask, actions: Sequence[Action], known: Iterable[Node]) -> Sample:
    """Return a plan as the answer to a prompt that shows its objects, and others of the classes of
    the goal, where they were at the start."""
    facts, used, classes = first_facts(task), objects_of(actions), task.goal.classes
    shown = [n for n in known if n.kind != "agent" and (n.name in used or n.category in classes)]
    names, lines = [node.name for node in shown], []
    for node in shown:
        where = [
            f"{RELATION_WORDS[relation]} {at}" for relation, at in _places(facts, node.name, names)
        ]
        shut = " (closed)" if facts.is_closed(node.name) else ""
        lines.append(f"- {node.name}{shut}{': ' if where else ''}{', '.join(where)}")
    received = f'A robot in a home receives the instruction: "{task.instruction}"'
    prompt = f"{received}\n\nIt knows:\n" + "\n".join(lines) + "\n\nWhich actions lead to the goal?"
    plan = number_lines(map(write_call, actions))
    return Sample(task, "plan", prompt, plan)


def _places(facts: Facts, name: str, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    if facts.room(name) != name:
        stated = facts.stated_relations(name, known)
        yield from ((how, at) for how, at in stated if how in RELATION_WORDS)


def replay_samples(run: Recorded) -> tuple[Sample, ...]:
    """Return the samples of a run."""
    return collect_samples(*run)


def expert_answer(context: TaskContext, inquiry: Inquiry) -> str:
    """Return the output of an expert that knows the goal, and how often objects are in kinds of
    rooms, and on or in classes of furniture, in the homes for training."""
    match inquiry.about:
        case "kind":
            return json.dumps([context.row.kind])
        case "jobs":
            return format_jobs(jobs(context.task.goal))
    assert inquiry.wanted is not None
    category, facts = inquiry.wanted.category, context.facts
    if inquiry.about == "rooms":
        return json.dumps(room_rank(category, {n: facts.category(n) for n in inquiry.choices}))
    kind = facts.category(inquiry.room)
    shares = {name: holder_share(category, name, kind) for name in inquiry.choices}
    likely = [name for name in inquiry.choices if shares[name] > 0]
    return json.dumps(sorted(likely, key=lambda name: (-shares[name], name))[:MOST])


def statistics(made: Iterable[Sample]) -> dict[str, Counter[str]]:
    """Return row -> number of its samples by subject."""
    counts: dict[str, Counter[str]] = {}
    for sample in made:
        counts.setdefault(sample.task.row, Counter())[sample.about] += 1
    return counts
