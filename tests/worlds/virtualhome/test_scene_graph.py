"""Scene graphs as files have them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from homebody.core import HomebodyError
from homebody.worlds.virtualhome.scene_graph import SceneGraph, read_graph, write_graph
from worlds.virtualhome.scene_graphs import household, raw


def test_a_graph_is_facts_and_positions_with_z_upwards() -> None:
    graph = read_graph(household())
    assert graph.rooms == ("kitchen.1", "bedroom.2")
    assert graph.state.holds("INSIDE", ("milk.22", "fridge.10"))
    assert graph.state.holds("ONTOP", ("apple.20", "kitchencounter.11"))
    assert graph.state.holds("NEXT_TO", ("kitchencounter.11", "apple.20"))
    assert graph.state.holds("CLOSED", ("fridge.10",))
    assert graph.state.holds("GRABBABLE", ("apple.20",))
    assert graph.positions["fridge.10"] == (0.5, 0.5, 1.0)
    assert graph.positions["bedroom.2"] == (7.0, 2.0, 0.0)
    assert graph.sizes["fridge.10"] == (0.8, 0.6, 0.9)
    assert graph.opens == {"fridge.10", "nightstand.14", "kitchencabinet.15", "basket.29"} | {
        "desk.16"  # annotated plans open desks, which have no such property
    }


def test_somebody_acts_in_it_from_where_it_is_put() -> None:
    graph = read_graph(household())
    start = graph.start("bedroom.2")
    about = [fact for fact in start.state.facts() if graph.agent in fact]
    assert about == [("INSIDE", graph.agent, "bedroom.2")]
    with pytest.raises(HomebodyError, match="unknown room: 'attic'"):
        graph.start("attic")


def test_what_is_written_is_read_as_the_same() -> None:
    graph = read_graph(household())
    again = read_graph(write_graph(graph))
    assert again.digest == graph.digest
    assert set(again.state.facts()) == set(graph.state.facts())
    assert again.agent == graph.agent
    moved = raw()
    moved["nodes"][0]["obj_transform"]["position"][0] += 0.5
    assert read_graph(json.dumps(moved).encode()).digest != graph.digest


def test_the_graph_that_a_script_begins_with() -> None:
    text = json.dumps({"init_graph": raw(), "final_graph": {"nodes": [], "edges": []}}).encode()
    assert read_graph(text).digest == read_graph(household()).digest


@pytest.mark.usefixtures("eai_data")
def test_a_scene_of_eai_is_written_and_read_again() -> None:
    from homebody.suites.eai.virtualhome.tasks import load_task

    task = load_task("27_2").task
    graph = SceneGraph(task.initial, task.world.agent)
    again = read_graph(write_graph(graph))
    assert set(again.state.facts()) == set(task.initial.facts())
    assert again.digest == graph.digest


def _without(part: str) -> dict[str, Any]:
    graph = raw()
    del graph[part]
    return graph


def _with(at: int, **changed: Any) -> dict[str, Any]:
    graph = raw()
    graph["nodes"][at] |= changed
    return graph


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "object"),
        (_without("edges"), "edges"),
        (_with(0, id="1"), "id"),
        (_with(0, id=2), "same id"),
        (_with(3, class_name="a, b"), "class_name"),
        (_with(3, class_name="x" * 100), "class_name"),
        (_with(3, states=["OPEN"] * 99), "states"),
        (_with(3, bounding_box={"center": [1e9, 0, 0], "size": [1, 1, 1]}), "center"),
        (_with(3, id=9), "no node"),
        ({"nodes": raw()["nodes"][2:], "edges": []}, "no rooms"),
        ({"nodes": [], "edges": []}, "nodes"),
    ],
)
def test_what_is_no_graph_is_refused(content: Any, said: str) -> None:
    with pytest.raises(HomebodyError, match=said):
        read_graph(json.dumps(content).encode())


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b'{"nodes": ' * 9_000])
def test_what_is_no_json_is_refused(text: bytes) -> None:
    with pytest.raises(HomebodyError, match="not a scene graph"):
        read_graph(text)
