"""Words that distinguish the people and objects of a scene: "the woman in the red dress"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour, Furniture, House, Person, Thing

_NOUNS = {
    ("child", "female"): "girl",
    ("child", "male"): "boy",
    ("teenager", "female"): "teenage girl",
    ("teenager", "male"): "teenage boy",
    ("young_adult", "female"): "young woman",
    ("young_adult", "male"): "young man",
    ("adult", "female"): "woman",
    ("adult", "male"): "man",
    ("elderly", "female"): "elderly woman",
    ("elderly", "male"): "elderly man",
}
_WITHOUT_COLOUR = frozenset({"glasses", "sunglasses", "beard"})
_WITHOUT_ARTICLE = frozenset(
    {"trousers", "shorts", "scrubs", "sportswear", "pyjamas", "shoes", "glasses", "sunglasses"}
)
_BESIDES = frozenset({"frame", "legs", "handle"})
"""Parts whose colour is not the colour of the whole object."""
_EVERYDAY = {
    "sand": "beige",
    "birch": "light brown",
    "pine": "light brown",
    "oak": "light brown",
    "walnut": "brown",
    "charcoal": "dark grey",
    "steel": "silver",
    "gold": "golden",
    "brass": "golden",
    "copper": "copper-coloured",
    "mint": "light green",
    "sky": "light blue",
    "navy": "dark blue",
    "lilac": "light purple",
    "rose": "dark pink",
    "terracotta": "rust-coloured",
    "glass": "clear",
    "ceramic": "white",
}
"""Colours of the catalogue -> everyday words, if they differ."""
_OF_HAIR = {"sand": "blond", "terracotta": "red"}
_UNTELLING = frozenset({"skin", "hair", "shoes"})
_AGES_ALIKE = frozenset(
    frozenset(nouns)
    for nouns in (
        ("young woman", "woman"),
        ("young man", "man"),
        ("teenage girl", "young woman"),
        ("teenage boy", "young man"),
    )
)
"""Nouns of neighbouring ages that look alike: they distinguish nobody."""
_COVERED = {
    "coat": frozenset({"shirt", "sweater", "striped_shirt", "dress", "skirt", "hospital_gown"}),
    "jacket": frozenset({"shirt", "sweater", "striped_shirt"}),
}
"""Garment worn over others -> garments that it hides."""
_ON_LEGS = frozenset({"trousers", "shorts", "skirt"})


def words_of(category: str) -> str:
    """Return the words of a category or kind of room: ``TV stand``."""
    return " ".join("TV" if word == "tv" else word for word in category.split("_"))


def attributes(person: Person) -> dict[str, str]:
    """Return distinguishing phrases of a person by subject.

    Subjects are ``noun``, ``hair``, ``build``, ``activity``, ``on`` and each garment. Phrases
    follow the noun, except for ``noun`` itself.
    """
    garments, body = _garments(person), _body(person)
    does = {}
    if person.activity:
        does["activity"] = f"who is {person.activity}"
    if person.on:
        does["on"] = f"{person.posture} on the {words_of(person.on.rsplit('_', 1)[0])}"
    return {**garments, **does, **body}


def appearance(person: Person, others: Iterable[Person]) -> str:
    """Describe a person's clothes and looks with the fewest words that describe nobody else."""
    own = {**_garments(person), **_body(person)}
    rest = [{**_garments(other), **_body(other)} for other in others if other.name != person.name]
    words = _find_words(own, rest, 1)
    if words:
        return f"the {words}"
    noun, *more = own.values()
    return f"{'an' if noun[0] in 'ae' else 'a'} {noun} {more[0]}"


def visible_clothes(person: Person) -> dict[str, Colour]:
    """Return the garments of a person, with hair and skin, that no coat or jacket hides.

    Desks, tables and blankets hide the legs of people who sit or lie."""
    hidden = {each for over in person.clothes for each in _COVERED.get(over, ())}
    if person.posture in ("sitting", "lying"):
        hidden |= _ON_LEGS
    return {worn: tone for worn, tone in person.clothes.items() if worn not in hidden}


def _garments(person: Person) -> dict[str, str]:
    phrases = {"noun": _NOUNS[person.age, person.gender]}
    for garment, colour in visible_clothes(person).items():
        if garment in _UNTELLING:
            continue
        words = garment.replace("_", " ")
        article = "" if garment in _WITHOUT_ARTICLE else "a "
        if garment in _WITHOUT_COLOUR:
            phrases[garment] = f"with {article}{words}"
        else:
            the = "" if garment in _WITHOUT_ARTICLE else "the "
            phrases[garment] = f"in {the}{everyday_colour(colour)} {words}"
    return phrases


def _body(person: Person) -> dict[str, str]:
    phrases = {}
    hair = _hair_colour(person.clothes.get("hair", (0.2, 0.15, 0.1)))
    if person.hair == "bald":
        phrases["hair"] = "with a bald head"
    elif person.hair in ("bob", "bun", "ponytail"):
        phrases["hair"] = f"with a {hair} {person.hair}"
    else:
        phrases["hair"] = f"with {person.hair} {hair} hair"
    if person.build != "average":
        phrases["build"] = f"of {person.build} build"
    return phrases


def phrase(house: House, name: str) -> str:
    """Return the shortest description that fits only this person of a house; if none exists, the
    name."""
    own = attributes(house.person[name])
    others = [attributes(other) for other in house.people if other.name != name]
    words = _find_words(own, others, 0)
    return f"the {words}" if words else name


def _find_words(own: Mapping[str, str], others: Sequence[Mapping[str, str]], least: int) -> str:
    """Return the fewest words, for at least ``least`` subjects, that describe nobody else, or
    ""."""
    for chosen in _choices(own, least):
        if not any(all(_fits(own[key], other.get(key)) for key in chosen) for other in others):
            return f"{own['noun']} {_join_words([own[key] for key in chosen[1:]])}".strip()
    return ""


def _fits(own: str, other: str | None) -> bool:
    """Return whether a phrase of one person could mean another, who has another phrase."""
    return own == other or frozenset((own, other)) in _AGES_ALIKE


def _choices(own: Mapping[str, str], least: int) -> Iterator[tuple[str, ...]]:
    """Yield choices of subjects: the noun alone, then with one more, then with two."""
    more = [key for key in own if key != "noun"]
    for count in range(least, 4):
        for chosen in combinations(more, count):
            yield ("noun", *chosen)


def adjectives(alike: Sequence[Furniture | Thing]) -> dict[str, str]:
    """Return words for colour, material or both that distinguish objects of a category, or ""."""
    looks = {each.name: _colour_and_material(each) for each in alike}
    counts = [Counter(own[at] for own in looks.values()) for at in (0, 1)]
    differing = [at for at in (0, 1) if len(counts[at]) > 1]
    words = {}
    for name, own in looks.items():
        alone = [at for at in differing if counts[at][own[at]] == 1]
        words[name] = " ".join(own[at] for at in (alone[:1] or differing)).strip()
    return words


def _colour_and_material(thing: Furniture | Thing) -> tuple[str, str]:
    return main_colour(thing), thing.material.replace("_", " ")


def main_colour(thing: Furniture | Thing) -> str:
    """Return the everyday word for the main colour of an object; empty if it has none."""
    main = next((tone for part, tone in thing.style.items() if part not in _BESIDES), None)
    return "" if main is None else everyday_colour(main)


def _join_words(words: list[str]) -> str:
    """Join phrases as in "in the red dress with glasses", with one "and" between two garments."""
    text = ""
    for word in words:
        same = text and word.split()[0] == text.split()[0] and word.split()[0] in ("in", "with")
        text += f" and {word.split(' ', 1)[1]}" if same else f" {word}"
    return text.strip()


@cache
def everyday_colour(colour: Colour) -> str:
    """Return the everyday word for the nearest colour in the catalogue."""
    tones = {name: tone for name, tone in catalogue().colours.items() if name[:5] != "skin_"}
    name = _nearest(colour, tones)
    return _EVERYDAY.get(name, name.replace("_", " "))


def _hair_colour(colour: Colour) -> str:
    kinds, colours = catalogue().people, catalogue().colours
    tones = {name: tone for name, tone in colours.items() if tone in (*kinds.hair, *kinds.grey)}
    name = _nearest(colour, tones)
    return _OF_HAIR.get(name) or _EVERYDAY.get(name, name.replace("_", " "))


def _nearest(colour: Colour, tones: Mapping[str, Colour]) -> str:
    far = {
        name: sum((a - b) ** 2 for a, b in zip(colour, tone, strict=True))
        for name, tone in tones.items()
    }
    return min(far, key=lambda name: far[name])
