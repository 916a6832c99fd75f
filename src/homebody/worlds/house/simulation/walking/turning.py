"""Turning and looking up and down, in small steps."""

from __future__ import annotations

from typing import Final

from homebody.worlds.house.simulation.conditions import Changes, Face, Refused, SkillContext

TURN: Final = 30.0
"""Degrees that one turn to the side, up or down takes."""
HIGHEST, LOWEST = 45.0, -75.0
"""Range of the pitch in degrees above the horizon."""


def turn(context: SkillContext, agent: str, degrees: float) -> Changes:
    """Turn to the left by some degrees; negative is to the right."""
    body = context.state.bodies[agent]
    return (Face(agent, round(body.pose.yaw + degrees, 1) % 360.0, body.pitch),)


def look(context: SkillContext, agent: str, degrees: float) -> Changes:
    """Look up by some degrees; negative is down. Raises Refused at the limit."""
    body = context.state.bodies[agent]
    pitch = body.pitch + degrees
    if not LOWEST <= pitch <= HIGHEST:
        raise Refused(f"you cannot look further {'up' if degrees > 0 else 'down'}")
    return (Face(agent, body.pose.yaw, pitch),)
