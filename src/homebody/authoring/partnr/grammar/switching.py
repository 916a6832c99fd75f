"""Steps of the built-in author that clean, fill or switch something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.episode_scene import Stage, Stuck
from homebody.authoring.partnr.grammar.meaning import PREDICATES, Spot, Switch, Things
from homebody.authoring.partnr.grammar.steps import WHERE, describe_place
from homebody.authoring.partnr.grammar.themes import Place, Switching, Theme
from homebody.suites.partnr.episodes.predicates import AFFORDANCE
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture

DIRTY = 0.2
"""Probability that clean objects of the same kind are added to the dirty ones."""
ONE_DIRTY = 0.12
"""Probability that a piece of furniture is described as "the dirty" one of several."""


def switch(
    stage: Stage, theme: Theme, mentioned: Sequence[Things], ban: Iterable[str] = ()
) -> Switch:
    """Return a change of state that fits a theme. It changes furniture, a ``mentioned`` object, or
    another object. Raises Stuck."""
    banned = frozenset(ban)
    for wanted in stage.shuffle(theme.switches):
        if wanted.category in banned:
            continue
        things = (
            _describe_furniture(stage, wanted)
            if wanted.furniture
            else _describe_object(stage, wanted, mentioned)
        )
        if things is not None:
            return Switch((things,), wanted.state, wanted.value)
    raise Stuck


def washing_of(stage: Stage, things: Sequence[Things], state: str = "clean") -> Switch:
    """Return the step that makes existing objects clean, or sets another state. Raises Stuck if
    they lack the affordance."""
    for described in things:
        for name in described.names:
            placed = stage.thing(name)
            if not _affords(placed.category, state):
                raise Stuck
            placed.states[state] = False
    return Switch(tuple(things), state, True)


def cleaning_of(stage: Stage, piece: Furniture) -> tuple[Spot, Switch]:
    """Return a unique description of a piece of furniture, and the step that cleans it. Raises
    Stuck if it has no unique description or cannot be cleaned."""
    covered = stage.pieces(lexicon().pieces(piece.category), "")
    kind = stage.house.room[piece.room].kind
    room = kind if len(covered) > 1 else ""
    fits = [piece for piece in covered if not room or stage.house.room[piece.room].kind == room]
    spoken_of = piece.name in stage.furniture_states
    if len(fits) != 1 or spoken_of or not _affords(piece.category, "clean"):
        raise Stuck
    stage.furniture_states[piece.name] = {"clean": False}
    names = (piece.name,)
    where = Spot("furniture", piece.category, "on", names, room, bool(room))
    return where, Switch(
        (Things(piece.category, names, 1, None, "", room, bool(room), furniture=True),),
        "clean",
        True,
    )


def _affords(category: str, state: str) -> bool:
    return AFFORDANCE[PREDICATES[state, True]] in catalogue().affords(category)


def _describe_object(stage: Stage, wanted: Switching, mentioned: Sequence[Things]) -> Things | None:
    if not _affords(wanted.category, wanted.state):
        return None
    states = {wanted.state: not wanted.value}
    if wanted.state == "filled" and "openable" in catalogue().affords(wanted.category):
        states["open"] = True  # what is closed cannot be filled
    for things in mentioned:
        if things.word == wanted.category and things.all:
            if any(wanted.state in stage.thing(name).states for name in things.names):
                return None
            for name in things.names:
                stage.thing(name).states.update(states)
            return things
    kind = catalogue().things[wanted.category]
    if not stage.is_free(wanted.category):
        return None
    places = [Place("furniture", things, "on") for things in kind.places if things != "floor"]
    number = 1
    noun = lexicon().noun(wanted.category)
    if noun.is_countable and wanted.state == "clean" and stage.chance(0.4):
        number = 2
    for place in stage.shuffle(places):
        start = stage.somewhere(place, wanted.category, stage.mentioned, number)
        if start is None:
            continue
        names = [stage.put(wanted.category, *start, states) for _ in range(number)]
        where = describe_place(stage, names) if stage.chance(WHERE) else None
        if wanted.state == "clean" and noun.is_countable and stage.chance(DIRTY):
            stage.put(wanted.category, *start, {"clean": True})  # another that is clean already
            return Things(wanted.category, tuple(names), number, where, "dirty", telling=True)
        return Things(wanted.category, tuple(names), number, where)
    return None


def _describe_furniture(stage: Stage, wanted: Switching) -> Things | None:
    house = stage.house
    if not _affords(wanted.category, wanted.state):
        return None
    covered = [
        piece
        for piece in house.furniture
        if piece.category in lexicon().pieces(wanted.category)
        and _affords(piece.category, wanted.state)
    ]
    own = [piece for piece in covered if piece.category == wanted.category]
    if not own or any(piece.name in stage.furniture_states for piece in own):
        return None
    room = ""
    kinds = list(dict.fromkeys(house.room[piece.room].kind for piece in own))
    if wanted.category == "table" or (len(covered) > 1 and stage.chance(0.6)):
        room = stage.choice(kinds)
    fits = [piece for piece in covered if not room or house.room[piece.room].kind == room]
    before = not wanted.value
    names = tuple(piece.name for piece in fits)
    if len(fits) > 1 and wanted.state == "clean" and stage.chance(ONE_DIRTY):
        dirty = stage.choice(fits).name
        for piece in fits:
            stage.furniture_states[piece.name] = {"clean": piece.name != dirty}
        return Things(
            wanted.category, (dirty,), 1, None, "dirty", room, telling=True, furniture=True
        )
    number = len(names) if len(names) <= 3 and stage.chance(0.3) else 1
    for piece in fits:
        stage.furniture_states[piece.name] = {wanted.state: before}
    return Things(wanted.category, names, number, None, "", room, furniture=True)
