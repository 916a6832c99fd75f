"""Kinds of arrays that rendering works on, and what is done with them everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
"""Single precision, as Embree has it."""
Ints: TypeAlias = NDArray[np.int32]
"""Whole numbers."""
Index: TypeAlias = NDArray[np.intp]
"""Positions in an array."""
Mask: TypeAlias = NDArray[np.bool_]
"""For each element, whether."""


def linear(colours: Floats, out: Floats | None = None) -> Floats:
    """The light that colours of screens and files (sRGB, 0 to 1) stand for: their squares, which is
    near enough to the standard's curve, and fast."""
    light: Floats = np.multiply(colours, colours, out=out)
    return light


def from_linear(light: Floats) -> Floats:
    """The colours that :func:`linear` makes such light of."""
    colours: Floats = np.sqrt(light)
    return colours


def dot(a: Floats, b: Floats) -> Floats:
    """Products (n,) of vectors (3, n)."""
    product: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


def interpolate(
    fetch: Callable[[Index], Floats], base: Index, shares: Sequence[Floats], strides: Sequence[int]
) -> Floats:
    """Means of the eight places of a grid around each point, weighted by how near they are.

    Args:
        fetch: Places -> what is there, in an array of its own.
        base: The lowest of the eight, (n,).
        shares: How far each point is on the way to the next place, along x, y and z.
        strides: From one place to the next, along x, y and z.
    """
    dx, dy, dz = strides

    def along_z(at: Index) -> Floats:
        return _lerp(fetch(at), fetch(at + dz), shares[2])

    def along_y(at: Index) -> Floats:
        return _lerp(along_z(at), along_z(at + dy), shares[1])

    return _lerp(along_y(base), along_y(base + dx), shares[0])


def _lerp(low: Floats, high: Floats, share: Floats) -> Floats:
    """What is a share of the way from one to the other; it takes the place of the other."""
    high -= low
    high *= share
    high += low
    return high
