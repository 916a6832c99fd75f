"""How people of a scene are told apart in words: "the woman in the red dress"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour, House, Person

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
_UNTELLING = frozenset({"skin", "hair", "shoes"})


def attributes(person: Person) -> dict[str, str]:
    """What can be said of a person's looks and doings, by subject: ``noun``, ``hair``, ``build``,
    ``activity``, ``on``, and each garment by its name (with its colour). Values are words that
    follow the noun, but for ``noun`` itself."""
    said = {"noun": _NOUNS[person.age, person.gender]}
    for garment, colour in person.clothes.items():
        if garment in _UNTELLING:
            continue
        words = garment.replace("_", " ")
        article = "" if garment in _WITHOUT_ARTICLE else "a "
        if garment in _WITHOUT_COLOUR:
            said[garment] = f"with {article}{words}"
        else:
            the = "" if garment in _WITHOUT_ARTICLE else "the "
            said[garment] = f"in {the}{colour_word(colour)} {words}"
    if person.activity:
        said["activity"] = f"who is {person.activity}"
    if person.on:
        piece = person.on.rsplit("_", 1)[0].replace("_", " ")
        said["on"] = f"{person.posture} on the {piece}"
    hair = colour_word(person.clothes.get("hair", (0.2, 0.15, 0.1)))
    if person.hair == "bald":
        said["hair"] = "with a bald head"
    elif person.hair in ("bob", "bun", "ponytail"):
        said["hair"] = f"with a {hair} {person.hair}"
    else:
        said["hair"] = f"with {person.hair} {hair} hair"
    if person.build != "average":
        said["build"] = f"of {person.build} build"
    return said


def phrase(house: House, name: str) -> str:
    """Words that fit this person of a house and nobody else in it, as few as possible; the name
    if there are none.

    Raises:
        KeyError: there is nobody of that name.
    """
    own = attributes(house.person[name])
    others = [attributes(other) for other in house.people if other.name != name]
    for chosen in _choices(own):
        if not any(all(other.get(key) == own[key] for key in chosen) for other in others):
            words = [own[key] for key in chosen if key != "noun"]
            return " ".join(("the", own["noun"], _joined(words))).strip()
    return name


def _choices(own: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """What to say: the noun alone, then with one thing more, then with two."""
    more = [key for key in own if key != "noun"]
    yield ("noun",)
    for count in (1, 2, 3):
        for chosen in combinations(more, count):
            yield ("noun", *chosen)


def _joined(words: list[str]) -> str:
    """ "in the red dress with glasses", with one "and" between two garments."""
    text = ""
    for word in words:
        same = text and word.split()[0] == text.split()[0] and word.split()[0] in ("in", "with")
        text += f" and {word.split(' ', 1)[1]}" if same else f" {word}"
    return text.strip()


def colour_word(colour: Colour) -> str:
    """The everyday word for a colour: that of the nearest in the catalogue."""
    far = {
        name: sum((a - b) ** 2 for a, b in zip(colour, tone, strict=True))
        for name, tone in _palette().items()
    }
    return min(far, key=lambda name: far[name])


@cache
def _palette() -> Mapping[str, Colour]:
    """Colours by words for people: not those of materials."""
    kinds = catalogue().people
    worn = {tone for kind in kinds.garments.values() for tone in kind.colours}
    worn |= {*kinds.hair, *kinds.grey}
    words = {"sand": "blond", "terracotta": "red", "charcoal": "dark grey", "silver": "grey"}
    named = {}
    for name, tone in catalogue().colours.items():
        if tone in worn:
            named[words.get(name, name.replace("_", " "))] = tone
    return named
