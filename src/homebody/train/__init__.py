"""Reinforcement learning: Gymnasium and PettingZoo environments for any :class:`.core.Session`.

    import gymnasium
    import homebody.train  # registers the two below

    env = gymnasium.make("homebody/House-v0")
    env = gymnasium.make("homebody/Session-v0", suite="partnr.val", settings={"human": "expert"})

An environment has a function that samples sessions, and an encoder of observations and actions; see
docs/guides/train.md. Needs the extra ``gym``.
"""

import gymnasium

from homebody.train.encoders import Encoder, TextEncoder
from homebody.train.house import HouseEnv, HouseTeamEnv
from homebody.train.session_env import SessionEnv
from homebody.train.suite_env import suite_env, suite_team_env
from homebody.train.team_env import SessionTeamEnv

__all__ = [
    "Encoder",
    "HouseEnv",
    "HouseTeamEnv",
    "SessionEnv",
    "SessionTeamEnv",
    "TextEncoder",
    "suite_env",
    "suite_team_env",
]

for _id, _entry_point in {
    "homebody/House-v0": "homebody.train.house:HouseEnv",
    "homebody/Session-v0": "homebody.train.suite_env:suite_env",
}.items():
    if _id not in gymnasium.registry:
        gymnasium.register(_id, entry_point=_entry_point, nondeterministic=False)
