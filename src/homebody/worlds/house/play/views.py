"""Observations of a role in a house: its knowledge as text and pictures, options and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from homebody.core.action import Action
from homebody.core.play.conversation import Image, Tool
from homebody.core.play.session import DONE, Gaze
from homebody.core.play.telling import EventLog
from homebody.worlds.house.model.agents import AIMED
from homebody.worlds.house.model.state import EYES, HouseState
from homebody.worlds.house.play.options import HouseOptions
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import FORMS
from homebody.worlds.house.simulation.text import describe_nodes, observation

if TYPE_CHECKING:  # pictures need the extra ``house``, and meshes take time to import
    from homebody.core.play.known_scene import KnownScene
    from homebody.worlds.house.play.known_scene import SceneMaker
    from homebody.worlds.house.rendering.render import Picture, Renderer

FOV: Final = 79.0
"""Horizontal field of view of a picture in degrees."""
_NAME: Final = {"type": "string"}
_PLACING: Final = {
    "object": "the object to place",
    "relation": "on or within",
    "target": "furniture, a floor or a container",
    "next_to": "the word next_to, to place it next to something",
    "beside": "what to place it next to",
}
_ASKING: Final = {
    "person": "",
    "about": "an object, a person or a category; if omitted, what they do",
}
_REQUEST: Final = {
    "person": "",
    "skill": "what they should do: Navigate, Pick, Place, Open ...",
    **dict.fromkeys(("first", "second", "third"), "an argument of the skill, if it has that many"),
}
_AIMING: Final = {"thing": "which of these; the nearest to the middle if omitted"}
_DONE_AHEAD: Final = {
    "PickAhead": "pick up",
    "PlaceAhead": "put what you hold on or in",
    "OpenAhead": "open",
    "CloseAhead": "close",
    "CleanAhead": "clean",
    "FillAhead": "fill, at a faucet within reach,",
    "PourAhead": "pour from what you hold into",
    "PowerOnAhead": "turn on",
    "PowerOffAhead": "turn off",
}
_TOOLS: Final[dict[str, tuple[str, dict[str, str], int]]] = {
    "Navigate": (
        "walk to a room, or to a thing or a door, which is then within reach",
        {"target": ""},
        1,
    ),
    "Explore": ("walk through a room and look around", {"room": ""}, 1),
    "Pick": ("take an object within reach into a free hand", {"object": ""}, 1),
    "Place": ("put the object in your hand somewhere within reach", _PLACING, 3),
    "Rearrange": ("go to an object, pick it up, carry it to a target and place it", _PLACING, 3),
    "Open": ("open a thing or a door within reach", {"thing": ""}, 1),
    "Close": ("close a thing or a door within reach", {"thing": ""}, 1),
    "Clean": ("clean something within reach", {"thing": ""}, 1),
    "Fill": ("fill something, at a faucet within reach", {"thing": ""}, 1),
    "Pour": ("pour from the filled container in your hand", {"thing": ""}, 1),
    "PowerOn": ("turn on a device within reach", {"thing": ""}, 1),
    "PowerOff": ("turn off a device within reach", {"thing": ""}, 1),
    "Ask": ("ask a person near you what they do, or where something is", _ASKING, 1),
    "Request": ("have a person near you, who is an agent, do something", _REQUEST, 2),
    "Give": ("hand the object in your hand to somebody within reach", {"object": "", "to": ""}, 2),
    "Take": ("take what a person within reach holds", {"object": ""}, 1),
    "Say": ("tell another agent something", {"agent": "", "words": ""}, 2),
    "Follow": ("walk after another agent until it stops", {"agent": ""}, 1),
    "MoveAhead": ("go 0.25 m ahead", {}, 0),
    "TurnLeft": ("turn 30 degrees to the left", {}, 0),
    "TurnRight": ("turn 30 degrees to the right", {}, 0),
    "LookUp": ("look 30 degrees further up", {}, 0),
    "LookDown": ("look 30 degrees further down", {}, 0),
    **{
        name: (f"{doing} what is in the middle of your picture and within reach", _AIMING, 0)
        for name, doing in _DONE_AHEAD.items()
    },
    "Wait": ("do nothing for a moment", {}, 0),
    "Done": ("say that your part is finished; you will not act again", {}, 0),
}
"""Skill -> description, arguments, and number of required arguments."""


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


def eye_picture(
    renderer: Renderer,
    state: HouseState,
    role: str,
    size: tuple[int, int],
    turn: float = 0.0,
    fov: float = FOV,
) -> Picture:
    """Render an agent's view of a state. Its held objects are hidden
    (:meth:`HouseView.picture`)."""
    from homebody.worlds.house.rendering.render import Camera, eye_of

    renderer.update(state)
    body, (height, width) = state.bodies[role], size
    camera = Camera(
        eye_of(body.pose, body.size[2] * EYES), body.pose.yaw + turn, body.pitch, width, height, fov
    )
    return renderer.picture(camera, hide=(role, *state.held_by(role).values()))


class HouseView:
    """The :class:`homebody.core.play.session.View` of a session in a house.

    Its session calls :meth:`note_action` after each action.

    Args:
        simulation: The simulation.
        image_size: Height and width of pictures in pixels.
        shows: True if models receive the pictures.

    Attributes:
        event_log: The event log of the session, which sets it.
    """

    event_log: EventLog

    def __init__(
        self,
        simulation: Simulation,
        image_size: tuple[int, int] = (224, 224),
        shows: bool = False,
    ) -> None:
        self.image_size = image_size
        self.shows = shows
        self._simulation = simulation
        self._options = {role: HouseOptions(simulation, role) for role in simulation.agents}
        self._acted_at = dict.fromkeys(simulation.agents, 0)
        self._renderer: Renderer | None = None
        self._scenes: dict[str, SceneMaker] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_renderer": None, "_scenes": {}}  # each copy draws its own state

    @property
    def moment(self) -> int:
        """A number that grows whenever something happens that a role could perceive."""
        return self.event_log.moment

    def note_action(self, role: str) -> None:
        """Record that a role has acted. Changes of its knowledge are counted from now on."""
        self._acted_at[role] = self._simulation.graphs[role].version

    def no_such_skill(self, role: str, name: str) -> str:
        """Return a message with the role's skills if there is no skill of this name, else an empty
        string."""
        if name in FORMS:
            return ""
        return f"there is no {name}; there are {', '.join(tool.name for tool in self.tools(role))}"

    def describe(self, role: str) -> str:
        """Describe all knowledge of a role. If it moves in small steps, also describe the middle of
        its view."""
        return f"{observation(self._simulation, role)}{self._ahead(role)}"

    def describe_changes(self, role: str) -> str:
        """Describe the changes of a role's knowledge since its last action began."""
        graph = self._simulation.graphs[role]
        news = describe_nodes(graph, reversed(graph.changed_since(self._acted_at[role])))
        return f"{news}{self._ahead(role)}".strip()

    def _ahead(self, role: str) -> str:
        gaze = self.gaze(role)
        return "" if gaze is None else f"\n{gaze.text}"

    def gaze(self, role: str) -> Gaze | None:
        """Return the viewing direction of a role that moves in small steps; None for other
        roles."""
        simulation = self._simulation
        if simulation.agents[role].skills.isdisjoint(AIMED):
            return None
        return Gaze(simulation.aimed_at(role), simulation.describe_gaze(role))

    def doing(self, role: str) -> Mapping[str, Action]:
        """Return the visible current actions of others."""
        simulation = self._simulation
        acting = {other: simulation.busy(other) for other in simulation.agents if other != role}
        return {
            other: action
            for other, action in acting.items()
            if action is not None and simulation.sees_agent(role, other)
        }

    def options(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible to a role, ``Done`` last."""
        return self._options[role].now()

    def tools(self, role: str) -> Sequence[Tool]:
        """Return the skills of a role as tools."""
        skills = {*self._simulation.agents[role].skills, DONE.name}
        return tuple(_tool(name) for name in _TOOLS if name in skills)

    def knowledge(self, role: str) -> WorldGraph:
        """Return the knowledge of a role, which must not be changed."""
        return self._simulation.graphs[role]

    def images(self, role: str) -> Sequence[Image]:
        """Return the picture of a role. Needs the extra ``house``."""
        return (Image(role, self.picture(role).rgb),)

    def known_scene(self, role: str) -> KnownScene:
        """Return a role's knowledge as a scene to render, seen from where the role is."""
        from homebody.worlds.house.play.known_scene import SceneMaker

        simulation = self._simulation
        if role not in self._scenes:
            self._scenes[role] = SceneMaker(simulation, role)
        others = simulation.agents.keys() - {role}
        seen = {other for other in others if simulation.sees_agent(role, other)}
        return self._scenes[role].scene(EYES, FOV, seen)

    def picture(self, role: str, turn: float = 0.0, fov: float = FOV) -> Picture:
        """Render the view of a role, with a depth map. Needs the extra ``house``.

        Args:
            turn: Degrees by which the view is turned to the left.
            fov: Horizontal field of view in degrees.
        """
        from homebody.worlds.house.rendering.render import Renderer

        state = self._simulation.state
        if self._renderer is None:
            self._renderer = Renderer.of(state.house, state)
        return eye_picture(self._renderer, state, role, self.image_size, turn, fov)
