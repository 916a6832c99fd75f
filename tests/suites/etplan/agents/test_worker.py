"""What can be what is wanted."""

from __future__ import annotations

from homebody.goals.etplan import Condition, Wanted
from homebody.suites.etplan.agents.worker import candidates
from homebody.worlds.house.simulation.node import Node


def test_a_candidate_is_where_it_is_said_to_be() -> None:
    shampoo = [Node(f"shampoo_{at}", "object", "shampoo", (0.0, 0.0, 0.0)) for at in range(3)]
    cabinet = Node("cabinet_0", "furniture", "cabinet", (9.0, 9.0, 0.0))
    bath = Node("bath_0", "furniture", "bath", (9.0, 9.0, 0.0))
    facts = {("ON", "shampoo_0", "cabinet_0"), ("INSIDE", "shampoo_1", "cabinet_0")}
    facts |= {("CLOSE", "shampoo_2", "bath_0"), ("CLOSE", "shampoo_1", "bath_0")}

    def found(*where: tuple[str, str], known: tuple[Node, ...] = (cabinet, bath)) -> set[str]:
        wanted = Wanted("shampoo", tuple(Condition(how, "shampoo", at) for how, at in where))
        nodes = {node.name: node for node in (*shampoo, *known)}
        return {n.name for n in candidates(nodes, wanted, lambda *fact: fact in facts)}

    assert found() == {"shampoo_0", "shampoo_1", "shampoo_2"}
    assert found(("ON", "cabinet")) == {"shampoo_0"}
    assert found(("INSIDE", "cabinet")) == {"shampoo_1"}
    assert found(("CLOSE", "bath")) == {"shampoo_1", "shampoo_2"}
    assert found(("CLOSE", "bath"), ("INSIDE", "cabinet")) == {"shampoo_1"}
    assert found(("CLOSE", "bath"), known=(cabinet,)) == set()
