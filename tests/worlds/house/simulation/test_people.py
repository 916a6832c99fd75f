"""People of the scene are asked, handed things, and hand them over."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from homebody.core.errors import HomebodyError
from homebody.core.session import Event
from homebody.core.transcript import find_call
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import files
from homebody.worlds.house.model.agents import COMPANION, HUMAN, ROBOT, Agent
from homebody.worlds.house.model.house import House, Person, Pose, Thing
from homebody.worlds.house.model.people import held_pose
from homebody.worlds.house.play.options import HouseOptions
from homebody.worlds.house.play.tasks import bring
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.people import awake
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.text import describe
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
    by_category = do(simulation, "Ask[person_0, jug]")
    assert "jug_0 is in sink_0" in by_category.message or "jug_0" in by_category.message
    for unknown in ("milk_0", "key_0", "unicorn"):  # shut in, elsewhere, nowhere
        assert do(simulation, f"Ask[person_0, {unknown}]").message.endswith(
            f"I do not know where {unknown} is"
        )


def test_what_one_was_told_one_knows_as_hearsay() -> None:
    simulation = start(house(), sees=lambda state, agent: ())
    graph = simulation.graphs["anna_s_friend"]
    assert not graph.knows("cup_1")
    graph.hear(["person_0"])
    do(simulation, "Navigate[person_0]", "Ask[person_0, cup_1]")
    assert graph["cup_1"].holder == "table_0"
    assert not graph.knows("key_0")
    assert "cup_1 (clean, empty) is on table_0" in describe(graph)
    assert do(simulation, "Navigate[cup_1]").ok


def test_who_sleeps_is_not_asked() -> None:
    simulation = start(house())
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
    assert not state.held("anna_s_friend")
    assert "hold cup_0" in do(simulation, "Ask[person_0]").message
    assert "held by person_0" in do(simulation, "Pick[cup_0]").message
    assert "person_0 is standing, cooking, and holds cup_0" in describe(
        simulation.graphs["anna_s_friend"]
    )
    do(simulation, "Navigate[cup_1]", "Pick[cup_1]", "Navigate[person_0]")
    assert "holds cup_0; take that first" in do(simulation, "Give[cup_1, person_0]").message
    do(simulation, "Navigate[table_0]", "Place[cup_1, on, table_0]", "Navigate[person_0]")
    assert do(simulation, "Take[cup_0]").message == "you hold cup_0"
    assert state.places["cup_0"] == ("anna_s_friend", "right")


def test_agents_give_each_other_things() -> None:
    agents = {"one": COMPANION, "other": ROBOT}
    poses = {"one": Pose((1.2, 3.2, 0.0)), "other": Pose((2.2, 3.2, 0.0))}
    simulation = Simulation(house(), agents, poses=poses, affords=AFFORDS)
    for text in ("Navigate[cup_0]", "Pick[cup_0]", "Navigate[other]", "Give[cup_0, other]"):
        result = simulation.do("one", find_call(text))
    assert result.message == "other holds cup_0"
    assert simulation.state.held("other") == {"right": "cup_0"}


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
    believed = simulation.graphs["anna_s_friend"].believed()
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


def guided(follower: Agent = COMPANION) -> Simulation:
    scene, agents, poses, people = awake(house(), ["person_0"])
    assert [person.name for person in scene.people] == ["person_1"]
    poses["robot"] = Pose((3.3, 3.5, 0.0))
    roles = {"robot": follower, **agents}
    return Simulation(scene, roles, poses=poses, affords=AFFORDS, people=people)


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
    scene, agents, poses, people = awake(scene, ["person_0"])
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
    assert events[0].message == "person_0 says: I am busy with Wait"


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
