"""Environments of every suite that is played pass the checkers, and pay what a session says."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np
import pytest

from thorough import part_of

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

import homebody.train  # noqa: E402
from homebody.core import CORRECTED, HomebodyError  # noqa: E402
from homebody.core.play.replay import replay  # noqa: E402
from homebody.core.play.session import ALL_DONE, GOAL_MET  # noqa: E402
from homebody.core.play.transcript import write_call  # noqa: E402
from homebody.suites import get_suite  # noqa: E402
from homebody.train import TextEncoder, suite_env, suite_team_env  # noqa: E402
from suites.played import PLAYED  # noqa: E402

pytestmark = pytest.mark.usefixtures("eai_data")

PARTNERS: Mapping[str, Mapping[str, str]] = {
    "partnr.test": {"human": "idle"},
    "partnr.val": {"human": "expert"},
}
"""Suite -> who plays the roles but one, where there are more."""
each_suite = pytest.mark.parametrize("name", PLAYED)


@pytest.mark.sampled
@each_suite
@pytest.mark.parametrize("options", part_of([30, 0], 2))
def test_gymnasium_checker(name: str, options: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = suite_env(name, settings=PARTNERS.get(name), encoder=TextEncoder(options=options))
        check_env(env, skip_render_check=True)


@pytest.mark.sampled
@each_suite
def test_pettingzoo_checkers(name: str) -> None:
    def make() -> homebody.train.SessionTeamEnv:
        return suite_team_env(name, encoder=TextEncoder(options=20))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whose agents may all be alike
        parallel_api_test(make(), num_cycles=60)
        parallel_seed_test(make, num_cycles=8)


@pytest.mark.sampled
@each_suite
def test_rewards_are_progress_and_transcripts_replay(name: str) -> None:
    env = gymnasium.make(
        "homebody/Session-v0",
        suite=name,
        settings=PARTNERS.get(name),
        encoder=TextEncoder(whole=True, options=500),
    ).unwrapped
    rng = np.random.default_rng(1)
    for seed in (1, 2):
        _, info = env.reset(seed=seed)
        gained, done, cut = env.session.progress(), False, False
        for _ in range(25):
            possible = np.flatnonzero(info["action_mask"])
            text, reward, done, cut, info = env.step(int(rng.choice(possible)))
            assert info["message"] in text
            gained += reward
            if done or cut:
                break
        session = env.session
        assert gained == pytest.approx(session.progress())
        assert info["score"] == session.progress()
        assert (done, cut) == (
            session.ending in (GOAL_MET, ALL_DONE),
            session.ending not in (None, GOAL_MET, ALL_DONE),
        )
        again = made_again(name, seed)
        replay(again, session.transcript().entries, until=session.clock)
        assert again.score(CORRECTED) == session.score(CORRECTED)


def made_again(name: str, seed: int) -> homebody.core.Session:
    """The session that is drawn with a seed, as the environment draws it."""
    rng, _ = gymnasium.utils.seeding.np_random(seed)
    suite = get_suite(name)
    tasks = suite.tasks.load(CORRECTED)
    task = tasks[int(rng.integers(len(tasks)))]
    settings = suite.playing.drop_defaults(PARTNERS.get(name, {}))
    return suite.playing.start(task, settings, int(rng.integers(2**53)), CORRECTED)


def test_small_steps_are_options_like_others() -> None:
    env = suite_env(
        "house.bring", settings={"actions": "low_level"}, encoder=TextEncoder(options=40)
    )
    _, info = env.reset(seed=3)
    names = [option.name for option in info["options"]]
    assert names[:6] == ["Wait", "MoveAhead", "TurnLeft", "TurnRight", "LookUp", "LookDown"]
    assert not {"Navigate", "Pick", "Place"} & set(names)
    _, _, _, _, info = env.step(names.index("TurnLeft"))
    assert info["message"] == "you turned to the left"


def test_who_says_done_is_terminated() -> None:
    env = suite_env("house.bring")
    env.reset(seed=1)
    _, reward, done, cut, _ = env.step("I am Done[]")
    assert (reward, done, cut) == (0.0, True, False)


def test_one_encoder_for_many_environments_plays_in_each_its_own_options() -> None:
    envs = gymnasium.make_vec(
        "homebody/Session-v0",
        num_envs=3,
        vectorization_mode="sync",
        suite="house.bring",
        encoder=TextEncoder(options=200),
    )
    _, infos = envs.reset(seed=[1, 2, 3])
    number = int(np.flatnonzero(infos["action_mask"].all(axis=0))[-1])
    meant = [write_call(options[number]) for options in infos["options"]]
    assert len(set(meant)) > 1  # they play in different houses
    envs.step(np.full(3, number))
    played = [env.unwrapped.session.transcript().entries[-1].call for env in envs.envs]
    assert played == meant


def test_a_team_learns_the_roles_that_there_are() -> None:
    alone = suite_team_env("partnr.val", settings={"team": "single"})
    assert alone.possible_agents == ["human"]
    alone.reset(seed=1)
    with pytest.raises(HomebodyError, match="nobody can learn 'moon'"):
        suite_team_env("partnr.val", ["robot", "human", "moon"])
    with pytest.raises(HomebodyError, match="nobody can learn 'robot'"):
        suite_team_env("partnr.val", ["robot"], settings={"team": "single"})
    with pytest.raises(HomebodyError, match="nobody can learn 'human'"):
        suite_team_env("partnr.val", ["robot", "human"], settings={"human": "expert"})
    with pytest.raises(HomebodyError, match="nobody plays 'robot'"):
        suite_team_env("partnr.val", ["human"])


def test_who_is_left_out_where_nobody_can_wait_is_not_acted_for() -> None:
    env = suite_team_env("eai.virtualhome.interactive")
    env.reset(seed=1)
    (role,) = env.agents
    _, rewards, done, cut, infos = env.step({})
    assert (rewards[role], done[role], cut[role]) == (0.0, False, False)
    assert (infos[role]["clock"], infos[role]["ok"]) == (0, True)
    assert env.session.transcript().entries == ()


def test_what_cannot_be_an_environment_gets_a_sentence() -> None:
    with pytest.raises(HomebodyError, match="not played"):
        suite_env("eai.virtualhome.action_sequencing")
    with pytest.raises(HomebodyError, match="unknown setting"):
        suite_env("house.bring", settings={"weather": "rain"})
    with pytest.raises(HomebodyError, match="for one role"):
        suite_env("partnr.val").reset(seed=1)
