"""Steps of learners in a session where roles take turns, alone, together and beside policies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from homebody.core import DONE, WAIT, Action, Event, HomebodyError, Observation, Tool
from homebody.core.play.session import ALL_DONE, GOAL_MET, NotReadyError, Policy
from homebody.train import SessionEnv, SessionTeamEnv, TextEncoder

COUNT = Action("Count")


@dataclass
class Turns:
    """Two take turns to count to a number; nothing takes time."""

    goal: int
    limit: int = 100
    roles: tuple[str, ...] = ("a", "b")
    counted: int = 0
    moment: int = 0
    done: set[str] = field(default_factory=set)
    news: tuple[Event, ...] = ()

    @property
    def clock(self) -> int:
        return self.moment

    @property
    def ending(self) -> str | None:
        if self.counted >= self.goal:
            return GOAL_MET
        if len(self.done) == len(self.roles):
            return ALL_DONE
        return "too long" if self.moment >= self.limit else None

    def ready(self) -> tuple[str, ...]:
        left = [role for role in self.roles if role not in self.done]
        return () if self.ending is not None else (left[self.moment % len(left)],)

    def busy(self, role: str) -> None:
        return None

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event:
        if role not in self.ready():
            raise NotReadyError(role)
        ok = action in (COUNT, DONE, WAIT)
        if ok:
            self.moment += 1
            self.counted += action == COUNT
            self.done |= {role} if action == DONE else set()
        event = Event(role, action, ok, "so it is" if ok else "no", self.clock, self.clock)
        self.news = (event,)
        return event

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        self.moment += 1

    def advance(self) -> tuple[Event, ...]:
        return ()

    def progress(self) -> float:
        return self.counted / self.goal

    def observe(self, role: str) -> Observation:
        return Observation(role, self.clock, "Count.", self.news, self, self.moment)  # type: ignore[arg-type]

    def describe(self, role: str) -> str:
        return f"{self.counted} of {self.goal}"

    def describe_changes(self, role: str) -> str:
        return ""

    def tools(self, role: str) -> tuple[Tool, ...]:
        return (Tool.of("Count", "count one more"), Tool.of("Wait", "let the other go on"))

    def images(self, role: str) -> tuple[()]:
        return ()


def beside(policy: Policy) -> Any:
    def partners(session: Any, rng: np.random.Generator) -> Mapping[str, Policy]:
        return {"b": policy}

    return partners


def test_a_learner_and_a_policy_take_turns() -> None:
    partners = beside(lambda session, role: COUNT)
    env = SessionEnv(lambda rng: Turns(4), TextEncoder(whole=True), partners=partners)
    text, _ = env.reset(seed=1)
    assert text == "Count.\n0 of 4"
    assert env.step("Count[]")[1:4] == (0.5, False, False)
    assert env.step("Count[]")[1:4] == (0.5, True, False)
    assert env.step("Count[]")[1:4] == (0.0, True, False)  # it is over


def test_who_is_refused_is_asked_again_before_anybody_else() -> None:
    partners = beside(lambda session, role: COUNT)
    env = SessionEnv(lambda rng: Turns(4), TextEncoder(whole=True), partners=partners)
    env.reset(seed=1)
    text, reward, *_, info = env.step("Fly[]")
    assert (reward, info["ok"], info["message"], info["clock"]) == (0.0, False, "no", 0)
    assert text.endswith("no")


def test_policies_go_on_when_the_learner_is_done() -> None:
    partners = beside(lambda session, role: COUNT)
    env = SessionEnv(lambda rng: Turns(4), TextEncoder(), partners=partners)
    env.reset(seed=1)
    assert env.step("Done[]")[1:4] == (1.0, True, False)


def test_an_episode_is_cut_off_at_a_bound() -> None:
    env = SessionEnv(lambda rng: Turns(9, limit=2, roles=("a",)), TextEncoder())
    env.reset(seed=1)
    assert [env.step("Wait[]")[2:4] for _ in range(2)] == [(False, False), (False, True)]


def test_an_episode_in_which_nobody_can_go_on_is_cut_off() -> None:
    def stubborn(session: Turns, role: str) -> Action:
        return Action("Fly")

    env = SessionEnv(lambda rng: Turns(9), TextEncoder(), partners=beside(stubborn))
    env.reset(seed=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turns, "ready", lambda self: ())
        assert env.step("Count[]")[1:4] == (0.0, False, True)


def test_a_team_takes_turns() -> None:
    team = SessionTeamEnv(lambda rng: Turns(3), TextEncoder(), ("a", "b"))
    team.reset(seed=1)
    rewards = []
    while team.agents:
        _, gained, *_ = team.step({"a": "Count[]"})  # b waits
        rewards.append(gained["b"])
    assert sum(rewards) == pytest.approx(1.0)
    assert rewards[1] == 0.0
    assert team.step({}) == ({}, {}, {}, {}, {})


def test_a_team_is_of_the_roles_of_its_sessions() -> None:
    team = SessionTeamEnv(lambda rng: Turns(3), TextEncoder(), ("a", "b", "moon"))
    with pytest.raises(HomebodyError, match="nobody can learn 'moon'"):
        team.reset(seed=1)
    team = SessionTeamEnv(lambda rng: Turns(3), TextEncoder(), ("b",))
    with pytest.raises(HomebodyError, match="nobody plays 'a'"):
        team.reset(seed=1)


def test_who_has_no_policy_must_be_learnt() -> None:
    env = SessionEnv(lambda rng: Turns(3), TextEncoder())
    with pytest.raises(HomebodyError, match="for one role"):
        env.reset(seed=1)
    env = SessionEnv(lambda rng: Turns(3, roles=("a",)), TextEncoder(), render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(HomebodyError, match="no pictures"):
        env.render()
