"""The assignment problem: choose cells of a table with the largest sum, no two in one row or
column.

Shortest augmenting paths with potentials (the Hungarian method of Jonker and Volgenant): cubic
time, integers only, and the same result on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence


def assign(values: Sequence[Sequence[int | None]], size: int) -> list[tuple[int, int]] | None:
    """Return ``size`` cells with the largest sum, by row, or None if that many do not exist.

    Args:
        values: Rows of equal length; None is a cell that must not be taken.
        size: At most the number of rows and of columns.
    """
    rows, columns = len(values), len(values[0]) if values else 0
    if size > min(rows, columns):
        return None
    # Rows without a cell get a dummy column, columns without one a dummy row.
    spare_columns, spare_rows = rows - size, columns - size
    width = columns + spare_columns
    most = max((abs(v) for row in values for v in row if v is not None), default=0)
    never = 2 * (most + 1) * (width + 1)
    cost = [[never if v is None else -v for v in row] + [0] * spare_columns for row in values] + [
        [0] * columns + [never] * spare_columns for _ in range(spare_rows)
    ]
    chosen = _solve_square(cost)
    pairs = [(row, chosen[row]) for row in range(rows) if chosen[row] < columns]
    if len(pairs) != size or any(values[row][column] is None for row, column in pairs):
        return None
    return pairs


def _solve_square(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each row in the cheapest assignment of a square table."""
    size = len(cost)
    row_price, column_price = [0] * (size + 1), [0] * (size + 1)
    owner = [0] * (size + 1)  # column (from 1) -> row; 0 for none
    for row in range(1, size + 1):
        owner[0] = row
        column = 0
        least: list[int | None] = [None] * (size + 1)
        before = [0] * (size + 1)
        seen = [False] * (size + 1)
        while owner[column]:
            seen[column] = True
            current, step, following = owner[column], None, 0
            for other in range(1, size + 1):
                if seen[other]:
                    continue
                reduced = cost[current - 1][other - 1] - row_price[current] - column_price[other]
                lowest = least[other]
                if lowest is None or reduced < lowest:
                    least[other] = lowest = reduced
                    before[other] = column
                if step is None or lowest < step:
                    step, following = lowest, other
            assert step is not None
            for other in range(size + 1):
                lowest = least[other]
                if seen[other]:
                    row_price[owner[other]] += step
                    column_price[other] -= step
                elif lowest is not None:
                    least[other] = lowest - step
            column = following
        while column:
            owner[column] = owner[before[column]]
            column = before[column]
    result = [0] * size
    for column in range(1, size + 1):
        result[owner[column] - 1] = column - 1
    return result
