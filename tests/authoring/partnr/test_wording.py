"""Measures of the wording of instructions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homebody.authoring.partnr.wording import PUBLISHED_SEEDS, format_wording, wording

SEEDS = Path(__file__).parents[4] / "shared" / "data" / "partnr"


def test_a_wording_is_measured() -> None:
    found = wording(["Put the toys on the table.", "Bring the cup to the sink.", "Bring it back."])
    assert (found.sample, found.words) == (3, 5.0)
    assert found.classes == pytest.approx(100 / 3)
    assert found.verbs == pytest.approx({"bring": 200 / 3, "put": 100 / 3})
    assert found.repeated == 0
    assert wording(["Wash up. Go."] * 4).repeated == 100
    assert wording(["Take a cup.", "Take a cup."]).pairs == 50
    assert wording(["a", "b", "c"], sample=2).sample == 2
    assert wording([]).words == 0
    assert len(format_wording(found)) == 7


@pytest.mark.skipif(not SEEDS.exists(), reason="the published seeds are not here")
def test_the_wording_of_the_published_seeds_is_right() -> None:
    texts = [
        task["instruction"]
        for file in sorted(SEEDS.glob("*.json"))
        for task in json.loads(file.read_text("utf-8"))
    ]
    found = wording(texts)
    assert found.sample == PUBLISHED_SEEDS.sample
    assert found.words == pytest.approx(PUBLISHED_SEEDS.words, abs=0.05)
    assert found.classes == pytest.approx(PUBLISHED_SEEDS.classes, abs=0.05)
    assert found.pairs == pytest.approx(PUBLISHED_SEEDS.pairs, abs=0.05)
    assert found.repeated == pytest.approx(PUBLISHED_SEEDS.repeated, abs=0.05)
    for verb, share in PUBLISHED_SEEDS.verbs.items():
        assert found.verbs[verb] == pytest.approx(share, abs=0.06)
