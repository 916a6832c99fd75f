"""What an agent knows of a house as solids: where it knows them to be, and nothing else."""

from __future__ import annotations

from homebody.core import CORRECTED, Action
from homebody.core.play.known_scene import KnownSolid
from homebody.suites import get_suite
from homebody.suites.partnr.session import PartnrSession
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.simulation.relations import room_of


def started(**settings: str) -> PartnrSession:
    suite = get_suite("partnr.val")
    assert suite.playing is not None
    session = suite.playing.start(suite.tasks.load(CORRECTED)[0], settings, 0, CORRECTED)
    assert isinstance(session, PartnrSession)
    return session


def solids(session: PartnrSession, role: str) -> dict[str, KnownSolid]:
    scene = session.observe(role).scene
    assert scene is not None
    return {solid.name: solid for solid in scene.solids}


def test_what_is_moved_out_of_sight_stays_where_it_was_seen() -> None:
    session = started()
    state = session.simulation.state
    known = solids(session, "human")
    mine = [s for s in known.values() if s.kind == "object" and s.relation == "on"]
    thing = mine[0]
    assert thing.position == state.poses[thing.name].position
    assert thing.yaw == state.poses[thing.name].yaw
    x, y, z = thing.position
    state.move(thing.name, state.places[thing.name], Pose((x + 3.0, y, z), thing.yaw + 90.0))
    after = solids(session, "human")[thing.name]
    assert (after.position, after.yaw) == (thing.position, thing.yaw)


def test_the_agent_itself_is_not_drawn_and_others_are_as_last_seen() -> None:
    session = started()
    known = solids(session, "human")
    assert "human" not in known
    if "robot" in known:
        assert known["robot"].seen == (
            room_of(session.simulation.state, "human") == room_of(session.simulation.state, "robot")
        )
    everything = solids(started(observability="full"), "human")
    assert everything["robot"].seen
    assert {s.name for s in known.values()} < {s.name for s in everything.values()}


def test_what_is_in_something_closed_is_not_drawn() -> None:
    session = started(observability="full")
    nodes = session.simulation.graphs["human"].nodes
    drawn = solids(session, "human")
    shut = {
        node.name
        for node in nodes.values()
        if node.relation == "within" and nodes[node.holder].states.get("open") is False
    }
    assert shut
    assert not shut & drawn.keys()
    assert len(drawn) > 100


def test_a_look_is_a_mesh_and_another_look_another() -> None:
    session = started(observability="full")
    scene = session.observe("human").scene
    assert scene is not None
    openable = next(
        s for s in scene.solids if s.kind == "furniture" and s.states.get("open") is False
    )
    assert len(scene.draw(openable.mesh).kinds) > 0
    session.simulation.state.set(openable.name, "open", True)
    session.simulation.graphs["human"].refresh([openable.name])
    session.act("human", Action("Wait"))
    session.advance()
    again = solids(session, "human")[openable.name]
    assert again.mesh != openable.mesh
