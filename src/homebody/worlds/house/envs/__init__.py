"""The house world for learning agents: importing this registers ``homebody/House-v0``."""

from homebody.worlds.house.envs.environments import HouseEnv, HouseTeamEnv

__all__ = ["HouseEnv", "HouseTeamEnv"]
