"""The scenes of tasks: homes by their seed, and scene graphs by their digest."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from homebody.core import HomebodyError
from homebody.suites.etplan.untidy import make_untidy
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.virtualhome.scene_graph import SceneGraph

SPLITS: Final[dict[str, range]] = {
    "train": range(34),
    "val": range(34, 39),
    "test": range(40, 100),
}
"""Split -> seeds of its homes. The paper has 34, 5 and 10 homes (appendix A.7)."""
_GRAPHS: Final[dict[str, SceneGraph]] = {}


@lru_cache(64)
def home(seed: int) -> House:
    """Return the home of a seed: seven to ten rooms, untidy unless it is for training."""
    house = generate(seed, "home", rooms=7 + seed % 4)
    return house if seed in SPLITS["train"] else make_untidy(house)


def graph(digest: str) -> SceneGraph:
    """Return the scene graph of a digest. Raises HomebodyError if it was not read."""
    if digest not in _GRAPHS:
        raise HomebodyError(
            f"the scene graph {digest} of a task is missing", "add it to the file of the tasks"
        )
    return _GRAPHS[digest]


def keep(graph: SceneGraph) -> SceneGraph:
    """Keep a scene graph by its digest until the process ends."""
    return _GRAPHS.setdefault(graph.digest, graph)
