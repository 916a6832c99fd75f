"""What is solid of a thing and what is free in it fill its box, and nothing twice."""

from __future__ import annotations

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from homebody.worlds.house.exchange.solids import solid_boxes
from homebody.worlds.house.model.house import Box, Receptacle

sides = st.integers(min_value=20, max_value=200).map(lambda n: n / 100)
spans = st.tuples(st.integers(0, 45), st.integers(55, 100)).map(lambda p: (p[0] / 100, p[1] / 100))
shares = st.tuples(spans, spans, spans)


def _volume(box: Box) -> float:
    return math.prod(box.size)


def _overlap(a: Box, b: Box) -> float:
    common = [
        min(q, s) - max(p, r) for p, q, r, s in zip(a.low, a.high, b.low, b.high, strict=True)
    ]
    return math.prod(max(0.0, side) for side in common)


@given(st.tuples(sides, sides, sides), st.lists(shares, max_size=3))
def test_solid_and_free_fill_the_box(
    size: tuple[float, float, float], spans: list[tuple[tuple[float, float], ...]]
) -> None:
    w, d, h = size
    starts = -w / 2, -d / 2, 0.0
    receptacles = [
        Receptacle(
            f"space_{i}",
            "within",
            *(
                tuple(
                    s + span[k] * side for s, span, side in zip(starts, spans_, size, strict=True)
                )
                for k in (0, 1)
            ),  # type: ignore[arg-type]
        )
        for i, spans_ in enumerate(spans)
    ]
    boxes = solid_boxes(size, receptacles)
    whole = Box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h))
    for box in boxes:
        assert abs(_overlap(box, whole) - _volume(box)) < 1e-9
        for receptacle in receptacles:
            assert _overlap(box, Box(receptacle.low, receptacle.high)) < 1e-9
    for a, b in itertools.combinations(boxes, 2):
        assert _overlap(a, b) < 1e-9
    free = _volume(whole) - sum(map(_volume, boxes))
    assert free <= sum(_volume(Box(r.low, r.high)) for r in receptacles) + 0.02 * _volume(whole)


def test_a_bowl_is_open_at_the_top() -> None:
    inside = Receptacle("inside", "within", (-0.08, -0.08, 0.02), (0.08, 0.08, 0.3))
    boxes = solid_boxes((0.2, 0.2, 0.1), [inside])
    assert len(boxes) == 5  # a bottom and four sides
    assert min(box.low[2] for box in boxes) == 0.0


def test_as_many_shelves_as_a_file_may_have() -> None:
    shelves = [
        Receptacle(f"s{i}", "on", (-0.4 + i / 500, -0.4, i / 40 + 0.01), (0.4, 0.4, i / 40 + 0.02))
        for i in range(64)
    ]
    boxes = solid_boxes((1.0, 1.0, 2.0), shelves)
    assert sum(map(_volume, boxes)) < 2.0 - 0.4
    assert not any(_overlap(a, Box(s.low, s.high)) > 1e-9 for a in boxes for s in shelves)
