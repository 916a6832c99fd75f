"""BEHAVIOR: household scenes of BDDL activities and their 30 actions (EAI paper, appendix N.1)."""

from homebody.worlds.behavior.actions import PUBLISHED_ONLY_NAMES, action_schemas
from homebody.worlds.behavior.published import QUIRKS, WORLD_QUIRKS
from homebody.worlds.behavior.scene import Thing, assumed_facts, parts, scene
from homebody.worlds.behavior.sizes import litres
from homebody.worlds.behavior.world import Behavior

__all__ = [
    "PUBLISHED_ONLY_NAMES",
    "QUIRKS",
    "WORLD_QUIRKS",
    "Behavior",
    "Thing",
    "action_schemas",
    "assumed_facts",
    "litres",
    "parts",
    "scene",
]
