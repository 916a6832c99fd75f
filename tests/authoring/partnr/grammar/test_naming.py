"""What the built-in author calls places."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.meaning import Meaning, Put, Spot, Things, evaluate
from homebody.authoring.partnr.grammar.naming import Namer
from homebody.authoring.partnr.grammar.phrases import phrases
from homebody.authoring.partnr.grammar.themes import Place, themes
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.receptacles import relations_to, resolve_relation

ENTRIES = catalogue()
RELATIONS = {
    **{name: relations_to(kind) for name, kind in ENTRIES.furniture.items()},
    **{name: relations_to(kind) for name, kind in ENTRIES.things.items()},
}


@pytest.mark.parametrize("category", sorted(name for name, kinds in RELATIONS.items() if kinds))
def test_what_is_said_of_a_place_is_what_is_asked_for(category: str) -> None:
    """With every verb: what the preposition means there is the relation that is judged. "To" is
    said where both count: what is in something is on top of it, too."""
    relations = RELATIONS[category]
    kind = "furniture" if category in ENTRIES.furniture else "container"
    for relation in sorted(relations):
        spot = Spot(kind, category, relation, (f"{category}_0",))
        step = Put((Things("cup", ("cup_0",), 1),), spot)
        (asked,) = evaluate(Meaning(((step,),))).propositions
        for verb in phrases().puts:
            if {kind, relation, "kept"}.isdisjoint(verb.places.split()):
                continue
            preposition, *_ = Namer(np.random.default_rng(0)).place(step, verb).split()
            if preposition == "to":
                assert asked.predicate == "is_on_top"
            else:
                assert resolve_relation(preposition, relations) == relation
                assert asked.predicate == ("is_inside" if relation == "within" else "is_on_top")


def places() -> set[Place]:
    moves = [moving for theme in themes().values() for moving in theme.moves]
    return {
        place
        for moving in moves
        for place in (*moving.sources, *moving.targets, *moving.via, *moving.put_away)
        if place.kind == "furniture"
    }


@pytest.mark.parametrize(
    "place", sorted(places(), key=str), ids=lambda at: f"{at.name}:{at.relation}"
)
def test_all_that_a_word_covers_is_used_alike(place: Place) -> None:
    """Whichever of the cabinets one takes, a thing goes into it."""
    word = lexicon().wider.get(place.name, place.name) if place.relation == "on" else place.name
    meant = {resolve_relation(place.relation, RELATIONS[name]) for name in lexicon().pieces(word)}
    assert meant in ({"on"}, {"within"})
