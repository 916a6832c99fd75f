"""Recipes of the built-in author, one for each type of task. A recipe composes groups of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.episode_scene import Stage, Stuck
from homebody.authoring.partnr.grammar.meaning import Put, Step, Switch, Things, do_overlap
from homebody.authoring.partnr.grammar.steps import (
    LAID,
    PutOptions,
    clear,
    lay,
    path,
    put,
    swap,
    there_and_back,
)
from homebody.authoring.partnr.grammar.switching import cleaning_of, switch, washing_of
from homebody.authoring.partnr.grammar.themes import Moving, Theme
from homebody.suites.partnr.episodes.kinds import FREE, HETEROGENEOUS, SPATIAL, TEMPORAL

Groups = list[list[Step]]
"""Groups of steps, in their order."""
TIDYING: Final = ("cleaning", "living_room", "decorating", "reading", "garden", "toys", "dishes")
"""Themes in which furniture is cleared, cleaned, and set up again."""
LAYING: Final = 0.5
"""Probability that a table is set, if the theme has what is needed."""
GATHERED: Final = 0.25
"""Probability that several objects with several possible places go to a single place."""
WASHED: Final = ("dish", "utensil", "fruit", "vegetable", "clothing")
"""Classes of objects that are washed before they are put somewhere."""
WASHING: Final = ("sink", "washing_machine")
"""Categories of furniture in which objects are washed."""
SWAPPED: Final = ("decoration", "book")
"""Classes of objects: two objects of such a class may change places."""


def _constraint_free(stage: Stage, theme: Theme) -> Groups:
    """Compose moves of objects in any order."""
    moves = _moves(stage, theme)
    laying = [moving for moving in theme.moves if len(set(moving.things).intersection(LAID)) > 2]
    if laying and stage.chance(LAYING):
        group: list[Step] = [lay(stage, laying[0])]
    elif stage.chance(0.26):  # several things to the same place, or each to another one
        together = "same" if stage.chance(0.7) else "different"
        group = [put(stage, next(moves), PutOptions(_few(stage, 2, 3), 1, together, True))]
    elif stage.chance(0.2):
        group = [clear(stage, next(moves))]
    elif stage.chance(0.06):
        group = [*swap(stage, _swappable(theme))]
    else:
        group = [put(stage, next(moves), PutOptions(_few(stage, 1, 3), 3))]
    total = 2 if stage.chance(0.75) else 3
    while len(group) < total or _size(group) < 4:
        group.append(put(stage, next(moves), PutOptions(_few(stage, 1, 2), 3)))
    return [_share_place(stage, group)]


def _spatial(stage: Stage, theme: Theme) -> Groups:
    """Compose placements of objects next to each other or next to something."""
    moves = _moves(stage, theme)
    group: list[Step] = []
    if stage.chance(0.75):
        number = 2 if stage.chance(0.6) else 3
        group.append(put(stage, next(moves), PutOptions(number, 1, "near", True)))
    else:
        group.append(_beside(stage, next(moves)))
    if stage.chance(0.5):
        together = "near" if stage.chance(0.35) else ""
        kinds = 2 if together else _few(stage, 1, 2)
        group.append(
            put(stage, next(moves), PutOptions(kinds, 1 if together else 2, together, True))
        )
    draw = stage.rng.random()
    if draw < 0.22:
        return _with_change(stage, theme, group, draw < 0.09)
    if draw < 0.44:
        more = put(stage, next(moves), PutOptions(1, 2, "", True))
        return [group, [more]] if stage.chance(0.6) else [[more], group]
    return [group]


def _with_change(stage: Stage, theme: Theme, group: list[Step], ordered: bool) -> Groups:
    """Add a change of state: the moved objects are washed first or switched on at their place, or
    another object changes. With ``ordered``, the steps have an order."""
    first = group[0]
    assert isinstance(first, Put)
    words_of = {things.word for things in first.things}
    kinds = {stage.thing(name).category for things in first.things for name in things.names}
    if all(any(category in lexicon().categories(word) for word in WASHED) for category in kinds):
        wash = washing_of(stage, first.things)
        return [[wash], group] if ordered else [[wash, *group]]
    own = tuple(switching for switching in theme.switches if switching.category in words_of)
    mentioned = [things for step in group if isinstance(step, Put) for things in step.things]
    after = switch(stage, replace(theme, switches=own or theme.switches), mentioned)
    if not ordered:
        return [[first, after, *group[1:]]]
    return [group, [after]] if own or stage.chance(0.6) else [[after], group]


def _temporal(stage: Stage, theme: Theme) -> Groups:
    """Compose steps in an order."""
    moves = _moves(stage, theme)
    draw = stage.rng.random()
    if draw < 0.34:
        first, second = path(stage, _with_way(theme), PutOptions(_few(stage, 1, 2), 2, "", True))
        groups: Groups = [[first], [second]]
        # nobody wants them there only to take them away at once
        groups.insert(1, [put(stage, next(moves), PutOptions(_few(stage, 1, 2), 2))])
    elif draw < 0.5:
        return _aside(stage, theme)
    elif draw < 0.54:
        cleared = clear(stage, next(moves))
        groups = [[cleared], [put(stage, next(moves), PutOptions(_few(stage, 1, 3), 3))]]
    elif draw < 0.57:
        groups = [[*swap(stage, _swappable(theme))], [put(stage, next(moves), PutOptions(1, 3))]]
    else:
        groups = [[put(stage, next(moves), PutOptions(_few(stage, 1, 3), 3))]]
        near = stage.chance(0.12)
        options = PutOptions(2, 1, "near", True) if near else PutOptions(_few(stage, 1, 2), 3)
        groups = _share_place_across(stage, [*groups, [put(stage, next(moves), options)]])
    if len(groups) < 3 and stage.chance(0.2):
        more: list[Step] = [put(stage, next(moves), PutOptions(_few(stage, 1, 2), 3))]
        place = int(stage.rng.integers(3))
        if place == 0:
            groups[-1] += more
        elif place == 1:
            groups.append(more)
        else:
            groups[0] += more
    if stage.chance(0.12):
        groups.append([switch(stage, theme, ())])
    return groups


def _heterogeneous(stage: Stage, theme: Theme) -> Groups:
    """Compose steps with changes of states, which only the human can make."""
    moves = _moves(stage, theme)
    draw = stage.rng.random()
    if draw < 0.22:
        return _aside(stage, theme)
    if draw < 0.42:
        first, second = path(
            stage, _with_washing(theme), PutOptions(_few(stage, 1, 2), 2, "", True)
        )
        groups: Groups = [[first], [washing_of(stage, first.things)], [second]]
        if stage.chance(0.3):
            groups = [[first, groups[1][0]], [second]]
        if stage.chance(0.3):
            groups[-1].append(switch(stage, theme, ()))
        return groups
    near = stage.chance(0.12)
    options = PutOptions(2, 1, "near", True) if near else PutOptions(_few(stage, 1, 2), 2)
    steps: list[Step] = [put(stage, next(moves), options)]
    if stage.chance(0.5):
        steps.append(put(stage, next(moves), PutOptions(_few(stage, 1, 2), 3)))
    mentioned = [things for step in steps if isinstance(step, Put) for things in step.things]
    switches: list[Step] = [switch(stage, theme, mentioned)]
    if stage.chance(0.35):
        used = {
            things.word for step in switches if isinstance(step, Switch) for things in step.things
        }
        switches.append(switch(stage, theme, mentioned, used))
    if stage.chance(0.22) and all(things.all for things in mentioned):
        return [steps, switches] if stage.chance(0.6) else [switches, steps]
    mixed = [*steps, *switches]
    # moves come first if a thing is also changed, so that "it" has been named
    overlap = any(do_overlap(step, change) for step in steps for change in switches)
    return [mixed if overlap or stage.chance(0.6) else [*switches, *steps]]


RECIPES: Final[Mapping[str, Callable[[Stage, Theme], Groups]]] = {
    FREE: _constraint_free,
    SPATIAL: _spatial,
    TEMPORAL: _temporal,
    HETEROGENEOUS: _heterogeneous,
}
"""Type of task -> its recipe, which raises Stuck where the theme or the house does not allow it."""


def _moves(stage: Stage, theme: Theme) -> Iterator[Moving]:
    """Yield the moves of a theme in random order, repeatedly."""
    while True:
        yield from stage.shuffle(theme.moves)


def _first(moves: Iterable[Moving]) -> Moving:
    """Return the first of some moves. Raises Stuck without any."""
    for moving in moves:
        return moving
    raise Stuck


def _with_way(theme: Theme) -> Moving:
    return _first(moving for moving in theme.moves if moving.via)


def _with_washing(theme: Theme) -> Moving:
    """Return a move by way of places where its objects can be washed. Raises Stuck."""
    moving = _first(moving for moving in theme.moves if moving.wash)
    return replace(moving, via=tuple(place for place in moving.via if place.name in WASHING))


def _swappable(theme: Theme) -> Moving:
    return _first(moving for moving in theme.moves if moving.word in SWAPPED)


def _few(stage: Stage, least: int, most: int) -> int:
    return int(stage.rng.integers(least, most + 1))


def _size(group: Sequence[Step]) -> int:
    return sum(things.number for step in group for things in step.things)


def _aside(stage: Stage, theme: Theme) -> Groups:
    """Compose moving objects off a piece of furniture, cleaning it, and moving them back."""
    cleaned = {
        switching.category
        for switching in theme.switches
        if switching.furniture and switching.state == "clean"
    }
    moving = stage.choice([moving for moving in theme.moves if theme.name in TIDYING])
    there, back = there_and_back(stage, moving, PutOptions(_few(stage, 1, 2), 2))
    if len(back.spot.names) != 1 or any(things.telling for things in there.things):
        raise Stuck
    piece = stage.house.piece[back.spot.names[0]]
    relations = {stage.thing(name).relation for things in there.things for name in things.names}
    if piece.category not in cleaned or relations != {"on"}:
        raise Stuck
    where, change = cleaning_of(stage, piece)
    things = tuple(replace(things, where=where) for things in there.things)
    return [[replace(there, things=things)], [change], [replace(back, things=things)]]


def _beside(stage: Stage, moving: Moving) -> Put:
    """Return a step that puts something next to an object that stays in place."""
    reference = stage.choice(stage.usable_categories(moving))
    for place in stage.shuffle(moving.targets):
        if place.kind != "furniture" or place.loose:
            continue
        spot = stage.spot(place, 0.8)
        if spot is None or len(spot.names) != 1:
            continue
        if not stage.has_room(spot.names[0], spot.relation, (reference, reference)):
            continue
        beside = Things(reference, (stage.put(reference, spot.names[0], spot.relation),), 1)
        return replace(put(stage, moving, PutOptions(1, 1, "", True), spot=spot), beside=beside)
    raise Stuck


def _share_place(stage: Stage, group: list[Step]) -> list[Step]:
    """Sometimes let a later step use the place of an earlier step."""
    return _share_place_across(stage, [group])[0]


def _share_place_across(stage: Stage, groups: Groups) -> Groups:
    flat = [(g, i) for g, group in enumerate(groups) for i in range(len(group))]
    if len(flat) < 2:
        return groups
    (g, i), (h, j) = flat[0], flat[1]
    first, second = groups[g][i], groups[h][j]
    if not (isinstance(first, Put) and isinstance(second, Put)):
        return groups
    if not stage.chance(0.7 if len(first.spot.names) > 1 else 0.3):
        return groups
    categories = [stage.thing(name).category for things in second.things for name in things.names]
    names = [name for things in second.things for name in things.names]
    off = stage.places_to_avoid([first.spot])
    if (
        first.spot.kind != "furniture"
        or first.together
        or second.together
        or first.swap
        or second.swap
        or not all(things.all for things in (*first.things, *second.things))
        or not stage.can_take(first.spot, categories, same=True)
        or any(stage.thing(name).furniture in off for name in names)
    ):
        return groups
    stage.claim(first.spot, categories)
    groups[h][j] = replace(second, spot=first.spot, same_place_as=(g, i))
    return groups


def unify_places(groups: Groups) -> None:
    """Require the same place in steps with the same alternatives. Raises Stuck if that is
    impossible."""
    seen: dict[tuple[str, ...], tuple[int, int]] = {}
    for g, group in enumerate(groups):
        for i, step in enumerate(group):
            if not isinstance(step, Put) or len(step.spot.names) < 2 or step.spot.kind == "back":
                continue
            before = seen.setdefault(step.spot.names, (g, i))
            if before == (g, i) or step.same_place_as is not None:
                continue
            first = groups[before[0]][before[1]]
            both = (first, step)
            if step.spot.kind != "furniture" or any(
                isinstance(put, Put) and (put.together or not all(it.all for it in put.things))
                for put in both
            ):
                raise Stuck
            group[i] = replace(step, same_place_as=before)


def gather(stage: Stage, groups: Groups) -> None:
    """Sometimes require a single place for several objects that have several possible places.

    The words then name it ("the table" rather than "the tables"). A floor is always a single
    place."""
    followed = {step.same_place_as for group in groups for step in group if isinstance(step, Put)}
    for g, group in enumerate(groups):
        for i, step in enumerate(group):
            if not isinstance(step, Put) or step.same_place_as is not None or (g, i) in followed:
                continue
            if step.together or step.beside or step.spot.kind in ("back", "container"):
                continue
            if len(step.spot.names) < 2 or sum(things.number for things in step.things) < 2:
                continue
            if step.spot.kind == "floor" or (
                stage.chance(GATHERED) and stage.has_room_for_all(step.spot)
            ):
                group[i] = replace(step, together="one")
