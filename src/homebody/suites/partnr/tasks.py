"""An episode as a task: what is asked, where, and how it is played."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from homebody.goals.partnr import Episode
from homebody.suites.partnr.scene import furnished, scene
from homebody.suites.partnr.settings import Settings
from homebody.worlds.house.model.house import House


@dataclass(frozen=True)
class PartnrTask:
    """A task.

    Attributes:
        episode: What is asked and how it is judged. Names are those of things in the house.
        settings: How it is played.
        seed: Of failing skills and perception errors; where agents start hangs on the episode
            alone.
    """

    episode: Episode
    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    @property
    def id(self) -> str:
        return self.episode.id

    @cached_property
    def house(self) -> House:
        """The episode's house with its objects, as they are at first."""
        return furnished(scene(self.episode), self.episode)
