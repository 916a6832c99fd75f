"""What changed since when."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from homebody.worlds.house.model.change_log import Journal


@given(st.lists(st.sampled_from("abcdef")), st.integers(0, 40))
def test_each_name_once_the_latest_first_of_those_noted_since(names: str, version: int) -> None:
    journal = Journal()
    for name in names:
        journal.note(name)
    assert journal.version == len(names)
    assert journal.since(version) == list(dict.fromkeys(reversed(names[version:])))
