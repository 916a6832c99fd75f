"""An episode as a task: the goal, the house and the settings."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from weakref import ref

from homebody.core import HomebodyError
from homebody.core.ground.files import sha256
from homebody.core.ground.sharing import never_changes
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes.files import encode, read_file
from homebody.suites.partnr.episodes.scene import furnish, scene
from homebody.suites.partnr.settings import Settings
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.recipe import GENERATOR


@never_changes
@dataclass(frozen=True)
class PartnrTask:
    """A task.

    Attributes:
        episode: The goal and how it is judged. Its names refer to the house.
        settings: The settings.
        seed: Seed of failing skills and perception errors. Start poses depend on the episode alone.
    """

    episode: Episode
    settings: Settings = field(default_factory=Settings)
    seed: int = 0

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_house"}

    @property
    def id(self) -> str:
        """The episode's identifier."""
        return self.episode.id

    @cached_property
    def version(self) -> str:
        """Version of the episode and its house, for transcripts.

        A different instruction, goal or object gives a different version. It consists of the first
        16 hexadecimal digits of a sha256."""
        written = encode(self.episode) + b"%d" % GENERATOR
        return hashlib.sha256(written).hexdigest()[:16]

    @property
    def house(self) -> House:
        """The episode's house with its objects at the start.

        It is garbage-collected when it is no longer used, so that playing all tasks does not keep a
        thousand houses in memory."""
        known = vars(self).get("_house")
        house: House | None = known() if known is not None else None
        if house is None:
            house = furnish(scene(self.episode), self.episode)
            vars(self)["_house"] = ref(house)
        return house


@cache
def versions(split: str) -> dict[str, str]:
    """Return the versions of a split's data: its episodes' digest and the house generator."""
    file = resources.files("homebody.suites.partnr") / "data" / f"{split}.jsonl.gz"
    with resources.as_file(file) as path:
        digest = sha256(path)[:16] if path.is_file() else "none"
    return {f"partnr.{split}": digest, "house generator": str(GENERATOR)}


def read_tasks(path: Path) -> tuple[PartnrTask, ...]:
    """Return the tasks of a file. Raises HomebodyError if invalid; OSError if unreadable."""
    tasks = tuple(PartnrTask(episode) for episode in read_file(path))
    twice = [name for name, times in Counter(task.id for task in tasks).items() if times > 1]
    if twice:
        raise HomebodyError(f"two episodes have the id {twice[0][:80]!r}", "give one another id")
    return tasks


@cache
def load(split: str) -> tuple[PartnrTask, ...]:
    """Return the tasks of a split. Raises HomebodyError if its file is missing or invalid."""
    folder = resources.files("homebody.suites.partnr") / "data"
    with resources.as_file(folder / f"{split}.jsonl.gz") as path:
        if not path.is_file():
            raise HomebodyError(
                f"the episodes of partnr.{split} are missing: {path}",
                f"make them and put them there: homebody partnr generate FOLDER --split {split}",
            )
        return read_tasks(path)
