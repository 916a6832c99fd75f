"""VirtualHome: symbolic household scenes and their 42 actions (EAI paper, appendix N.2)."""

from homebody.worlds.virtualhome.actions import action_schemas
from homebody.worlds.virtualhome.published import WORLD_QUIRKS
from homebody.worlds.virtualhome.world import VirtualHome

__all__ = ["WORLD_QUIRKS", "VirtualHome", "action_schemas"]
