"""Shadows of lamps have soft edges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.direct import Direct
from homebody.worlds.house.rendering.penumbras import Rows, find_penumbra
from homebody.worlds.house.rendering.render import Camera, Picture, Renderer
from worlds.house.rendering.small_house import BALL, small_house
from worlds.house.rendering.test_shading import lamp

SIDE, PIXEL = 40, 0.01
"""Pixels on a side of a view from 1 m above a floor, and their width, metres."""


def test_the_visible_share_of_a_lamp_grows_evenly_over_its_penumbra() -> None:
    y, x = (axis.astype(np.float32) - SIDE / 2 for axis in np.mgrid[:SIDE, :SIDE])
    ways = np.stack([x * PIXEL, -y * PIXEL, np.full_like(x, -1)]).reshape(3, -1)
    face = np.zeros((SIDE, SIDE), np.int64)
    face[30:] = 1  # another face below, all in the light
    hidden = (x < 0) & (face == 0)
    up = np.array([[0.0], [0.0], [1.0]], np.float32)
    view = Rows(face, np.ones(SIDE * SIDE, np.float32), ways, lambda some: up.repeat(len(some), 1))
    pixels, share = find_penumbra(view, hidden, lambda some: np.full(len(some), 5 * PIXEL))
    shares = np.where(hidden, 0.0, 1.0).ravel()
    shares[pixels] = share
    shares = shares.reshape(SIDE, SIDE)
    expected = np.clip((x[0] + 0.5) / 10 + 0.5, 0, 1)
    assert np.abs(shares[6:24] - expected).max() < 0.15
    assert (shares[30:] == 1).all()


def _shadow() -> Picture:
    """Return a picture of a ball's shadow on a plain floor."""
    ball = replace(BALL, pose=replace(BALL.pose, position=(4.0, 2.0, 0.5)))
    house = replace(small_house(ball), openings=(), furniture=(lamp("l", "den_0", 4.0, True),))
    house = replace(house, rooms=(replace(house.rooms[0], floor=""),))
    camera = Camera((4.0, 1.0, 1.3), pitch=-50.0, width=160, height=160)
    return Renderer.of(house, time="night").picture(camera)


def test_a_shadow_on_the_floor_has_no_sharp_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    def steepest() -> float:
        picture = _shadow()
        tone = picture.rgb.mean(axis=2)
        floor = picture.ids == picture.names.index("floor_den_0")
        inside = sliding_window_view(floor, (5, 5)).all(axis=(2, 3))[:, :-1]
        steps = np.abs(np.diff(tone, axis=1))[2:-2, 2:-2][inside]
        return float(np.sort(steps)[-20:].mean())

    soft = steepest()
    monkeypatch.setattr(Direct, "soften", lambda *_: None)
    assert soft < 0.6 * steepest()


def test_a_penumbra_takes_no_more_light_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    soften, least = Direct.soften, []

    def on_interpolated(direct: Direct, light: Floats, *rest: Any) -> None:
        light *= 0  # on a round surface it can be less than what the lamp adds
        soften(direct, light, *rest)
        least.append(light.min())

    monkeypatch.setattr(Direct, "soften", on_interpolated)
    _shadow()
    assert min(least) >= 0
