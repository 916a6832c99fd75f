"""Checks of outputs and scores, and of common assumptions about benchmarks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np
import orjson

from homebody.core import CORRECTED, DONE, Action, Event, HomebodyError, Score, Session, Suite
from homebody.core.goal import is_met
from homebody.core.ground.seeds import choose
from homebody.core.play.conformance.cases import (
    MAX_STEPS,
    Check,
    CheckCase,
    NotApplicable,
    preview,
    take_step,
)
from homebody.core.play.replay import retrace
from homebody.core.play.rounds import play
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import decode, read_call

REFUSALS: Final = 3
"""Maximum number of refused actions in the report on a failure of the oracle; the last are
reported."""
_TEXTS: Final = (
    "", "Done[]", "{}", "[]", "null", "no answer", "[" * 10_000, "\x00\ud800", "9" * 999,
)  # fmt: skip
_VALUES: Final[Sequence[Any]] = (
    None, True, -1, 2**62, 1.5, "", "x" * 5_000, [], {}, "robot", "Pick[cup_0]", "Done[]",
    "human", "agent", 10**6,
)  # fmt: skip


# --- Outputs and scores -------------------------------------------------------------------------


def any_text_gets_a_score(case: CheckCase) -> Iterator[str]:
    """Any text gets a score in every protocol."""
    output, generator = case.make_any_output(), case.generator
    mutated = _cut_text(output, generator), *_change_transcript(output, generator)
    for text in (*_TEXTS, output, *mutated):
        for protocol in case.protocols:
            score = case.suite.score(case.task, text, protocol)
            for problem in find_score_problems(case.suite, case.task, score):
                yield f"of the output {preview(text)}, by {protocol.name}: {problem}"


def _cut_text(text: str, generator: np.random.Generator) -> str:
    """Return a string with a part cut out or repeated."""
    at, to = sorted(int(place) for place in generator.integers(0, len(text) + 1, size=2))
    return text[:at] + text[at : at + int(generator.integers(8))] + text[to:]


def _change_transcript(text: str, generator: np.random.Generator) -> Iterator[str]:
    """Yield a transcript with one value changed; nothing if the text is not a transcript."""
    try:
        decode(text)
    except HomebodyError:
        return
    document = orjson.loads(text)
    value = choose(generator, _VALUES)
    entries = document["entries"]
    if entries and generator.random() < 0.7:
        entry = choose(generator, entries)
        entry[int(generator.integers(len(entry)))] = value
    else:
        document[list(document)[int(generator.integers(len(document)))]] = value
    yield orjson.dumps(document).decode()


def find_score_problems(suite: Suite[Any], task: Any, score: Score) -> Iterator[str]:
    """Yield the problems of a score: another task's id, metrics outside 0 to 1, a record that is
    not JSON, a summary with negative numbers."""
    if score.identifier != suite.tasks.identify(task):
        own = preview(score.identifier)
        yield f"the score has the id {own}: use the id that Tasks.identify returns"
    for name, value in score.metrics.items():
        if not is_share(value):
            yield f"the metric {name} is {preview(value)}: it must be a number from 0 to 1"
    try:
        written = orjson.dumps(dict(score.record))
    except TypeError as error:
        yield f"the record is not JSON: {error}"
        return
    if orjson.loads(written) != score.record:
        yield "the record differs when it is read again from JSON: use lists, texts and numbers"
    yield from _find_summary_problems(suite.summarise([score]))


def is_share(value: object) -> bool:
    """Return whether a value is a number from 0 to 1."""
    return isinstance(value, int | float) and 0.0 <= value <= 1.0


def _find_summary_problems(summary: Mapping[str, Any]) -> Iterator[str]:
    for name, value in summary.items():
        if isinstance(value, Mapping):
            yield from _find_summary_problems(value)
        elif isinstance(value, int | float) and not 0 <= value < math.inf:
            yield f"{name} is {value} in the summary: it must be a number of at least 0"


def task_can_be_asked(case: CheckCase) -> Iterator[str]:
    """The id, the description and the prompt of a task are strings, the same at each call, and no
    other task has its id."""
    tasks, prompting = case.suite.tasks, case.suite.prompting
    texts: dict[str, Callable[[Any], str]] = {"id": tasks.identify, "description": tasks.describe}
    if prompting is not None:
        texts["prompt"] = lambda task: prompting.text(prompting.set_to(task, case.settings))
    for name, make in texts.items():
        first, second = make(case.task), make(case.task)
        if not (isinstance(first, str) and first.strip()):
            yield f"the {name} is {preview(first)}: it must be a string that is not empty"
        elif first != second:
            yield f"the {name} differs at the second call: let it depend on the task only"
    own = tasks.identify(case.task)
    times = sum(tasks.identify(task) == own for task in tasks.load(CORRECTED))
    if times > 1:
        yield f"{times} tasks have the id {preview(own)}: runs score only one: give each its own"


# --- What everyone assumes of a task ------------------------------------------------------------


def rate_score(suite: Suite[Any], score: Score) -> float:
    """Return the mean of the metrics of a score, without the metrics for which lower is better."""
    values = [v for name, v in score.metrics.items() if name not in suite.viewing.faults]
    return math.fsum(values) / len(values) if values else 0.0


def is_success(suite: Suite[Any], score: Score) -> bool:
    """Return whether a score is a success; without such a metric, whether it is perfect."""
    success = score.metrics.get("success")
    return (rate_score(suite, score) if success is None else success) >= 1.0


def oracle_succeeds(case: CheckCase) -> Iterator[str]:
    """The suite's oracle (its agent ``oracle`` or ``expert``) succeeds in every task."""
    output = case.make_output(case.oracle)
    score = case.score(output)
    if score.valid and not is_success(case.suite, score):
        why = preview(score.record.get("explanation", dict(score.metrics)))
        ending = "" if case.suite.playing is None else _describe_ending(case, output)
        yield f"{case.oracle} fails: {why}{ending}: fix the task, its goal or the agent"


def _describe_ending(case: CheckCase, output: str) -> str:
    """Describe the ending of a transcript, and its last refusals."""
    session = case.start()
    events = [each for each in retrace(session, decode(output).entries) if isinstance(each, Event)]
    refused = [f"{each.role} {sentence(each, each.role)}" for each in events if not each.ok]
    last = "; ".join(refused[-REFUSALS:]) or "none"
    return f"; ending: {session.ending or 'none'}; last refusals: {last}"


def progress_is_a_share(case: CheckCase) -> Iterator[str]:
    """progress() is a number from 0 to 1 at every moment of a random play and of the oracle's."""
    for session in _play_both(case):
        progress, calls = session.progress(), len(session.transcript().entries)
        if not is_share(progress):
            yield f"progress() is {preview(progress)} after {calls} actions: it is from 0 to 1"
            return


def _play_both(case: CheckCase) -> Iterator[Session]:
    """Yield a session after each step of random policies, and one after each of the oracle."""
    session, generator = case.start(), case.generator
    for _ in range(MAX_STEPS):
        take_step(session, generator)
        yield session
    session = case.start()
    with suppress(NotApplicable):  # there is no oracle
        for _ in retrace(session, decode(case.make_output(case.oracle)).entries):
            yield session
        yield session


def idle_fails(case: CheckCase) -> Iterator[str]:
    """Doing nothing, or giving an empty output, does not succeed."""
    output = "" if case.suite.playing is None else play(case.start(), {}).transcript().encode()
    score = case.score(output)
    if score.valid and is_success(case.suite, score):
        what = "an empty output" if case.suite.playing is None else "doing nothing"
        yield f"{what} succeeds: leave the task out, or require more in its goal"


def goal_is_open_at_the_start(case: CheckCase) -> Iterator[str]:
    """The goal is not met when a session begins, it has not ended, and a role is ready."""
    session = case.start()
    if session.ending is not None or not session.ready():
        yield f"no role can act at the start (ending: {session.ending}): let one be ready"
    if is_met(session.progress()) or is_success(case.suite, session.score()):
        yield "the goal is met at the start: leave the task out, or change where things are"


# --- What everyone assumes of a benchmark -------------------------------------------------------


def roles_are_those_of_playing(cases: Sequence[CheckCase]) -> Iterator[str]:
    """The sessions have the roles that Playing.roles lists."""
    listed = cases[0].playing.roles
    played = list(dict.fromkeys(role for case in cases for role in case.start().roles))
    if set(played) != set(listed):
        yield f"the sessions have the roles {played}, and Playing.roles {list(listed)}: list these"


def half_a_plan_is_worth_less(cases: Sequence[CheckCase]) -> Iterator[str]:
    """The first halves of the oracle's plans score lower than the whole plans."""
    yield from _compare_worth(cases, "the first half of the oracle's plan", _halve)


def order_matters(cases: Sequence[CheckCase]) -> Iterator[str]:
    """The oracle's plans score lower in reversed order."""
    if all(case.suite.playing is None for case in cases):
        raise NotApplicable("the suite has no sessions: only it knows the order in its answers")
    yield from _compare_worth(cases, "the oracle's plan in reversed order", _reverse)


def _compare_worth(
    cases: Sequence[CheckCase], what: str, change: Callable[[CheckCase, str], str | None]
) -> Iterator[str]:
    """Yield a problem if changed outputs of the oracle do not score lower than its own outputs."""
    pairs = []
    for case in cases:
        output = case.make_output(case.oracle)
        changed = change(case, output)
        if changed is not None:
            pairs.append([rate_score(case.suite, case.score(text)) for text in (changed, output)])
    if not pairs:
        raise NotApplicable("no plan of the oracle has two actions")
    less, whole = np.mean(pairs, axis=0)
    if less >= whole:
        values = f"{less:.2f}, the whole {whole:.2f}, the mean of {len(pairs)} tasks"
        yield f"{what} is worth {values}: let the goal require more than it does"


def _halve(case: CheckCase, output: str) -> str | None:
    """Return the first half of an output; None if it is too short."""
    if case.suite.playing is None:
        return output[: len(output) // 2] if len(output) > 1 else None
    transcript = decode(output)
    half = transcript.entries[: len(transcript.entries) // 2]
    return replace(transcript, entries=half).encode() if half else None


def _reverse(case: CheckCase, output: str) -> str | None:
    """Return a transcript in which each role acts in reversed order; None if none acts twice."""
    plans: dict[str, list[Action]] = {}
    for entry in decode(output).entries:
        action = read_call(entry.call)
        if action is not None and action.name != DONE.name:
            plans.setdefault(entry.role, []).append(action)
    if not any(len(plan) > 1 for plan in plans.values()):
        return None

    def act(session: Session, role: str) -> Action:
        return plans[role].pop() if plans.get(role) else DONE

    session = case.start()
    return play(session, dict.fromkeys(session.roles, act)).transcript().encode()


OUTPUT_CHECKS: Final[tuple[Check, ...]] = (any_text_gets_a_score, task_can_be_asked)
"""The rules that every suite must keep, in any case."""
TASK_CHECKS: Final[tuple[Check, ...]] = (
    oracle_succeeds,
    progress_is_a_share,
    idle_fails,
    goal_is_open_at_the_start,
)
"""The rules that every task must keep in its default settings."""
SUITE_CHECKS: Final[tuple[Callable[[Sequence[CheckCase]], Iterator[str]], ...]] = (
    roles_are_those_of_playing,
    half_a_plan_is_worth_less,
    order_matters,
)
"""The rules that all tasks together must keep in their default settings."""
