"""Makes drafts of tasks from classes of objects that belong together in a home.

Objects belong together if they have the same usual places in the catalogue. A criterion states a
relation only if another object of the class is not in this relation. Nothing is put where it came
from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import product
from typing import Any

import numpy as np

from homebody.authoring.etplan.graph_setting import noun
from homebody.authoring.etplan.setting import Setting, matching_instances
from homebody.authoring.language.names import lexicon
from homebody.core.ground.seeds import choose
from homebody.goals.etplan import PLACED, ROBOT, Condition, Criterion, Target
from homebody.suites.etplan.rows import Row
from homebody.worlds.house.model.catalogue import catalogue

TRIES = 60
"""Maximum number of attempts to complete a draft."""
MORE = 0.4
"""Probability that several objects are three instead of two, if three are there."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A goal without its instruction.

    Attributes:
        criterion: The criterion of success.
        things: Classes of the objects to find, in order.
        target: Class of the target; empty if nothing is put anywhere.
        relation: ``ON`` or ``INSIDE``; empty if nothing is put anywhere.
        where: Initial places of an object and of the target.
    """

    criterion: Criterion
    things: tuple[str, ...]
    target: str = ""
    relation: str = ""
    where: tuple[Condition, ...] = ()


def draft(setting: Setting, row: Row, rng: np.random.Generator) -> Draft | None:
    """Return a draft for a row of the paper's tables in a home; None if none was found."""
    fill = {
        "navigation": _navigation,
        "manipulation": _manipulation,
        "several": _several,
        "temporal": _temporal,
    }[row.kind]
    for _ in range(TRIES):
        found = fill(setting, row, rng)
        if found and not _is_confusing(setting, found) and not _is_back(setting, found):
            return found
    return None


@cache
def phrases() -> dict[str, Any]:
    """Return the data of ``phrases.toml``. Comments at its top describe it."""
    text = (resources.files("homebody.authoring.etplan") / "phrases.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _fills(container: str) -> Mapping[str, frozenset[tuple[str, str]]]:
    """Return a mapping from a class of objects to the targets to which a container can carry them.

    A target is a relation and a class."""
    classes, where = lexicon().classes, phrases()["goes"]
    found: dict[str, frozenset[tuple[str, str]]] = {}
    shut = frozenset({("INSIDE", "fridge")} if container in where["outside"] else ())
    for word in phrases()["fills"].get(container, ()):
        places = (
            frozenset((relation, to) for relation in PLACED for to in where[word][relation]) - shut
        )
        for name in classes[word]:
            found[name] = found.get(name, frozenset()) | places - shut
    return found


def _close(*names: str) -> tuple[Condition, ...]:
    return tuple(Condition("CLOSE", ROBOT, name) for name in names)


def _navigation(setting: Setting, row: Row, rng: np.random.Generator) -> Draft | None:
    category = choose(rng, setting.findable)
    if not row.relation:
        return Draft(Criterion((_close(category),)), (category,))
    where = _relation(setting, category, rng)
    if where is None:
        return None
    return Draft(Criterion(((where,), _close(category))), (category,), where=(where,))


def _manipulation(setting: Setting, row: Row, rng: np.random.Generator) -> Draft | None:
    category = choose(rng, setting.grabbable)
    put = _target(setting, (category,), rng)
    if put is None:
        return None
    goal = Condition(put.relation, category, put.second)
    if not row.relation:
        stage = (*_close(category, put.second), goal)
        return Draft(Criterion((stage,)), (category,), put.second, put.relation)
    where = _relation(setting, category, rng)
    place = _relation(setting, put.second, rng)
    if where is None or place is None or where.second in (put.second, place.second):
        return None
    if place.relation in PLACED and place.second not in map(setting.facts.category, setting.rooms):
        return None
    stages = ((*_close(category), where), (*_close(put.second), place, goal))
    return Draft(Criterion(stages), (category,), put.second, put.relation, (where, place))


def _several(setting: Setting, row: Row, rng: np.random.Generator) -> Draft | None:
    things = [choose(rng, setting.grabbable)]
    for _ in range(2 if rng.random() < MORE else 1):
        kinds = [setting.kind(name) for name in things]
        others = [
            name
            for name in setting.grabbable
            if name not in things and all(_is_related(kind, setting.kind(name)) for kind in kinds)
        ]
        if not others:
            return None
        things.append(choose(rng, others))
    put = _target(setting, tuple(things), rng)
    if put is None:
        return None
    goals = tuple(Condition(put.relation, name, put.second) for name in things)
    stage = (*_close(*things, put.second), *goals)
    return Draft(Criterion((stage,)), tuple(things), put.second, put.relation)


def _temporal(setting: Setting, row: Row, rng: np.random.Generator) -> Draft | None:
    """Return a draft in which objects go into a container, and all to a place where such objects
    belong."""
    kinds, kind = catalogue().things, setting.kind
    container = choose(rng, [n for n in setting.grabbable if _fills(kind(n))] or setting.grabbable)
    relation = "ON" if kinds[kind(container)].flat else "INSIDE"
    insides = [
        condition
        for category in setting.grabbable
        if kind(category) in _fills(kind(container)) and category != container
        if _can_be_put(setting, condition := Condition(relation, category, container))
    ]
    if not insides:
        return None
    first = [choose(rng, insides)]
    alike = [
        other
        for other in insides
        if other not in first and _is_related(kind(other.first), kind(first[0].first))
    ]
    if alike and rng.random() < MORE:
        first.append(choose(rng, alike))
    things = tuple(condition.first for condition in first)
    places = [
        put
        for relation, second in product(PLACED, setting.categories)
        if all((relation, kind(second)) in _fills(kind(container))[kind(name)] for name in things)
        if _can_be_put(setting, put := Condition(relation, container, second))
    ]
    goal = _kind_first(places, rng)
    if goal is None:
        return None
    stages = ((*_close(*things, container), *first), (*_close(goal.second), goal, *first))
    return Draft(Criterion(stages), (*things, container), goal.second, goal.relation)


def _relation(setting: Setting, category: str, rng: np.random.Generator) -> Condition | None:
    """Return a relation of an object of a class in which another object of the class is not."""
    names = setting.instances(category)
    found = dict.fromkeys(each for name in names for each in setting.relations(name))
    clear = [
        condition
        for condition in found
        if not all(setting.holds_for(name, condition) for name in names)
        and _is_clear(setting, condition)
    ]
    return _kind_first(clear, rng)


def _is_clear(setting: Setting, condition: Condition) -> bool:
    """Return whether the description is unambiguous: no other object of the class is as close, or
    on what this one is in ("from the cabinet")."""
    if condition.relation in PLACED:
        others = (Condition(other, condition.first, condition.second) for other in PLACED)
        names = setting.instances(condition.first)
        return not any(
            setting.holds_for(name, other) and not setting.holds_for(name, condition)
            for other in others
            for name in names
        )
    return condition.relation != "CLOSE" or not any(
        setting.is_nearly(name, condition) and not setting.holds_for(name, condition)
        for name in setting.instances(condition.first)
    )


def _kind_first(found: list[Condition], rng: np.random.Generator) -> Condition | None:
    """Return a random condition: its relation is sampled first."""
    if not found:
        return None
    relation = choose(rng, sorted({condition.relation for condition in found}))
    those = sorted((c for c in found if c.relation == relation), key=str)
    return choose(rng, those)


def _target(
    setting: Setting, categories: tuple[str, ...], rng: np.random.Generator
) -> Condition | None:
    """Return a place where objects of some classes can be put together, and that has no such object
    yet. The result is a condition on the first class."""
    places = frozenset.intersection(*(setting.usual_places(name) for name in categories))
    found = [
        Condition(relation, categories[0], second)
        for relation, second in sorted(places)
        if second not in categories
        and setting.kind(second) not in phrases()["unnamed"].get(relation, ())
        and all(_can_be_put(setting, Condition(relation, name, second)) for name in categories)
    ]
    return _kind_first(found, rng)


def _can_be_put(setting: Setting, wanted: Condition) -> bool:
    """Return whether objects of one class can be put on or into objects of another, and none is
    there yet."""
    targets = setting.instances(wanted.second)
    return any(
        setting.facts.can_bear(name, PLACED[wanted.relation]) for name in targets
    ) and not any(setting.holds_for(name, wanted) for name in setting.instances(wanted.first))


def _is_back(setting: Setting, found: Draft) -> bool:
    """Return whether an object is to be put on or into something from which it came, or comes from
    the rubbish. A container that is filled first may go back."""
    if not found.target:
        return False
    where = {condition.first: (condition,) for condition in found.where}
    targets = frozenset(
        matching_instances(setting, Target(found.target, where.get(found.target, ())))
    )
    around = {
        holder
        for thing in found.things
        for name in matching_instances(setting, Target(thing, where.get(thing, ())))
        for holder in setting.around(name)
    }
    kinds = {setting.kind(setting.facts.category(holder)) for holder in around}
    filled = found.things[-1] in (condition.second for condition in found.criterion.puts)
    back = not filled and not targets.isdisjoint(around)
    return back or not kinds.isdisjoint(phrases()["rubbish"])


@cache
def _is_related(first: str, second: str) -> bool:
    """Return whether objects of two classes are used together: their usual places are the same."""
    kinds = catalogue().things
    one, other = set(kinds[first].places), set(kinds[second].places)
    return 2 * len(one & other) >= min(len(one), len(other))


def _is_confusing(setting: Setting, found: Draft) -> bool:
    """Return whether a goal could be mistaken for a goal about other objects in the home."""
    words = lexicon()
    mentioned = (*found.things, found.target, *(c.second for c in found.where))
    names = [name for name in mentioned if name]
    nouns = [noun(name).singular for name in names]
    there = [noun(name).singular for name in setting.categories]
    kinds = [setting.kind(name) for name in names]
    return (
        len(set(nouns)) < len(nouns)
        or any(
            kind in words.classes.get(other, ())
            for kind in kinds
            for other in kinds
            if kind != other
        )
        or any(setting.instances(other) for name in names for other in words.alike(name))
        or any(other.endswith(f" {noun}") for noun in nouns for other in there)  # "a table"
    )
