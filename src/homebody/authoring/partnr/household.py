"""The things of those who live in a house, beside those of a task: which are in its way."""

from __future__ import annotations

from collections.abc import Iterable

from homebody.authoring.language.names import lexicon
from homebody.goals.partnr import Evaluation
from homebody.worlds.house.model.house import House


def furniture_of_task(
    house: House, evaluation: Evaluation, holders: Iterable[str]
) -> frozenset[str]:
    """The furniture of a task; on and in it nothing is but what the task puts there, so that there
    is room to work.

    Args:
        holders: Where objects of the task are at first.
    """
    names = {name for it in evaluation.propositions for names in it.lists for name in names}
    return frozenset(names.union(holders) & house.piece.keys())


def unrelated_things(
    house: House, evaluation: Evaluation, holders: Iterable[str], categories: Iterable[str]
) -> frozenset[str]:
    """The things of a house that cannot be taken for objects of some categories, nor be in the
    way of what is done with them, whatever is said of them and of the furniture: "all that is on
    the tables" is of every table.

    Args:
        holders: Where the objects are at first.
    """
    alike = set(categories)
    for category in sorted(alike):
        alike |= lexicon().apart(category)
    sorts = {house.piece[name].category for name in furniture_of_task(house, evaluation, holders)}
    for sort in sorted(sorts):
        sorts.update(lexicon().pieces(lexicon().wider.get(sort, sort)))
    empty = {piece.name for piece in house.furniture if piece.category in sorts}
    return frozenset(
        thing.name
        for thing in house.things
        if thing.category not in alike and thing.place[0] not in empty
    )


def holder(house: House, name: str) -> str:
    """The piece of furniture or the floor that a thing is on or in, or what it is on is."""
    at = house.thing[name].place[0]
    while at in house.thing:
        at = house.thing[at].place[0]
    return at
