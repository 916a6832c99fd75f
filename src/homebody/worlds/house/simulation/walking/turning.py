"""Turning and looking up and down, in small steps."""

from __future__ import annotations

from typing import Final

from homebody.worlds.house.simulation.conditions import Changes, Face, Refused, SkillContext

TURN: Final = 30.0
"""Degrees by which one turns, or looks up or down."""
HIGHEST, LOWEST = 45.0, -75.0
"""Degrees above the horizon to which one can look."""


def turn(context: SkillContext, agent: str, degrees: float) -> Changes:
    """Turn to the left, or by less than nothing to the right."""
    body = context.state.bodies[agent]
    return (Face(agent, round(body.pose.yaw + degrees, 1) % 360.0, body.pitch),)


def look(context: SkillContext, agent: str, degrees: float) -> Changes:
    """Look further up, or by less than nothing down. Raises Refused where that is the end."""
    body = context.state.bodies[agent]
    pitch = body.pitch + degrees
    if not LOWEST <= pitch <= HIGHEST:
        raise Refused(f"you cannot look further {'up' if degrees > 0 else 'down'}")
    return (Face(agent, body.pose.yaw, pitch),)
