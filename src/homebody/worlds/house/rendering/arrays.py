"""Kinds of arrays that rendering works on."""

from __future__ import annotations

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
