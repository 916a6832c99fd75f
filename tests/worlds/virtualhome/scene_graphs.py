"""A small scene graph, as VirtualHome writes them, with positions and boxes."""

from __future__ import annotations

import json
from typing import Any

ROOMS = {1: ("kitchen", (2.0, 0.0, 2.0)), 2: ("bedroom", (7.0, 0.0, 2.0))}
THINGS: dict[int, tuple[str, str, int, tuple[float, float, float], list[str], list[str]]] = {
    10: ("fridge", "in", 1, (0.5, 1.0, 0.5), ["CAN_OPEN", "CONTAINERS"], ["CLOSED"]),
    11: ("kitchencounter", "in", 1, (2.0, 0.9, 0.5), ["SURFACES"], []),
    12: ("kitchentable", "in", 1, (3.0, 0.8, 3.0), ["SURFACES", "MOVABLE"], []),
    13: ("bed", "in", 2, (6.0, 0.5, 2.0), ["SURFACES", "SITTABLE", "LIEABLE"], []),
    14: ("nightstand", "in", 2, (8.0, 0.6, 3.5), ["SURFACES", "CAN_OPEN"], ["CLOSED"]),
    15: ("kitchencabinet", "in", 1, (3.0, 1.6, 0.5), ["CAN_OPEN", "CONTAINERS"], ["CLOSED"]),
    16: ("desk", "in", 2, (8.0, 0.7, 0.5), ["SURFACES"], []),
    20: ("apple", "on", 11, (2.1, 1.0, 0.5), ["GRABBABLE", "EATABLE"], []),
    21: ("apple", "on", 12, (3.1, 0.9, 3.0), ["GRABBABLE", "EATABLE"], []),
    22: ("milk", "in", 10, (0.5, 1.2, 0.5), ["GRABBABLE", "DRINKABLE"], []),
    23: ("plate", "in", 15, (3.0, 1.7, 0.5), ["GRABBABLE", "SURFACES"], []),
    24: ("book", "on", 14, (8.0, 0.7, 3.5), ["GRABBABLE", "READABLE"], []),
    25: ("mug", "on", 16, (8.0, 0.8, 0.5), ["GRABBABLE", "RECIPIENT"], []),
    26: ("bananas", "on", 12, (3.0, 0.9, 3.1), ["GRABBABLE", "EATABLE"], []),
    28: ("tray", "on", 16, (8.2, 0.8, 0.5), ["GRABBABLE", "SURFACES"], []),
    29: ("basket", "in", 2, (6.0, 0.0, 3.5), ["GRABBABLE", "CAN_OPEN", "CONTAINERS"], ["CLOSED"]),
    27: ("cutleryfork", "on", 11, (2.3, 1.0, 0.5), ["GRABBABLE"], []),
}
"""Id -> class, on or in what, where, properties, states."""


def raw() -> dict[str, Any]:
    """The graph; another one each time."""
    nodes: list[dict[str, Any]] = [
        {"id": number, "class_name": name, "category": "Rooms", "properties": [], "states": []}
        | {"obj_transform": {"position": list(at), "rotation": [0, 0, 0, 1]}, "prefab_name": "r"}
        for number, (name, at) in ROOMS.items()
    ]
    edges: list[dict[str, Any]] = []
    for number, (name, relation, place, at, properties, states) in THINGS.items():
        size = [0.1, 0.1, 0.1] if "GRABBABLE" in properties else [0.8, 0.9, 0.6]
        box = {"center": list(at), "size": size}
        nodes.append(
            {"id": number, "class_name": name, "category": "Things", "properties": properties}
            | {"states": states, "bounding_box": box}
        )
        room = place if place in ROOMS else THINGS[place][2]
        edges.append({"from_id": number, "relation_type": "INSIDE", "to_id": room})
        if place != room:
            word = {"on": "ON", "in": "INSIDE"}[relation]
            edges.append({"from_id": number, "relation_type": word, "to_id": place})
            edges.append({"from_id": number, "relation_type": "CLOSE", "to_id": place})
    return {"nodes": nodes, "edges": edges}


def household() -> bytes:
    """The graph as a file has it."""
    return json.dumps(raw()).encode()
