import pytest
from tests.worlds.house.model.wordnet_files import FOLDER, hypernyms, read_wordnet

from homebody.worlds.house.model import wordnet
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.wordnet import classes_of, things_in_class


@pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the Debian package wordnet-base")
def test_hypernyms_are_those_of_wordnet():
    assert wordnet._hypernyms() == hypernyms(read_wordnet())


def test_everything_in_the_catalogue_has_a_synset_with_hypernyms():
    for kind in (*catalogue().furniture.values(), *catalogue().things.values()):
        assert "entity.n.01" in classes_of(kind.synset), kind.name


@pytest.mark.parametrize(
    ("synset", "inside", "outside"),
    [
        ("clothing.n.01", "shirt hoodie jacket coat skirt pajamas socks", "handbag towel doll"),
        ("footwear.n.02", "shoes sneakers boots sandals slippers", "gloves hat"),
        ("plaything.n.01", "rattle stuffed_elephant teddy_bear toy_car", "dog_bone hammer"),
        ("vegetable.n.01", "bell_pepper carrot frozen_peas onion", "apple bread vase"),
        ("edible_fruit.n.01", "apple mango strawberry", "carrot bread"),
        ("beverage.n.01", "milk_carton soda_can water_bottle wine_bottle", "vase shampoo"),
        ("food.n.01", "flour_bag", "detergent paint_can"),
    ],
)
def test_classes_are_what_people_call_so(synset, inside, outside):
    members = {*things_in_class(synset)}
    assert {*inside.split()} <= members
    assert not members & {*outside.split()}


def test_a_class_without_objects_is_an_error():
    with pytest.raises(ValueError, match=r"animal\.n\.01"):
        things_in_class("clothing.n.01", "animal.n.01")


def test_names_that_only_behavior_has_are_marked():
    kinds = (*catalogue().furniture.values(), *catalogue().things.values())
    marked = {kind.name for kind in kinds if kind.behavior}
    assert {"shampoo", "milk_carton", "hospital_bed"} <= marked
    assert not any("__" in kind.synset for kind in kinds)
