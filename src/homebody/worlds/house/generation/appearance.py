"""Samples the appearance of the people of a house: age, height, build, hair and clothes.

No two people look the same. Clothes map the name of a garment to its colour. A garment that an
activity requires (an apron for a cook) replaces garments that cover the same parts of the body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.worlds.house.generation.random_draws import sample_weighted
from homebody.worlds.house.model.house import BUILDS, GENDERS, Colour
from homebody.worlds.house.model.people_kinds import PeopleKinds

_NEEDED = ("top", "legs", "feet")
_WIDTHS = {"slim": 25, "average": 28, "heavy": 32}
"""Width of shoulders and arms in percent of the height."""
_OUTFITS = 12
"""Attempts to dress somebody differently from all others."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The appearance of a person.

    Attributes:
        age: One of ``AGES``.
        gender: One of ``GENDERS``.
        build: One of ``BUILDS``.
        height: Standing height in whole millimetres.
        hair: Hair style.
        clothes: Colours of skin, hair and garments.
    """

    age: str
    gender: str
    build: str
    height: int
    hair: str
    clothes: Mapping[str, Colour]

    @property
    def width(self) -> int:
        """The width across the arms, in whole millimetres."""
        return self.height * _WIDTHS[self.build] // 100

    @property
    def depth(self) -> int:
        """The depth from the back to the toes, standing, in whole millimetres."""
        return self.height * (_WIDTHS[self.build] - 8) // 100


def sample_age(rng: np.random.Generator, kinds: PeopleKinds, ages: Sequence[str]) -> str:
    """Sample an age group by frequency."""
    return ages[sample_weighted(rng, [kinds.ages[age].weight for age in ages])]


def sample_looks(
    rng: np.random.Generator,
    kinds: PeopleKinds,
    age: str,
    wears: Sequence[str],
    others: Sequence[Mapping[str, Colour]],
) -> Looks:
    """Sample a person of an age group who wears the given garments and is dressed differently from
    all others."""
    group = kinds.ages[age]
    gender = choose(rng, GENDERS)
    build = BUILDS[sample_weighted(rng, [1.0, 2.0, 1.0])]
    low, high = (round(metres * 1000) for metres in group.height)
    height = int(rng.integers(low, high + 1)) - (60 if gender == "female" and low > 1400 else 0)
    skin, hair = (choose(rng, palette) for palette in (kinds.skin, kinds.hair))
    if group.grey and rng.random() < 0.8:
        hair = choose(rng, kinds.grey)
    styles = [style for style in kinds.styles[gender] if style != "bald" or group.height[0] > 1.5]
    style = choose(rng, styles)
    clothes: Mapping[str, Colour] = {}
    seen = {_outfit(other) for other in others}
    for _ in range(_OUTFITS):
        clothes = {"skin": skin, "hair": hair, **_dress(rng, kinds, age, gender, wears, hair)}
        if _outfit(clothes) not in seen:
            break
    return Looks(age, gender, build, height, style, clothes)


def _dress(
    rng: np.random.Generator,
    kinds: PeopleKinds,
    age: str,
    gender: str,
    wears: Sequence[str],
    hair: Colour,
) -> Mapping[str, Colour]:
    worn = [name for name in wears if gender in kinds.garments[name].genders]
    covered = {part for name in worn for part in kinds.garments[name].covers}
    indoors_at_work = bool(covered)
    for part in (*_NEEDED, *kinds.extras):
        if part in covered:
            continue
        if part in kinds.extras:
            rare = rng.random() >= kinds.extras[part]
            if rare or (indoors_at_work and part in ("over", "head")):
                continue
        fit = {
            name: kind.weight
            for name, kind in kinds.garments.items()
            if part in kind.covers
            and not covered & set(kind.covers)
            and gender in kind.genders
            and age in kind.ages
            and kind.weight > 0
        }
        if fit:
            name = list(fit)[sample_weighted(rng, list(fit.values()))]
            worn.append(name)
            covered |= set(kinds.garments[name].covers)
    return {
        name: choose(rng, kinds.garments[name].colours) if kinds.garments[name].colours else hair
        for name in worn
    }


def _outfit(clothes: Mapping[str, Colour]) -> frozenset[tuple[str, Colour]]:
    """Return the visible clothes of a person, for comparison."""
    unseen = ("skin", "hair", "shoes")
    return frozenset((name, tone) for name, tone in clothes.items() if name not in unseen)
