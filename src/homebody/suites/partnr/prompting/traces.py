"""Solved traces: agents' actions in successful runs, for prompts and for fine-tuning.

Source: appendices A.8.3 (retrieval) and A.9.1 (fine-tuning) of the PARTNR paper. Traces come from
replayed transcripts of any agent, including the expert. A run counts if it succeeded at some step.
It is cut at this step and followed by ``Done[]``. Failed actions, thoughts and queries of
perception tools are omitted; consecutive waits are merged. A trace includes a partner's action only
if the agent saw it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean, median
from typing import Final

import msgspec
import orjson

from homebody.core import HomebodyError, Message, Observation
from homebody.core.ground.files import read_bounded
from homebody.core.ground.json_lines import decode_record
from homebody.core.ground.user_errors import name_file
from homebody.core.play.replay import retrace
from homebody.core.play.session import Event
from homebody.core.play.transcript import TranscriptEntry, decode, read_call
from homebody.goals.partnr import Episode
from homebody.suites.partnr.prompting import prompts
from homebody.suites.partnr.prompting.calls import format_call
from homebody.suites.partnr.prompting.examples import Examples
from homebody.suites.partnr.prompting.knowledge_text import describe_positions, describe_world
from homebody.suites.partnr.prompting.retrieval import Embedder, words
from homebody.suites.partnr.session import LIMITS, PartnrSession, start_session
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.skills import FORMS, SKILLS, WALKING

MAX_BYTES: Final = 256 * 1024**2
MAX_TRACES: Final = 50_000
MAX_STEPS: Final = 60
"""Maximum number of steps of a trace in a prompt; the last steps are used. It is more than a model
can make."""
MAX_SHOWN: Final = 300
"""Most characters of a call or result in a prompt."""
MAX_INSTRUCTION: Final = 2_000
"""Most characters of an instruction in a prompt."""
QUALITY_SAMPLE: Final = 200
"""Maximum number of traces for which :func:`retrieval_quality` retrieves examples."""
MAX_HISTORY: Final = 200
"""Maximum number of lines of earlier actions in a sample; the last lines are used."""


class SolvedStep(msgspec.Struct, frozen=True):
    """A successful action: its call and the feedback to the agent."""

    call: str
    result: str


class SolvedTrace(msgspec.Struct, frozen=True, rename={"role": "agent"}):
    """The actions of one role (``agent`` in files) in a successful run, with ``Done[]``.

    Attributes:
        scene: The name of the house; empty if unknown.
    """

    instruction: str
    role: str
    steps: tuple[SolvedStep, ...]
    scene: str = ""


@dataclass(frozen=True, slots=True)
class TrainingSample:
    """A successful action, and the agent's knowledge when it chose it.

    Attributes:
        alone: True if the agent has no partner.
        world: Text of :func:`.knowledge_text.describe_world` and
            :func:`.knowledge_text.describe_positions`.
        history: Earlier actions of both agents, one per line. The results of the agent's own
            actions have their own lines.
        action: The call.
        result: Its result.
    """

    instruction: str
    role: str
    alone: bool
    world: str
    history: tuple[str, ...]
    action: str = ""
    result: str = ""


def training_samples(task: PartnrTask, transcript: str) -> list[TrainingSample]:
    """Return the successful actions of all agents of a run, in order of their ends.

    They stop at the event with which the run succeeded, followed by each agent's ``Done[]``. A run
    without success has none. An invalid transcript is a run without actions.

    Raises:
        HomebodyError: The episode is not possible.
    """
    samples_so_far: list[TrainingSample] = []
    started: dict[str, TrainingSample] = {}
    before: dict[str, str] = {}
    for session, event in _events(task, transcript):
        if isinstance(event, TranscriptEntry):
            started[event.role] = _sample_of_session(session, event.role)
            continue
        waits_on = event.action.name == before.get(event.role) == "Wait"
        before[event.role] = event.action.name
        if event.ok and not waits_on:
            call = format_call(event.action)
            samples_so_far.append(
                replace(started[event.role], action=call, result=outcome_text(event))
            )
        if event.ok and session.judgement().success:
            ending = "done: your part is finished"
            return samples_so_far + [
                replace(_sample_of_session(session, role), action="Done[]", result=ending)
                for role in session.roles
            ]
    return []


def solved_traces(task: PartnrTask, transcript: str) -> list[SolvedTrace]:
    """Return the traces of a successful run's agents. Raises HomebodyError."""
    all_samples = training_samples(task, transcript)
    traces = []
    for role in dict.fromkeys(sample.role for sample in all_samples):
        own = [
            sample for sample in all_samples if sample.role == role and sample.action != "Wait[]"
        ]
        if len(own) > 1:
            steps = tuple(SolvedStep(sample.action, sample.result) for sample in own)
            traces.append(SolvedTrace(own[0].instruction, role, steps, task.episode.scene))
    return traces


def read_traces(path: Path) -> tuple[SolvedTrace, ...]:
    """Return the traces of a file. Raises HomebodyError if it is unreadable or invalid."""
    with name_file(path):
        data = read_bounded(path, MAX_BYTES)
    traces: list[SolvedTrace] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            traces.append(decode_record(line, SolvedTrace))
        except ValueError as error:
            raise HomebodyError(f"line {number} of {path} is not a trace: {error}") from None
        if len(traces) > MAX_TRACES:
            raise HomebodyError(f"{path} has more than {MAX_TRACES} traces")
    if not traces:
        raise HomebodyError(f"{path} has no traces")
    return tuple(traces)


def example_for(path: str, episode: Episode, roles: Sequence[str]) -> str:
    """Return the solved task most similar to an episode's instruction as text for a prompt.

    Similar are the words of the instruction and the skills that they call for
    (:class:`.examples.Examples`). Traces in the same house or with the same instruction are
    excluded: they would give away where objects are or what to do. Traces of the same agent are
    preferred.

    Returns:
        Empty if no trace is left.

    Raises:
        HomebodyError: As :func:`read_traces`.
    """
    traces, examples = _read_examples(path, _stamp(path))
    retrieved = _retrieve(traces, examples, episode.instruction, episode.scene, roles)
    if retrieved is None:
        return ""
    best, _ = retrieved
    steps = [(step.call[:MAX_SHOWN], step.result[:MAX_SHOWN]) for step in best.steps]
    instruction = best.instruction[:MAX_INSTRUCTION]
    return prompts.example(instruction, best.role[:20], steps[-MAX_STEPS:])


@dataclass(frozen=True, slots=True)
class RetrievalQuality:
    """The quality of the traces of a file as examples for each other.

    Attributes:
        similarity: Median cosine of a trace's instruction and that of its example.
        shared: Mean share of a trace's skills that its example has too.
        by_chance: The same for random examples.
    """

    similarity: float
    shared: float
    by_chance: float


def retrieval_quality(
    traces: Sequence[SolvedTrace], embedder: Embedder | None = None, seed: int = 0
) -> RetrievalQuality | None:
    """Return how well traces serve as examples for each other; None if they cannot.

    Args:
        seed: Seed of the sample of at most :data:`QUALITY_SAMPLE` traces, and of random examples.
    """
    draws = random.Random(seed)
    found = _examples(traces, embedder)
    measured: list[tuple[float, float, float]] = []
    for trace in draws.sample(list(traces), min(QUALITY_SAMPLE, len(traces))):
        retrieved = _retrieve(traces, found, trace.instruction, trace.scene, (trace.role,))
        if retrieved is not None:
            example, likeness = retrieved
            other = draws.choice(traces)
            while other.role != example.role or not _is_fair(other, trace.instruction, trace.scene):
                other = draws.choice(traces)  # ends, as the example is fair
            measured.append((likeness, _shared(trace, example), _shared(trace, other)))
    if not measured:
        return None
    likenesses, shared, by_chances = zip(*measured, strict=True)
    return RetrievalQuality(median(likenesses), fmean(shared), fmean(by_chances))


def fine_tuning_lines(samples_of: Iterable[TrainingSample]) -> Iterator[bytes]:
    """Yield samples as lines of chat JSON: ``{"messages": [{"role": ..., ...}]}``."""
    for sample in samples_of:
        messages = (*_question(sample), Message("assistant", sample.action))
        yield orjson.dumps({"messages": [_chat(message) for message in messages]}) + b"\n"


def trained_messages(
    instruction: str, observation: Observation, alone: bool, answer: str = "", mistake: str = ""
) -> tuple[Message, ...]:
    """Return the query of a model that was trained on :func:`fine_tuning_lines`.

    The query has exactly the same words as a training sample before its call.

    Args:
        alone: True if the agent has no partner.
        answer: The previous output, if it had no valid call.
        mistake: The error of that output.
    """
    now = _current_sample(instruction, observation, alone)
    if mistake:
        lines = _lines(" ".join(answer.split())[-MAX_SHOWN:], f"failed: {mistake}")
        now = replace(now, history=(*now.history, *lines))
    return _question(now)


# -- how ------------------------------------------------------------------------------------------


def _retrieve(
    traces: Sequence[SolvedTrace],
    examples: Examples,
    instruction: str,
    scene: str,
    roles: Sequence[str],
) -> tuple[SolvedTrace, float] | None:
    """Return the most similar fair trace and the cosine of its instruction; a trace of one of the
    roles if there is any."""
    best = None
    for place, likeness in examples.rank(instruction, scene):
        trace = traces[place]
        if (best is None or trace.role in roles) and _is_fair(trace, instruction, scene):
            if trace.role in roles:
                return trace, likeness
            best = trace, likeness
    return best


def _is_fair(trace: SolvedTrace, instruction: str, scene: str) -> bool:
    """Return whether a trace has another house and another instruction."""
    return (not scene or trace.scene != scene) and words(trace.instruction) != words(instruction)


def _shared(trace: SolvedTrace, example: SolvedTrace) -> float:
    """Return the share of a trace's skills that an example has."""
    own, other = _skills(trace), _skills(example)
    return len(own & other) / len(own)


def _skills(trace: SolvedTrace) -> set[str]:
    return {step.call.partition("[")[0] for step in trace.steps}


def _examples(traces: Sequence[SolvedTrace], embedder: Embedder | None = None) -> Examples:
    return Examples(
        [trace.instruction for trace in traces],
        [trace.scene for trace in traces],
        [_skills(trace) for trace in traces],
        embedder,
    )


@lru_cache(maxsize=4)
def _read_examples(path: str, stamp: tuple[int, int]) -> tuple[tuple[SolvedTrace, ...], Examples]:
    traces = read_traces(Path(path))
    return traces, _examples(traces)


def _stamp(path: str) -> tuple[int, int]:
    """Return a value that changes when a file is rewritten."""
    try:
        status = Path(path).stat()
    except OSError:
        return 0, 0  # reading it reports the error
    return status.st_mtime_ns, status.st_size


def _chat(message: Message) -> dict[str, str]:
    return {"role": message.role, "content": message.text}


def _current_sample(instruction: str, observation: Observation, alone: bool) -> TrainingSample:
    """Return an agent's current knowledge as a sample without an action."""
    role = observation.role
    world = (
        f"{describe_world(observation.knowledge, (role,))}\n\n{describe_positions([observation])}"
    )
    return TrainingSample(instruction, role, alone, world, _history(observation.history, role))


def _sample_of_session(session: PartnrSession, role: str) -> TrainingSample:
    alone = len(session.roles) == 1
    return _current_sample(session.instruction, session.observe(role), alone)


def _question(sample: TrainingSample) -> tuple[Message, ...]:
    return prompts.training_prompt(
        sample.role, sample.alone, sample.instruction, sample.world, sample.history
    )


def _history(learned: Sequence[Event], role: str) -> tuple[str, ...]:
    """Return lines of an agent's recent actions and of the partner actions that it saw."""
    lines: list[str] = []
    before = ""
    for result in learned:
        name, call = result.action.name, format_call(result.action)
        if name not in FORMS:  # Done, or no skill
            continue
        if result.role != role:
            lines.append(f"Other_Agent_Action: {call}")
            continue
        if not name == before == "Wait":  # consecutive waits are merged
            lines += _lines(call, outcome_text(result))
        before = name
    return tuple(lines[-MAX_HISTORY:])


def _lines(call: str, result: str) -> tuple[str, str]:
    return f"Agent_Action: {call}", f"Action Result: {result}"


def outcome_text(result: Event) -> str:
    """Return the outcome of an action in words, without a full stop."""
    return f"{'done' if result.ok else 'failed'}: {result.message}"


def _events(
    task: PartnrTask, transcript: str
) -> Iterator[tuple[PartnrSession, TranscriptEntry | Event]]:
    """Yield each skill of a replayed run before its start (an entry) and at its end."""
    try:
        written = decode(transcript, LIMITS.entries)
        session = start_session(task, written.settings, written.seed)
        written.check_version(task.version)
    except HomebodyError:
        PartnrSession(task)  # raises if the episode is not possible
        return
    for step in retrace(session, written.entries):
        action = step.action if isinstance(step, Event) else read_call(step.call)
        if action is None or (action.name not in SKILLS and action.name not in WALKING):
            continue
        if isinstance(step, Event) or session.can_take_turn(step.role, step.cycle, step.planner):
            yield session, step
