"""How the built-in author says single steps."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.authoring.partnr.grammar.meaning import Put, Spot, Things
from homebody.authoring.partnr.grammar.naming import Namer
from homebody.authoring.partnr.grammar.speech import say


@pytest.mark.parametrize(
    ("category", "kept"),
    [
        *[(name, True) for name in ("wardrobe", "fridge", "toy_chest", "wall_cabinet", "dresser")],
        *[(name, False) for name in ("sink", "bathtub", "washing_machine", "dishwasher")],
    ],
)
def test_things_are_put_away_where_they_are_kept(category: str, kept: bool) -> None:
    spot = Spot("furniture", category, "within", (f"{category}_0",))
    step = Put((Things("plate", ("plate_0",), 1),), spot)
    said = [say(Namer(np.random.default_rng(seed)), step, "base") for seed in range(200)]
    assert any("store" in text or " away " in text for text in said) is kept, said[:20]
