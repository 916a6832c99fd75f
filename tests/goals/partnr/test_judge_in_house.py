"""The judge fits the house world: its questions are calls of the relations of that world."""

import pytest

from homebody.goals.partnr import PREDICATES, Evaluation, Judge, Proposition
from homebody.worlds.house.simulation import relations


@pytest.mark.parametrize("predicate", sorted(PREDICATES))
def test_every_predicate_is_a_relation_of_the_house(predicate: str) -> None:
    lists = (("a",), ("b",)) if len(PREDICATES[predicate].arguments) > 1 else (("a",),)
    if predicate == "is_clustered":
        lists = (("a",), ("b",))
    numbers = (1, 1) if predicate == "is_clustered" else (1,)
    judge = Judge(Evaluation((Proposition(predicate, lists, numbers),)))
    asked = []
    judge.step(lambda name, arguments: asked.append((name, arguments)))
    assert asked
    for name, arguments in asked:
        relation = getattr(relations, name)
        # the state comes first; a threshold may come last
        optional = len(relation.__defaults__ or ())
        assert relation.__code__.co_argcount - optional == 1 + len(arguments)
