"""Words of time are understood."""

from __future__ import annotations

from homebody.authoring.language.order import says_order, segments, surely_says_order


def test_order_words() -> None:
    assert surely_says_order("Put it there, then wash it.", [])
    text = "Before you wash the cup, take it out."
    assert surely_says_order(text, [(20, 23)])
    assert not surely_says_order("Set the table before the guests arrive.", [(8, 13)])
    assert says_order("Set the table before dinner.")
    assert not says_order("Put A next to B.")
    parts = segments("Before putting A away, wash B. Then dry it.")
    text = "Before putting A away, wash B. Then dry it."
    assert parts is not None
    assert ["wash B" in text[a:b] for a, b in parts].index(True) == 0
    assert "A away" in text[slice(*parts[1])]
    assert "dry" in text[slice(*parts[-1])]
    assert segments("Do A, but before that do B.") is None
