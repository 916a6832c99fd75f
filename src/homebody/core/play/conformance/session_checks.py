"""Checks of sessions: each is a rule of the contract in :mod:`homebody.core.play.session`."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conformance.cases import (
    Check,
    CheckCase,
    NotApplicable,
    as_tool_call,
    cut,
    difference,
    everything_told,
    play_randomly,
    step,
)
from homebody.core.play.conformance.suite_checks import score_problems
from homebody.core.play.conversation import ToolCall
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import (
    DONE,
    NotReadyError,
    Session,
    StaleError,
    read_action,
    take,
)
from homebody.core.play.transcript import decode, find_call, write_call

UNREADABLE: Final[Sequence[Any]] = (
    None, 1.5, [], {}, True, np.array([1, 2]),
    ToolCall("Done", None), ToolCall("Done", ["x"]), ToolCall(None, {}), ToolCall("Done", {1: "x"}),  # type: ignore[arg-type, dict-item]
)  # fmt: skip
"""What is no way to say an action."""
_REPLAY: Final = "let nothing matter but task, settings, seed, actions and clock"


def session_replays(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A session that is stopped anywhere is the same when its transcript is replayed, and continues
    in the same way."""
    session = case.played()
    again = replay(case.start(), session.transcript().entries, until=session.now)
    if found := difference(everything_told(session), everything_told(again)):
        yield f"after a replay {found}: {_REPLAY}"
        return
    first, second = (play_randomly(each, case.seed, 5) for each in (session, again))
    if found := difference(everything_told(first), everything_told(second)):
        yield f"a replayed session continues differently: {found}: {_REPLAY}"


def asking_changes_nothing(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Whoever observes or scores a session does not change it."""
    session, other = case.start(), case.start()
    asked, unasked = (np.random.default_rng(case.seed) for _ in range(2))
    for _ in range(min(case.steps, 15)):
        before = {role: session.observe(role) for role in session.roles}
        for protocol in case.protocols:
            session.score(protocol)
        told = everything_told(session)
        if {role: session.observe(role) for role in session.roles} != before:
            yield "observe() gives something else when it is called again: let it change nothing"
        if found := difference(told, everything_told(session)):
            yield f"when asked again, {found}: let observe() and score() change nothing"
        step(session, asked)
        step(other, unasked)
    if found := difference(everything_told(other), everything_told(session)):
        yield f"a session that was asked {found}: let observe() and score() change nothing"


def observations_expire(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """An observation can be read until something happens; then it raises StaleError."""
    session = case.played()
    for role in session.roles:
        if role not in session.ready():  # another's end may have ended it all
            continue
        observed = [session.observe(each) for each in session.roles]
        session.act(role, DONE)
        for before in observed:
            for part in ("text", "changes", "options", "tools", "knowledge"):
                if not _is_refused(StaleError, getattr, before, part):
                    yield (
                        f"the {part} of an observation of {before.role} can be read after {role}"
                        " has acted: let act() and advance() raise the session's moment"
                    )


def only_ready_roles_act(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A role that is not ready cannot act, and nobody is ready once the session has ended."""
    session = case.played()
    told = everything_told(session)
    for role in sorted({*session.roles, "nobody", ""} - set(session.ready())):
        said: Sequence[Any] = (DONE, "hm", 0, None)
        if not (
            _is_refused(NotReadyError, session.act, role, DONE)
            and _is_refused(NotReadyError, session.note, role, "hm")
            and all(_is_refused(NotReadyError, take, session, role, each) for each in said)
        ):
            yield f"act() and note() of {role!r}, who is not ready, have to raise NotReadyError"
    if found := difference(told, everything_told(session)):
        yield f"after roles that are not ready were refused, {found}: change nothing then"
    if session.ending is not None and session.ready():
        yield f"{session.ready()} are ready, though the session has ended ({session.ending})"


def unknown_roles_are_refused(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A role that there is not is not busy, and cannot observe or be played."""
    session = case.start()
    for role in ("nobody", "", "\ud800"):
        if session.busy(role) is not None:
            yield f"busy({role!r}) is {cut(session.busy(role))}: there is no such role, return None"
        if not _is_refused(HomebodyError, session.observe, role):
            yield f"observe({role!r}) has to raise HomebodyError, as there is no such role"
    if not _is_refused(HomebodyError, play, session, {"agnt": lambda session, role: DONE}):
        yield "play() takes a policy for a role that there is not: list all roles in session.roles"
    if session.transcript().entries:
        yield "the transcript has entries though nobody has acted"


def session_has_an_end(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A session in which roles only say what nobody can read ends by a limit, for good."""
    session = case.start()
    for cycle in range(1, 5_000):
        for role in session.ready():
            session.note(role, "hm", cycle, role)
        if session.ending is not None:
            break
    if not session.ending:
        yield "5,000 unreadable answers do not end it: count every answer, and end at a limit"
        return
    told = everything_told(session)
    for role in session.roles:
        for action in (*session.observe(role).options[:3], DONE):
            if not _is_refused(NotReadyError, session.act, role, action, 5_000, role):
                yield f"{role} can do {write_call(action)} after the end: raise NotReadyError"
    if session.advance():
        yield "advance() returns events after the end: let it return nothing"
    if found := difference(told, everything_told(session)):
        yield f"after the end {found}: let nothing happen any more"


def done_ends_a_role(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A role that says Done is done, whatever arguments it gives."""
    session = case.start()
    role = _ready_role(session)
    event = session.act(role, Action("Done", ("nothing",)))
    if event is None or not event.ok:
        yield f"Done[nothing] gives {cut(event)}: return an Event that is ok, at once"
    if role in session.ready():
        yield f"{role} is ready after Done[nothing]: its part is over"


def unreadable_actions_are_refused(
    case: CheckCase, generator: np.random.Generator
) -> Iterator[str]:
    """What is no way to say an action is refused and noted in the transcript."""
    for said in UNREADABLE:
        session = case.start()
        role = _ready_role(session)
        if not _is_refused(HomebodyError, read_action, session.observe(role), said):
            yield f"{cut(said)} is read as an action: it has to be refused"
            continue
        event = take(session, role, said)
        if event is None or event.ok:
            yield f"{cut(said)} gives {cut(event)}: it has to be refused"
        entries = session.transcript().entries
        if len(entries) != 1 or not entries[0].call.startswith("? "):
            yield f"{cut(said)} is not in the transcript: let note() add an entry for it"


def malformed_arguments_raise(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """An action whose arguments are no tuple of texts is a programmer's mistake: a TypeError."""
    arguments: Sequence[Any] = ("moon_0", ["moon_0"], None, (1,))
    for wrong in arguments:
        session = case.start()
        role = _ready_role(session)
        told = everything_told(session)
        action = Action("Pick", wrong)
        by_act = _is_refused(TypeError, session.act, role, action)
        if not (by_act and _is_refused(TypeError, take, session, role, action)):
            yield f"an action with the arguments {wrong!r} has to raise TypeError: use write_call()"
        if found := difference(told, everything_told(session)):
            yield f"after the arguments {wrong!r} raised TypeError {found}: change nothing then"


def unread_text_is_reported(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A role whose text held no action is told so in its news; nobody else is."""
    session = case.start()
    role = _ready_role(session)
    before = session.observe(role)
    session.note(role, "hm")
    news = session.observe(role).news
    if [(event.role, event.action, event.ok) for event in news] != [(role, Action(""), False)]:
        yield f"after note() the news of {role} are {cut(news)}: one event, Action(''), not ok"
    elif "write one" not in news[0].message:
        yield f"after note() {role} is told {cut(news[0].message)}: say how to write an action"
    for other in session.roles:
        if other != role and session.observe(other).news:
            yield f"{other} is told of what {role} said: only {role} may be"
    if not _is_refused(StaleError, getattr, before, "text"):
        yield "an observation can be read after note(): raise the session's moment"


def time_needs_somebody_busy(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Nothing happens while nobody is busy, and everybody is told something at the start."""
    session = case.start()
    before = [session.observe(role) for role in session.roles]
    if session.advance():
        yield "advance() returns events though nobody has begun anything"
    if [session.observe(role) for role in session.roles] != before:
        yield "advance() changes what is observed though nobody has begun anything"
    elif not all(each.text for each in before):
        yield "a role is told nothing at the start: describe() returns an empty text"


def session_is_judged_by_its_protocol(
    case: CheckCase, generator: np.random.Generator
) -> Iterator[str]:
    """score() uses the protocol that the session was started with, and refuses a name of one."""
    for protocol in case.protocols:
        session = case.playing.start(case.task, dict(case.settings), case.seed, protocol)
        if session.score() != session.score(protocol):
            yield f"score() is not score({protocol.name}) though it was started with that protocol"
        if not _is_refused(HomebodyError, session.score, "corrected"):
            yield "score('corrected') has to raise HomebodyError: see resolve_protocol"


def any_planner_is_written(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Whoever planned an action stands in the transcript, which can be read again."""
    session = case.start()
    role = _ready_role(session)
    session.note(role, "\ud800", 0, "\ud800")
    if role in session.ready():
        session.act(role, DONE, 0, "\ud800")
    written = session.transcript()
    read = decode(written.encode())
    if not len(read.entries) == len(written.entries) > 0:
        yield f"of {len(written.entries)} entries {len(read.entries)} are read again"


def outcomes_are_observed(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """What comes of an action is told to whoever did it, at once or when it is over."""
    session, random = case.start(), np.random.default_rng(case.seed)
    for _ in range(case.steps):
        busy = {role for role in session.roles if session.busy(role) is not None}
        role, event, over = step(session, random)
        if role and (event is None) != (session.busy(role) is not None):
            yield (
                f"act() returned {cut(event)} while busy({role!r}) is {cut(session.busy(role))}:"
                " return None exactly if it has begun"
            )
        if event is not None and (event.role != role or not event.message):
            yield f"{role} acted and act() returned {cut(event)}: give its role and a message"
        for event in over:
            if not event.start <= event.end == session.clock:
                yield f"at clock {session.clock} advance() returned {cut(event)}"
            if event.role not in busy or session.busy(event.role) is not None:
                yield f"advance() returned {cut(event)} of a role that is not busy, or still is"
            if event not in session.observe(event.role).news:
                yield f"the end of its action is not in the news of {event.role}: {cut(event)}"


def options_can_be_said(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Each option stands once, and can be said as its number, in a text and as a call of a tool."""
    session = case.played()
    for role in session.roles:
        observation = session.observe(role)
        options = observation.options
        if len(set(options)) < len(options):
            yield f"{role} has an option twice: {_twice(options)}"
        if list(options) != list(session.observe(role).options):
            yield f"the options of {role} are in another order when they are asked for again"
        if not options:
            yield f"{role} has no options: offer Done at least"
            continue
        drawn = map(int, generator.integers(len(options), size=10))
        for number in sorted({0, len(options) - 1, *drawn}):
            option = options[number]
            call, written = as_tool_call(session, role, option), write_call(option)
            if read_action(observation, number) != option:
                yield f"option {number} of {role} is not the action at that place: {written}"
            if find_call(written) != option:
                yield f"{cut(option)} is read as {cut(find_call(written))}: {_NAMES}"
            if call is None:
                yield f"{role} can do {written}, and has no tool {option.name!r}: add one"
            elif read_action(observation, call) != option:
                yield f"{written} is another action as a call of its tool: {cut(call)}"


_NAMES: Final = "use no commas or brackets in names"


def _twice(options: Sequence[Action]) -> str:
    seen: set[Action] = set()
    return next(write_call(one) for one in options if one in seen or seen.add(one))  # type: ignore[func-returns-value]


def transcript_gets_the_session_score(
    case: CheckCase, generator: np.random.Generator
) -> Iterator[str]:
    """The score of a transcript is that of its session, in every protocol."""
    session = case.played()
    while any(map(session.busy, session.roles)) and session.ending is None:
        session.advance()
    text = session.transcript().encode()
    for protocol in case.protocols:
        score = session.score(protocol)
        again = case.suite.score(case.task, text, protocol)
        if again != score:
            found = difference(
                {"metrics": score.metrics, "record": score.record, "valid": score.valid},
                {"metrics": again.metrics, "record": again.record, "valid": again.valid},
            )
            yield f"by {protocol.name}, the score of the transcript differs: {found}: {_REPLAY}"
        yield from score_problems(case.suite, case.task, score)
    if not 0.0 <= session.progress() <= 1.0:
        yield f"progress() is {session.progress()}: it is a number from 0 to 1"


def sessions_are_independent(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """Sessions that are open at the same time know nothing of each other."""
    seeds = [int(seed) for seed in generator.integers(2**32, size=3)]
    cases = [replace(case, seed=seed) for seed in seeds]
    steps = min(case.steps, 20)
    alone = [everything_told(play_randomly(one.start(), one.seed, steps)) for one in cases]
    sessions = [one.start() for one in cases]
    generators = [np.random.default_rng(seed) for seed in seeds]
    for _ in range(steps):
        for session, own in zip(sessions, generators, strict=True):
            step(session, own)
    for session, told in zip(sessions, alone, strict=True):
        if found := difference(told, everything_told(session)):
            yield f"beside other sessions {found}: let sessions share nothing that changes"


def clones_are_independent(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A clone of a session is the same, continues in the same way and leaves the other alone."""
    session = case.played()
    clone, told = session.clone(), everything_told(session)
    if found := difference(told, everything_told(clone)):
        yield f"of a clone {found}: let clone() copy all that changes"
    told_later = everything_told(play_randomly(clone, case.seed, 5))
    if found := difference(told, everything_told(session)):
        yield f"after its clone has continued {found}: let clone() copy all that changes"
    elif found := difference(told_later, everything_told(play_randomly(session, case.seed, 5))):
        yield f"a session continues otherwise than its clone: {found}"


def sessions_pickle(case: CheckCase, generator: np.random.Generator) -> Iterator[str]:
    """A session can be pickled, and the pickled one continues in the same way."""
    session = case.played()
    try:
        again: Session = pickle.loads(pickle.dumps(session))
    except Exception as error:
        yield f"it cannot be pickled: {cut(error)}: keep functions without a name out of it"
        return
    first, second = (play_randomly(each, case.seed, 5) for each in (session, again))
    if found := difference(everything_told(first), everything_told(second)):
        yield f"of a session that was pickled {found}"


def _is_refused(kind: type[Exception], action: Callable[..., object], *arguments: Any) -> bool:
    try:
        action(*arguments)
    except kind:
        return True
    return False


def _ready_role(session: Session) -> str:
    """The first role that is ready when a session begins."""
    ready = session.ready()
    if not ready:
        raise NotApplicable("nobody is ready at the start")
    return ready[0]


SESSION_CHECKS: Final[tuple[Check, ...]] = (
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
    options_can_be_said,
    transcript_gets_the_session_score,
    sessions_are_independent,
    clones_are_independent,
    sessions_pickle,
)
"""What every session must keep."""
