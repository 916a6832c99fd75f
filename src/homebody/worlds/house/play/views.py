"""What a session in a house shows a role: its knowledge in words and pictures, what it can do,
what it saw happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from homebody.core.action import Action
from homebody.core.conversation import Tool
from homebody.core.session import DONE, WAIT, Event, Image, Observation
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.node import Node
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.text import describe_nodes, observation

if TYPE_CHECKING:  # pictures need the extra ``house``
    from homebody.worlds.house.rendering.render import Picture, Renderer

EYES: Final = 0.9
"""Height of the eyes, as a share of an agent's."""
PITCH: Final = -15.0
"""Degrees above the horizon to which agents look."""
_NAME: Final = {"type": "string"}
_PLACING: Final = {
    "object": "what is put down",
    "relation": "on or within",
    "target": "furniture, a floor or a container",
    "next_to": "the word next_to, if it shall be next to something",
    "beside": "what it shall be next to",
}
_TOOLS: Final[dict[str, tuple[str, dict[str, str], int]]] = {
    "Navigate": ("walk to a room, or to a thing, which is within reach then", {"target": ""}, 1),
    "Explore": ("walk through a room and look around", {"room": ""}, 1),
    "Pick": ("take an object within reach into a free hand", {"object": ""}, 1),
    "Place": ("put the object in your hand somewhere within reach", _PLACING, 3),
    "Rearrange": ("go to an object, pick it up, carry it to a target and place it", _PLACING, 3),
    "Open": ("open something within reach", {"thing": ""}, 1),
    "Close": ("close something within reach", {"thing": ""}, 1),
    "Clean": ("clean something within reach", {"thing": ""}, 1),
    "Fill": ("fill something, at a faucet within reach", {"thing": ""}, 1),
    "Pour": ("pour from the filled container in your hand", {"thing": ""}, 1),
    "PowerOn": ("turn on a device within reach", {"thing": ""}, 1),
    "PowerOff": ("turn off a device within reach", {"thing": ""}, 1),
    "Wait": ("do nothing for a moment", {}, 0),
    "Done": ("say that your part is finished; you will not be asked again", {}, 0),
}
"""Skill -> what it does, its arguments, and how many of them are needed."""
STATES: Final = {
    "Clean": ("clean", False),
    "Fill": ("filled", False),
    "Pour": ("filled", False),
    "PowerOn": ("powered_on", False),
    "PowerOff": ("powered_on", True),
    "Open": ("open", False),
    "Close": ("open", True),
}
"""Skill -> the state that what it is done to has before."""


def _tool(name: str) -> Tool:
    description, arguments, needed = _TOOLS[name]
    properties = {
        argument: {**_NAME, "description": text} if text else dict(_NAME)
        for argument, text in arguments.items()
    }
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:needed],
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


def sees(simulation: Simulation, role: str, event: Event) -> bool:
    """Whether a role learns of an event: its own, and what others do in the room that it is in, or
    anywhere if it knows everything."""
    if event.role == role or not simulation.graphs[role].partial:
        return True
    return room_of(simulation.state, role) == room_of(simulation.state, event.role)


class HouseView:
    """What a session in a house shows its roles: the :class:`homebody.core.session.View` of it.

    Its session tells it who :meth:`acted` and what :meth:`is over <tell>`; whatever else happens is
    another :attr:`moment`, too.

    Args:
        simulation: What is shown.
        image_size: Height and width of pictures, in pixels.

    Attributes:
        moment: Grows whenever something happens that a role could be told.
    """

    def __init__(self, simulation: Simulation, image_size: tuple[int, int] = (224, 224)) -> None:
        self.image_size = image_size
        self.moment = 0
        self._simulation = simulation
        self._news: dict[str, list[Event]] = {role: [] for role in simulation.agents}
        self._acted_at = dict.fromkeys(simulation.agents, 0)
        self._renderer: Renderer | None = None

    def acted(self, role: str, refusal: Event | None) -> None:
        """A role has acted: what it had seen before is no news any more. To be told before time
        goes on."""
        self.moment += 1
        self._news[role] = [] if refusal is None else [refusal]
        self._acted_at[role] = self._simulation.graphs[role].version

    def tell(self, events: Sequence[Event]) -> None:
        """Time went on: tell roles of what is over, as far as they see it."""
        self.moment += 1
        for event in events:
            for role, seen in self._news.items():
                if sees(self._simulation, role, event):
                    seen.append(event)

    def observe(self, role: str, instruction: str) -> Observation:
        """What a role is told now."""
        news = tuple(self._news[role])
        return Observation(role, self._simulation.clock, instruction, news, self, self.moment)

    def describe(self, role: str) -> str:
        """All that a role knows, in words."""
        return observation(self._simulation, role)

    def learnt(self, role: str) -> str:
        """What a role has come to know since its last action began, in words."""
        graph = self._simulation.graphs[role]
        return describe_nodes(graph, reversed(graph.changed_since(self._acted_at[role])))

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible to a role, ``Done`` last."""
        return [*options(self._simulation, role), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        """What a role can do at all."""
        skills = {*self._simulation.agents[role].skills, DONE.name}
        return tuple(_tool(name) for name in _TOOLS if name in skills)

    def known(self, role: str) -> WorldGraph:
        """What a role knows of the house; only to be read."""
        return self._simulation.graphs[role]

    def images(self, role: str) -> Sequence[Image]:
        """What a role has before its eyes. Needs the extra ``house``."""
        return (Image(role, self.picture(role).rgb),)

    def picture(self, role: str) -> Picture:
        """What a role has before its eyes, with depths. Needs the extra ``house``."""
        from homebody.worlds.house.rendering.render import Camera, Renderer, eye_of

        state = self._simulation.state
        if self._renderer is None:
            self._renderer = Renderer.of(state.house, state)
        self._renderer.update(state)
        pose, (height, width) = state.bodies[role].pose, self.image_size
        eye = eye_of(pose, self._simulation.agents[role].size[2] * EYES)
        camera = Camera(eye, pose.yaw, PITCH, width, height)
        return self._renderer.picture(camera, hide=(role, *state.held(role).values()))


def options(simulation: Simulation, role: str) -> list[Action]:
    """All actions that look possible to a role, in a fixed order: what they are done to is
    known to it and of the right kind. Whether it is within reach is not looked at."""
    graph, skills = simulation.graphs[role], simulation.agents[role].skills
    house = simulation.state.house
    held = next(iter(simulation.state.held(role).values()), "")
    objects = list(graph.of_kind("object"))
    pieces = list(graph.of_kind("furniture"))
    actions = [WAIT]
    actions += [Action("Explore", (room.name,)) for room in house.rooms]
    actions += [
        Action("Navigate", (node.name,)) for node in (*pieces, *objects) if node.name != held
    ]
    for skill, (state, before) in STATES.items():
        if skill not in skills or (skill == "Pour" and not held):
            continue
        actions += [
            Action(skill, (node.name,))
            for node in (*pieces, *objects)
            if node.states.get(state, not before) is before
        ]
    carried = [held] if held else [node.name for node in objects if node.relation != "held"]
    if not held:
        actions += [Action("Pick", (name,)) for name in carried]
    places = _places(simulation, (*pieces, *objects))
    for name in carried:
        for relation, target in places:
            if target != name:
                actions.append(Action("Rearrange", (name, relation, target)))
                if held:
                    actions.append(Action("Place", (name, relation, target)))
    return actions


def _places(simulation: Simulation, nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """Where things can be put: relation and target, each once."""
    house = simulation.state.house
    places = []
    for node in nodes:
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        kinds: dict[Any, None] = (
            dict.fromkeys(receptacle.kind for receptacle in whole.receptacles)
            if whole is not None
            else {}
        )
        places += [
            (kind, node.name) for kind in kinds if kind == "on" or node.states.get("open", True)
        ]
    return places + [("on", room.floor_name) for room in house.rooms]
