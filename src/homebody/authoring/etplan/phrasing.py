"""Wording of drafts as instructions, by the grammar of PARTNR's built-in author.

An instruction states neither more nor less than the criterion. A thing may be described by what it
is for, if only its class serves this purpose in the home. A hint tells in which room a thing is, to
whoever knows what people do there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np

from homebody.authoring.etplan.drafts import Draft, phrases
from homebody.authoring.etplan.graph_setting import word
from homebody.authoring.etplan.setting import Setting, matching_instances
from homebody.authoring.language.functions import SOMETHING, functions
from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.language import say
from homebody.authoring.partnr.grammar.meaning import Meaning, Put, Spot, Step, Switch, Things
from homebody.authoring.partnr.grammar.themes import Place, Theme, themes
from homebody.core.ground.seeds import choose
from homebody.goals.etplan import PLACED, Condition, Target
from homebody.suites.etplan.rows import Kind

BY_FUNCTION = 0.5
"""Probability that a thing is described by what it is for, if only its class serves this."""
_KINDS = {"CLOSE": "near", "FACING": "facing"}
_PLAIN = Theme("", (), (), (), (), (), ())


def phrase(setting: Setting, kind: Kind, draft: Draft, rng: np.random.Generator) -> str:
    """Return an instruction that means the criterion of a draft."""
    where = {condition.first: condition for condition in draft.where}
    container = draft.things[-1] if kind == "temporal" else ""
    things = {
        name: _things(setting, name, where.get(name), rng if name != container else None)
        for name in draft.things
    }
    said = tuple(things.values())
    steps: list[Step]
    if kind == "navigation":
        steps = [Switch(said, "found", True)]
    else:
        spot = _target(setting, draft, where.get(draft.target))
        steps = [Put(said, spot, _alike(said))]
        if kind == "temporal":
            into = _container(setting, draft)
            steps = [Put(said[:-1], into, _alike(said[:-1])), Put(said[-1:], spot)]
    rooms = Counter(map(setting.facts.category, setting.rooms))
    theme = _theme(setting, kind, draft, rng)
    meaning = Meaning(tuple((step,) for step in steps))
    text = say(meaning, theme, rng, rooms, alone=True).text
    while f" to {SOMETHING}" in text:  # "Take me to something to cut bread with"
        text = say(meaning, theme, rng, rooms, alone=True).text
    hints = [] if draft.where else list(_hints(setting, kind, things))
    if hints:
        text = f"{text} {choose(rng, hints)}"
    return text


def _alike(things: tuple[Things, ...]) -> str:
    """Return whether things share one place, as :attr:`.Put.together`."""
    return "one" if len(things) > 1 else ""


def _things(
    setting: Setting, category: str, where: Condition | None, rng: np.random.Generator | None
) -> Things:
    """Return the things of a class. With a generator, what they are for may describe them."""
    names = _named(setting, Target(category, () if where is None else (where,)))
    portable = setting.facts.is_portable(category)
    said = word(category)
    if where is None and rng is not None and rng.random() < BY_FUNCTION:
        said = choose(rng, [*_functions(setting, category)] or [said])
    spot = None if where is None else _where(setting, where)
    return Things(said, names, 1, spot, telling=where is not None, furniture=not portable)


def _named(setting: Setting, wanted: Target) -> tuple[str, ...]:
    """Return the right objects for a target, named in the manner of houses."""
    return tuple(map(setting.house_name, matching_instances(setting, wanted)))


def _functions(setting: Setting, category: str) -> Iterator[str]:
    """Yield the purposes that no other class of the home serves."""
    own = setting.kind(category)
    there = set(map(setting.kind, setting.facts.classes))
    for purpose, categories in functions().items():
        if own in categories and not (categories - {own}) & there:
            yield purpose


def _where(setting: Setting, where: Condition) -> Spot:
    """Return an initial place."""
    there = setting.facts.instances(where.second)
    names = tuple(map(setting.house_name, there))
    if there and setting.facts.room(there[0]) == there[0]:
        return Spot("room", word(where.second), "", names)
    if where.relation in _KINDS:
        return Spot(_KINDS[where.relation], word(where.second), "", names)
    return Spot("furniture", _inside(where), PLACED[where.relation], names)


def _target(setting: Setting, draft: Draft, place: Condition | None) -> Spot:
    wanted = Target(draft.target, () if place is None else (place,))
    names = _named(setting, wanted)
    put = Condition(draft.relation, "", draft.target)
    kind = "container" if setting.facts.is_portable(draft.target) else "furniture"
    spot = Spot(kind, _inside(put), PLACED[draft.relation], names)
    if place is None:
        return spot
    by = _where(setting, place)
    room, by_ = (by.word, None) if by.kind == "room" else ("", by)
    return Spot(spot.kind, spot.word, spot.relation, names, room, unique=True, by=by_)


def _container(setting: Setting, draft: Draft) -> Spot:
    """Return the container of a draft with an order."""
    name = draft.things[-1]
    relation = next(
        c.relation for c in draft.criterion.stages[0] if c.relation in PLACED and c.second == name
    )
    return Spot("container", word(name), PLACED[relation], _named(setting, Target(name)))


def _inside(where: Condition) -> str:
    """Return the word for a place. The inside of a counter has its own."""
    if where.relation == "INSIDE" and where.second == "counter":
        return "counter_cupboard"
    return word(where.second)


def _theme(setting: Setting, kind: Kind, draft: Draft, rng: np.random.Generator) -> Theme:
    """Return a situation in which people want these things there, or one without words."""
    kinds = {setting.kind(name) for name in draft.things[: 1 if kind == "temporal" else None]}
    target = setting.kind(draft.target) if draft.target else ""
    found = []
    for theme in themes().values():
        for moving in theme.moves:
            ends = {place.name for place in moving.targets if _is_at(place, draft.relation)}
            if kinds <= set(moving.things) and (not target or target in ends):
                found.append(theme)
                break
    if not found:
        return _PLAIN
    theme = choose(rng, found)
    if kind == "navigation":  # to find a thing is no reason to tidy up
        return Theme(theme.name, (), theme.openings, (), (), (), ())
    return theme


def _is_at(place: Place, relation: str) -> bool:
    return place.kind in ("furniture", "container") and place.relation == PLACED.get(relation)


def is_surprising(setting: Setting, category: str) -> bool:
    """Return whether a hint can tell where things of a class are rarely: there is one thing of the
    class, in the only room of its kind, which has hints."""
    names = setting.instances(category)
    room = setting.facts.category(setting.facts.room(names[0]))
    return (
        len(names) == len(setting.instances(room)) == 1
        and room in phrases()["hints"]
        and setting.facts.is_portable(category)
        and setting.is_rarely_in(category, room)
    )


def _hints(setting: Setting, kind: Kind, things: Mapping[str, Things]) -> Iterator[str]:
    """Yield the hints for the things to find that are rarely in their room."""
    table = phrases()["hints"]
    for category, described in things.items():
        noun = lexicon().noun(described.word)
        secret = noun.singular.startswith(SOMETHING)
        several = kind in ("several", "temporal")
        if is_surprising(setting, category) and not (secret and several):
            room = setting.facts.category(setting.facts.room(setting.instances(category)[0]))
            them, was = ("them", "were") if noun.is_plural else ("it", "was")
            the = f"the {noun.singular}" if several else them
            The = the.capitalize() if several else "They" if noun.is_plural else "It"
            them = the if several else them
            for hint in table.get(room, ()):
                yield hint.format(the=the, The=The, them=them, was=was)
