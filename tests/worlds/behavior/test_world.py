"""Every action of BEHAVIOR: what it does, and each way it fails."""

from __future__ import annotations

import pytest

from homebody.core import Action, ErrorType, Fact, State, execute
from homebody.worlds.behavior import (
    QUIRKS,
    WORLD_QUIRKS,
    Behavior,
    Thing,
    assumed_facts,
    litres,
    scene,
)

AFFORDANCE = ErrorType.AFFORDANCE
ADDITIONAL = ErrorType.ADDITIONAL_STEP
MISSING = ErrorType.MISSING_STEP
ORDER = ErrorType.WRONG_ORDER
CRASH = ErrorType.EXECUTION_FAILURE
AGENT = "agent.n.01_1"


def thing(name: str, kind: str, *abilities: str, **more: bool) -> Thing:
    return Thing(name, f"{kind}.n.01", f"{kind}.n.01", frozenset(abilities), **more)


THINGS = (
    thing("floor_k", "floor", "dustyable", "stainable", floor=True),
    thing("floor_b", "floor", "dustyable", "stainable", floor=True),
    thing("table", "table", "dustyable", "stainable"),
    thing("fridge", "electric_refrigerator", "openable", "coldSource", fixed=True),
    thing("sink_1", "sink", "toggleable", "waterSource", fixed=True),
    thing("dishwasher_1", "dishwasher", "openable", "toggleable", fixed=True),
    thing("stove", "stove", "openable", "toggleable", "heatSource", fixed=True),
    thing("car", "car", "openable"),
    thing("plate", "plate", "dustyable", "stainable"),
    thing("jar", "jar", "openable"),
    thing("frying_pan_1", "frying_pan"),
    thing("saucepan_1", "saucepan"),
    thing("apple", "apple", "sliceable", "cookable", "freezable"),
    thing("pea", "pea", "cookable", "freezable"),
    thing("knife", "knife", "slicer"),
    thing("rag", "rag", "cleaningTool", "soakable", "stainable", "dustyable"),
    thing("soap_1", "soap"),
    thing("carton_1", "carton", "openable"),
    thing("box", "package", "openable"),
)
FACTS: tuple[Fact, ...] = (
    *(("onfloor", name, "floor_k") for name in ("table", "fridge", "carton_1", "car")),
    ("onfloor", AGENT, "floor_k"),
    ("onfloor", "box", "floor_b"),
    *(("ontop", name, "table") for name in ("plate", "jar", "knife", "rag", "soap_1")),
    *(("ontop", name, "table") for name in ("frying_pan_1", "saucepan_1")),
    ("ontop", "apple", "plate"),
    ("inside", "pea", "fridge"),
    ("nextto", "plate", "jar"),
    ("open", "carton_1"),
)
PUBLISHED = Behavior(quirks=WORLD_QUIRKS)


def start(*more: Fact, without: tuple[Fact, ...] = ()) -> State:
    return scene(THINGS, [f for f in (*FACTS, *more) if f not in without])


def plan(*lines: str) -> list[Action]:
    return [Action(words[0], tuple(words[1:])) for words in map(str.split, lines)]


def run(*lines: str, more: tuple[Fact, ...] = (), world: Behavior | None = None) -> State:
    """The state after a plan that must succeed."""
    trace = execute(world or Behavior(), start(*more), plan(*lines))
    assert trace.failure is None, trace.failure
    assert not trace.skipped
    return trace.final


def fails(
    *lines: str, more: tuple[Fact, ...] = (), world: Behavior | None = None
) -> tuple[ErrorType, str]:
    """Why the last action of a plan fails, of which all others succeed."""
    world = world or Behavior()
    *before, last = plan(*lines)
    trace = execute(world, start(*more), before)
    assert trace.failure is None, trace.failure
    outcome = world.step(trace.final, last, trace.states[:-1])
    assert outcome.failure is not None
    assert outcome.state is trace.final
    return outcome.failure.error, outcome.failure.message


def true(state: State, *facts: str) -> bool:
    view = Behavior().view(state)
    return all(view.holds(words[0], tuple(words[1:])) for words in map(str.split, facts))


def false(state: State, *facts: str) -> bool:
    return not any(true(state, fact) for fact in facts)


DONE = [
    (["NAVIGATE_TO table"], ["nextto agent.n.01_1 table"], []),
    (["NAVIGATE_TO table", "OPEN jar"], ["open jar"], ["nextto agent.n.01_1 table"]),
    (["NAVIGATE_TO box"], ["onfloor agent.n.01_1 floor_b"], ["onfloor agent.n.01_1 floor_k"]),
    (
        ["LEFT_GRASP plate"],
        ["holds_lh plate", "ontop apple plate"],
        ["ontop plate table", "nextto jar plate", "nextto plate jar"],
    ),
    (["RIGHT_GRASP jar", "LEFT_GRASP jar"], ["holds_lh jar"], ["holds_rh jar"]),
    (["LEFT_GRASP jar", "LEFT_RELEASE jar"], ["onfloor jar floor_k"], ["holds_lh jar"]),
    (["LEFT_GRASP jar", "OPEN box", "LEFT_RELEASE jar"], ["onfloor jar floor_b"], []),
    (["LEFT_GRASP jar", "LEFT_PLACE_ONTOP box"], ["ontop jar box"], ["holds_lh jar"]),
    (["LEFT_GRASP jar", "LEFT_PLACE_ONTOP floor_b"], ["onfloor jar floor_b"], []),
    (["LEFT_GRASP soap_1", "LEFT_PLACE_INSIDE carton_1"], ["inside soap_1 carton_1"], []),
    (
        ["RIGHT_GRASP jar", "RIGHT_PLACE_NEXTTO rag"],
        ["nextto jar rag", "nextto rag jar", "ontop jar table"],
        [],
    ),
    (["RIGHT_GRASP jar", "RIGHT_PLACE_NEXTTO sink_1"], ["onfloor jar floor_k"], []),
    (
        ["RIGHT_GRASP jar", "RIGHT_PLACE_UNDER table"],
        ["under jar table", "onfloor jar floor_k"],
        [],
    ),
    (
        ["RIGHT_GRASP jar", "RIGHT_PLACE_NEXTTO_ONTOP rag box"],
        ["nextto jar rag", "nextto rag jar", "ontop jar box"],
        ["ontop jar table"],
    ),
    (
        ["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_INSIDE carton_1"],
        ["inside apple carton_1", "holds_lh plate"],
        ["ontop apple plate"],
    ),
    (["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_ONTOP box"], ["ontop apple box"], []),
    (["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_ONTOP floor_b"], ["onfloor apple floor_b"], []),
    (["OPEN fridge"], ["open fridge"], []),
    (["CLOSE carton_1"], [], ["open carton_1"]),
    (["TOGGLE_ON sink_1"], ["toggled_on sink_1"], []),
    (["TOGGLE_ON sink_1", "TOGGLE_OFF sink_1"], [], ["toggled_on sink_1"]),
    (
        ["LEFT_GRASP knife", "SLICE apple"],
        ["sliced apple_part_0", "ontop apple_part_1 plate", "sliced apple", "ontop apple plate"],
        [],
    ),
    (["LEFT_GRASP rag", "CLEAN plate"], ["stained plate"], ["dusty plate"]),
    (["LEFT_GRASP soap_1", "CLEAN plate"], ["dusty plate"], ["stained plate"]),
    (
        ["LEFT_GRASP rag", "LEFT_PLACE_INSIDE sink_1", "TOGGLE_ON sink_1", "SOAK rag"],
        ["soaked rag", "inside rag sink_1"],
        [],
    ),
    (["LEFT_GRASP rag", "LEFT_PLACE_INSIDE saucepan_1", "SOAK rag", "DRY rag"], [], ["soaked rag"]),
    (["OPEN fridge", "FREEZE pea"], ["frozen pea"], []),
    (["OPEN fridge", "FREEZE pea", "UNFREEZE pea"], [], ["frozen pea"]),
    (["LEFT_GRASP apple", "LEFT_PLACE_ONTOP frying_pan_1", "COOK apple"], ["cooked apple"], []),
]
DIRT = (("dusty", "plate"), ("stained", "plate"))


@pytest.mark.parametrize(("lines", "so", "not_so"), DONE)
def test_effects(lines: list[str], so: list[str], not_so: list[str]) -> None:
    final = run(*lines, more=DIRT)
    assert true(final, *so)
    assert false(final, *not_so)


FAILED = [
    (["NAVIGATE_TO pea"], MISSING, "shut inside"),
    (["LEFT_GRASP floor_k"], AFFORDANCE, "floor"),
    (["LEFT_GRASP car"], AFFORDANCE, "too big"),
    (["LEFT_GRASP sink_1"], AFFORDANCE, "fixed or too big to be held"),
    (["LEFT_GRASP jar", "LEFT_GRASP jar"], ADDITIONAL, "already"),
    (["LEFT_GRASP jar", "LEFT_GRASP rag"], ORDER, "jar is in the left hand"),
    (["LEFT_GRASP pea"], MISSING, "shut inside"),
    (["LEFT_GRASP apple_part_0"], MISSING, "its whole is not sliced"),
    (["LEFT_GRASP knife", "SLICE apple", "RIGHT_GRASP apple"], AFFORDANCE, "halves"),
    (["LEFT_RELEASE jar"], MISSING, "not in the left hand"),
    (["LEFT_RELEASE box"], MISSING, "not in the left hand"),
    (["LEFT_GRASP jar", "LEFT_RELEASE jar", "LEFT_RELEASE jar"], ORDER, "left hand"),
    (["NAVIGATE_TO box", "OPEN box", "NAVIGATE_TO box"], ADDITIONAL, "next to box"),
    (["LEFT_GRASP jar", "LEFT_PLACE_ONTOP box", "LEFT_RELEASE jar"], ORDER, "left hand"),
    (["LEFT_PLACE_ONTOP box"], MISSING, "nothing is in the left hand"),
    (["LEFT_GRASP plate", "LEFT_PLACE_ONTOP apple"], MISSING, "in the left hand"),
    (["LEFT_GRASP plate", "LEFT_PLACE_ONTOP plate"], MISSING, "in the left hand"),
    (["LEFT_GRASP jar", "LEFT_PLACE_INSIDE box"], MISSING, "not open"),
    (["LEFT_GRASP jar", "LEFT_PLACE_INSIDE floor_k"], AFFORDANCE, "floor"),
    (["LEFT_GRASP plate", "LEFT_PLACE_INSIDE soap_1"], AFFORDANCE, "too big"),
    (["LEFT_GRASP jar", "LEFT_PLACE_NEXTTO floor_k"], AFFORDANCE, "floor"),
    (["LEFT_GRASP jar", "RIGHT_GRASP rag", "LEFT_PLACE_NEXTTO rag"], ORDER, "in the right hand"),
    (["LEFT_GRASP jar", "LEFT_PLACE_UNDER floor_k"], AFFORDANCE, "floor"),
    (
        ["LEFT_GRASP jar", "LEFT_PLACE_NEXTTO_ONTOP rag rag"],
        AFFORDANCE,
        "rag cannot be next to and on rag at once",
    ),
    (["LEFT_GRASP jar", "LEFT_PLACE_NEXTTO_ONTOP pea table"], MISSING, "shut"),
    (["LEFT_GRASP jar", "LEFT_TRANSFER_CONTENTS_INSIDE carton_1"], MISSING, "nothing is in or on"),
    (["LEFT_TRANSFER_CONTENTS_ONTOP table"], MISSING, "nothing is in the left hand"),
    (["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_INSIDE box"], MISSING, "not open"),
    (["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_INSIDE soap_1"], AFFORDANCE, "too big"),
    (["OPEN plate"], AFFORDANCE, "cannot be opened"),
    (["OPEN carton_1"], ADDITIONAL, "open already"),
    (["TOGGLE_ON stove", "OPEN stove"], ORDER, "switched on"),
    (["LEFT_GRASP jar", "RIGHT_GRASP rag", "OPEN fridge"], ORDER, "no free hand"),
    (["CLOSE fridge"], ADDITIONAL, "not open"),
    (["TOGGLE_ON plate"], AFFORDANCE, "switch"),
    (["OPEN stove", "TOGGLE_ON stove"], ORDER, "open"),
    (["TOGGLE_OFF stove"], ADDITIONAL, "not switched on"),
    (["SLICE plate"], AFFORDANCE, "sliced"),
    (["SLICE apple"], MISSING, "no knife"),
    (["LEFT_GRASP knife", "SLICE apple", "SLICE apple_part_0"], ADDITIONAL, "sliced"),
    (["LEFT_GRASP knife", "RIGHT_GRASP apple", "SLICE apple"], ORDER, "in the right hand"),
    (["CLEAN jar"], AFFORDANCE, "dusty"),
    (["CLEAN table"], ADDITIONAL, "is clean"),
    (["CLEAN plate"], MISSING, "no cleaning tool"),
    (["LEFT_GRASP rag", "LEFT_PLACE_ONTOP box", "CLEAN plate"], ORDER, "no cleaning tool"),
    (["SOAK plate"], AFFORDANCE, "soaked"),
    (["LEFT_GRASP rag", "LEFT_PLACE_INSIDE sink_1", "SOAK rag"], MISSING, "running sink"),
    (["DRY rag"], ADDITIONAL, "not soaked"),
    (["FREEZE apple"], MISSING, "not in a fridge"),
    (["UNFREEZE apple"], ADDITIONAL, "not frozen"),
    (["COOK apple"], MISSING, "pan"),
    (["COOK plate"], AFFORDANCE, "cooked"),
]


@pytest.mark.parametrize(("lines", "error", "words"), FAILED)
def test_failures(lines: list[str], error: ErrorType, words: str) -> None:
    found, message = fails(*lines, more=DIRT)
    assert found is error
    assert words in message


def test_unknown_names_are_refused() -> None:
    for action in (Action("BURN", ("apple",)), Action("OPEN", ("nothing",)), Action("OPEN", ())):
        with pytest.raises(ValueError, match=r"unknown|takes 1 objects"):
            Behavior().step(start(), action)


def test_a_soaked_rag_removes_all_dirt_and_dishwashers_wash_however_deep() -> None:
    state = run("LEFT_GRASP rag", "CLEAN plate", more=(*DIRT, ("soaked", "rag")))
    assert false(state, "dusty plate", "stained plate")
    lines = ["OPEN dishwasher_1", "LEFT_GRASP rag", "LEFT_PLACE_INSIDE saucepan_1"]
    lines += ["LEFT_GRASP saucepan_1", "LEFT_PLACE_INSIDE dishwasher_1", "CLOSE dishwasher_1"]
    dirty = (("dusty", "rag"),)
    assert false(run(*lines, "TOGGLE_ON dishwasher_1", more=dirty), "dusty rag")
    mended = Behavior(quirks=frozenset({"dishwasher_cleans_top_level"}))
    assert true(run(*lines, "TOGGLE_ON dishwasher_1", more=dirty, world=mended), "dusty rag")


def test_hands_are_not_needed_where_table_27_does_not_ask_for_them() -> None:
    full = ["LEFT_GRASP jar", "RIGHT_GRASP knife"]
    wet = (("soaked", "rag"), ("frozen", "apple"))
    assert false(run(*full, "DRY rag", more=wet), "soaked rag")
    assert false(run(*full, "UNFREEZE apple", more=wet), "frozen apple")
    assert true(run(*full, "SLICE apple"), "sliced apple")
    for last in ("DRY rag", "UNFREEZE apple", "SLICE apple"):
        error, message = fails(*full, last, more=wet, world=PUBLISHED)
        assert error is (MISSING if last == "SLICE apple" else ORDER)
        assert "no free hand" in message


def test_goals_see_inside_through_other_things_and_sliced_wholes() -> None:
    state = run(
        "LEFT_GRASP plate", "LEFT_PLACE_INSIDE carton_1", "RIGHT_GRASP knife", "SLICE apple"
    )
    assert true(state, "inside apple carton_1", "inside apple_part_0 carton_1", "ontop apple plate")
    assert false(state, "inside apple plate", "ontop apple carton_1")
    published = PUBLISHED.view(state)
    assert not published.holds("inside", ("apple", "carton_1"))
    assert published.holds("ontop", ("apple", "plate"))
    rows = list(Behavior().view(state).match("inside", (None, "carton_1")))
    assert rows == [(n, "carton_1") for n in ("plate", "apple", "apple_part_0", "apple_part_1")]
    split = ["LEFT_GRASP apple_part_0", "LEFT_PLACE_ONTOP table"]
    state = execute(Behavior(), state, plan(*split)).final
    assert false(state, "ontop apple plate", "inside apple carton_1")
    assert true(state, "touching apple_part_0 table", "touching table apple_part_0")


def test_slicing_moves_what_the_whole_was_next_to_under_and_below() -> None:
    more = (("nextto", "apple", "rag"), ("ontop", "pea", "apple"))
    state = scene(THINGS, [*(f for f in FACTS if f[:2] != ("inside", "pea")), *more])
    state = execute(Behavior(), state, plan("LEFT_GRASP knife", "SLICE apple")).final
    assert true(state, "nextto apple_part_0 rag", "nextto rag apple_part_1", "nextto rag apple")
    assert state.holds("ontop", ("pea", "apple_part_0"))
    assert not state.targets("nextto", "apple")
    assert not state.targets("ontop", "apple")


# -- the published simulator --------------------------------------------------------------------

IN_SAUCEPAN = ["LEFT_GRASP rag", "LEFT_PLACE_INSIDE saucepan_1"]
ON_FRYING_PAN = ["LEFT_GRASP apple", "LEFT_PLACE_ONTOP frying_pan_1"]
PUT_AWAY = ["LEFT_GRASP jar", "LEFT_PLACE_ONTOP box"]
QUIRKY = [
    ("other_hand_is_additional_step", ["LEFT_GRASP jar", "RIGHT_GRASP jar"], ADDITIONAL),
    ("fixed_things_can_be_grasped", ["LEFT_GRASP sink_1"], None),
    ("release_by_relations", ["LEFT_RELEASE rag"], ADDITIONAL),
    ("released_things_float", ["LEFT_GRASP jar", "LEFT_RELEASE jar"], None),
    ("place_anywhere", ["LEFT_GRASP jar", "LEFT_PLACE_NEXTTO floor_k"], None),
    ("floor_as_container_crashes", ["LEFT_GRASP jar", "LEFT_PLACE_INSIDE floor_k"], CRASH),
    ("transfer_crashes", ["LEFT_GRASP plate", "LEFT_TRANSFER_CONTENTS_ONTOP box"], CRASH),
    ("transfer_crashes", ["LEFT_GRASP jar", "LEFT_TRANSFER_CONTENTS_ONTOP box"], AFFORDANCE),
    ("transfer_crashes", ["LEFT_GRASP jar", "LEFT_TRANSFER_CONTENTS_INSIDE carton_1"], None),
    ("navigate_crashes", ["NAVIGATE_TO table"], CRASH),
    ("freeze_anywhere", ["FREEZE apple"], None),
    ("parts_exist_unsliced", ["LEFT_GRASP apple_part_0"], None),
    ("soaks_in_sinks_and_teapots_only", [*IN_SAUCEPAN, "SOAK rag"], MISSING),
    ("cooks_in_saucepans_only", [*ON_FRYING_PAN, "COOK apple"], MISSING),
    ("cleaners_by_name", ["LEFT_GRASP soap_1", "CLEAN rag"], MISSING),
    ("placing_is_never_wrong_order", [*PUT_AWAY, "LEFT_PLACE_ONTOP rag"], MISSING),
    ("check_order", ["SLICE plate"], MISSING),
]


@pytest.mark.parametrize(("quirk", "lines", "error"), QUIRKY)
def test_quirks_one_by_one(quirk: str, lines: list[str], error: ErrorType | None) -> None:
    more = (("stained", "rag"),)
    for world in (Behavior(quirks=frozenset({quirk})), PUBLISHED):
        if error is None:
            run(*lines, more=more, world=world)
        else:
            assert fails(*lines, more=more, world=world)[0] is error


def test_quirks_of_effects() -> None:
    def after(quirk: str, *lines: str, more: tuple[Fact, ...] = ()) -> State:
        return run(*lines, more=more, world=Behavior(quirks=frozenset({quirk})))

    released = after("released_things_float", "LEFT_GRASP jar", "LEFT_RELEASE jar")
    assert not released.targets("onfloor", "jar")
    beside = ("LEFT_GRASP jar", "LEFT_PLACE_NEXTTO sink_1")
    assert not after("floors_only_if_stated", *beside).targets("onfloor", "jar")
    carried = ("nextto", "apple", "jar")
    assert false(run("LEFT_GRASP plate", more=(carried,)), "nextto apple jar")
    kept = after("contents_keep_neighbours", "LEFT_GRASP plate", more=(carried,))
    assert true(kept, "nextto apple jar")
    assert false(kept, "nextto plate jar")
    big = ("ontop", "box", "soap_1")
    assert true(run("LEFT_GRASP soap_1", more=(big,)), "ontop box soap_1")
    assert false(
        after("big_contents_stay_behind", "LEFT_GRASP soap_1", more=(big,)), "ontop box soap_1"
    )
    on_apple = ("ontop", "jar", "apple")
    state = scene(THINGS, [*(f for f in FACTS if f != ("ontop", "jar", "table")), on_apple])
    world = Behavior(quirks=frozenset({"sliced_whole_keeps_contents"}))
    sliced = execute(world, state, plan("LEFT_GRASP knife", "SLICE apple")).final
    assert sliced.holds("ontop", ("jar", "apple"))


def test_history_of_all_checks() -> None:
    """The pea was in the open fridge before, but frozen then."""
    lines = [
        "OPEN fridge",
        "LEFT_GRASP pea",
        "LEFT_PLACE_ONTOP table",
        "UNFREEZE pea",
        "FREEZE pea",
    ]
    frozen = (("frozen", "pea"),)
    assert fails(*lines, more=frozen)[0] is ORDER
    world = Behavior(quirks=frozenset({"history_of_all_checks"}))
    assert fails(*lines, more=frozen, world=world)[0] is MISSING


def test_one_relation_per_pair() -> None:
    both = (("under", "jar", "table"), ("nextto", "jar", "table"))
    state = start(*both)
    assert PUBLISHED.view(state).holds("nextto", ("jar", "table"))
    assert not PUBLISHED.view(state).holds("under", ("jar", "table"))
    assert true(state, "under jar table", "nextto jar table")
    lines = ["LEFT_GRASP jar", "RIGHT_GRASP rag", "RIGHT_PLACE_UNDER jar", "LEFT_PLACE_NEXTTO rag"]
    assert false(run(*lines, world=PUBLISHED), "under rag jar")


def test_all_printed_types_are_there_for_whoever_ranks_them_otherwise() -> None:
    world, before = PUBLISHED, start()
    after = execute(world, before, plan("LEFT_GRASP knife", "SLICE apple")).states
    tried = Action("RIGHT_GRASP", ("apple",))
    assert world.errors(after[-1], tried, after[:-1]) == (AFFORDANCE, ORDER)
    assert Behavior().errors(after[-1], tried, after[:-1]) == (AFFORDANCE,)
    assert world.errors(before, Action("NAVIGATE_TO", ("table",))) == (CRASH,)
    assert world.errors(before, Action("OPEN", ("fridge",))) == ()
    dirty = start(*DIRT, ("dusty", "table"))
    cleaning = execute(world, dirty, plan("LEFT_GRASP rag"))
    assert world.errors(cleaning.final, Action("CLEAN", ("plate",))) == (MISSING,)
    assert world.step(cleaning.final, Action("CLEAN", ("plate",))).failure is None


def test_goals_crash_where_things_nest_and_nothing_else_is_related() -> None:
    things = THINGS[2:5] + THINGS[8:10]
    nested = scene(things, [("ontop", "plate", "table"), ("ontop", "jar", "plate")])
    assert PUBLISHED.goal_check_crashes(nested)
    assert not Behavior().goal_check_crashes(nested)
    assert not PUBLISHED.goal_check_crashes(nested.change(delete=[("ontop", "plate", "table")]))
    assert not PUBLISHED.goal_check_crashes(start())


def test_a_thing_sliced_on_its_own_half_never_ends() -> None:
    lines = ("LEFT_GRASP apple", "LEFT_PLACE_ONTOP apple_part_0", "LEFT_GRASP knife", "SLICE apple")
    assert fails(*lines, world=PUBLISHED)[0] is CRASH


def test_each_quirk_is_described() -> None:
    assert set(QUIRKS) == WORLD_QUIRKS
    assert all(text.endswith(".") for texts in QUIRKS.values() for text in texts)


# -- scenes -------------------------------------------------------------------------------------

CONTRADICTIONS = [
    (("ontop", "jar", "nothing"), "unknown object"),
    (("inside", "table", "plate"), "itself"),
    (("ontop", "plate", "plate"), "itself"),
    (("inside", "jar", "fridge"), "cannot be in or on all of"),
    (("inside", "jar", "floor_k"), "is a floor"),
    (("onfloor", "jar", "table"), "not a floor"),
    (("onfloor", "floor_b", "floor_k"), "is a floor"),
    (("open", "jar", "table"), "number of objects"),
    (("ontop", "jar"), "number of objects"),
    (("holds_lh", "jar"), "hands must be empty"),
    (("not", "open", "carton_1"), "both true and false"),
    ((), "number of objects"),
]


@pytest.mark.parametrize(("fact", "words"), CONTRADICTIONS)
def test_contradictions_are_refused(fact: Fact, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        start(fact)


def test_scenes_state_what_follows() -> None:
    state = start(("ontop", "knife", "floor_k"), without=(("ontop", "knife", "table"),))
    assert state.holds("onfloor", ("knife", "floor_k"))
    assert state.holds("nextto", ("jar", "plate"))
    nearer = start(("inside", "apple", "carton_1"), ("inside", "table", "carton_1"))
    assert nearer.targets("inside", "apple") == frozenset()
    assert "apple_part_1" in state.objects
    assert "plate_part_0" not in state.objects
    cut = start(("sliced", "apple"))
    assert true(cut, "ontop apple_part_0 plate", "sliced apple_part_1", "ontop apple plate")


def test_cartons_are_open_unless_said_otherwise() -> None:
    assert assumed_facts(THINGS, ()) == (("open", "carton_1"),)
    assert assumed_facts(THINGS, [("not", "open", "carton_1")]) == ()
    assert assumed_facts(THINGS, [("open", "carton_1")]) == ()


def test_sizes_are_looked_up_by_kind_then_ancestor() -> None:
    assert litres("carton.n.02") == litres("carton") > litres("hardback.n.01")
    assert litres("unheard_of", ["also_unheard_of", "table.n.02"]) == litres("table")
    assert litres("unheard_of.n.01") == 1.0
