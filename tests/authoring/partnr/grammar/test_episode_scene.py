"""What stands where while an episode is written."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.authoring.partnr.grammar.episode_scene import Stage
from homebody.authoring.partnr.grammar.themes import Place
from suites.partnr.homes import HOUSE


@pytest.mark.parametrize("category", ["tray", "basket", "storage_box", "suitcase"])
def test_things_go_onto_trays_and_into_other_containers(category: str) -> None:
    stage = Stage(HOUSE, np.random.default_rng(0))
    spot = stage.spot(Place("container", category, "within"))
    assert spot is not None
    assert spot.relation == ("on" if category == "tray" else "within")
    assert stage.can_take(spot, ["cup"])
