"""Scene graphs being played: what the robot sees, can do, and is judged by."""

from __future__ import annotations

import json
from typing import Any

import pytest

from homebody.core import CORRECTED, Action, HomebodyError
from homebody.core.play.replay import replay
from homebody.core.play.session import GOAL_MET
from homebody.core.play.transcript import read_call
from homebody.goals.etplan import ROBOT, Criterion
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask, decode_tasks, encode_tasks
from homebody.worlds.virtualhome.scene_graph import read_graph
from worlds.virtualhome.scene_graphs import household, raw


def task(criterion: str, row: str = "manipulation", room: str = "bedroom.2") -> EtplanTask:
    graph = keep(read_graph(household()))
    plan = ("Navigate[kitchen.1]",)
    return EtplanTask("t-1", row, graph.digest, room, "Do it.", criterion, plan)


def session(criterion: str, row: str = "manipulation", **given: str) -> Any:
    return start(ROWS[row], task(criterion, row), given, 0, CORRECTED)


def act(session: Any, *calls: str) -> list[str]:
    """The messages of what was refused."""
    refused = []
    for call in calls:
        action = read_call(call)
        assert action is not None
        event = session.act(ROBOT, action)
        if not event.ok:
            refused.append(event.message)
    return refused


MILK = "(CLOSE, robot, milk)(CLOSE, robot, kitchentable)(ON, milk, kitchentable)"
FETCH = ("Navigate[kitchen.1]", "Navigate[fridge.10]", "Open[fridge.10]", "Navigate[milk.22]")


def test_the_robot_sees_its_room_and_what_is_open_in_it() -> None:
    played = session(MILK)
    known = played.observe(ROBOT).knowledge
    assert known.knows("book.24")
    assert not known.knows("fridge.10")
    assert "kitchen.1: nothing that you know of." in played.observe(ROBOT).text
    assert not act(played, "Navigate[kitchen.1]")
    known = played.observe(ROBOT).knowledge
    assert known.nodes["fridge.10"].states == {"open": False}
    assert known.nodes["apple.20"].holder == "kitchencounter.11"
    assert not known.knows("milk.22")
    assert not act(played, "Navigate[fridge.10]", "Open[fridge.10]")
    assert played.observe(ROBOT).knowledge.nodes["milk.22"].relation == "within"
    assert "milk.22 within fridge.10" in played.observe(ROBOT).text


@pytest.mark.parametrize(
    ("level", "fridge", "milk"), [("layout", True, False), ("full", True, True)]
)
def test_what_it_knows_at_first(level: str, fridge: bool, milk: bool) -> None:
    known = session(MILK, knowledge=level).observe(ROBOT).knowledge
    assert (known.knows("fridge.10"), known.knows("milk.22")) == (fridge, milk)


def test_a_goal_is_met_and_scored() -> None:
    played = session(MILK)
    done = (
        *FETCH,
        "Pick[milk.22]",
        "Navigate[kitchentable.12]",
        "Place[milk.22, on, kitchentable.12]",
    )
    assert not act(played, *done)
    assert played.ending == GOAL_MET
    record = played.score().record
    assert record["success"]
    assert record["sequence_length"] == 7
    # from the bedroom's middle to the kitchen's, the fridge, the milk in it, the table
    assert record["moving_distance"] == pytest.approx(5 + 2.121 + 0.0 + 3.536, abs=0.01)
    again = start(ROWS["manipulation"], task(MILK), {}, 0, CORRECTED)
    assert replay(again, played.transcript().entries).score() == played.score()


def test_what_cannot_be_done_is_refused_with_the_reason() -> None:
    played = session(MILK)
    told = act(
        played,
        "Navigate[milk.22]", "Fly[kitchen.1]", "Place[milk.22, on]", "Navigate[kitchen.1]",
        "Open[fridge.10]", "Navigate[apple.20]", "Pick[apple.20]", "Pick[bananas.26]",
        "Place[apple.20, within, kitchencounter.11]", "Place[apple.20, under, kitchencounter.11]",
        "Navigate[fridge.10]", "Place[apple.20, within, fridge.10]",
    )  # fmt: skip
    words = [
        "not known", "unknown action", "needs: object, relation, target", "not near",
        "hands are full", "nothing can be put within", "on or within", "not open",
    ]  # fmt: skip
    assert len(told) == len(words), told
    for message, word in zip(told, words, strict=True):
        assert word in message, (message, word)
        assert "character" not in message
    assert played.score().record["refused"] == len(words)
    assert played.observe(ROBOT).knowledge.nodes["apple.20"].relation == "held"


def test_two_hands_take_two_things_and_open_nothing() -> None:
    played = session(MILK, "several_two_arms")
    fetch = ("Navigate[kitchen.1]", "Navigate[apple.21]", "Pick[apple.21]", "Pick[bananas.26]")
    told = act(played, *fetch, "Navigate[bananas.26]", "Pick[bananas.26]", "Navigate[fridge.10]")
    assert len(told) <= 1  # the bananas are on the table, too
    assert any("hand" in message for message in act(played, "Open[fridge.10]"))


def test_what_is_put_somewhere_is_there() -> None:
    played = session("(CLOSE, robot, apple)(CLOSE, robot, bed)(ON, apple, bed)")
    act(played, "Navigate[kitchen.1]", "Navigate[apple.20]", "Pick[apple.20]", "Navigate[bed.13]")
    nodes = played.observe(ROBOT).knowledge.nodes
    assert nodes["apple.20"].position == nodes["bed.13"].position
    assert nodes["apple.20"].room == "bedroom.2"
    act(played, "Place[apple.20, on, bed.13]")
    nodes = played.observe(ROBOT).knowledge.nodes
    assert nodes["apple.20"].position == nodes["bed.13"].position
    assert played.ending == GOAL_MET


def test_the_options_can_be_done() -> None:
    played = session("(CLOSE, robot, guitar)", "several_two_arms")
    for turn in range(60):
        options = played.observe(ROBOT).options
        chosen = options[(turn * 7919) % (len(options) - 1)]
        event = played.act(ROBOT, chosen)
        assert event.ok or "hand" in event.message or chosen.name == "Place", (chosen, event)
        if played.ending:
            break
    assert played.score().record["conditions"] == [["(CLOSE, robot, guitar)", False]]


def test_without_positions_nobody_tells_metres() -> None:
    bare = raw()
    for node in bare["nodes"]:
        node.pop("bounding_box", None)
        node.pop("obj_transform", None)
    graph = keep(read_graph(json.dumps(bare).encode()))
    goal = EtplanTask(
        "t-2",
        "navigation",
        graph.digest,
        "bedroom.2",
        "Go.",
        "(CLOSE, robot, fridge)",
        ("Open[a]",),
    )
    played = start(ROWS["navigation"], goal, {}, 0, CORRECTED)
    played.act(ROBOT, Action("Navigate", ("kitchen.1",)))
    played.act(ROBOT, Action("Navigate", ("fridge.10",)))
    record = played.score().record
    assert record["success"]
    assert record["moving_distance"] is None


def test_graphs_travel_in_the_file_of_their_tasks() -> None:
    some = (task(MILK),)
    content = encode_tasks(some, packed=False)
    assert content.startswith(b'{"nodes":')
    assert decode_tasks(content) == some
    lost = content.splitlines()[1].replace(some[0].house.encode(), b"0" * 16)  # type: ignore[union-attr]
    (elsewhere,) = decode_tasks(lost)
    with pytest.raises(HomebodyError, match="scene graph 0000000000000000"):
        start(ROWS["manipulation"], elsewhere, {}, 0, CORRECTED)
    with pytest.raises(HomebodyError, match="line 1 is not a task"):
        decode_tasks(b'{"nodes": [], "edges": []}')


def test_a_pose_is_no_room_and_a_room_no_pose() -> None:
    line = json.loads(encode_tasks((task(MILK),), packed=False).splitlines()[1])
    for wrong in ({"house": 3}, {"start": [0, 0, 0]}, {"start": "x" * 99}, {"house": "zz"}):
        with pytest.raises(HomebodyError, match="is not a task"):
            decode_tasks(json.dumps(line | wrong).encode())


def test_what_is_on_a_tray_goes_along_with_it() -> None:
    played = session("(CLOSE, robot, guitar)", "several_two_arms")
    act(
        played,
        "Navigate[mug.25]",
        "Pick[mug.25]",
        "Navigate[tray.28]",
        "Place[mug.25, on, tray.28]",
    )
    act(played, "Pick[tray.28]", "Navigate[kitchen.1]", "Navigate[kitchentable.12]")
    place = played.observe(ROBOT).knowledge.nodes
    assert place["mug.25"].position == place["tray.28"].position == place["robot"].position
    act(played, "Place[tray.28, on, kitchentable.12]", "Navigate[fridge.10]")
    place = played.observe(ROBOT).knowledge.nodes
    assert place["mug.25"].position == place["kitchentable.12"].position
    act(played, "Navigate[mug.25]", "Pick[mug.25]", "Place[mug.25, on, kitchentable.12]")
    assert played.observe(ROBOT).knowledge.nodes["mug.25"].holder == "kitchentable.12"


def test_what_was_refused_last_and_never_done_is_why() -> None:
    """Of what is wanted: who failed and then did it has not failed by that."""
    played = session(MILK)
    place = "Place[milk.22, on, kitchentable.12]"
    act(played, *FETCH, "Pick[milk.22]", place, "Pick[book.24]")
    told = played.score(CORRECTED).record["explanation"]
    assert f"milk.22 is not on kitchentable.12. {place} failed: " in told
    act(played, "Navigate[kitchentable.12]", place)
    assert played.score(CORRECTED).record["explanation"] == "All 3 conditions hold."


def test_what_is_beside_furniture_is_stated_and_judged() -> None:
    changed = raw()
    beside = ((29, 13), (20, 10), (22, 12), (25, 13), (21, 20), (24, 16))
    for first, second in beside:
        changed["edges"].append({"from_id": first, "relation_type": "CLOSE", "to_id": second})
    changed["edges"].append({"from_id": 13, "relation_type": "FACING", "to_id": 16})
    home = read_graph(json.dumps(changed).encode()).start("kitchen.1")
    game = GraphGame(home, Criterion(()), "full", 1)
    close = {
        (name, other)
        for name in game.nodes
        for relation, other in game.stated_relations(name)
        if relation == "CLOSE"
    }
    # the milk is shut in, the other apple is no landmark, and the fork is on its counter
    assert close == {
        ("basket.29", "bed.13"),
        ("apple.20", "fridge.10"),
        ("mug.25", "bed.13"),
        ("book.24", "desk.16"),
    }
    for name in game.nodes:
        for other in game.nodes:
            if name not in (home.agent, ROBOT, other) and other not in (home.agent, ROBOT):
                is_room = {name, other} & set(home.rooms)
                stated = (name, other) in close or (other, name) in close
                assert is_room or game.holds("CLOSE", name, other) == stated, (name, other)
    text = game.describe()
    assert "near bed.13: mug.25, basket.29" in text
    assert "facing desk.16: bed.13" in text
