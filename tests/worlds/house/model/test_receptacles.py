"""Where things can be put, and that it is where everyday words say."""

from __future__ import annotations

import pytest

from homebody.core.action import Action
from homebody.worlds.house.model.agents import HUMAN
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Pose, Vector
from homebody.worlds.house.model.receptacles import (
    PREPOSITIONS,
    furniture_receptacles,
    relations_to,
    resolve_relation,
    thing_receptacles,
)
from homebody.worlds.house.simulation.relations import is_inside, is_on_top
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import room, thing

FLOOR = ("floor_kitchen_0", "")
ENTRIES = catalogue()
RELATIONS = {
    **{name: relations_to(kind) for name, kind in ENTRIES.furniture.items()},
    **{name: relations_to(kind) for name, kind in ENTRIES.things.items()},
}
"""Category of furniture or container -> the relations in which things can be to it."""


def test_things_are_on_trays_and_in_bowls() -> None:
    things = ENTRIES.things
    kinds = {
        name: [each.kind for each in thing_receptacles(kind, kind.size)]
        for name, kind in things.items()
        if kind.inside
    }
    assert kinds["tray"] == kinds["baking_tray"] == ["on"]
    assert kinds["bowl"] == kinds["letter_tray"] == kinds["suitcase"] == ["within"]
    flat = {name for name, [kind] in kinds.items() if kind == "on"}
    assert flat == {name for name in kinds if things[name].shape == "tray"} - {"letter_tray"}


# -- what prepositions mean ------------------------------------------------------------------------

MEANT = """
    where things are            on      in
    sink washbasin              on      within
    stove copier                on      within
    bathtub bidet shower crib   within  within
    fridge wardrobe hamper      within  within
    trash_bin toy_chest basket  within  within
    bucket bowl backpack        within  within
    wall_cabinet grill          within  within
    cabinet nightstand desk     on      within
    dresser tv_stand counter    on      within
    dishwasher washing_machine  on      within
    bed sofa armchair chair     on      on
    bookcase shelf wine_rack    on      on
    table tray fruit_stand      on      on
    pet_bed high_chair toilet   on      on
    potted_plant rug painting   -       -
"""


def meant() -> dict[str, tuple[str, str]]:
    table: dict[str, tuple[str, str]] = {}
    for line in MEANT.strip().splitlines()[1:]:
        *categories, on, within = line.split()
        table |= dict.fromkeys(categories, (on, within))
    return table


@pytest.mark.parametrize(("category", "on_and_in"), meant().items())
def test_a_preposition_means(category: str, on_and_in: tuple[str, str]) -> None:
    relations = RELATIONS[category]
    found = tuple(resolve_relation(word, relations) or "-" for word in ("onto", "into"))
    assert found == on_and_in


def furnished(category: str, widest: bool, item: Vector = (0.04, 0.03, 0.02)) -> House:
    """A room with a thing to put somewhere, and a category of furniture or container, shut if it
    can be."""
    kind = ENTRIES.furniture.get(category)
    things = [thing("box_0", (2.0, 1.0, 0.0), FLOOR, item)]
    furniture = []
    shut = {"open": False} if "openable" in ENTRIES.affords(category) else {}
    if kind is None:
        container = ENTRIES.things[category]
        scale = container.varies[widest]
        size: Vector = tuple(round(side * scale, 3) for side in container.size)  # type: ignore[assignment]
        spaces = thing_receptacles(container, size)
        things.append(thing(f"{category}_0", (4.0, 4.0, 0.0), FLOOR, size, spaces, **shut))
    else:
        size = tuple(side[widest] for side in kind.size)  # type: ignore[assignment]
        up = ENTRIES.furniture[kind.base].size[2][0] if kind.base else kind.at
        pose = Pose((4.0, 4.0, up), 180.0)
        spaces = furniture_receptacles(kind, size)
        furniture.append(
            Furniture(f"{category}_0", category, "kitchen_0", pose, size, spaces, {}, shut)
        )
    rooms = (room("kitchen_0", (0.0, 0.0), (8.0, 8.0)),)
    return House(0, "home", rooms, (), tuple(furniture), tuple(things))


@pytest.mark.sampled
@pytest.mark.parametrize("category", sorted(name for name, kinds in RELATIONS.items() if kinds))
@pytest.mark.parametrize("widest", [False, True])
def test_what_is_said_leads_to_what_is_judged(category: str, widest: bool) -> None:
    """Whoever puts a thing where a preposition says finds that what is asked for with this
    preposition holds; and where "to" leaves open which, it holds either way. The other relation is
    refused with the word to use, so that nothing is put where it does not count."""
    house = furnished(category, widest)
    target, relations = f"{category}_0", RELATIONS[category]
    for preposition in ("on", "within"):
        simulation = Simulation(house, {"human": HUMAN}, poses={"human": Pose((2.0, 1.5, 0.0))})
        state = simulation.state
        if "open" in state.states[target]:
            assert simulation.do("human", Action("Navigate", (target,))).ok
            assert simulation.do("human", Action("Open", (target,))).ok
        relation = resolve_relation(preposition, relations)
        assert resolve_relation(PREPOSITIONS[relation], relations) == relation
        if preposition != relation:
            event = simulation.do("human", Action("Rearrange", ("box_0", preposition, target)))
            assert event.message == (
                f'nothing can be placed "{preposition}" {target}; use "{relation}"'
            )
        event = simulation.do("human", Action("Rearrange", ("box_0", relation, target)))
        assert event.ok, event.message
        assert is_on_top(state, "box_0", target)
        assert relation == "on" or is_inside(state, "box_0", target)


def test_what_is_too_large_for_the_edge_of_a_sink_may_go_into_it() -> None:
    house = furnished("sink", widest=False, item=(0.25, 0.25, 0.2))
    simulation = Simulation(house, {"human": HUMAN}, poses={"human": Pose((2.0, 1.5, 0.0))})
    refused = simulation.do("human", Action("Rearrange", ("box_0", "on", "sink_0")))
    assert 'take something away, put it "within" sink_0 or use another place' in refused.message
    assert simulation.do("human", Action("Place", ("box_0", "within", "sink_0"))).ok


def test_basins_are_never_shut_and_the_cupboard_below_is_another_piece() -> None:
    for category in ("sink", "washbasin", "bathtub", "bidet"):
        assert "within" in RELATIONS[category]
        assert "openable" not in ENTRIES.affords(category)
    assert ENTRIES.furniture["sink"].base == "sink_cupboard"
    assert "openable" in ENTRIES.affords("sink_cupboard")
