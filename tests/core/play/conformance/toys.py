"""A correct toy suite, and one for each way in which a suite can be wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from homebody.core import (
    DONE,
    Action,
    Event,
    HomebodyError,
    Observation,
    Playing,
    Prompting,
    Protocol,
    Score,
    Scoring,
    Suite,
    Tasks,
    TextAgent,
    Tool,
    Transcript,
)
from homebody.core.play.policies import random
from homebody.core.play.session import NotReadyError
from homebody.core.play.session_base import SessionBase
from homebody.core.play.turn_session import TurnSession

ITEMS = ("milk", "butter", "peas")
PLAN = ("Open", "Take", "Put")


class Errand:
    """Open, take and put a thing, in this order."""

    def __init__(self, item: str) -> None:
        self.item = item
        self.steps = 0

    def do(self, action: Action) -> str:
        if action not in self.options():
            raise HomebodyError("that cannot be done now", "choose one of the options")
        self.steps += 1
        return f"{action} is done."

    def describe(self) -> str:
        return f"{self.steps} steps are done."

    def options(self) -> list[Action]:
        return [Action(name, (self.item,)) for name in PLAN[self.steps : self.steps + 1]]

    def tools(self) -> list[Tool]:
        return [Tool.of(name, f"{name} a thing.", "thing") for name in PLAN]

    def progress(self) -> float:
        return self.steps / len(PLAN)


def oracle(session: Any, generator: Any) -> Any:
    return lambda session, role: session.observe(role).options[0]


def suite(
    session: type[TurnSession] = TurnSession, game: type[Any] = Errand, **changes: Any
) -> Suite[str]:
    """The toy suite, with another session or game, or other parts."""

    def start(task: str, settings: Mapping[str, str], seed: int, protocol: Protocol) -> TurnSession:
        how = {"max_actions": 12, "seed": seed, "settings": settings}
        return session(task, f"Put the {task} away.", game(task), **how)  # type: ignore[arg-type]

    policies = {"oracle": oracle, "random": random}
    playing = Playing(
        start, roles=("agent",), policies=policies, settings={"mood": ("good", "bad")}
    )
    made = Suite(
        name="toy.errand",
        title="Put one thing away",
        tasks=Tasks(load=lambda protocol: list(ITEMS), identify=str, describe=str),
        scoring=Scoring(playing.score),
        playing=playing,
    )
    return replace(made, **changes)


CORRECT = suite()
_CALLS = count()


class DependsOnTheProcess(TurnSession):
    def _event(self, role: str, action: Action, ok: bool, message: str) -> Event:
        return super()._event(role, action, ok, f"This is call {next(_CALLS)}.")


class ChangesWhenObserved(TurnSession):
    def observe(self, role: str) -> Observation:
        self.event_log.moment += 1
        return super().observe(role)


class NeverExpires(TurnSession):
    @property
    def moment(self) -> int:
        return 0


class TakesAnybody(TurnSession):
    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        try:
            return super().act(role, action, cycle, planner)
        except NotReadyError:
            return Event(role, action, False, "you cannot act now", self.clock, self.clock)


class KnowsEverybody(TurnSession):
    def observe(self, role: str) -> Observation:
        return super().observe(self.roles[0])


class CountsNoNotes(TurnSession):
    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        super().note(role, text, cycle, planner)
        self.action_counts[role] -= 1
        self._ending = None


class WantsABareDone(TurnSession):
    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        bare = action == DONE or action.name != DONE.name
        return super().act(role, action if bare else Action("NotDone"), cycle, planner)


class ForgetsNotes(TurnSession):
    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        super().note(role, text, cycle, planner)
        del self.entries[-1]


class TakesAnyArguments(TurnSession):
    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        given = tuple(map(str, action.args or ()))
        return super().act(role, Action(action.name, given), cycle, planner)


class SaysNothingOfNotes(TurnSession):
    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        super().note(role, text, cycle, planner)
        self.event_log.record_action(role, None)


class SaysNothing(Errand):
    def describe(self) -> str:
        return ""


class LivesByItself(TurnSession):
    _has_blinked = False

    def advance(self) -> Sequence[Event]:
        blinked, self._has_blinked = self._has_blinked, True
        event = Event("agent", Action("Blink"), True, "You blinked.", self.clock, self.clock)
        return [] if blinked else [event]


class TakesAnyProtocol(TurnSession):
    def score(self, protocol: Protocol | None = None) -> Score:
        return super().score()


class WritesModelsOnly(TurnSession):
    def transcript(self) -> Transcript:
        written = super().transcript()
        return replace(written, entries=tuple(each for each in written.entries if each.cycle > 0))


class SaysNoOutcome(Errand):
    def do(self, action: Action) -> str:
        super().do(action)
        return ""


class OffersTwice(Errand):
    def options(self) -> list[Action]:
        return super().options() * 2


class HasNoTools(Errand):
    def tools(self) -> list[Tool]:
        return []


class ScoresMore(TurnSession):
    """Its score says more than the transcript does."""

    def score(self, protocol: Protocol | None = None) -> Score:
        score = super().score(protocol)
        return replace(score, record={**score.record, "memory": id(self)})


class Shares(Errand):
    done: list[Action] = []  # noqa: RUF012 (which is the mistake)

    def do(self, action: Action) -> str:
        said = super().do(action)
        self.done.append(action)
        return f"{said} There were {len(self.done)}."


class IsMetAtOnce(Errand):
    def progress(self) -> float:
        return 1.0


class AnyOrder(Errand):
    def __init__(self, item: str) -> None:
        super().__init__(item)
        self.left = [Action(name, (item,)) for name in PLAN]

    def do(self, action: Action) -> str:
        if action not in self.left:
            raise HomebodyError("that cannot be done now", "choose one of the options")
        self.left.remove(action)
        self.steps += 1
        return "It is done."

    def options(self) -> list[Action]:
        return list(self.left)


class LikesADone(TurnSession):
    def score(self, protocol: Protocol | None = None) -> Score:
        return _with_success(super().score(protocol), self.ending is not None)


class LikesAnything(TurnSession):
    def score(self, protocol: Protocol | None = None) -> Score:
        score = super().score(protocol)
        tried = self.clock > 0
        return replace(_with_success(score, tried), metrics={"success": float(tried)})


def _with_success(score: Score, success: bool) -> Score:
    metrics = {**score.metrics, "success": float(success)}
    return replace(score, metrics=metrics, record={**score.record, "success": success})


class ClonesHalf(TurnSession):
    def clone(self) -> ClonesHalf:
        return copy.copy(self)


class HoldsALock(TurnSession):
    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle '_thread.lock' object")


class ScoresByHash(TurnSession):
    def score(self, protocol: Protocol | None = None) -> Score:
        score = super().score(protocol)
        return replace(score, record={**score.record, "tags": list({*"abcdefghij"})})


BY_HASH = suite(ScoresByHash)


def _idle(session: Any, generator: Any) -> Any:
    return lambda session, role: DONE


def _scored(score: Callable[[str, str, Protocol], Score]) -> Suite[str]:
    return replace(CORRECT, scoring=Scoring(score))


def _reads_json(task: str, output: str, protocol: Protocol) -> Score:
    if not output.startswith("{"):
        raise ValueError("that is no transcript")
    assert CORRECT.playing is not None
    return CORRECT.playing.score(task, output, protocol)


def _in_percent(task: str, output: str, protocol: Protocol) -> Score:
    assert CORRECT.playing is not None
    score = CORRECT.playing.score(task, output, protocol)
    return replace(score, metrics={name: 100 * value for name, value in score.metrics.items()})


# --- Two roles, of whom only one acts at a time -------------------------------------------------


class Narrow(SessionBase):
    """Two carry a box of two kilos across a narrow bridge: as long as one acts, nobody may."""

    rate = 1.0
    skills = (Tool.of("Walk", "Walk some steps.", "steps"),)

    def __init__(self, task: str, seed: int, settings: Mapping[str, str]) -> None:
        origin = Transcript(dict(settings), seed)
        super().__init__(("left", "right"), f"Walk to {task}.", identifier=task, origin=origin)
        self.at = dict.fromkeys(self.roles, 0)

    def can_act(self, role: str) -> bool:
        return super().can_act(role) and not any(map(self.busy, self.roles))

    def begin(self, role: str, action: Action) -> int:
        if action.args[0] not in ("1", "2"):
            raise HomebodyError("nobody walks so far", "walk 1 or 2")
        return int(action.args[0])

    def finish(self, role: str, action: Action) -> str:
        self.at[role] += int(action.args[0])
        return f"You are at {self.at[role]}."

    def describe(self, role: str) -> str:
        return f"You are at {self.at[role]}."

    def possible(self, role: str) -> list[Action]:
        return [Action("Walk", (steps,)) for steps in ("1", "2")]

    def progress(self) -> float:
        return min(1.0, min(self.at.values()) / int(self.identifier))


def narrow(
    session: type[Narrow] = Narrow, roles: tuple[str, ...] = ("left", "right")
) -> Suite[str]:
    """The suite of two roles, with another session or other roles listed."""
    playing = Playing(
        lambda task, settings, seed, protocol: session(task, seed, settings),
        roles=roles,
        policies={"oracle": oracle},
        settings={"mood": ("good", "bad")},
    )
    return Suite(
        name="toy.narrow",
        title="Two walk, one after the other",
        tasks=Tasks(load=lambda protocol: ["3", "4"], identify=str, describe=str),
        scoring=Scoring(playing.score),
        playing=playing,
    )


NARROW = narrow()
"""A correct suite in which what one does makes another not ready."""


class Wide(Narrow):
    """Both may act at the same time, and mark where they have come to."""

    def __init__(self, task: str, seed: int, settings: Mapping[str, str]) -> None:
        super().__init__(task, seed, settings)
        self.marked: list[int] = []

    def can_act(self, role: str) -> bool:
        return SessionBase.can_act(self, role)

    def describe(self, role: str) -> str:
        return f"{super().describe(role)} There are the marks {self.marked}."


class ChangesAndRefuses(Wide):
    def finish(self, role: str, action: Action) -> str:
        self.marked.append(len(self.marked))
        if self.at[role] == max(self.at.values()) > 0:
            raise HomebodyError("the other is not there yet", "wait")
        return super().finish(role, action)


class BeginsNothing(Wide):
    def begin(self, role: str, action: Action) -> int:
        super().begin(role, action)
        return None  # type: ignore[return-value]


class BeginsHalf(Wide):
    def begin(self, role: str, action: Action) -> int:
        return super().begin(role, action) / 2  # type: ignore[return-value]


class BeginsBefore(Wide):
    def begin(self, role: str, action: Action) -> int:
        return -super().begin(role, action)


class PerceivesAsItself(Wide):
    def perceive(self, role: str, event: Event) -> Event | None:
        return replace(event, role=role)


class PerceivesEverything(Wide):
    """It does not call the base's, which is right."""

    def perceive(self, role: str, event: Event) -> Event | None:
        assert event.action.name != "Wait"
        return event


class HasNoOrigin(Wide):
    def __init__(self, task: str, seed: int, settings: Mapping[str, str]) -> None:
        super().__init__(task, seed, settings)
        self._origin = Transcript()


class HasMoreThanAll(Wide):
    def progress(self) -> float:
        return sum(self.at.values()) / int(self.identifier)


class HasLessThanNothing(Wide):
    def progress(self) -> float:
        return super().progress() if any(self.at.values()) else -0.5


class DividesByNothing(Wide):
    def progress(self) -> float:
        return super().progress() if len(self.entries) != 2 else float("nan")


class HasNoProgress(Wide):
    def progress(self) -> float:
        return None  # type: ignore[return-value]


class CannotBegin(Wide):
    def __init__(self, task: str, seed: int, settings: Mapping[str, str]) -> None:
        super().__init__(task, seed, settings)
        self.length = {"5": 5}[task]


class IsThere(Wide):
    def progress(self) -> float:
        return 1.0


class NeverArrives(Wide):
    def finish(self, role: str, action: Action) -> str:
        raise HomebodyError("the bridge is slippery", "stay")


class OffersByHash(Wide):
    def possible(self, role: str) -> list[Action]:
        return list({Action("Walk", (steps,)) for steps in "123456789"})


class DescribesByHash(Wide):
    def describe(self, role: str) -> str:
        return f"There are {', '.join({*'abcdefghij'})}."


OFFERS_BY_HASH, DESCRIBES_BY_HASH = narrow(OffersByHash), narrow(DescribesByHash)


# --- What is wrong with each ---------------------------------------------------------------------

_asleep = suite()
assert _asleep.playing is not None
BROKEN: Mapping[str, tuple[Suite[str], str]] = {
    "two tasks have an id": (
        suite(tasks=Tasks(load=lambda protocol: [*ITEMS, ITEMS[0]], identify=str, describe=str)),
        "task_can_be_asked",
    ),
    "depends on the process": (suite(DependsOnTheProcess), "session_replays"),
    "changes when it is observed": (suite(ChangesWhenObserved), "asking_changes_nothing"),
    "old observations can be read": (suite(NeverExpires), "observations_expire"),
    "anybody can act": (suite(TakesAnybody), "only_ready_roles_act"),
    "anybody can look": (suite(KnowsEverybody), "unknown_roles_are_refused"),
    "unreadable answers count nothing": (suite(CountsNoNotes), "session_has_an_end"),
    "only a bare Done ends": (suite(WantsABareDone), "done_ends_a_role"),
    "unreadable answers are forgotten": (suite(ForgetsNotes), "unreadable_actions_are_refused"),
    "any arguments go": (suite(TakesAnyArguments), "malformed_arguments_raise"),
    "nothing is said of notes": (suite(SaysNothingOfNotes), "unread_text_is_reported"),
    "nothing is said": (suite(game=SaysNothing), "time_needs_somebody_busy"),
    "things happen by themselves": (suite(LivesByItself), "time_needs_somebody_busy"),
    "any protocol goes": (suite(TakesAnyProtocol), "session_is_judged_by_its_protocol"),
    "only models are written down": (suite(WritesModelsOnly), "any_planner_is_written"),
    "outcomes have no words": (suite(game=SaysNoOutcome), "outcomes_are_observed"),
    "an option stands twice": (suite(game=OffersTwice), "options_can_be_said"),
    "options have no tools": (suite(game=HasNoTools), "options_can_be_said"),
    "more is scored than is written": (
        suite(ScoresMore),
        "transcript_gets_the_session_score",
    ),
    "sessions share a list": (suite(game=Shares), "sessions_are_independent"),
    "clones share their game": (suite(ClonesHalf), "clones_are_independent"),
    "sessions hold a lock": (suite(HoldsALock), "sessions_pickle"),
    "scoring raises": (_scored(_reads_json), "any_text_gets_a_score"),
    "metrics are in percent": (_scored(_in_percent), "any_text_gets_a_score"),
    "descriptions are empty": (
        replace(CORRECT, tasks=replace(CORRECT.tasks, describe=lambda task: "")),
        "task_can_be_asked",
    ),
    "the oracle sleeps": (
        replace(_asleep, playing=replace(_asleep.playing, policies={"oracle": _idle})),
        "oracle_succeeds",
    ),
    "to say Done is enough": (suite(LikesADone), "idle_fails"),
    "the goal is met at the start": (suite(game=IsMetAtOnce), "goal_is_open_at_the_start"),
    "any action is enough": (suite(LikesAnything), "half_a_plan_is_worth_less"),
    "any order will do": (suite(game=AnyOrder), "order_matters"),
    "sets are written down": (BY_HASH, "fresh_process_agrees"),
    "options are a set": (OFFERS_BY_HASH, "fresh_process_agrees"),
    "a set is described": (DESCRIBES_BY_HASH, "fresh_process_agrees"),
    "a refused end has changed something": (narrow(ChangesAndRefuses), "refusals_change_nothing"),
    "begin returns None": (narrow(BeginsNothing), "outcomes_are_observed"),
    "begin returns a half": (narrow(BeginsHalf), "outcomes_are_observed"),
    "begin returns less than nothing": (narrow(BeginsBefore), "outcomes_are_observed"),
    "a role learns that it has done what another did": (
        narrow(PerceivesAsItself),
        "outcomes_are_observed",
    ),
    "transcripts have no origin": (narrow(HasNoOrigin), "transcript_has_its_origin"),
    "progress is more than all": (narrow(HasMoreThanAll), "progress_is_a_share"),
    "progress is less than nothing": (narrow(HasLessThanNothing), "session_starts"),
    "progress is no number": (narrow(DividesByNothing), "progress_is_a_share"),
    "progress is None": (narrow(HasNoProgress), "session_starts"),
    "sessions cannot begin": (narrow(CannotBegin), "session_starts"),
    "roles have other names": (
        narrow(Wide, ("first", "second")),
        "roles_are_those_of_playing",
    ),
    "a role is missing": (narrow(Wide, ("left",)), "roles_are_those_of_playing"),
    "nobody plays a role": (
        narrow(Wide, ("left", "right", "middle")),
        "roles_are_those_of_playing",
    ),
}
"""What is wrong -> a suite of which that is true, and the check that finds it."""


# --- A suite that is asked ----------------------------------------------------------------------

SUMS = {"small": (2, 3), "large": (20, 30)}


def _right(task: str, output: str, protocol: Protocol) -> Score:
    right = output.strip() == str(sum(SUMS[task]))
    return Score(task, {"success": float(right)}, {"success": right})


def asked(score: Callable[[str, str, Protocol], Score] = _right, answer: str = "") -> Suite[str]:
    """Sums; ``answer`` is what the oracle says to all, if it is given."""
    return Suite(
        name="toy.sums",
        title="Add two numbers",
        tasks=Tasks(load=lambda protocol: list(SUMS), identify=str, describe=str),
        scoring=Scoring(score),
        prompting=Prompting(prompt=lambda task: "What is {} + {}?".format(*SUMS[task])),
        text_agents={
            "oracle": TextAgent(lambda task, generator: answer or str(sum(SUMS[task]))),
        },
    )


def _raises(task: str, output: str, protocol: Protocol) -> Score:
    return _right(task, str(int(output)), protocol)


def _lenient(task: str, output: str, protocol: Protocol) -> Score:
    return Score(task, {"success": 1.0}, {})


ASKED = asked()
ASKED_BROKEN: Mapping[str, tuple[Suite[str], str]] = {
    "scoring raises": (asked(_raises), "any_text_gets_a_score"),
    "an empty answer is right": (asked(_lenient), "idle_fails"),
    "any answer is right": (asked(_lenient), "half_a_plan_is_worth_less"),
    "the oracle is wrong": (asked(answer="4"), "oracle_succeeds"),
}
