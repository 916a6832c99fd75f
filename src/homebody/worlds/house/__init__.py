"""The house world: generated homes with geometry, in which agents walk, see, pick and place.

``generate(1)`` makes a home; ``docs/reference/houses/index.md`` is the guide.
"""

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState

__all__ = ["House", "HouseState", "generate"]
