"""Decides which of a house's own objects interfere with the objects of a task."""

from __future__ import annotations

from collections.abc import Iterable

from homebody.authoring.language.names import lexicon
from homebody.goals.partnr import Evaluation
from homebody.worlds.house.model.house import House


def furniture_of_task(
    house: House, evaluation: Evaluation, holders: Iterable[str]
) -> frozenset[str]:
    """Return the furniture of a task. It holds only objects of the task, so that there is space.

    ``holders`` are their initial places.
    """
    names = {name for it in evaluation.propositions for names in it.lists for name in names}
    return frozenset(names.union(holders) & house.piece.keys())


def unrelated_things(
    house: House, evaluation: Evaluation, holders: Iterable[str], categories: Iterable[str]
) -> frozenset[str]:
    """Return a house's own objects that do not interfere with a task.

    They cannot be mistaken for objects of the given categories, and are not on furniture that the
    task could mean: "everything on the tables" is about every table. ``holders`` are the initial
    places of the task's objects.
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
    """Return the furniture or floor that carries an object, directly or through other objects."""
    at = house.thing[name].place[0]
    while at in house.thing:
        at = house.thing[at].place[0]
    return at
