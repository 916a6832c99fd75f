"""People of the scene are asked, handed things, and hand them over."""

from __future__ import annotations

import ast
import dataclasses
import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.session import Event
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import find_call, write_call
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import files
from homebody.worlds.house.model.agents import COMPANION, HUMAN, ROBOT, SOCIAL, Agent
from homebody.worlds.house.model.house import House, Person, Pose, Thing
from homebody.worlds.house.model.people import held_pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.options import HouseOptions
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask, bring
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.simulation import simulation as simulator
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import SKILLS, WALKING
from homebody.worlds.house.simulation.speech import first_person
from homebody.worlds.house.simulation.text import describe_house, describe_nodes
from worlds.house.handmade import AFFORDS, two_rooms

ANNA = Person(
    "person_0",
    "standing",
    "kitchen_0",
    Pose((1.0, 1.3, 0.0), 300.0),
    (0.46, 0.34, 1.7),
    activity="cooking",
)
BEN = dataclasses.replace(
    ANNA,
    name="person_1",
    room="bedroom_0",
    pose=Pose((5.0, 2.6, 0.0)),
    activity="sleeping",
)


def house() -> House:
    return dataclasses.replace(two_rooms(), people=(ANNA, BEN))


def reading() -> House:
    pose = held_pose(ANNA, (0.2, 0.3, 0.03))
    book = Thing("book_9", "book", (0.2, 0.3, 0.03), pose, ("person_0", "hand"))
    return dataclasses.replace(house(), things=(*house().things, book))


def start(scene: House, agent: Agent = COMPANION, **options: object) -> Simulation:
    poses = {"anna_s_friend": Pose((3.3, 3.5, 0.0))}
    return Simulation(scene, {"anna_s_friend": agent}, poses=poses, affords=AFFORDS, **options)  # type: ignore[arg-type]


def do(simulation: Simulation, *texts: str) -> Event:
    for text in texts:
        result = simulation.do("anna_s_friend", find_call(text))
    return result


def test_a_person_says_what_it_does_and_what_lies_open_in_its_room() -> None:
    simulation = start(house())
    assert "go there first: Navigate[person_0]" in do(simulation, "Ask[person_0]").message
    asked = do(simulation, "Navigate[person_0]", "Ask[person_0]")
    assert (asked.ok, asked.message) == (True, "person_0 says: I am cooking")
    assert asked.end - asked.start == 60
    answer = do(simulation, "Ask[person_0, cup_1]")
    assert answer.message == "person_0 says: cup_1 is on table_0 in kitchen_0"
    assert "jug_0" in do(simulation, "Ask[person_0, jug]").message
    for unknown in ("milk_0", "key_0", "milk_7"):  # shut in, elsewhere, nowhere
        assert do(simulation, f"Ask[person_0, {unknown}]").message.endswith(
            f"I do not know where {unknown} is"
        )
    said = {
        word: do(simulation, f"Ask[person_0, {word}]").message.removeprefix("person_0 says: ")
        for word in ("key", "Salt shaker", "unicorn", "person_0", "kitchen_0", "bedroom_0")
    }
    assert said == {
        "key": "I have seen no key",
        "Salt shaker": "I have seen no salt shaker",
        "unicorn": 'I do not know what "unicorn" is',
        "person_0": "that is me",
        "kitchen_0": "we are in kitchen_0",
        "bedroom_0": "we are in kitchen_0, and bedroom_0 is another room",
    }


def test_what_is_not_known_of_is_told_alike_whether_it_is_there_or_not() -> None:
    without = dataclasses.replace(
        house(), things=tuple(one for one in house().things if one.category not in ("key", "milk"))
    )
    answers = [
        [
            do(simulation, f"Ask[person_0, {word}]").message
            for word in ("key", "key_0", "milk", "milk_0", "piano", "zebra_0")
        ]
        for simulation in (start(house()), start(without))
        if do(simulation, "Navigate[person_0]").ok
    ]
    assert answers[0] == answers[1]


def test_a_person_tells_of_all_of_a_kind_or_of_the_nearest() -> None:
    simulation = start(house(), sees=lambda state, agent: ())
    graph = simulation.graphs["anna_s_friend"]
    graph.refresh(["person_0"])
    answer = do(simulation, "Navigate[person_0]", "Ask[person_0, cup]").message
    assert answer == "person_0 says: I know of 2: cup_0 and cup_1 on table_0 in kitchen_0"
    assert {"cup_0", "cup_1"} <= set(graph.nodes)
    (cup,) = (one for one in house().things if one.name == "cup_0")
    many = tuple(dataclasses.replace(cup, name=f"cup_{number}") for number in range(2, 10))
    crowded = dataclasses.replace(house(), things=(*house().things, *many))
    simulation = start(crowded, sees=lambda state, agent: ())
    simulation.graphs["anna_s_friend"].refresh(["person_0"])
    answer = do(simulation, "Navigate[person_0]", "Ask[person_0, cup]").message
    assert "I know of 10: the nearest are " in answer
    assert answer.count("cup_") == 6
    assert len(list(simulation.graphs["anna_s_friend"].of_kind("object"))) == 6


def test_what_one_was_told_one_knows_as_hearsay() -> None:
    simulation = start(house(), sees=lambda state, agent: ())
    graph = simulation.graphs["anna_s_friend"]
    assert not graph.knows("cup_1")
    graph.refresh(["person_0"])
    do(simulation, "Navigate[person_0]", "Ask[person_0, cup_1]")
    assert graph["cup_1"].holder == "table_0"
    assert not graph.knows("key_0")
    assert "cup_1 (clean, empty) is on table_0" in describe_house(graph)
    assert do(simulation, "Navigate[cup_1]").ok


def test_who_sleeps_is_not_asked() -> None:
    simulation = start(house())
    assert "too far away" in do(simulation, "Ask[person_1]").message  # it cannot be seen from here
    assert do(simulation, "Navigate[person_1]", "Ask[person_1]").message == "person_1 is asleep"


def test_things_are_handed_over_and_taken_back() -> None:
    simulation = start(house())
    do(simulation, "Navigate[cup_0]", "Pick[cup_0]")
    assert "go there first" in do(simulation, "Give[cup_0, person_1]").message
    given = do(simulation, "Navigate[person_0]", "Give[cup_0, person_0]")
    assert given.message == "person_0 holds cup_0"
    state = simulation.state
    assert state.places["cup_0"] == ("person_0", "hand")
    assert room_of(state, "cup_0") == "kitchen_0"
    assert not state.held_by("anna_s_friend")
    assert "hold cup_0" in do(simulation, "Ask[person_0]").message
    assert "held by person_0" in do(simulation, "Pick[cup_0]").message
    text = describe_house(simulation.graphs["anna_s_friend"])
    looks = "a woman with short black hair"
    assert f"person_0, {looks}, is standing, cooking, and holds cup_0" in text
    assert f"person_1, {looks}, is standing, sleeping, and holds nothing" in text
    do(simulation, "Navigate[cup_1]", "Pick[cup_1]", "Navigate[person_0]")
    assert "holds cup_0; take that first" in do(simulation, "Give[cup_1, person_0]").message
    do(simulation, "Navigate[table_0]", "Place[cup_1, on, table_0]", "Navigate[person_0]")
    assert do(simulation, "Take[cup_0]").message == "you hold cup_0"
    assert state.places["cup_0"] == ("anna_s_friend", "right")


def test_a_reader_is_handed_another_thing_into_the_hands_that_are_drawn() -> None:
    scene = reading()
    reader = dataclasses.replace(ANNA, gesture="carrying")
    scene = dataclasses.replace(scene, people=(reader, BEN))
    simulation = start(scene)
    do(simulation, "Navigate[person_0]", "Take[book_9]", "Navigate[table_0]")
    do(simulation, "Place[book_9, on, table_0]", "Navigate[cup_0]", "Pick[cup_0]")
    assert do(simulation, "Navigate[person_0]", "Give[cup_0, person_0]").ok
    cup = scene.thing["cup_0"]
    assert simulation.state.poses["cup_0"] == held_pose(reader, cup.size)


def test_agents_give_each_other_things() -> None:
    agents = {"one": COMPANION, "other": ROBOT}
    poses = {"one": Pose((1.2, 3.2, 0.0)), "other": Pose((2.2, 3.2, 0.0))}
    simulation = Simulation(house(), agents, poses=poses, affords=AFFORDS)
    for text in ("Navigate[cup_0]", "Pick[cup_0]", "Navigate[other]", "Give[cup_0, other]"):
        result = simulation.do("one", find_call(text))
    assert result.message == "other holds cup_0"
    assert simulation.state.held_by("other") == {"right": "cup_0"}


def test_partnr_s_agents_do_none_of_it() -> None:
    assert not {"Ask", "Give", "Take"} & (HUMAN.skills | ROBOT.skills)
    simulation = start(reading(), HUMAN)
    assert "you cannot do Ask" in do(simulation, "Ask[person_0]").message
    refused = do(simulation, "Navigate[book_9]", "Pick[book_9]").message
    assert refused == "book_9 is held by person_0"


def test_what_people_hold_is_seen_saved_and_offered(tmp_path) -> None:  # type: ignore[no-untyped-def]
    scene = reading()
    files.save(scene, tmp_path / "house.json")
    assert files.load(tmp_path / "house.json") == scene
    simulation = start(scene, sees=sees_room)
    node = simulation.graphs["anna_s_friend"]["book_9"]
    assert (node.relation, node.holder) == ("held", "person_0")
    options = {str(option) for option in HouseOptions(simulation, "anna_s_friend").now()}
    assert any("Take" in option and "book_9" in option for option in options)
    assert any("Ask" in option and "person_0" in option for option in options)
    assert not any("Pick" in option and "book_9" in option for option in options)
    believed = simulation.graphs["anna_s_friend"].believed_state()
    assert believed.places["book_9"] == ("person_0", "hand")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (("person_0", "pocket"), "people hold things in their 'hand'"),
        (("person_7", "hand"), "no furniture, object, floor or person person_7"),
    ],
)
def test_wrong_hands_in_files_are_told(place: tuple[str, str], message: str) -> None:
    scene = reading()
    book = dataclasses.replace(scene.thing["book_9"], place=place)
    wrong = dataclasses.replace(scene, things=(*house().things, book))
    with pytest.raises(HomebodyError, match=message):
        files.decode(files.encode(wrong))


def test_nobody_holds_two_things_in_a_file() -> None:
    scene = reading()
    second = dataclasses.replace(scene.thing["book_9"], name="book_8")
    wrong = dataclasses.replace(scene, things=(*scene.things, second))
    with pytest.raises(HomebodyError, match="person_0 holds book_9 already"):
        files.decode(files.encode(wrong))


def guided(
    follower: Agent = COMPANION, scene: House | None = None, **options: object
) -> Simulation:
    scene, agents, poses, people = wake_people(scene or house(), ["person_0"])
    assert [person.name for person in scene.people] == ["person_1"]
    poses["robot"] = Pose((3.3, 3.5, 0.0))
    roles = {"robot": follower, **agents}
    return Simulation(scene, roles, poses=poses, affords=AFFORDS, people=people, **options)  # type: ignore[arg-type]


def told(simulation: Simulation, *texts: str) -> list[str]:
    return [simulation.do("robot", find_call(text)).message for text in texts]


def sees_little(state: HouseState, agent: str) -> set[str]:
    """Agents see each other, furniture and doors, and no objects."""
    return {name for name in sees_room(state, agent) if name not in state.poses}


def test_what_somebody_is_handed_they_know() -> None:
    simulation = guided(sees=sees_little)
    simulation.graphs["robot"].refresh(["key_0", "basket_0", "ball_0"])
    told(simulation, "Navigate[key_0]", "Pick[key_0]", "Navigate[person_0]")
    assert not simulation.graphs["person_0"].knows("key_0")
    messages = told(
        simulation,
        "Give[key_0, person_0]",
        "Ask[person_0, key_0]",
        "Ask[person_0]",
        "Request[person_0, Give, key_0, robot]",
    )
    assert messages == [
        "person_0 holds key_0",
        "person_0 says: I hold key_0",
        "person_0 says: I am cooking, and hold key_0",
        "person_0 says: I will",
    ]
    assert [event.message for event in until_both_stand(simulation)] == ["robot holds key_0"]
    assert simulation.graphs["robot"]["key_0"].holder == "robot"
    assert simulation.state.held_by("robot") == {"right": "key_0"}


def test_who_gets_up_takes_along_what_they_hold() -> None:
    simulation = guided(scene=reading(), sees=sees_little)
    state = simulation.state
    assert simulation.graphs["person_0"]["book_9"].holder == "person_0"
    assert state.poses["book_9"] == state.carried_pose("person_0", "hand", "book_9")
    told(simulation, "Navigate[person_0]")
    assert told(simulation, "Request[person_0, Give, book_9, robot]") == ["person_0 says: I will"]
    until_both_stand(simulation)
    assert simulation.graphs["robot"].knows("book_9")


def test_people_refuse_in_their_own_words() -> None:
    simulation = guided(sees=sees_little)
    simulation.graphs["robot"].refresh(["cup_0", "key_0"])
    simulation.graphs["person_0"].refresh(["cup_0", "cup_1"])
    told(simulation, "Navigate[cup_0]", "Pick[cup_0]", "Navigate[person_0]")
    told(simulation, "Give[cup_0, person_0]")
    wishes = {
        "Pick, cup_1": "person_0 says: I hold cup_0 already",
        "Pick, key_0": "person_0 says: I do not know where key_0 is",
        "Pick, key_99": "person_0 says: I do not know where key_99 is",
        "Place, cup_0, on, table_1": "person_0 says: table_1 is not within my reach",
        "Pick": "Pick is written Pick[object]",
        "Clean, cup_0": "person_0 cannot do Clean",
    }
    for wish, message in wishes.items():
        assert told(simulation, f"Request[person_0, {wish}]")[0].startswith(message), wish


def refusals() -> Iterator[str]:
    """All sentences with which the simulator refuses anything, names in place of what varies."""
    for path in Path(simulator.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("Refused", "TooFar")
            ):
                for text in ast.walk(node):
                    if isinstance(text, ast.JoinedStr):
                        parts = (getattr(part, "value", None) for part in text.values)
                        yield "".join(p if isinstance(p, str) else "cup_0" for p in parts)
                    elif isinstance(text, ast.Constant) and isinstance(text.value, str):
                        yield text.value


def test_no_refusal_sounds_like_the_simulator_in_somebody_s_mouth() -> None:
    sentences = [text for text in refusals() if not text.startswith(("Request", "person"))]
    assert len(sentences) > 40
    for text in sentences:
        if " says: " in text or " is written " in text:
            continue
        said = first_person(text)
        assert not re.search(r"\byou(r|rs)?\b|\w\[", said), (text, said)


def test_who_begins_something_leaves_off_what_they_did() -> None:
    simulation = guided()
    assert told(simulation, "Navigate[person_0]", "Ask[person_0]")[-1].endswith("I am cooking")
    simulation.do("person_0", find_call("Navigate[table_0]"))
    assert told(simulation, "Navigate[person_0]", "Ask[person_0]")[-1].endswith("I am standing")
    simulation.act("person_0", find_call("Explore[kitchen_0]"))
    assert told(simulation, "Ask[person_0]")[-1].endswith("I am looking around in kitchen_0")


def test_an_awake_person_tells_what_they_know_true_or_not() -> None:
    simulation = guided(sees=sees_little)
    simulation.graphs["person_0"].refresh(["milk_0"])
    simulation.state.move("milk_0", ("robot", "right"), simulation.state.poses["milk_0"])
    answer = told(simulation, "Navigate[person_0]", "Ask[person_0, milk]")[-1]
    assert answer == "person_0 says: milk_0 is in fridge_0 in kitchen_0"
    assert simulation.graphs["robot"]["milk_0"].holder == "robot"  # who has it before its eyes


def test_awake_people_are_described_like_those_who_stay() -> None:
    red = {"dress": (0.75, 0.22, 0.18)}
    scene = dataclasses.replace(reading(), people=(dataclasses.replace(ANNA, clothes=red), BEN))
    simulation = guided(scene=scene, sees=sees_room)
    told(simulation, "Explore[kitchen_0]")
    graph = simulation.graphs["robot"]
    does = "is standing, cooking, and holds book_9"
    assert f"  person_0, the woman in the red dress, {does}" in describe_house(graph)
    assert "person_0 (you), the woman" in describe_house(simulation.graphs["person_0"])
    told(simulation, "Navigate[person_0]", "Request[person_0, Navigate, bedroom_0]")
    simulation.do("robot", find_call("Follow[person_0]"))
    assert "the woman in the red dress, is standing, and holds book_9" in describe_house(graph)
    news = describe_nodes(graph, ["person_0"])
    assert news == "person_0, the woman in the red dress, is in bedroom_0"


def test_things_of_which_there_are_several_are_told_apart() -> None:
    colours = {"cup_0": (0.75, 0.22, 0.18), "cup_1": (0.2, 0.4, 0.69)}
    things = tuple(
        dataclasses.replace(one, style={"body": colours[one.name]}) if one.name in colours else one
        for one in house().things
    )
    simulation = start(dataclasses.replace(house(), things=things))
    graph = simulation.graphs["anna_s_friend"]
    assert "cup_0 (red, dirty, empty) is on table_0" in describe_house(graph)
    assert describe_nodes(graph, ["cup_1"]) == "cup_1 (blue, clean, empty) is on table_0"
    do(simulation, "Navigate[cup_0]", "Pick[cup_0]", "Navigate[bedroom_0]")
    assert "cup_1 (clean, empty) is on table_0" in describe_house(graph)  # the only one there now


def test_what_can_be_done_with_people_is_offered() -> None:
    scene = dataclasses.replace(reading(), people=(ANNA, BEN))
    simulation = guided(scene=scene)
    options = HouseOptions(simulation, "robot")
    offered = set(map(write_call, options.now()))
    assert offered >= {
        "Navigate[person_0]",
        "Navigate[person_1]",
        "Ask[person_0]",
        "Ask[person_1]",
        "Follow[person_0]",
        "Request[person_0, Navigate, bedroom_0]",
        "Request[person_0, Give, book_9, robot]",
    }
    assert not offered & {"Follow[person_1]", "Take[book_9]", "Ask[robot]", "Follow[robot]"}
    told(simulation, "Navigate[cup_0]", "Pick[cup_0]")
    offered = set(map(write_call, options.now()))
    assert "Give[cup_0, person_1]" in offered
    assert "Request[person_0, Give, book_9, robot]" not in offered  # its only hand is full
    assert not any(
        name in call
        for call in map(write_call, HouseOptions(guided(HUMAN), "robot").now())
        for name in (*SOCIAL, "person_")
    )


def test_the_order_of_options_does_not_depend_on_when_they_are_read() -> None:
    ben = dataclasses.replace(BEN, activity="cooking")
    scene, agents, poses, people = wake_people(
        dataclasses.replace(house(), people=(ben, ANNA)), ["person_0", "person_1"]
    )
    poses["robot"] = Pose((3.3, 3.5, 0.0))
    simulation = Simulation(
        scene, {"robot": COMPANION, **agents}, poses=poses, people=people, sees=sees_room
    )
    often = HouseOptions(simulation, "robot")
    for room in ("kitchen_0", "bedroom_0", "kitchen_0"):
        often.now()
        simulation.do("robot", find_call(f"Explore[{room}]"))
    assert list(often.now()) == list(HouseOptions(simulation, "robot").now())


def test_what_people_do_is_told_in_the_first_person() -> None:
    simulation = guided(sees=sees_room)
    session = HouseSession(simulation, HouseTask("Look around."))
    for call in ("Navigate[person_0]", "Request[person_0, Navigate, fridge_0]"):
        session.act("robot", find_call(call))
        while session.busy("robot"):
            session.advance()
    assert "person_0 is on my way" not in session.view.describe("robot")
    assert "person_0 is on the way to fridge_0." in session.view.describe("robot")
    session.act("robot", find_call("Wait[]"))
    while simulation.busy("person_0"):
        session.advance()
    news = [sentence(event, "robot") for event in session.observe("robot").news]
    assert "person_0: Navigate[fridge_0]" in news


def test_models_are_offered_what_is_done_with_people() -> None:
    simulation = guided()
    tools = {tool.name: tool.parameters for tool in HouseView(simulation).tools("robot")}
    assert set(SOCIAL) <= set(tools)
    for skill in SOCIAL:
        least, most = SKILLS[skill].arguments if skill in SKILLS else WALKING[skill][1]
        assert len(tools[skill]["required"]) == least
        assert len(tools[skill]["properties"]) <= most
    assert not set(SOCIAL) & {tool.name for tool in HouseView(guided(HUMAN)).tools("robot")}


def test_who_is_spoken_to_looks_up() -> None:
    simulation = guided(sees=sees_room)
    told(simulation, "Navigate[cup_0]", "Pick[cup_0]", "Navigate[person_0]")
    assert told(simulation, "Ask[person_0, cup_0]", "Ask[person_0, robot]") == [
        "person_0 says: you hold cup_0",
        "person_0 says: that is you",
    ]


@pytest.mark.parametrize("seed", [0, 4])
def test_whoever_holds_a_thing_knows_it_and_nothing_else_is_told(seed: int) -> None:
    """Two who do anything that looks possible, and one who does what is requested."""
    scene, agents, poses, people = wake_people(reading(), ["person_0"])
    roles = {"one": COMPANION, "other": COMPANION, **agents}
    poses |= {"one": Pose((3.3, 3.5, 0.0)), "other": Pose((7.0, 3.5, 0.0))}
    simulation = Simulation(
        scene, roles, poses=poses, affords=AFFORDS, people=people, sees=sees_room, seed=seed
    )
    rng = np.random.default_rng(seed)
    options = {role: HouseOptions(simulation, role) for role in ("one", "other")}
    done = []
    for _ in range(150):
        for role in options:
            if simulation.busy(role) is None:
                offered = options[role].now()
                skills = sorted({action.name for action in offered} - {"Done", "Wait"})
                skill = skills[int(rng.integers(len(skills)))]
                able = [action for action in offered if action.name == skill]
                refused = simulation.act(role, able[int(rng.integers(len(able)))])
                done += [] if refused is None else [refused]
        done += simulation.advance()
        for name, graph in simulation.graphs.items():
            for held in simulation.state.held_by(name).values():
                assert graph[held].holder == name, done[-1]
        for event in done[-3:]:
            named = set(re.findall(r"\w+_\d+", event.message)) - set(event.action.args)
            assert all(map(simulation.graphs[event.role].knows, named)), event
    assert {"Give", "Ask", "Request"} <= {event.action.name for event in done if event.ok}


def test_the_key_of_a_lock_is_named_to_who_knows_of_it() -> None:
    simulation = guided(sees=sees_little)
    told(simulation, "Navigate[safe_0]")
    assert told(simulation, "Open[safe_0]") == ["safe_0 is locked; its key has to be found"]
    simulation.graphs["robot"].refresh(["key_0"])
    assert told(simulation, "Open[safe_0]") == ["safe_0 is locked; hold its key first: key_0"]


def until_both_stand(simulation: Simulation) -> list[Event]:
    events = []
    while now := simulation.advance():
        events += now
    return events


def test_a_person_leads_the_way_and_is_followed() -> None:
    simulation = guided()
    asked = simulation.do("robot", find_call("Request[person_0, Navigate, bedroom_0]"))
    assert "too far away" in asked.message
    simulation.do("robot", find_call("Navigate[person_0]"))
    asked = simulation.do("robot", find_call("Request[person_0, Navigate, bedroom_0]"))
    assert (asked.ok, asked.message) == (True, "person_0 says: I will")
    assert simulation.busy("person_0") is not None
    assert simulation.act("robot", find_call("Follow[person_0]")) is None
    events = until_both_stand(simulation)
    assert [event.ok for event in events] == [True, True]
    assert room_of(simulation.state, "person_0") == "bedroom_0"
    x, y, _ = simulation.state.bodies["robot"].pose.position
    a, b, _ = simulation.state.bodies["person_0"].pose.position
    assert max(abs(x - a), abs(y - b)) <= 1.4
    assert events[-1].message == "you have followed person_0"
    busy = simulation.do("robot", find_call("Request[person_0, Clean, table_1]"))
    assert "cannot do Clean" in busy.message


@pytest.mark.parametrize(
    ("seed", "leader", "room", "begin"),
    [
        (3, "person_3", "bedroom_0", (8.355, 4.725)),  # a shut door is on the way
        (17, "person_2", "dining_room_0", (7.625, 2.435)),  # the robot has to step aside first
    ],
)
def test_who_follows_keeps_up(
    seed: int, leader: str, room: str, begin: tuple[float, float]
) -> None:
    scene = generate(seed, rooms=6, people=4)
    scene, agents, poses, people = wake_people(scene, [leader])
    poses["robot"] = Pose((*begin, 0.0))
    simulation = Simulation(scene, {"robot": COMPANION, **agents}, poses=poses, people=people)
    assert simulation.do("robot", find_call(f"Navigate[{leader}]")).ok
    assert simulation.act(leader, find_call(f"Navigate[{room}]")) is None
    assert simulation.act("robot", find_call(f"Follow[{leader}]")) is None
    farthest, events = 0.0, []
    while simulation.next_event is not None:
        events += simulation.advance(simulation.clock + 10)
        there, here = (simulation.state.bodies[name].pose for name in (leader, "robot"))
        farthest = max(farthest, math.dist(there.position, here.position))
    assert [event.ok for event in events] == [True, True]
    assert farthest < 2.5


def test_following_ends_only_when_the_other_stays() -> None:
    simulation = guided()
    tour = find_call("Explore[bedroom_0]")
    assert simulation.act("person_0", tour) is None
    assert simulation.act("robot", find_call("Follow[person_0]")) is None
    first, last = until_both_stand(simulation)
    assert (first.role, last.role) == ("person_0", "robot")
    assert room_of(simulation.state, "robot") == "bedroom_0"


def test_who_follows_ends_in_the_room_of_the_other() -> None:
    """Not on the near side of a doorway, from where the other is in reach."""
    scene = generate(2, "hospital", people=2)
    scene, agents, poses, people = wake_people(scene, ["person_0"])
    for room in scene.rooms:
        simulation = Simulation(
            scene, {"robot": COMPANION, **agents}, poses=poses, people=people, seed=1
        )
        assert simulation.do("robot", find_call("Navigate[person_0]")).ok
        assert simulation.act("person_0", find_call(f"Navigate[{room.name}]")) is None
        assert simulation.act("robot", find_call("Follow[person_0]")) is None
        assert all(event.ok for event in until_both_stand(simulation))
        assert room_of(simulation.state, "robot") == room_of(simulation.state, "person_0")


def test_nobody_follows_in_a_circle() -> None:
    agents = {"one": COMPANION, "other": COMPANION}
    poses = {"one": Pose((1.2, 3.2, 0.0)), "other": Pose((3.4, 3.2, 0.0))}
    simulation = Simulation(house(), agents, poses=poses, affords=AFFORDS)
    assert simulation.act("one", find_call("Follow[other]")) is None
    refused = simulation.act("other", find_call("Follow[one]"))
    assert refused is not None
    assert refused.message == "one follows you already"
    for target in ("one", "table_0", "nobody"):
        answer = simulation.act("other", find_call(f"Follow[{target}]"))
        assert answer is not None
        assert not answer.ok
    until_both_stand(simulation)


def test_who_stays_is_told_so_and_who_is_busy_says_it() -> None:
    simulation = guided()
    simulation.do("robot", find_call("Navigate[person_1]"))
    told = simulation.do("robot", find_call("Request[person_1, Navigate, kitchen_0]"))
    assert told.message == "person_1 stays; ask something instead: Ask[person_1]"
    simulation.do("robot", find_call("Navigate[person_0]"))
    simulation.act("person_0", find_call("Wait[]"))
    assert simulation.act("robot", find_call("Request[person_0, Navigate, bedroom_0]")) is None
    for _ in range(5):
        if simulation.busy("person_0") is None:
            simulation.act("person_0", find_call("Wait[]"))
        events = [event for event in simulation.advance() if event.role == "robot"]
        if events:
            break
    assert events[0].message == "person_0 says: I am waiting"


def test_people_who_get_up_look_like_themselves() -> None:
    simulation = guided()
    state = simulation.state
    looks = state.bodies["person_0"].looks
    assert looks is not None
    assert state.box("person_0").size[2] == pytest.approx(1.7)
    drawn = RayScene(state.house, state).part("person_0")
    assert len(drawn) == len(person_mesh(looks))


def test_what_somebody_holds_is_not_what_a_task_asks_to_bring() -> None:
    scene = reading()
    only = dataclasses.replace(scene, things=(scene.thing["book_9"],))
    simulation = start(only)
    rng = np.random.default_rng(0)
    with pytest.raises(HomebodyError):
        bring(1)(simulation, rng)
