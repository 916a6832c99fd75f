"""Checks of sessions: each is a rule of the contract in :mod:`homebody.core.play.session`."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from homebody.core import DONE, Action, HomebodyError, Observation, Session, ToolCall
from homebody.core.play.conformance.cases import (
    Check,
    CheckCase,
    NotApplicable,
    describe_error,
    find_change,
    find_difference,
    make_tool_call,
    play_randomly,
    preview,
    raises,
    read_score,
    read_world,
    snapshot,
    take_step,
)
from homebody.core.play.conformance.suite_checks import find_score_problems, is_share
from homebody.core.play.failures import drop_labels
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import NotReadyError, StaleError, read_action, take
from homebody.core.play.transcript import decode, find_call, write_call

UNREADABLE: Final[Sequence[Any]] = (
    None, 1.5, [], {}, True, np.array([1, 2]),
    ToolCall("Done", None), ToolCall("Done", ["x"]), ToolCall(None, {}), ToolCall("Done", {1: "x"}),  # type: ignore[arg-type, dict-item]
)  # fmt: skip
"""Inputs that are not an action in any form."""
_REPLAY: Final = "let sessions depend only on task, settings, seed, actions and clock"
_PICKLE: Final = "keep all state in the session, and sort what comes out of a set"
_NAMES: Final = "use no commas or brackets in names"
_COPY: Final = "let clone() copy all that changes, and sort what comes out of a set"
_ASK: Final = "let observe() and score() change nothing"


def session_starts(case: CheckCase) -> Iterator[str]:
    """A session starts, has progress from 0 to 1, and can be observed by all its roles."""
    if error := find_start_error(case):
        yield error


def find_start_error(case: CheckCase) -> str:
    """Describe why a session cannot be started and observed; empty if it can. Raises NotApplicable
    if the suite has no sessions."""
    try:
        progress = case.start().progress()
        if not is_share(progress):
            return f"progress() is {preview(progress)} at the start: return a number from 0 to 1"
        snapshot(case.start())
    except NotApplicable:
        raise
    except Exception as error:  # the suite's own code may raise anything
        return f"a session cannot be started and observed: {describe_error(error)}"
    return ""


def transcript_has_its_origin(case: CheckCase) -> Iterator[str]:
    """A transcript has the settings and the seed that its session was started with."""
    written = case.start().transcript()
    if written.seed != case.seed or not case.settings.items() <= written.settings.items():
        yield (
            "the transcript lacks the seed or the settings that the session was started with: give"
            " SessionBase.__init__() the argument origin=hb.Transcript(settings, seed)"
        )


def session_replays(case: CheckCase) -> Iterator[str]:
    """A session that is stopped anywhere is the same when its transcript is replayed, and continues
    in the same way."""
    session = case.play()
    again = replay(case.start(), session.transcript().entries, until=session.now)
    yield from _compare(case, session, again, "after a replay", _REPLAY)


def asking_changes_nothing(case: CheckCase) -> Iterator[str]:
    """Observing and scoring a session does not change it."""
    asked, other = case.start(), case.start()
    generators = case.generator, case.generator
    for _ in range(min(case.steps, 15)):
        observed = _observe_all(asked)
        for protocol in case.protocols:
            asked.score(protocol)
        before = snapshot(asked)
        if _observe_all(asked) != observed:
            yield "observe() returns something else when called again: it must not change anything"
        if found := find_change(before, asked):
            yield f"when asked again, {found}: {_ASK}"
        for session, generator in zip((asked, other), generators, strict=True):
            take_step(session, generator)
    if found := find_change(snapshot(other), asked):
        yield f"of a session that was asked {found}: {_ASK}"


def observations_expire(case: CheckCase) -> Iterator[str]:
    """An observation can be read until something happens; then it raises StaleError."""
    session = case.play()
    for role in session.roles:
        if role not in session.ready():  # another's Done may have ended the session
            continue
        observed = _observe_all(session)
        session.act(role, DONE)
        for other, before in observed.items():
            for part in ("text", "changes", "options", "tools", "knowledge"):
                if not raises(StaleError, getattr, before, part):
                    which = f"the {part} of an observation of {other}"
                    yield f"{which} can be read after {role} has acted: let act() raise the moment"


def only_ready_roles_act(case: CheckCase) -> Iterator[str]:
    """A role that is not ready cannot act, and no role is ready once the session has ended."""
    session = case.play()
    before = snapshot(session)
    for role in sorted({*session.roles, "nobody", ""} - set(session.ready())):
        inputs: Sequence[Any] = (DONE, "hm", 0, None)
        calls: list[Callable[[], object]] = [partial(take, session, role, each) for each in inputs]
        calls += [partial(session.act, role, DONE), partial(session.note, role, "hm")]
        if not all(raises(NotReadyError, call) for call in calls):
            yield f"act() and note() of {role!r}, who is not ready, must raise NotReadyError"
    if found := find_change(before, session):
        yield f"after roles that are not ready were refused, {found}: that must change nothing"
    if session.ending is not None and session.ready():
        yield f"{session.ready()} are ready, though the session has ended ({session.ending})"


def unknown_roles_are_refused(case: CheckCase) -> Iterator[str]:
    """A role that does not exist is not busy, and cannot observe or be played."""
    session = case.start()
    for role in ("nobody", "", "\ud800"):
        if session.busy(role) is not None:
            yield f"busy({role!r}) is {preview(session.busy(role))}: return None for unknown roles"
        if not raises(HomebodyError, session.observe, role):
            yield f"observe({role!r}) must raise HomebodyError: there is no such role"
    if not raises(HomebodyError, play, session, {"agnt": lambda session, role: DONE}):
        yield "play() accepts a policy for an unknown role: list all roles in session.roles"
    if session.transcript().entries:
        yield "the transcript has entries though no role has acted"


def session_has_an_end(case: CheckCase) -> Iterator[str]:
    """A session in which roles only write unreadable text ends at a limit, permanently."""
    session = case.start()
    for cycle in range(1, 5_000):
        for role in session.roles:
            if role in session.ready():  # another's input may have ended the session
                session.note(role, "hm", cycle, role)
        if session.ending is not None:
            break
    if not session.ending:
        yield "5,000 unreadable inputs do not end it: count every input, and end at a limit"
        return
    before = snapshot(session)
    for role in session.roles:
        for action in (*session.observe(role).options[:3], DONE):
            if not raises(NotReadyError, session.act, role, action, 5_000, role):
                yield f"{role} can do {write_call(action)} after the end: raise NotReadyError"
    if session.advance():
        yield "advance() returns events after the end: it must return none"
    if found := find_change(before, session):
        yield f"after the end {found}: nothing may happen any more"


def done_ends_a_role(case: CheckCase) -> Iterator[str]:
    """Done ends a role's part, whatever its arguments."""
    session, role = case.start_with_role()
    event = session.act(role, Action("Done", ("nothing",)))
    if event is None or not event.ok:
        yield f"Done[nothing] gives {preview(event)}: return an Event that is ok, at once"
    if role in session.ready():
        yield f"{role} is ready after Done[nothing]: its part is over"


def unreadable_actions_are_refused(case: CheckCase) -> Iterator[str]:
    """An input that is not an action is refused and noted in the transcript."""
    for wrong in UNREADABLE:
        session, role = case.start_with_role()
        if not raises(HomebodyError, read_action, session.observe(role), wrong):
            yield f"{preview(wrong)} is read as an action: it must be refused"
            continue
        event = take(session, role, wrong)
        if event is None or event.ok:
            yield f"{preview(wrong)} gives {preview(event)}: it must be refused"
        if [entry.call[:2] for entry in session.transcript().entries] != ["? "]:
            yield f"{preview(wrong)} is not in the transcript: let note() add an entry for it"


def malformed_arguments_raise(case: CheckCase) -> Iterator[str]:
    """An action whose arguments are not a tuple of strings raises TypeError."""
    arguments: Sequence[Any] = ("moon_0", ["moon_0"], None, (1,))
    for wrong in arguments:
        session, role = case.start_with_role()
        before = snapshot(session)
        action = Action("Pick", wrong)
        by_act = raises(TypeError, session.act, role, action)
        if not (by_act and raises(TypeError, take, session, role, action)):
            yield f"an action with the arguments {wrong!r} must raise TypeError: use write_call()"
        if found := find_change(before, session):
            yield f"after the arguments {wrong!r} raised TypeError {found}: it must change nothing"


def unread_text_is_reported(case: CheckCase) -> Iterator[str]:
    """A role whose text held no action reads so in its news; no other role does."""
    session, role = case.start_with_role()
    before = session.observe(role)
    session.note(role, "hm")
    news = session.observe(role).news
    if [(event.role, event.action, event.ok) for event in news] != [(role, Action(""), False)]:
        yield (
            f"after note() the news of {role} is {preview(news)}: it must be one event with"
            " Action('') that is not ok"
        )
    elif "write one" not in news[0].message:
        yield f"after note() {role} reads {preview(news[0].message)}: say how to write an action"
    for other in session.roles:
        if other != role and session.observe(other).news:
            yield f"{other} receives what {role} wrote: only {role} may"
    if not raises(StaleError, getattr, before, "text"):
        yield "an observation can be read after note(): raise the session's moment"


def time_needs_somebody_busy(case: CheckCase) -> Iterator[str]:
    """Nothing happens while no role is busy, and each role has a text at the start."""
    session = case.start()
    before = _observe_all(session)
    if session.advance():
        yield "advance() returns events though no role has begun anything"
    if _observe_all(session) != before:
        yield "advance() changes what is observed though no role has begun anything"
    elif not all(observed.text for observed in before.values()):
        yield "the text of a role is empty at the start: let describe() return what it knows"


def session_is_judged_by_its_protocol(case: CheckCase) -> Iterator[str]:
    """score() uses the protocol that the session was started with, and refuses a name of one."""
    for protocol in case.protocols:
        session = case.start(protocol)
        if session.score() != session.score(protocol):
            yield f"score() is not score({protocol.name}) though it was started with that protocol"
        if not raises(HomebodyError, session.score, "corrected"):
            yield "score('corrected') must raise HomebodyError: see resolve_protocol"


def any_planner_is_written(case: CheckCase) -> Iterator[str]:
    """The planner of an action is in the transcript, whatever its name, and can be read again."""
    session, role = case.start_with_role()
    session.note(role, "\ud800", 0, "\ud800")
    if role in session.ready():
        session.act(role, DONE, 0, "\ud800")
    written = session.transcript()
    read = decode(written.encode())
    if not len(read.entries) == len(written.entries) > 0:
        yield f"{len(read.entries)} of {len(written.entries)} entries can be read back"


def outcomes_are_observed(case: CheckCase) -> Iterator[str]:
    """The role that acted receives the outcome, at once or when the action is over."""
    session, random = case.start(), np.random.default_rng(case.seed)
    for _ in range(case.steps):
        busy = {role for role in session.roles if session.busy(role) is not None}
        role, event, over = take_step(session, random)
        doing = session.busy(role)
        if role and (event is None) != (doing is not None):
            yield (
                f"act() returned {preview(event)} while busy({role!r}) is {preview(doing)}:"
                " return None exactly if the action has begun"
            )
        if event is not None and (event.role != role or not event.message):
            yield f"{role} acted and act() returned {preview(event)}: give its role and a message"
        for event in (each for each in over if each.role in session.roles):
            if not event.start <= event.end == session.clock:
                yield f"at clock {session.clock} advance() returned {preview(event)}"
            if event.role not in busy or session.busy(event.role) is not None:
                yield f"advance() returned {preview(event)} of a role that was not or still is busy"
            if event not in session.observe(event.role).news:
                yield f"the news of {event.role} lack the end of its action: {preview(event)}"


def refusals_change_nothing(case: CheckCase) -> Iterator[str]:
    """An action that finish() of a session or do() of a game refuses has changed nothing."""
    session, problems = case.start(), list[str]()
    for owner, name in ((session, "finish"), (getattr(session, "game", None), "do")):
        with suppress(AttributeError):  # no such method, or it cannot be replaced
            method = getattr(owner, name)
            setattr(owner, name, partial(_watch, session, method, problems))
    play_randomly(session, case.seed, case.steps)
    yield from dict.fromkeys(problems)


def _watch(
    session: Session, method: Callable[..., str], problems: list[str], *arguments: Any
) -> str:
    """Call a method; if it raises HomebodyError, note what it has changed."""
    before = read_world(session)
    try:
        return method(*arguments)
    except HomebodyError:
        if found := find_difference(before, read_world(session)):
            call = write_call(arguments[-1])
            name = getattr(method, "__name__", "")
            problems.append(f"{name}() refused {call}, but {found}: raise before any change")
        raise


def options_can_be_said(case: CheckCase) -> Iterator[str]:
    """Each option occurs once, and can be given as a number, a string and a call of a tool."""
    session = case.play()
    for role, observed in _observe_all(session).items():
        options = observed.options
        twice = [option for option, times in Counter(options).items() if times > 1]
        if twice:
            yield f"{role} has an option twice: {write_call(twice[0])}"
        if list(options) != list(session.observe(role).options):
            yield f"the options of {role} change their order when they are requested again"
        if not options:
            yield f"{role} has no options: offer Done at least"
            continue
        sampled = map(int, case.generator.integers(len(options), size=10))
        for number in sorted({0, len(options) - 1, *sampled}):
            option = options[number]
            call, written = make_tool_call(session, role, option), write_call(option)
            if read_action(observed, number) != option:
                yield f"option {number} of {role} is not the action at that place: {written}"
            if (read := find_call(written)) != option:
                yield f"{preview(option)} is read as {preview(read)}: {_NAMES}"
            if call is None:
                yield f"{role} can do {written} but has no tool {option.name!r}: add one"
            elif read_action(observed, call) != option:
                yield f"{written} is another action as a call of its tool: {preview(call)}"


def transcript_gets_the_session_score(case: CheckCase) -> Iterator[str]:
    """A transcript and its session have the same score in every protocol, apart from labels, which
    only transcripts have."""
    session = case.play()
    while any(map(session.busy, session.roles)) and session.ending is None:
        session.advance()
    text = session.transcript().encode()
    for protocol in case.protocols:
        score = session.score(protocol)
        again = drop_labels(case.suite.score(case.task, text, protocol))
        if again != score:
            found = find_difference(read_score(score), read_score(again))
            yield f"by {protocol.name}, the score of the transcript differs: {found}: {_REPLAY}"
        yield from find_score_problems(case.suite, case.task, score)


def sessions_are_independent(case: CheckCase) -> Iterator[str]:
    """Sessions that are open at the same time do not affect each other."""
    seeds = [int(seed) for seed in case.generator.integers(2**32, size=3)]
    cases = [replace(case, seed=seed, steps=min(case.steps, 20)) for seed in seeds]
    alone = [snapshot(each.play()) for each in cases]
    sessions = [each.start() for each in cases]
    generators = [np.random.default_rng(seed) for seed in seeds]
    for _ in range(cases[0].steps):
        for session, own in zip(sessions, generators, strict=True):
            take_step(session, own)
    for session, before in zip(sessions, alone, strict=True):
        if found := find_change(before, session):
            yield f"beside other sessions {found}: sessions must not share anything that changes"


def clones_are_independent(case: CheckCase) -> Iterator[str]:
    """A clone of a session is the same, continues in the same way and leaves the other alone."""
    session = case.play()
    before = snapshot(session)
    play_randomly(session.clone(), case.seed, 5)
    if found := find_change(before, session):
        yield f"after its clone has continued {found}: {_COPY}"
    else:
        yield from _compare(case, session, session.clone(), "of a clone", _COPY)


def sessions_pickle(case: CheckCase) -> Iterator[str]:
    """A session can be pickled, and the pickled one continues in the same way."""
    session = case.play()
    try:
        again: Session = pickle.loads(pickle.dumps(session))
    except Exception as error:  # pickling may raise anything
        yield f"it cannot be pickled: {preview(error)}: do not store lambdas in it"
        return
    yield from _compare(case, session, again, "of a session that was pickled", _PICKLE)


def _compare(
    case: CheckCase, session: Session, copy: Session, which: str, advice: str
) -> Iterator[str]:
    """Yield how a copy differs from its session, at once or after five more steps."""
    if found := find_change(snapshot(session), copy):
        yield f"{which} {found}: {advice}"
        return
    before = snapshot(play_randomly(session, case.seed, 5))
    if found := find_change(before, play_randomly(copy, case.seed, 5)):
        yield f"{which}, after five more steps, {found}: {advice}"


def _observe_all(session: Session) -> dict[str, Observation]:
    return {role: session.observe(role) for role in session.roles}


SESSION_CHECKS: Final[tuple[Check, ...]] = (
    session_starts,
    transcript_has_its_origin,
    session_replays,
    asking_changes_nothing,
    observations_expire,
    only_ready_roles_act,
    unknown_roles_are_refused,
    session_has_an_end,
    done_ends_a_role,
    unreadable_actions_are_refused,
    malformed_arguments_raise,
    unread_text_is_reported,
    time_needs_somebody_busy,
    session_is_judged_by_its_protocol,
    any_planner_is_written,
    outcomes_are_observed,
    refusals_change_nothing,
    options_can_be_said,
    transcript_gets_the_session_score,
    sessions_are_independent,
    clones_are_independent,
    sessions_pickle,
)
"""The rules that every session must keep; the first comes before all others."""
