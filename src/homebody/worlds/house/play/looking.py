"""Views of a session in a house for spectators: the plan with all agents, and their views."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homebody.core import HomebodyError
from homebody.core.viewing import Snapshot
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.views import eye_picture
from homebody.worlds.house.simulation.simulation import Simulation

if TYPE_CHECKING:  # pictures need the extra ``house``
    from homebody.worlds.house.rendering.render import Renderer

VIEW: Final = 224
"""Height and width of an agent's view in pixels."""
PLAN: Final = (420, 640)
"""Maximum height and width of the plan in pixels."""
KEPT: Final = 2
"""Number of recently used renderers that are cached, as baking the light of a house takes seconds.
Sessions in the same house share a renderer if their agents look the same."""
_renderers: list[Renderer] = []


def look(session: Any) -> Snapshot:
    """Return a snapshot of a session; empty outside houses or without the rendering packages."""
    simulation = getattr(session, "simulation", None)
    if not isinstance(simulation, Simulation):
        return Snapshot()
    try:
        from homebody.worlds.house.rendering.rays import require_rays

        require_rays()
    except (HomebodyError, ImportError):
        return Snapshot()
    from homebody.worlds.house.rendering.map_picture import extent, map_picture

    state = simulation.state.copy()
    x0, y0, x1, y1 = extent(state.house)
    scale = min(PLAN[0] / (y1 - y0), PLAN[1] / (x1 - x0))
    where = {role: state.bodies[role].pose.position for role in session.roles}
    marked = [(x, y, role) for role, (x, y, *_) in where.items()]

    def plan() -> Any:
        return map_picture(_renderer(state), scale, labels=False, marked=marked)

    def seen_by(role: str) -> Any:
        return eye_picture(_renderer(state), state, role, (VIEW, VIEW)).rgb

    eyes = {f"what {role} sees": partial(seen_by, role) for role in session.roles}
    return Snapshot(eyes, plan=plan)


def _renderer(state: HouseState) -> Renderer:
    """Return a renderer of a state."""
    from homebody.worlds.house.rendering.render import Renderer

    for kept in _renderers:
        shown = kept.scene.state
        if shown.house is state.house and _looks(shown) == _looks(state):
            _renderers.remove(kept)
            break
    else:
        kept = Renderer.of(state.house, state)
    _renderers[KEPT - 1 :] = []
    _renderers.insert(0, kept)
    kept.update(state)
    return kept


def _looks(state: HouseState) -> list[Any]:
    return [(role, body.size, body.looks) for role, body in state.bodies.items()]
