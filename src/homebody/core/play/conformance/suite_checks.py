"""Checks of outputs and scores, and of what everyone assumes of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import orjson

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conformance.cases import Check, CheckCase, NotApplicable, cut
from homebody.core.play.rounds import play
from homebody.core.play.session import DONE, Session
from homebody.core.play.transcript import decode, read_call
from homebody.core.protocol import CORRECTED
from homebody.core.score import Score
from homebody.core.suite import Suite

ORACLES: Final = ("oracle", "expert")
"""Names of agents that are expected to succeed in every task; the first that a suite has counts."""
_TEXTS: Final = (
    "",
    "Done[]",
    "{}",
    "[]",
    "null",
    "no answer",
    "[" * 10_000,
    "\x00\ud800",
    "9" * 999,
)
_VALUES: Final[Sequence[Any]] = (
    None, True, -1, 2**62, 1.5, "", "x" * 5_000, [], {}, "robot", "Pick[cup_0]", "Done[]",
    "human", "agent", 10**6,
)  # fmt: skip


def any_text_gets_a_score(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Any text whatever gets a score in every protocol."""
    output = some_output(case)
    gap, changed = _with_a_gap(output, generator), _with_another_value(output, generator)
    for text in (*_TEXTS, output, gap, *([] if changed is None else [changed])):
        for protocol in case.protocols:
            score = case.suite.score(case.task, text, protocol)
            for problem in score_problems(case.suite, case.task, score):
                yield f"of the output {cut(text)}, by {protocol.name}: {problem}"


def some_output(case: CheckCase) -> str:
    """The transcript of what was played, or the answer of one of the suite's agents."""
    if case.suite.playing is not None:
        return case.played().transcript().encode()
    agents = case.suite.agents
    return case.answer(agents[case.seed % len(agents)]) if agents else "no answer"


def _with_a_gap(text: str, generator: np.random.Generator) -> str:
    """A text with something cut out of it and something put in."""
    at, to = sorted(int(place) for place in generator.integers(0, len(text) + 1, size=2))
    return text[:at] + text[at : at + int(generator.integers(8))] + text[to:]


def _with_another_value(text: str, generator: np.random.Generator) -> str | None:
    """A transcript with another value somewhere in it; None of a text that is none."""
    try:
        decode(text)
    except HomebodyError:
        return None
    document = orjson.loads(text)
    value = _VALUES[int(generator.integers(len(_VALUES)))]
    entries = document["entries"]
    if entries and generator.random() < 0.7:
        entry = entries[int(generator.integers(len(entries)))]
        entry[int(generator.integers(len(entry)))] = value
    else:
        document[list(document)[int(generator.integers(len(document)))]] = value
    return orjson.dumps(document).decode()


def score_problems(suite: Suite[Any], task: Any, score: Score) -> Iterator[str]:
    """What is wrong with a score: of another task, metrics that are no shares, a record that JSON
    cannot hold, a summary with numbers below zero."""
    if score.identifier != suite.tasks.identify(task):
        yield f"the score is of {cut(score.identifier)}: identify its task as Tasks.identify does"
    for name, value in score.metrics.items():
        if not (isinstance(value, int | float) and 0.0 <= value <= 1.0):
            yield f"the metric {name} is {cut(value)}: it is a number from 0 to 1"
    try:
        written = orjson.dumps(dict(score.record))
    except TypeError as error:
        yield f"the record is not JSON: {error}"
        return
    if orjson.loads(written) != score.record:
        yield "the record differs when it is read again from JSON: use lists, texts and numbers"
    yield from _summary_problems(suite.summarise([score]))


def _summary_problems(summary: Mapping[str, Any]) -> Iterator[str]:
    for name, value in summary.items():
        if isinstance(value, Mapping):
            yield from _summary_problems(value)
        elif isinstance(value, int | float) and not 0 <= value < math.inf:
            yield f"{name} is {value} in the summary: it is a number from 0"


def task_can_be_asked(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """The id, the description and the prompt of a task are texts, and the same when asked again;
    no other task has its id."""
    tasks, prompting = case.suite.tasks, case.suite.prompting
    asked: dict[str, Callable[[Any], str]] = {"id": tasks.identify, "description": tasks.describe}
    if prompting is not None:
        asked["prompt"] = lambda task: prompting.text(prompting.set_to(task, case.settings))
    for name, ask in asked.items():
        first, second = ask(case.task), ask(case.task)
        if not (isinstance(first, str) and first.strip()):
            yield f"the {name} is {cut(first)}: it is a text that is not empty"
        elif first != second:
            yield f"the {name} differs when it is asked for again: let it depend on the task only"
    own = tasks.identify(case.task)
    times = sum(tasks.identify(task) == own for task in tasks.load(CORRECTED))
    if times > 1:
        yield f"{times} tasks have the id {cut(own)}: runs score only one: give each its own"


# --- What everyone assumes of a benchmark -------------------------------------------------------


def worth(suite: Suite[Any], score: Score) -> float:
    """How good a score is: the mean of its metrics, without those of which less is better."""
    values = [v for name, v in score.metrics.items() if name not in suite.viewing.faults]
    return math.fsum(values) / len(values) if values else 0.0


def has_succeeded(suite: Suite[Any], score: Score) -> bool:
    """Whether a score is of a success; where there is no such metric, whether it is perfect."""
    success = score.metrics.get("success")
    return (worth(suite, score) if success is None else success) >= 1.0


def oracle_of(suite: Suite[Any]) -> str:
    """The agent that is expected to succeed. Raises NotApplicable if there is none."""
    name = next((name for name in ORACLES if name in suite.agents), None)
    if name is None:
        raise NotApplicable(f"the suite has no agent called {' or '.join(ORACLES)}")
    return name


def oracle_succeeds(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """The suite's oracle (its agent ``oracle`` or ``expert``) succeeds in every task."""
    agent = oracle_of(case.suite)
    score = case.score(case.answer(agent))
    if score.valid and not has_succeeded(case.suite, score):
        why = score.record.get("explanation", dict(score.metrics))
        yield f"{agent} fails: {cut(why)}: mend the task, its goal or the agent"


def idle_fails(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Nobody succeeds who does nothing, or gives an empty answer."""
    output = "" if case.suite.playing is None else play(case.start(), {}).transcript().encode()
    score = case.score(output)
    if score.valid and has_succeeded(case.suite, score):
        what = "an empty answer" if case.suite.playing is None else "doing nothing"
        yield f"{what} succeeds: leave the task out, or ask for more in its goal"


def goal_is_open_at_the_start(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """When a session begins the goal is not met, it has not ended, and somebody is ready."""
    session = case.start()
    if session.ending is not None or not session.ready():
        yield f"nobody can act at the start (ending: {session.ending}): let somebody be ready"
    if session.progress() >= 1.0 or has_succeeded(case.suite, session.score()):
        yield "the goal is met at the start: leave the task out, or change where things are"


# --- Over all cases -----------------------------------------------------------------------------


def half_a_plan_is_worth_less(cases: Sequence[CheckCase]) -> Iterator[str]:
    """The first half of the oracle's plans is worth less than all of them."""
    yield from _is_worth_less(cases, "the first half of the oracle's plan", _half)


def order_matters(cases: Sequence[CheckCase]) -> Iterator[str]:
    """The oracle's plans in reversed order are worth less than in theirs."""
    if all(case.suite.playing is None for case in cases):
        raise NotApplicable("the suite has no sessions: only it knows the order in its answers")
    yield from _is_worth_less(cases, "the oracle's plan in reversed order", _reversed)


def _is_worth_less(
    cases: Sequence[CheckCase], what: str, change: Callable[[CheckCase, str], str | None]
) -> Iterator[str]:
    pairs = []
    for case in cases:
        output = case.answer(oracle_of(case.suite))
        changed = change(case, output)
        if changed is not None:
            scores = (case.score(changed), case.score(output))
            pairs.append(tuple(worth(case.suite, score) for score in scores))
    if not pairs:
        raise NotApplicable("no plan of the oracle has two actions")
    less, all_of_it = (math.fsum(each) / len(pairs) for each in zip(*pairs, strict=True))
    if less >= all_of_it:
        yield (
            f"{what} is worth {less:.2f} and the whole {all_of_it:.2f}, as the mean of"
            f" {len(pairs)} tasks: let the goal ask for more than it does"
        )


def _half(case: CheckCase, output: str) -> str | None:
    if case.suite.playing is None:
        return output[: len(output) // 2] if len(output) > 1 else None
    transcript = decode(output)
    half = transcript.entries[: len(transcript.entries) // 2]
    return replace(transcript, entries=half).encode() if half else None


def _reversed(case: CheckCase, output: str) -> str | None:
    """A transcript in which each role does what it did, the last first."""
    plans: dict[str, list[Action]] = {}
    for entry in decode(output).entries:
        action = read_call(entry.call)
        if action is not None and action.name != DONE.name:
            plans.setdefault(entry.role, []).append(action)
    if not any(len(plan) > 1 for plan in plans.values()):
        return None

    def next_of(session: Session, role: str) -> Action:
        return plans[role].pop() if plans.get(role) else DONE

    session = case.start()
    return play(session, dict.fromkeys(session.roles, next_of)).transcript().encode()


OUTPUT_CHECKS: Final[tuple[Check, ...]] = (any_text_gets_a_score, task_can_be_asked)
"""What every suite must keep; each on any case."""
TASK_CHECKS: Final[tuple[Check, ...]] = (
    oracle_succeeds,
    idle_fails,
    goal_is_open_at_the_start,
)
"""What every task must keep, as it is set usually."""
SUITE_CHECKS: Final[tuple[Callable[[Sequence[CheckCase]], Iterator[str]], ...]] = (
    half_a_plan_is_worth_less,
    order_matters,
)
"""What the tasks of a suite must keep as a whole, as they are set usually."""
