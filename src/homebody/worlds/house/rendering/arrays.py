"""Array types and array operations that all rendering code shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Floats: TypeAlias = NDArray[np.float32]
"""Arrays in single precision, as in Embree."""
Ints: TypeAlias = NDArray[np.int32]
"""Whole numbers."""
Index: TypeAlias = NDArray[np.intp]
"""Positions in an array."""
Mask: TypeAlias = NDArray[np.bool_]
"""One truth value for each element."""


def join_rows(tables: Sequence[T]) -> T:
    """Return the rows of some dataclasses of arrays, in their order."""
    first: Any = tables[0]
    columns = [[getattr(table, each.name) for table in tables] for each in fields(first)]
    joined: T = type(first)(*map(np.concatenate, columns))
    return joined


def linear(colours: Floats, out: Floats | None = None) -> Floats:
    """Return the light of sRGB colours (0 to 1): their squares, close to the standard and fast."""
    light: Floats = np.multiply(colours, colours, out=out)
    return light


def from_linear(light: Floats) -> Floats:
    """Return the sRGB colours of light: the inverse of :func:`linear`."""
    colours: Floats = np.sqrt(light)
    return colours


def dot(a: Floats, b: Floats) -> Floats:
    """Return the dot products (n,) of vectors (3, n)."""
    product: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return product


def interpolate(
    fetch: Callable[[Index], Floats], base: Index, shares: Sequence[Floats], strides: Sequence[int]
) -> Floats:
    """Return the weighted means of the eight grid places around each point.

    Args:
        fetch: Returns the values at places, in a new array.
        base: The lowest of the eight places, (n,).
        shares: How far each point is on the way to the next place, along x, y and z.
        strides: Distance in the array from one place to the next, along x, y and z.
    """
    dx, dy, dz = strides

    def along_z(at: Index) -> Floats:
        return _lerp(fetch(at), fetch(at + dz), shares[2])

    def along_y(at: Index) -> Floats:
        return _lerp(along_z(at), along_z(at + dy), shares[1])

    return _lerp(along_y(base), along_y(base + dx), shares[0])


def _lerp(low: Floats, high: Floats, share: Floats) -> Floats:
    """Interpolate from ``low`` to ``high``, in the memory of ``high``."""
    high -= low
    high *= share
    high += low
    return high
