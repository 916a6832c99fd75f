"""Whatever is played keeps to the contract: any session of any suite, however it is played.

Sessions are played by random policies that also say nonsense, and stopped anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, DONE, Action, HomebodyError, Playing, Session, ToolCall
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import (
    NotReadyError,
    Said,
    StaleError,
    read_action,
    take,
)
from homebody.core.play.transcript import decode, find_call, write_call
from homebody.suites import get_suite
from suites.played import PLAYED

pytestmark = pytest.mark.usefixtures("eai_data")

TASKS = 4
"""Tasks of each suite that are played."""
each_suite = pytest.mark.parametrize("name", PLAYED)
SEEDS = st.integers(0, 2**32)
NONSENSE: Sequence[Said] = (
    "", "no call", "Fly[moon]", "Pick[\x00, ,]", "[" * 50, "Done", -1, 10**30,
    ToolCall("", {}), ToolCall("Fly", {"to": "moon"}), ToolCall("Done", {"x": [1]}),
    Action(""), Action("Pick", ("", "nothing_0")), Action("x" * 500, ("y[,]\n" * 200,)),
)  # fmt: skip
NO_WAY_TO_SAY_IT: Sequence[Any] = (
    None, 1.5, [], {}, True, np.array([1, 2]),
    ToolCall("Done", None), ToolCall("Done", ["x"]), ToolCall(None, {}), ToolCall("Done", {1: "x"}),  # type: ignore[arg-type, dict-item]
)  # fmt: skip


@cache
def tasks(name: str) -> Sequence[Any]:
    """A few tasks from all over a suite."""
    all_tasks = get_suite(name).tasks.load(CORRECTED)
    return all_tasks[:: max(1, len(all_tasks) // TASKS)][:TASKS]


def playing(name: str) -> Playing[Any]:
    found = get_suite(name).playing
    assert found is not None
    return found


@dataclass(frozen=True)
class Setting:
    """What a session is started from."""

    suite: str
    task: int
    settings: tuple[tuple[str, str], ...]
    seed: int

    def start(self) -> Session:
        task = tasks(self.suite)[self.task]
        return playing(self.suite).start(task, dict(self.settings), self.seed, CORRECTED)


@st.composite
def setting(draw: st.DrawFn, name: str) -> Setting:
    """Any task in any settings that go together; those that name files are left out."""
    choices = {key: values for key, values in playing(name).settings.items() if values}
    given = {key: draw(st.sampled_from(values)) for key, values in choices.items()}
    chosen = playing(name).unusual(given)
    try:
        playing(name).check(chosen)
    except HomebodyError:
        chosen = {}
    task = draw(st.integers(0, len(tasks(name)) - 1))
    return Setting(name, task, tuple(chosen.items()), draw(st.integers(0, 2**53)))


def said(session: Session, role: str, rng: np.random.Generator) -> Said:
    """Mostly something that looks possible, in any of the ways to say it; now and then nonsense."""
    if rng.random() < 0.2:
        return NONSENSE[int(rng.integers(len(NONSENSE)))]
    observation = session.observe(role)
    options = observation.options
    number = int(rng.integers(len(options)))
    if options[number] == DONE and rng.random() < 0.9:
        number = 0
    way = rng.integers(4)
    if way == 0:
        return number
    if way == 1:
        return f"I think so.\n{write_call(options[number])}"
    if way == 2:
        return call_of(session, role, options[number])
    return options[number]


def call_of(session: Session, role: str, action: Action) -> ToolCall:
    """An option as a call of the tool of its name."""
    tool = next(tool for tool in session.observe(role).tools if tool.name == action.name)
    names = list(tool.parameters.get("properties", ()))
    return ToolCall(action.name, dict(zip(names, action.args, strict=False)))


def step(session: Session, rng: np.random.Generator) -> None:
    """Somebody says something, or time passes."""
    ready = session.ready()
    if ready and rng.random() < 0.7:
        role = ready[int(rng.integers(len(ready)))]
        take(session, role, said(session, role, rng))
    else:
        session.advance()


def play_some(session: Session, seed: int, steps: int) -> Session:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        step(session, rng)
    return session


def told(session: Session) -> dict[str, Any]:
    """All that can be asked of a session."""
    return {
        "clock": session.clock,
        "ending": session.ending,
        "ready": session.ready(),
        "busy": [session.busy(role) for role in session.roles],
        "progress": session.progress(),
        "transcript": session.transcript().encode(),
        "score": orjson.dumps(dict(session.score(CORRECTED).record)),
        "observed": [
            (
                told.instruction,
                told.news,
                told.text,
                told.learnt,
                list(told.options),
                list(told.tools),
            )
            for told in map(session.observe, session.roles)
        ],
    }


@each_suite
@settings(max_examples=8)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 40))
def test_a_session_stopped_anywhere_is_played_again(
    name: str, data: st.DataObject, seed: int, steps: int
) -> None:
    made = data.draw(setting(name))
    session = play_some(made.start(), seed, steps)
    again = replay(made.start(), session.transcript().entries, until=session.now)
    assert told(again) == told(session)
    # and goes on in the same way
    assert told(play_some(again, seed, 5)) == told(play_some(session, seed, 5))


@each_suite
@settings(max_examples=4)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 30))
def test_asking_changes_nothing(name: str, data: st.DataObject, seed: int, steps: int) -> None:
    made = data.draw(setting(name))
    session, other = made.start(), made.start()
    rng, other_rng = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(steps):
        observed = {role: session.observe(role) for role in session.roles}
        for protocol in get_suite(name).scoring.protocols.values():
            session.score(protocol)
        first = told(session)
        assert {role: session.observe(role) for role in session.roles} == observed
        assert told(session) == first
        step(session, rng)
        step(other, other_rng)
    assert told(session) == told(other)


@each_suite
@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 15))
def test_an_observation_is_of_its_moment(
    name: str, data: st.DataObject, seed: int, steps: int
) -> None:
    session = play_some(data.draw(setting(name)).start(), seed, steps)
    observed = {role: session.observe(role) for role in session.roles}
    for role in session.ready():
        session.act(role, DONE)
        for before in observed.values():
            for part in ("text", "learnt", "options", "tools", "known"):
                with pytest.raises(StaleError, match="observe again"):
                    getattr(before, part)
        observed = {role: session.observe(role) for role in session.roles}


@each_suite
@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 15))
def test_who_is_not_ready_cannot_act(name: str, data: st.DataObject, seed: int, steps: int) -> None:
    session = play_some(data.draw(setting(name)).start(), seed, steps)
    before = told(session)
    for role in {*session.roles, "nobody", ""} - set(session.ready()):
        with pytest.raises(NotReadyError):
            session.act(role, DONE)
        with pytest.raises(NotReadyError):
            session.note(role, "hm")
        for what in (DONE, "gibberish", 0, None):
            with pytest.raises(NotReadyError):
                take(session, role, what)  # type: ignore[arg-type]
    assert told(session) == before
    assert session.ending is None or not session.ready()


def first(name: str) -> Session:
    """A session as it begins."""
    return Setting(name, 0, (), 0).start()


@each_suite
def test_who_is_not_there_does_nothing_and_is_told_nothing(name: str) -> None:
    session = first(name)
    for role in ("nobody", "", "\ud800"):
        assert session.busy(role) is None
        with pytest.raises(HomebodyError, match="there is no"):
            session.observe(role)
    with pytest.raises(HomebodyError, match="'agnt'"):
        play(session, {"agnt": lambda session, role: DONE})
    assert not session.transcript().entries


@each_suite
def test_its_end_is_for_good(name: str) -> None:
    """However it is come to: by what nobody can read, each planning cycle of it counted."""
    session = first(name)
    for cycle in range(1, 5_000):
        for role in session.ready():
            session.note(role, "hm", cycle, role)
        if session.ending is not None:
            break
    before = told(session)
    assert before["ending"]
    for role in session.roles:
        for action in session.observe(role).options[:3]:
            with pytest.raises(NotReadyError):
                session.act(role, action)
        with pytest.raises(NotReadyError):
            session.act(role, DONE, 5_000, role)
    assert not session.advance()
    assert told(session) == before


@each_suite
def test_who_has_said_done_is_done_whatever_it_was_given(name: str) -> None:
    session = first(name)
    (role, *_) = session.ready()
    event = session.act(role, Action("Done", ("nothing",)))
    assert event is not None
    assert event.ok
    assert role not in session.ready()


@each_suite
@pytest.mark.parametrize("said", NO_WAY_TO_SAY_IT, ids=repr)
def test_what_is_no_way_to_say_an_action_is_refused(name: str, said: Any) -> None:
    session = first(name)
    (role, *_) = session.ready()
    with pytest.raises(HomebodyError):
        read_action(session.observe(role), said)
    event = take(session, role, said)
    assert event is not None
    assert not event.ok
    assert session.transcript().entries[0].call.startswith("? ")


@each_suite
@pytest.mark.parametrize("arguments", ["moon_0", ["moon_0"], None, (1,)])
def test_arguments_that_are_no_tuple_of_texts_are_the_programmers_mistake(
    name: str, arguments: Any
) -> None:
    session = first(name)
    (role, *_) = session.ready()
    before = told(session)
    for way in (session.act, lambda *said: take(session, *said)):
        with pytest.raises(TypeError, match="give a tuple"):
            way(role, Action("Pick", arguments))
    assert told(session) == before


@each_suite
def test_it_is_told_that_nothing_could_be_read(name: str) -> None:
    session = first(name)
    (role, *others) = session.ready()
    before = session.observe(role)
    session.note(role, "hm")
    (event,) = session.observe(role).news
    assert (event.role, event.action, event.ok) == (role, Action(""), False)
    assert "write one" in event.message
    assert all(not session.observe(other).news for other in others)
    with pytest.raises(StaleError):
        _ = before.text


@each_suite
def test_nothing_has_happened_if_nobody_is_busy(name: str) -> None:
    session = first(name)
    observed = [session.observe(role) for role in session.roles]
    assert not session.advance()
    assert [session.observe(role) for role in session.roles] == observed
    assert all(before.text for before in observed)


@each_suite
def test_it_is_judged_by_the_protocol_that_it_is_played_under(name: str) -> None:
    suite = get_suite(name)
    for protocol in suite.scoring.protocols.values():
        session = playing(name).start(tasks(name)[0], {}, 0, protocol)
        assert session.score() == session.score(protocol)
        with pytest.raises(HomebodyError, match="no protocol"):
            session.score("corrected")  # type: ignore[arg-type]


@each_suite
def test_whoever_planned_it_can_be_written_down(name: str) -> None:
    session = first(name)
    (role, *_) = session.ready()
    session.note(role, "\ud800", 0, "\ud800")
    session.act(role, DONE, 0, "\ud800")
    assert len(decode(session.transcript().encode()).entries) == 2


@each_suite
@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 30))
def test_what_comes_of_an_action_is_told(
    name: str, data: st.DataObject, seed: int, steps: int
) -> None:
    """At once, or when it is over; and to whom it is done."""
    session = data.draw(setting(name)).start()
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        for role in session.ready():
            event = take(session, role, said(session, role, rng))
            assert (event is None) == (session.busy(role) is not None)
            if event is not None:
                assert event.role == role
                assert event.message
        doing = {role for role in session.roles if session.busy(role) is not None}
        over = session.advance()
        assert all(event.start <= event.end == session.clock for event in over)
        assert {event.role for event in over} <= doing
        for event in over:
            assert session.busy(event.role) is None
            assert event in session.observe(event.role).news


@each_suite
@settings(max_examples=6)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 15))
def test_each_option_can_be_said_in_every_way(
    name: str, data: st.DataObject, seed: int, steps: int
) -> None:
    session = play_some(data.draw(setting(name)).start(), seed, steps)
    rng = np.random.default_rng(seed)
    for role in session.roles:
        observation = session.observe(role)
        options = observation.options
        assert len(options) == len(set(options))
        assert list(options) == list(session.observe(role).options)
        for number in {0, len(options) - 1, *map(int, rng.integers(len(options), size=10))}:
            option = options[number]
            assert read_action(observation, number) == option
            assert find_call(write_call(option)) == option
            assert read_action(observation, call_of(session, role, option)) == option


@each_suite
@settings(max_examples=8)
@given(data=st.data(), seed=SEEDS, steps=st.integers(0, 30))
def test_its_score_is_that_of_its_transcript(
    name: str, data: st.DataObject, seed: int, steps: int
) -> None:
    made = data.draw(setting(name))
    session = play_some(made.start(), seed, steps)
    while any(map(session.busy, session.roles)) and session.ending is None:
        session.advance()
    task, text = tasks(name)[made.task], session.transcript().encode()
    for protocol in get_suite(name).scoring.protocols.values():
        score = session.score(protocol)
        assert get_suite(name).score(task, text, protocol) == score
        assert all(0.0 <= value <= 1.0 for value in score.metrics.values())
        assert orjson.loads(orjson.dumps(dict(score.record)))
    assert 0.0 <= session.progress() <= 1.0


@each_suite
@settings(max_examples=3)
@given(data=st.data(), seeds=st.lists(SEEDS, min_size=2, max_size=5))
def test_sessions_side_by_side_know_nothing_of_each_other(
    name: str, data: st.DataObject, seeds: list[int]
) -> None:
    made = [data.draw(setting(name)) for _ in seeds]
    alone = [told(play_some(one.start(), seed, 20)) for one, seed in zip(made, seeds, strict=True)]
    sessions = [one.start() for one in made]
    generators = [np.random.default_rng(seed) for seed in seeds]
    for _ in range(20):
        for session, rng in zip(sessions, generators, strict=True):
            step(session, rng)
    assert [told(session) for session in sessions] == alone


@each_suite
@settings(max_examples=12)
@given(data=st.data(), seed=SEEDS)
def test_whatever_a_transcript_says_it_gets_a_score(
    name: str, data: st.DataObject, seed: int
) -> None:
    made = data.draw(setting(name))
    text = play_some(made.start(), seed, 10).transcript().encode()
    rng = np.random.default_rng(seed)
    task = tasks(name)[made.task]
    for change in (at_random, in_a_cell):
        changed = change(text, rng)
        for protocol in get_suite(name).scoring.protocols.values():
            score = playing(name).score(task, changed, protocol)
            orjson.dumps(dict(score.record))
            assert all(0.0 <= value <= 1.0 for value in score.metrics.values())


def at_random(text: str, rng: np.random.Generator) -> str:
    """A text with something cut out of it and something put in."""
    at, to = sorted(int(place) for place in rng.integers(0, len(text) + 1, size=2))
    return text[:at] + text[at : at + int(rng.integers(8))] + text[to:]


def in_a_cell(text: str, rng: np.random.Generator) -> str:
    """A transcript with another value somewhere in it."""
    document = orjson.loads(text)
    values = (
        None, True, -1, 2**62, 1.5, "", "x" * 5_000, [], {}, "robot", "Pick[cup_0]", "Done[]",
        "human", "agent", 10**6,
    )  # fmt: skip
    value = values[int(rng.integers(len(values)))]
    entries = document["entries"]
    if entries and rng.random() < 0.7:
        entry = entries[int(rng.integers(len(entries)))]
        entry[int(rng.integers(len(entry)))] = value
    else:
        document[list(document)[int(rng.integers(len(document)))]] = value
    return orjson.dumps(document).decode()
