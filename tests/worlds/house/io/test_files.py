"""Files of houses and episodes: the same back, the same bytes, and nothing bad gets in."""

from __future__ import annotations

import dataclasses
import gzip
import inspect
import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import find_call
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import files, schema
from homebody.worlds.house.model import agents, house
from homebody.worlds.house.model.agents import COMPANION, HUMAN, ROBOT
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.recipe import GENERATOR, HouseRecipe
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.simulation import knowledge as graph
from homebody.worlds.house.simulation import scenario
from homebody.worlds.house.simulation.scenario import Role, Scenario
from worlds.house import handmade

KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery")
SMALL = generate(3, rooms=4)
SCENARIO = Scenario(
    SMALL,
    (Role("robot", ROBOT), Role("human", HUMAN.with_hands("right", "left"))),
    instruction="Bring the cup, bitte: sofort, Käthe.",
    goal={"z": [1, 1.0, True, None, "é"], "a": {"deep": [[]], "empty": {}}},
    seed=7,
    failures={"Pick": 0.123456},
    errors=graph.PerceptionErrors(missed=0.05),
    max_steps=900,
)


def document(content: House | Scenario = SMALL) -> Any:
    return json.loads(files.encode(content))


def encoded(document: Any) -> bytes:
    return json.dumps(document).encode()


PEOPLED = generate(2, "restaurant", rooms=3, people=2)
AWAKE = Scenario(PEOPLED, (Role("robot", COMPANION),), seed=3, awake=("person_1",))


# -- there and back -------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("kind", KINDS)
def test_a_generated_house_comes_back_as_it_was(kind: str) -> None:
    for seed in range(3):
        made = generate(seed, kind)
        content = files.encode(made)
        back = files.decode(content)
        assert back == made
        assert repr(back) == repr(made)  # also the order of states and colours
        assert files.encode(back) == content


@pytest.mark.parametrize("name", ["flat.json", "flat.json.gz"])
def test_files_come_back(tmp_path: Path, name: str) -> None:
    for at in (tmp_path / name, str(tmp_path / name)):
        files.save(SMALL, at)
        first = (tmp_path / name).read_bytes()
        files.save(SMALL, at)
        assert (tmp_path / name).read_bytes() == first
        assert files.load(at) == SMALL
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_handmade_houses_come_back() -> None:
    assert files.decode(files.encode(handmade.two_rooms())) == handmade.two_rooms()
    content = files.encode(handmade.six_rooms())
    assert files.encode(files.decode(content)) == content


def test_an_episode_comes_back(tmp_path: Path) -> None:
    files.save(SCENARIO, tmp_path / "episode.json.gz")
    back = files.load_scenario(tmp_path / "episode.json.gz")
    assert back == SCENARIO
    assert json.dumps(back.goal) == json.dumps(SCENARIO.goal)  # 1 and 1.0 differ, order is kept
    assert isinstance(back.agents[0].agent, agents.Agent)
    assert scenario.start(back, files.house_of(back)).state.house == SMALL


@pytest.mark.parametrize("goal", [0, "", [], {}, False, [{"a": 1}, {"b": 2}], "x" * 1000])
def test_any_goal_is_kept_as_given(goal: object) -> None:
    episode = Scenario(HouseRecipe(1), (Role("robot", ROBOT),), goal=goal)
    back = files.decode_scenario(files.encode(episode))
    assert repr(back.goal) == repr(goal)
    assert back == episode


@pytest.mark.parametrize("goal", [float("nan"), {1, 2}, (1, 2), {"a": object()}, {1: 2}, "\ud800"])
def test_a_goal_that_is_no_json_is_refused(goal: object) -> None:
    with pytest.raises(HomebodyError):
        files.encode(Scenario(HouseRecipe(1), (Role("robot", ROBOT),), goal=goal))


def test_an_agent_without_hands_or_skills_comes_back() -> None:
    bare = agents.Agent(skills=frozenset(), hands=(), view=120.0)
    episode = Scenario(HouseRecipe(1), (Role("camera", bare, Pose((1.0, 2.0, 0.0), 90.0)),))
    assert files.decode_scenario(files.encode(episode)) == episode


def test_a_recipe_makes_its_house_and_notices_another() -> None:
    recipe = HouseRecipe(3, rooms=4, digest=files.digest(SMALL))
    episode = Scenario(recipe, (Role("robot", ROBOT),))
    back = files.decode_scenario(files.encode(episode))
    assert back == episode
    assert files.house_of(back) == SMALL
    other = dataclasses.replace(episode, house=dataclasses.replace(recipe, seed=4))
    with pytest.raises(HomebodyError, match="differs from the one"):
        files.house_of(other)


def test_a_recipe_has_all_that_a_house_is_made_from() -> None:
    parameters = set(inspect.signature(generate).parameters) - {"catalogue"}
    fields = {field.name for field in dataclasses.fields(HouseRecipe)}
    assert fields == parameters | {"digest", "generator"}
    recipe = HouseRecipe(3, "home", type="studio", density=0.5)
    episode = files.decode_scenario(files.encode(Scenario(recipe, (Role("robot", ROBOT),))))
    assert files.house_of(episode) == generate(3, "home", type="studio", density=0.5)


@pytest.mark.parametrize(("version", "hint"), [(GENERATOR - 1, "houses in them"), (99, "newer")])
def test_recipes_for_another_generator_are_refused(version: int, hint: str) -> None:
    recipe = HouseRecipe(3, rooms=4, generator=version)
    episode = files.decode_scenario(files.encode(Scenario(recipe, (Role("robot", ROBOT),))))
    with pytest.raises(HomebodyError, match=f"version {version} of the generator") as refused:
        files.house_of(episode)
    assert hint in str(refused.value.hint)


def test_numbers_are_rounded() -> None:
    rough = deepcopy(handmade.two_rooms())
    table = dataclasses.replace(rough.furniture[0], pose=Pose((2.00049, 1.9996, -0.0), 0.0))
    cup = dataclasses.replace(rough.things[0], pose=Pose((1.8, 2.0, 0.75), 33.333))
    back = files.decode(
        files.encode(
            dataclasses.replace(
                rough, furniture=(table, *rough.furniture[1:]), things=(cup, *rough.things[1:])
            )
        )
    )
    assert back.furniture[0].pose == Pose((2.0, 2.0, 0.0), 0.0)
    assert str(back.furniture[0].pose.position[2]) == "0.0"
    assert back.things[0].pose.yaw == 33.3


def test_the_bytes_are_these() -> None:
    """Fixed: whoever changes them makes a new version."""
    made = House(5, "home", (handmade.room("kitchen_0", (0.0, 0.0), (4.0, 3.0)),))
    assert files.encode(made).decode() == (
        '{\n "format": "homebody.house",\n "version": 1,\n "seed": 5,\n "kind": "home",\n'
        ' "rooms": [\n  {"name":"kitchen_0","kind":"kitchen","outline":[[0.0,0.0],[4.0,0.0],'
        '[4.0,3.0],[0.0,3.0]],"height":2.6,"floor":"oak_planks","walls":[1.0,1.0,1.0],'
        '"covering":"paint"}\n ],\n'
        ' "wall": 0.12\n}\n'
    )


# -- the format -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [
        house.Pose,
        house.Room,
        house.Opening,
        house.Receptacle,
        house.Furniture,
        house.Thing,
        house.Person,
        house.House,
        scenario.HouseRecipe,
        graph.PerceptionErrors,
    ],
)
def test_the_format_has_the_fields_of_the_model(model: Any) -> None:
    fields = msgspec.structs.fields(schema.record_of(model))
    assert [field.name for field in dataclasses.fields(model)] == [field.name for field in fields]


def test_a_role_has_the_fields_of_an_agent() -> None:
    fields = [field.name for field in msgspec.structs.fields(schema.record_of(scenario.Role))]
    assert fields == ["name", *(field.name for field in dataclasses.fields(agents.Agent)), "pose"]


def test_the_schema_accepts_what_is_saved() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for content, kind in ((SMALL, "house"), (SCENARIO, "scenario")):
        checker = jsonschema.Draft202012Validator(files.schema(kind))
        checker.check_schema(files.schema(kind))
        checker.validate(document(content))
        broken = document(content) | {"version": 2}
        assert not checker.is_valid(broken)
    with pytest.raises(ValueError, match="no kind of file 'flat'"):
        files.schema("flat")


# -- what is refused ------------------------------------------------------------------------------

DELETE = object()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("furniture 3 room", "attic_0", "furniture[3].room: there is no room attic_0"),
        ("furniture 0 receptacles 0 kind", "under", "furniture[0].receptacles[0].kind: invalid"),
        ("furniture 0 pose position 1", "x", "furniture[0].pose.position[1]: expected `float`"),
        ("furniture 0 pose position 1", None, "furniture[0].pose.position[1]: expected `float`"),
        ("furniture 0 pose position 1", 1e5, "furniture[0].pose.position[1]: expected `float` <="),
        ("furniture 0 pose yaw", 45.0, "furniture[0].pose.yaw: furniture stands at multiples"),
        ("furniture 0 size 2", 0, "furniture[0].size[2]: expected `float` > 0"),
        ("furniture 0 key", "key_77", "furniture[0].key: there is no object key_77"),
        ("furniture 0 name", "kitchen_0", "furniture[0].name: kitchen_0 is also the name of"),
        ("furniture 0 name", "a b", "furniture[0].name: expected `str` without spaces"),
        ("furniture 0 name", "a\n", "furniture[0].name: expected `str` without spaces"),
        ("furniture 0 name", "next_to", "furniture[0].name: next_to is a word of actions"),
        ("furniture 0 states", {"opened": True}, "a key of furniture[0].states: invalid"),
        ("furniture 0 style", {"body": [0, 0, 2]}, "furniture[0].style[...][2]: expected"),
        ("furniture 0 colour", "red", "furniture[0]: object contains unknown field `colour`"),
        ("furniture 0 size", DELETE, "furniture[0]: object missing required field `size`"),
        ("things 0 place", ["table_99", "top"], "things[0].place[0]: there is no furniture"),
        ("things 0 place 1", "nowhere", "things[0].place[1]: "),
        ("things 0 place", ["floor_kitchen_0", "top"], "things[0].place[1]: a floor has no"),
        ("rooms 0 outline", [[0, 0]] * 3, "rooms[0].outline: expected `array` of length >= 4"),
        ("rooms 0 outline", [[0, 0], [1, 1], [2, 0], [0, 2]], "rooms[0].outline: each wall"),
        ("rooms 0 outline", [[0, 0], [0, 1], [1, 1], [1, 0]], "rooms[0].outline: its corners"),
        (
            "rooms 0 outline",
            [[0, 0], [3, 0], [3, 2], [1, 2], [1, -1], [2, -1], [2, 1], [0, 1]],
            "rooms[0].outline: its walls cross",
        ),
        ("rooms 0 outline", [[0, 0], [300, 0], [300, 1], [0, 1]], "rooms: the house is more than"),
        ("rooms", [], "rooms: expected `array` of length >= 1"),
        (
            "openings 0 rooms",
            ["kitchen_0", "kitchen_0"],
            "openings[0].rooms: must be two different rooms",
        ),
        ("openings 0 rooms 0", "attic_0", "openings[0].rooms[0]: there is no room attic_0"),
        ("openings 0 end", [50, 50], "openings[0].end: the opening must be along"),
        ("openings 0 top", 0.0, "openings[0].top: expected"),
        ("seed", -1, "seed: expected `int` >= 0"),
        ("seed", 10**30, "seed: expected `int` <="),
        ("version", 2, "version: is 2; this homebody reads version 1"),
        ("format", "homebody.episode", "format: is 'homebody.episode', not 'homebody.house'"),
        ("format", DELETE, "object missing required field `format`"),
    ],
)
def test_errors_name_the_place(path: str, value: object, message: str) -> None:
    data = document()
    *way, last = [int(step) if step.isdigit() else step for step in path.split()]
    at = data
    for step in way:
        at = at[step]
    if value is DELETE:
        del at[last]
    else:
        at[last] = value
    with pytest.raises(HomebodyError) as caught:
        files.decode(encoded(data))
    assert str(caught.value).startswith(message)


DOORS = document(handmade.with_door(key="key_0", locked=True))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hinge": "top"}, "openings[0].hinge: invalid enum value 'top'"),
        ({"hinge": ""}, "openings[0].hinge: a door turns about one of its ends"),
        ({"swings_into": ""}, "openings[0].swings_into: must be one of its rooms: kitchen_0 or"),
        ({"swings_into": "attic_0"}, "openings[0].swings_into: must be one of its rooms"),
        ({"rooms": ["kitchen_0"]}, "openings[0].rooms: a door joins two rooms"),
        ({"key": "cup_99"}, "openings[0].key: there is no object cup_99"),
        ({"states": {"open": True}}, "openings[0].states: a door has the states open and locked"),
        (
            {"states": {"open": True, "locked": True}},
            "openings[0].states: a locked door must be shut",
        ),
        ({"states": {"ajar": True}}, "a key of openings[0].states: invalid enum value 'ajar'"),
        ({"kind": "doorway"}, "openings[0].hinge: only a door has this, not a doorway"),
        ({"kind": "gate"}, "openings[0].kind: invalid enum value 'gate'"),
    ],
)
def test_errors_of_doors_name_the_place(change: dict[str, Any], message: str) -> None:
    data = deepcopy(DOORS)
    data["openings"][0] |= change
    with pytest.raises(HomebodyError) as caught:
        files.decode(encoded(data))
    assert str(caught.value).startswith(message)


def test_doors_come_back() -> None:
    house = handmade.with_door(key="key_0", locked=True)
    assert files.decode(files.encode(house)) == house


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": []}, "agents: expected `array` of length >= 1"),
        ({"recipe": {"seed": 1}}, "house: an episode has either"),
        ({"house": None}, "house: an episode has either"),
        ({"failures": {"Fly": 0.5}}, "failures.Fly: there is no such skill"),
        ({"failures": {"Pick": 1.5}}, "failures[...]: expected `float` <= 1"),
        ({"max_steps": 0}, "max_steps: expected `int` >= 1"),
    ],
)
def test_errors_of_episodes_name_the_place(change: dict[str, Any], message: str) -> None:
    with pytest.raises(HomebodyError) as caught:
        files.decode_scenario(encoded(document(SCENARIO) | change))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "human"}, "agents[1].name: human is taken by agents[0]"),
        ({"name": "kitchen_0"}, "agents[0].name: kitchen_0 is taken by the house"),
        ({"skills": ["Pick", "Fly"]}, "agents[0].skills[1]: there is no skill Fly"),
        ({"hands": ["left", "left"]}, "agents[0].hands: two hands"),
        ({"size": [0.5, 0.6, 1.0]}, "agents[0].size: an agent's width and depth"),
        ({"speed": 0.0}, "agents[0].speed: expected `float` >= 0.01"),
    ],
)
def test_errors_of_agents_name_the_place(change: dict[str, Any], message: str) -> None:
    data = document(SCENARIO)
    data["agents"][0] |= change
    with pytest.raises(HomebodyError) as caught:
        files.decode_scenario(encoded(data))
    assert str(caught.value).startswith(message)


def test_the_place_in_the_house_of_an_episode_is_named() -> None:
    data = document(SCENARIO)
    data["house"]["furniture"][2]["room"] = "attic_0"
    with pytest.raises(HomebodyError, match=r"^house\.furniture\[2\]\.room: "):
        files.decode_scenario(encoded(data))


def test_things_in_themselves_are_refused() -> None:
    data = document(handmade.two_rooms())
    basket = next(thing for thing in data["things"] if thing["name"] == "basket_0")
    basket["place"] = ["basket_0", "inside"]
    with pytest.raises(HomebodyError, match=r"things\[7\]\.place: it is in itself"):
        files.decode(encoded(data))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[" * 2_000_000,
        b'{"format":"homebody.episode","version":1,"goal":' + b'{"a":' * 500_000,
        b'{"format":"homebody.house","version":1,"seed":1' + b"0" * 10_000 + b"}",
        b'{"format":"homebody.house","version":1,"wall":NaN}',
        b'{"format":"homebody.house","version":1,"wall":Infinity}',
        b'{"format":"homebody.house","version":1,"wall":1e999}',
        b'{"format":"homebody.house","version":1,"kind":"\xff\xfe"}',
        b'{"format":"homebody.house","version":1,"kind":"\\ud800"}',
        b"\x1f\x8b" + b"\0" * 50,
        "\ufeff{}".encode("utf-16"),
    ],
)
def test_what_is_no_house_gets_a_sentence(tmp_path: Path, content: bytes) -> None:
    at = tmp_path / "bad.json"
    at.write_bytes(content)
    for read in (files.load, files.load_scenario):
        with pytest.raises(HomebodyError) as caught:
            read(at)
        assert str(caught.value).startswith(f"{at}: ")
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b'"seed":', b'"seed": 5,\n "seed":', "seed"),
        (b'"kind":"on"', b'"kind":"within","kind":"on"', "furniture["),
        (b'"category":', b'"category":"x","categ\\u006fry":', ".category"),
    ],
)
def test_a_key_that_is_there_twice_is_refused(old: bytes, new: bytes, place: str) -> None:
    content = files.encode(SMALL)
    assert old in content
    with pytest.raises(HomebodyError, match="appears twice") as caught:
        files.decode(content.replace(old, new, 1))
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"hello", "is not JSON: invalid character (byte 0)"), (b'{"format"', "is truncated")],
)
def test_what_is_no_json_is_called_so(content: bytes, message: str) -> None:
    with pytest.raises(HomebodyError) as caught:
        files.decode(content)
    assert str(caught.value) == message


def test_a_goal_has_no_key_twice_either() -> None:
    content = files.encode(SCENARIO).replace(b'"deep":', b'"deep":1,"deep":', 1)
    with pytest.raises(HomebodyError, match=r"^goal\.a\.deep: appears twice"):
        files.decode_scenario(content)


def test_lists_of_a_file_are_bounded() -> None:
    bounds = files.schema("house")["$defs"]["HouseFile"]["properties"]
    for part in ("rooms", "openings", "furniture", "things", "people"):
        assert bounds[part]["maxItems"] <= 20_000
    data = document()
    data["people"] = [None] * 501
    with pytest.raises(HomebodyError, match="people"):
        files.decode(encoded(data))


def test_bombs_are_bounded(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.json.gz"
    bomb.write_bytes(gzip.compress(b" " * (files.MAX_BYTES + 10), 9))
    with pytest.raises(HomebodyError, match="is larger than"):
        files.load(bomb)


def test_cut_and_lengthened_archives_are_refused(tmp_path: Path) -> None:
    at = tmp_path / "house.json.gz"
    files.save(SMALL, at)
    whole = at.read_bytes()
    for damaged in (whole[:-1], whole[: len(whole) // 2], whole + b"x", whole + whole):
        at.write_bytes(damaged)
        with pytest.raises(HomebodyError, match="is damaged"):
            files.load(at)


def test_missing_and_unwritable_files_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="cannot be read"):
        files.load(tmp_path / "none.json")
    with pytest.raises(HomebodyError, match="cannot be read"):
        files.load(tmp_path)
    with pytest.raises(HomebodyError, match="cannot write"):
        files.save(SMALL, tmp_path / "none" / "house.json")


def test_what_could_not_be_read_is_not_written(tmp_path: Path) -> None:
    at = tmp_path / "house.json"
    files.save(SMALL, at)
    before = at.read_bytes()
    for wrong in (
        dataclasses.replace(SMALL, wall=float("nan")),
        dataclasses.replace(SMALL, things=(*SMALL.things, SMALL.things[0])),
        dataclasses.replace(SMALL, rooms=()),
    ):
        with pytest.raises(HomebodyError):
            files.save(wrong, at)
    assert at.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


# -- damage ---------------------------------------------------------------------------------------

CONTENT = files.encode(generate(1, "gallery", rooms=2))
QUICK = settings(max_examples=150)


def survives(content: bytes) -> None:
    """A house or a sentence; a house can be saved and used."""
    try:
        house = files.decode(content)
    except HomebodyError:
        return
    again = files.encode(house)
    assert files.encode(files.decode(again)) == again
    state = HouseState.start(house)
    for named in (*house.furniture, *house.things):
        state.box(named.name)


@QUICK
@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 40), st.binary(max_size=20))
def test_damaged_bytes(at: int, gone: int, new: bytes) -> None:
    survives(CONTENT[:at] + new + CONTENT[at + gone :])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=True)
    | st.text(max_size=8)
    | st.sampled_from(["on", "within", "kitchen_0", "floor_kitchen_0", "table_0", "top", "a b"]),
    lambda values: (
        st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=5), values, max_size=3)
    ),
    max_leaves=6,
)


@QUICK
@given(st.integers(0, 2**32), VALUES, st.integers(1, 3))
def test_damaged_values(seed: int, value: object, times: int) -> None:
    chance = random.Random(seed)
    data = json.loads(CONTENT)
    for _ in range(times):
        at = data
        while True:
            keys: Any = list(at) if isinstance(at, dict) else range(len(at))
            key = chance.choice(list(keys))
            if not isinstance(at[key], (dict, list)) or not at[key] or chance.random() < 0.2:
                break
            at = at[key]
        change = chance.randrange(3)
        if change == 0:
            at[key] = deepcopy(value)  # or it may end up in itself
        elif change == 1:
            del at[key]
        elif isinstance(at, list):
            at.insert(key, deepcopy(at[key]))
        else:
            at[f"{key}_"] = deepcopy(value)
        if not data:
            break
    survives(encoded(data))


# -- awake people ---------------------------------------------------------------------------------


def test_people_who_get_up_are_saved_and_played_to_the_same_bytes() -> None:
    recipe = HouseRecipe(2, "restaurant", rooms=3, people=2, digest=files.digest(PEOPLED))
    for made in (AWAKE, dataclasses.replace(AWAKE, house=recipe)):
        data = files.encode(made)
        back = files.decode_scenario(data)
        assert back == made
        assert files.encode(back) == data
    played = [_played(made) for made in (AWAKE, files.decode_scenario(files.encode(AWAKE)))]
    assert played[0] == played[1]
    assert "person_1 says: I will" in played[0]


def _played(made: Scenario) -> str:
    """What is told to the robot, which has somebody lead the way."""
    simulation = scenario.start(made, files.house_of(made))
    session = HouseSession(simulation, HouseTask("Have a look around."))
    assert session.roles == ("robot",)
    room = simulation.state.house.rooms[0].name
    texts = []
    rooms = [f"Explore[{room.name}]" for room in simulation.state.house.rooms]
    for call in (
        *rooms,
        "Navigate[person_1]",
        "Ask[person_1]",
        f"Request[person_1, Navigate, {room}]",
        "Follow[person_1]",
    ):
        session.act("robot", find_call(call))
        while session.busy("robot"):
            session.advance()
        observed = session.observe("robot")
        texts += [sentence(event, "robot") for event in observed.news]
    return "\n".join([*texts, session.view.describe("robot"), str(session.transcript())])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("person_7",), "awake[0]: there is nobody named person_7"),
        (("person_1", "person_1"), "awake[1]: person_1 appears twice"),
        (("robot",), "awake[0]: there is nobody named robot"),
    ],
)
def test_who_is_not_there_is_not_awake(names: tuple[str, ...], message: str) -> None:
    with pytest.raises(HomebodyError, match=re.escape(message)):
        files.encode(dataclasses.replace(AWAKE, awake=names))
    with pytest.raises(HomebodyError, match="nobody named person_7"):
        scenario.start(dataclasses.replace(AWAKE, awake=("person_7",)), PEOPLED)
