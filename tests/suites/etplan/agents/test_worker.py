"""What can be what is wanted, and how it is got at."""

from __future__ import annotations

import json

import numpy as np

from homebody.core import CORRECTED
from homebody.core.play.rounds import play
from homebody.goals.etplan import ROBOT, Condition, Target
from homebody.suites.etplan.agents.explorer import explorer
from homebody.suites.etplan.agents.worker import candidates
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.virtualhome.scene_graph import read_graph
from worlds.virtualhome.scene_graphs import raw


def test_a_candidate_is_where_it_is_said_to_be() -> None:
    shampoo = [Node(f"shampoo_{at}", "object", "shampoo", (0.0, 0.0, 0.0)) for at in range(3)]
    cabinet = Node("cabinet_0", "furniture", "cabinet", (9.0, 9.0, 0.0))
    bath = Node("bath_0", "furniture", "bath", (9.0, 9.0, 0.0))
    facts = {("ON", "shampoo_0", "cabinet_0"), ("INSIDE", "shampoo_1", "cabinet_0")}
    facts |= {("CLOSE", "shampoo_2", "bath_0"), ("CLOSE", "shampoo_1", "bath_0")}

    def found(*where: tuple[str, str], known: tuple[Node, ...] = (cabinet, bath)) -> set[str]:
        wanted = Target("shampoo", tuple(Condition(how, "shampoo", at) for how, at in where))
        nodes = {node.name: node for node in (*shampoo, *known)}
        return {n.name for n in candidates(nodes, wanted, lambda *fact: fact in facts)}

    assert found() == {"shampoo_0", "shampoo_1", "shampoo_2"}
    assert found(("ON", "cabinet")) == {"shampoo_0"}
    assert found(("INSIDE", "cabinet")) == {"shampoo_1"}
    assert found(("CLOSE", "bath")) == {"shampoo_1", "shampoo_2"}
    assert found(("CLOSE", "bath"), ("INSIDE", "cabinet")) == {"shampoo_1"}
    assert found(("CLOSE", "bath"), known=(cabinet,)) == set()


def test_what_a_graph_says_is_in_each_other_is_got_at() -> None:
    rings = raw()
    rings["edges"] += [
        {"from_id": one, "relation_type": "ON", "to_id": other}
        for one, other in ((25, 28), (28, 25))  # mug and tray
    ]
    rings["edges"] = [e for e in rings["edges"] if (e["from_id"], e["to_id"]) != (25, 16)]
    rings["edges"] = [e for e in rings["edges"] if (e["from_id"], e["to_id"]) != (28, 16)]
    graph = keep(read_graph(json.dumps(rings).encode()))
    criterion = "(CLOSE, robot, mug)(CLOSE, robot, bed)(ON, mug, bed)"
    task = EtplanTask(
        "t-1", "manipulation", graph.digest, "bedroom.2", "Do it.", criterion, ("Open[a]",)
    )
    session = start(ROWS["manipulation"], task, {}, 0, CORRECTED)
    play(session, {ROBOT: explorer(session, np.random.default_rng(0))})
    assert session.ending is not None
