"""Worlds in 3-D: only what a role knows is told, and only the meshes of that."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from web.conftest import Served

Serve = Callable[..., Served]


def solids(scene: Any) -> dict[str, Any]:
    return {solid["name"]: solid for part in ("shell", "things", "agents") for solid in scene[part]}


def meshes(served: Served, token: str, names: list[str]) -> dict[str, bytes]:
    answer = served.client.post(
        "/api/v1/seat/meshes",
        json={"names": names},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 200, answer.text
    found, at = {}, 0
    for name in names:
        (size,) = struct.unpack_from("<I", answer.content, at)
        found[name] = answer.content[at + 4 : at + 4 + size]
        at += 4 + size
    assert at == len(answer.content)
    return found


def test_a_scene_has_meshes_for_all_that_is_known(serve: Serve) -> None:
    served = serve("partnr.val")
    token = served.new("partnr.val", {"robot": "idle", "human": "person"})["human"]
    told = served.seat(token)
    assert told["scene"] is True
    scene = served.get("/seat/scene", token).json()
    assert scene["revision"] == told["revision"]
    assert scene["eye"].keys() == {"position", "yaw", "pitch", "fov"}
    known = solids(scene)
    names = list({solid["mesh"] for solid in known.values()})
    for name, data in meshes(served, token, names).items():
        counts = struct.unpack_from("<3I", data)
        total = sum(counts)
        assert len(data) == 12 + 20 * total
        assert total % 3 == 0
        corners = np.frombuffer(data, "<f4", 3 * total, 12)
        assert np.isfinite(corners).all()
        assert served.games.open  # it goes on
        assert name in names
    one = served.get(f"/seat/mesh/{names[0]}", token)
    assert one.content == meshes(served, token, names[:1])[names[0]]
    unchanged = served.get(f"/seat/scene?since={scene['revision']}", token).json()
    assert unchanged == {"revision": scene["revision"]}


def test_what_a_role_has_not_seen_is_not_in_its_scene(serve: Serve) -> None:
    served = serve("partnr.val")
    tokens = served.new("partnr.val", {"robot": "person", "human": "person"})
    scenes = {
        role: solids(served.get("/seat/scene", token).json()) for role, token in tokens.items()
    }
    (game,) = served.games.open.values()
    graphs = game.session.simulation.graphs  # type: ignore[attr-defined]
    everything = set(game.session.simulation.state.house.thing)  # type: ignore[attr-defined]
    for role, known in scenes.items():
        objects = {name for name, solid in known.items() if solid["kind"] == "object"}
        assert objects <= set(graphs[role].nodes)
        assert objects < everything
    # and a mesh that one was told of is none of the other's
    other = {solid["mesh"] for solid in scenes["human"].values()}
    own = next(s["mesh"] for s in scenes["robot"].values() if s["mesh"] not in other)
    assert served.get(f"/seat/mesh/{own}", tokens["robot"]).status_code == 200
    for name in (own, "x", "0" * 16):
        assert served.get(f"/seat/mesh/{name}", tokens["human"]).status_code == 404


@pytest.mark.usefixtures("eai_data")
def test_a_world_without_geometry_has_no_scene(serve: Serve) -> None:
    served = serve("eai.virtualhome.interactive")
    token = served.new("eai.virtualhome.interactive", {"agent": "person"})["agent"]
    assert served.seat(token)["scene"] is False
    assert served.get("/seat/scene", token).status_code == 404
