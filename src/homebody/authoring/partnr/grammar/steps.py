"""Steps of the built-in author that put objects somewhere.

Each function samples objects from a theme, adds them to the scene, and describes them. If the scene
does not allow it, the function raises :class:`.episode_scene.Stuck`, and the author samples again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from homebody.authoring.language.names import THING, lexicon
from homebody.authoring.partnr.grammar.episode_scene import Stage, Stuck
from homebody.authoring.partnr.grammar.meaning import Put, Spot, Things
from homebody.authoring.partnr.grammar.phrases import phrases
from homebody.authoring.partnr.grammar.themes import Moving, Place
from homebody.worlds.house.model.catalogue import catalogue

SUBSET = 0.05
"""Probability that a step is about a number of the matching objects ("two cups")."""
ANY = 0.23
"""Probability that a step is about one of several objects ("a cup")."""
CLASS = 0.95
"""Probability that several objects are named by the word of their class."""
WHERE = 0.2
"""Probability that the instruction states the initial place."""
AMONG_OTHERS = 0.35
"""Probability that the instruction states the initial place, if the house has other such objects.
"""
AS_MANY = 0.6
"""Probability that a kind has the same number as the kind before ("as many spoons")."""
EXCEPT = 0.2
"""Probability that a step is about all objects of a class but one kind."""
SOME = 0.9
"""Probability that a step is about any object for a purpose ("something to drink from"), if the
move has such objects."""
WIDENED = 0.6
"""Probability that a step about objects of one category includes another of their class."""
ANY_OF_CLASS = 0.95
"""Probability that a step is about any object of a class ("a toy"), if it moves one object."""
OTHERS = 0.6
"""Probability that other objects of the kind are put elsewhere, if the instruction states the
place."""
LAID = (
    "plate",
    "bowl",
    "fork",
    "knife",
    "spoon",
    "glass",
    "wine_glass",
    "cup",
    "mug",
    "napkin",
)
"""Things with which a table is set, one for each person."""


@dataclass(frozen=True, slots=True)
class PutOptions:
    """Options of a step that puts objects somewhere.

    They are the maximum number of descriptions, the maximum number of objects for each description,
    the relation between the objects, and whether the step must be about all matching objects."""

    kinds: int = 1
    most: int = 2
    together: str = ""
    exact: bool = False


def put(
    stage: Stage,
    moving: Moving,
    options: PutOptions,
    targets: Sequence[Place] = (),
    spot: Spot | None = None,
) -> Put:
    """Return a step that puts new objects at a spot, or at one of a move's targets. Raises
    Stuck."""
    categories = _categories(stage, moving, options)
    if spot is None:
        spot = _target(stage, targets or moving.targets, categories, options)
    elif not stage.can_take(spot, categories, options.together == "same"):
        raise Stuck
    things = _describe(stage, moving, categories, [spot], options)
    stage.claim(spot, categories)
    together = options.together
    if together == "same" and len(spot.names) < 2:
        together = ""
    if together == "different" and (len(spot.names) < len(categories) or spot.kind != "furniture"):
        raise Stuck
    return Put(things, spot, together)


def path(stage: Stage, moving: Moving, options: PutOptions) -> tuple[Put, Put]:
    """Return two steps that bring objects to one spot, and then to another. Raises Stuck."""
    if not moving.via:
        raise Stuck
    categories = _categories(stage, moving, options)
    first = _target(stage, moving.via, categories, options)
    second = _target(stage, moving.put_away, categories, options)
    if set(second.names) & stage.places_to_avoid([first]) or set(
        first.names
    ) & stage.places_to_avoid([second]):
        raise Stuck
    things = _describe(stage, moving, categories, [first, second], options)
    stage.claim(first, categories)
    stage.claim(second, categories)
    return Put(things, first), Put(things, second)


def there_and_back(stage: Stage, moving: Moving, options: PutOptions) -> tuple[Put, Put]:
    """Return two steps that bring objects somewhere, and back. Raises Stuck."""
    step = put(stage, moving, replace(options, exact=True))
    if step.spot.kind == "container":
        raise Stuck
    names = [name for things in step.things for name in things.names]
    places = tuple(dict.fromkeys(stage.thing(name).furniture for name in names))
    if any(place not in stage.house.piece for place in places):
        raise Stuck
    if set(step.spot.names) & stage.places_to_avoid([_spot_of_pieces(places)]):
        raise Stuck
    return step, Put(step.things, Spot("back", "", "", places))


def clear(stage: Stage, moving: Moving, most: int = 4) -> Put:
    """Return a step that moves everything on a piece of furniture elsewhere. Raises Stuck."""
    where = None
    for place in stage.shuffle(moving.sources):
        if place.kind == "furniture" and place.relation == "on":
            where = stage.spot(place, 0.7)
            if where is not None and where.relation == "on" and len(where.names) == 1:
                break
            where = None
    if where is None or any(stage.is_at(placed, where) for placed in stage.placed):
        raise Stuck
    options = PutOptions(int(stage.rng.integers(2, most + 1)), 1)
    categories = _categories(stage, moving, options)
    if not stage.has_room(where.names[0], "on", categories):
        raise Stuck
    spot = _target(stage, moving.targets, categories, options)
    if set(where.names) & stage.places_to_avoid([spot]):
        raise Stuck
    names = tuple(stage.put(category, where.names[0], "on") for category in categories)
    stage.claim(spot, categories)
    stage.mentioned.update(where.names)
    return Put((Things(THING, names, len(names), where),), spot)


def lay(stage: Stage, moving: Moving) -> Put:
    """Return a step that sets a table: as many of each thing as there are people. Raises Stuck."""
    people = int(stage.rng.integers(2, 4))
    usable = [category for category in stage.usable_categories(moving) if category in LAID]
    kinds = stage.shuffle(usable)[: int(stage.rng.integers(2, 4))]
    if any(other in lexicon().alike(kind) for kind in kinds for other in kinds) or len(kinds) < 2:
        raise Stuck
    categories = [kind for kind in kinds for _ in range(people)]
    tables = [place for place in moving.targets if place.name == "table"]
    spot = stage.spot(stage.choice(tables), 0.5)
    if spot is None or not stage.can_take(spot, categories, same=True):
        raise Stuck
    avoid = stage.places_to_avoid([spot])
    things: list[Things] = []
    for kind in kinds:
        number = people + int(stage.chance(0.3))
        start = _source(stage, moving, kind, avoid, number)
        names = tuple(stage.put(kind, *start) for _ in range(number))
        things.append(Things(kind, names, people))
    stage.claim(spot, categories)
    stage.moved.append(moving)
    return Put(tuple(things), spot, "one" if len(spot.names) > 1 else "", people=people)


def swap(stage: Stage, moving: Moving) -> tuple[Put, Put]:
    """Return two steps that exchange the places of two objects. Raises Stuck."""
    categories = _categories(stage, moving, PutOptions(2, 1))
    if len(categories) != 2:
        raise Stuck
    exchanged: list[tuple[Things, Spot]] = []
    off: set[str] = set()
    for category in categories:
        for place in stage.shuffle(moving.sources):
            holder = stage.somewhere(place, category, off) if place.kind == "furniture" else None
            if (
                holder is None
                or holder[1] != "on"
                or not stage.has_room(holder[0], "on", categories)
            ):
                continue
            where = stage.spot(Place("furniture", stage.house.piece[holder[0]].category, "on"))
            if where is None or holder[0] not in where.names:
                continue
            name = stage.put(category, *holder)
            there = Spot("furniture", where.word, "on", (holder[0],))
            exchanged.append((Things(category, (name,), 1, where), there))
            off |= stage.places_to_avoid([there])
            break
    if len(exchanged) != 2:
        raise Stuck
    (first, here), (other, there) = exchanged
    stage.claim(here, categories[1:])
    stage.claim(there, categories[:1])
    return Put((first,), there, swap=True), Put((other,), here, swap=True)


# -- what is put -----------------------------------------------------------------------------------


def _categories(stage: Stage, moving: Moving, options: PutOptions) -> list[str]:
    """Return a category for each object of the step; equal categories are adjacent."""
    stage.moved.append(moving)
    categories: list[str] = []
    members = lexicon().categories(moving.word) if moving.word else frozenset()
    left = stage.shuffle(stage.usable_categories(moving))
    while left and len(set(categories)) < options.kinds:
        category = left.pop()
        clash = any(other in lexicon().alike(category) for other in categories)
        if clash and not members.issuperset((*categories, category)):
            continue
        number = 1
        few = category in lexicon().few
        if lexicon().noun(category).is_countable and stage.chance(0.25 if few else 0.7):
            number = int(stage.rng.integers(1, min(options.most, 2 if few else 3) + 1))
        categories += [category] * number
    if len(set(categories)) < options.kinds:
        raise Stuck
    free = options.kinds == 1 and options.most > 1 and not options.together
    if moving.word and free and stage.chance(WIDENED):
        more = [
            other
            for other in left
            if other in members and not lexicon().alike(other) & set(categories)
        ]
        if more and categories[0] in members:
            categories.append(more[0])
    return categories


def _target(
    stage: Stage, targets: Sequence[Place], categories: Sequence[str], options: PutOptions
) -> Spot:
    same = options.together == "same"
    several = stage.chance(0.7)  # prefer descriptions of several places
    for place in (*(stage.shuffle(targets) if several else ()), *stage.shuffle(targets)):
        near = options.together == "near"
        if near and (place.kind in ("container", "room") or place.relation == "within"):
            continue
        if options.together in ("same", "different") and place.kind != "furniture":
            continue
        mark = stage.mark()
        spot = stage.spot(place)
        if (
            spot is not None
            and not (several and len(spot.names) < 2 and stage.chance(0.9))
            and stage.can_take(spot, categories, same or near)
            and not (options.together == "different" and len(spot.names) < len(categories))
            and not (same and len(spot.names) < 2)
        ):
            return spot
        stage.undo(mark)  # a container that came with it
    raise Stuck


def _describe(
    stage: Stage,
    moving: Moving,
    categories: Sequence[str],
    spots: Sequence[Spot],
    options: PutOptions,
) -> tuple[Things, ...]:
    """Add objects to the scene and describe them."""
    avoid = stage.places_to_avoid(spots)
    kinds = list(dict.fromkeys(categories))
    in_class = moving.word and all(
        category in lexicon().categories(moving.word) for category in kinds
    )
    clash = any(
        two in lexicon().alike(category) for category in kinds for two in kinds if category != two
    )
    if in_class and len(kinds) > 1 and (clash or stage.chance(CLASS)):
        source = _source(stage, moving, kinds[0], avoid, len(categories))
        together = stage.chance(0.5)
        names = []
        for category in categories:
            place = source if together else _source(stage, moving, category, avoid, 1)
            names.append(stage.put(category, *place))
        if stage.chance(EXCEPT):
            return (_describe_all_but(stage, moving, kinds, tuple(names), avoid),)
        return (_describe_class(stage, moving.word, tuple(names)),)
    for word, share in ((moving.some, SOME), (moving.word, ANY_OF_CLASS)):
        meant = word and kinds[0] in lexicon().categories(word)
        meant = meant and (word == moving.some or word in phrases().words["chosen"])
        if meant and len(categories) == 1 and not options.exact and stage.chance(share):
            return (_describe_some(stage, moving, word, kinds[0], spots, avoid),)
    if clash:
        raise Stuck
    described: list[Things] = []
    for category in kinds:
        number = categories.count(category)
        source = _source(stage, moving, category, avoid, number)
        names = []
        for index in range(number):
            if index and stage.chance(0.4):
                source = _source(stage, moving, category, avoid, 1)
            names.append(stage.put(category, *source))
        before = described[-1].number if described and described[-1].all else 0
        if 2 <= before <= number and not options.exact and stage.chance(AS_MANY):
            if before == number:
                names.append(stage.put(category, *_source(stage, moving, category, avoid, 1)))
            described.append(Things(category, tuple(names), before))
            continue
        described.append(_describe_one_kind(stage, moving, category, names, avoid, options))
    return tuple(described)


def _source(
    stage: Stage, moving: Moving, category: str, avoid: Iterable[str], number: int
) -> tuple[str, str]:
    usual = catalogue().things[category].places
    places = stage.shuffle(moving.sources)
    if stage.chance(0.7):  # prefer the usual places of such things
        places.sort(key=lambda place: place.name not in usual)
    for place in places:
        start = stage.somewhere(place, category, avoid, number)
        if start is not None:
            return start
    raise Stuck


def _describe_class(stage: Stage, word: str, names: tuple[str, ...]) -> Things:
    where = describe_place(stage, names) if stage.chance(AMONG_OTHERS) else None
    return Things(word, names, len(names), where)


def _describe_all_but(
    stage: Stage, moving: Moving, kinds: list[str], names: tuple[str, ...], avoid: set[str]
) -> Things:
    """Describe all objects of a class except one kind. An object of that kind is added to the
    scene."""
    members = lexicon().categories(moving.word)
    others = [
        other
        for other in stage.usable_categories(moving)
        if other in members and not lexicon().alike(other) & set(kinds) and other not in kinds
    ]
    but = stage.choice(others)
    stage.put(but, *_source(stage, moving, but, avoid, 1))
    return Things(moving.word, names, len(names), but=but)


def _describe_some(
    stage: Stage, moving: Moving, word: str, category: str, spots: Sequence[Spot], avoid: set[str]
) -> Things:
    """Describe any object of a class or with a purpose: "something to drink from"."""
    members = lexicon().categories(word)
    others = [
        other
        for other in stage.usable_categories(moving)
        if other in members
        and other != category
        and not lexicon().alike(other) & {category}
        and all(stage.can_take(spot, (other,)) for spot in spots)
    ]
    names = [
        stage.put(kind, *_source(stage, moving, kind, avoid, 1))
        for kind in (category, stage.choice(others))
    ]
    return Things(word, tuple(names), 1)


def _describe_one_kind(
    stage: Stage,
    moving: Moving,
    category: str,
    names: list[str],
    avoid: set[str],
    options: PutOptions,
) -> Things:
    """Describe objects of a category. Other objects of the category may be added, so that the
    description is necessary."""
    counts = lexicon().noun(category).is_countable
    number = len(names)
    if counts and not options.exact:
        share = SUBSET if number > 1 else ANY
        if stage.chance(share):
            for _ in range(int(stage.rng.integers(1, 3))):
                names.append(stage.put(category, *_source(stage, moving, category, avoid, 1)))
            return Things(category, tuple(names), number)
    others = len(stage.own_things(category)) > number
    if not stage.chance(AMONG_OTHERS if others else WHERE):
        return Things(category, tuple(names), number)
    where = describe_place(stage, names)
    if where is None or not counts or not stage.chance(OTHERS):
        return Things(category, tuple(names), number, where)
    no = avoid.union(where.names, stage.places_to_avoid([where]))
    for place in stage.shuffle(moving.sources):
        start = stage.somewhere(place, category, no)
        if start is not None:
            stage.put(category, *start)
            return Things(category, tuple(names), number, where, telling=True)
    return Things(category, tuple(names), number, where)


def describe_place(stage: Stage, names: Sequence[str]) -> Spot | None:
    """Return a description of the common place of all objects; None if they are at different
    places."""
    placed = [stage.thing(name) for name in names]
    first = placed[0]
    piece = stage.house.piece.get(first.furniture)
    options: list[Spot | None] = []
    if piece is None:
        kind = stage.house.floors[first.furniture].kind
        options.append(stage.spot(Place("floor", kind, "on")))
    else:
        options.append(stage.spot(Place("furniture", piece.category, first.relation), 0.25))
        options.append(stage.spot(Place("room", stage.house.room[piece.room].kind)))
    for spot in stage.shuffle(options):
        if spot is not None and all(stage.is_at(item, spot) for item in placed):
            return spot
    return None


def _spot_of_pieces(names: tuple[str, ...]) -> Spot:
    return Spot("furniture", "", "on", names)
