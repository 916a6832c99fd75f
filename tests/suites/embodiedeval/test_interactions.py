"""Interactions are data, and say in plain words why something cannot be done."""

from __future__ import annotations

from homebody.suites.embodiedeval.interactions import interactions, simplify_refusal
from suites.embodiedeval.small_tasks import survey


def test_all_are_read_and_of_known_needs() -> None:
    known = interactions()
    assert {"pick_up", "put_on", "hand_over", "unlock", "wash", "greet"} <= set(known)
    assert all(each.objects in (1, 2) for each in known.values())


def test_refusals_have_no_names_and_no_advice() -> None:
    house = survey().house
    name = house.things[0].name
    told = simplify_refusal(
        house, f"you hold {name} already; put it down first: Place[{name}, on, ...]"
    )
    assert name not in told
    assert "Place" not in told
