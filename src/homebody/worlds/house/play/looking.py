"""What people are shown of a session in a house at one moment: the plan from above with all agents
on it, and what each has before its eyes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from homebody.core import HomebodyError
from homebody.core.suite import Snapshot
from homebody.worlds.house.play.views import eye_picture
from homebody.worlds.house.simulation.simulation import Simulation

if TYPE_CHECKING:  # pictures need the extra ``house``
    from homebody.worlds.house.rendering.render import Renderer

VIEW: Final = 224
"""Height and width of what an agent sees, pixels."""
PLAN: Final = (420, 640)
"""Most height and width of the plan, pixels."""
_renderers: WeakKeyDictionary[Simulation, Renderer] = WeakKeyDictionary()


def look(session: Any) -> Snapshot:
    """A session now; nothing of one that is not in a house, or if what draws is not installed."""
    simulation = getattr(session, "simulation", None)
    if not isinstance(simulation, Simulation):
        return Snapshot()
    try:
        from homebody.worlds.house.rendering.rays import require_rays

        require_rays()
    except (HomebodyError, ImportError):
        return Snapshot()
    from homebody.worlds.house.rendering.map_picture import extent, map_picture
    from homebody.worlds.house.rendering.render import Renderer

    state = simulation.state.copy()
    x0, y0, x1, y1 = extent(state.house)
    scale = min(PLAN[0] / (y1 - y0), PLAN[1] / (x1 - x0))
    where = {role: state.bodies[role].pose.position for role in session.roles}
    marked = [(x, y, role) for role, (x, y, *_) in where.items()]

    def renderer() -> Renderer:
        kept = _renderers.get(simulation)
        if kept is None:
            kept = _renderers[simulation] = Renderer.of(state.house, state)
        kept.update(state)
        return kept

    def plan() -> Any:
        return map_picture(renderer(), scale, labels=False, marked=marked)

    def seen_by(role: str) -> Any:
        return eye_picture(renderer(), state, role, (VIEW, VIEW)).rgb

    eyes = {f"what {role} sees": partial(seen_by, role) for role in session.roles}
    return Snapshot({"the plan": plan, **eyes})
