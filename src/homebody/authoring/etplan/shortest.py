"""The shortest plan, from the scene graph (paper, appendix A.6).

The graph leads from rooms to what is in them, and from shut furniture to what is in that. So who is
not in the room of a thing goes to the room first, then to what the thing is shut in and opens it,
then to the thing; and handles only what he has gone to. Among plans of so many actions it is the
one with the shortest walk. What is in a container moves with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product, starmap

from homebody.authoring.etplan.setting import Setting
from homebody.core import Action
from homebody.suites.etplan.agents.jobs import RELATION, Job
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.simulation.walls import room_at

MOST_CHOICES = 20_000
"""Most ways to choose things for classes that are compared by their number of actions."""
MOST_WALKS = 12
"""Most of the shortest of them that are compared by their walks."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A plan, and what it does with what.

    Attributes:
        actions: The plan.
        found: The thing that is found first.
        metres: About how far it is to walk.
    """

    actions: tuple[Action, ...]
    found: str
    metres: float


def shortest(setting: Setting, start: Point, jobs: Sequence[Job], hands: int) -> Solution | None:
    """The shortest plan; None if there is none, or too many to choose from.

    Args:
        setting: The home.
        start: Where the robot stands.
        jobs: What is to be done; several that are not bound to each other in any order.
        hands: How many things it can carry: with two it takes both before it puts them down.
    """
    here = room_at(setting.house, start)
    wanted = list(dict.fromkeys(w for job in jobs for w in (job.thing, job.target) if w))
    options = [setting.those(one) for one in wanted]
    if math.prod(map(len, options)) > MOST_CHOICES or not all(options):
        return None
    bound = any(job.thing in (other.target for other in jobs) for job in jobs)
    orders = [tuple(jobs)] if bound else list(permutations(jobs))
    plans: dict[tuple[Action, ...], str] = {}
    for chosen in product(*options):
        if len(set(chosen)) < len(chosen):
            continue
        names = dict(zip(wanted, chosen, strict=True))
        put = [(names[j.thing], j.relation, names[j.target]) for j in jobs if j.target]
        if not all(starmap(setting.fits, put)):
            continue
        for order in orders:
            picks = [(names[j.thing], j, names[j.target] if j.target else None) for j in order]
            plan = _plan(setting, here, picks, hands)
            plans.setdefault(plan, names[jobs[0].thing])
    if not plans:
        return None
    least = min(map(len, plans))
    best = [plan for plan in plans if len(plan) == least]
    best.sort(key=lambda plan: (_straight(setting, start, plan), tuple(map(str, plan))))
    walked = [(_walk(setting, start, plan), place) for place, plan in enumerate(best[:MOST_WALKS])]
    metres, place = min(walked)
    if not math.isfinite(metres):
        return None
    return Solution(best[place], plans[best[place]], round(metres, 3))


def _plan(
    setting: Setting, room: str, chosen: Sequence[tuple[str, Job, str | None]], hands: int
) -> tuple[Action, ...]:
    """The plan that does jobs in an order, with chosen things."""
    actions: list[Action] = []
    opened: set[str] = set()
    moved: dict[str, str] = {}  # container -> where it was put
    at = {"room": room, "thing": ""}

    def go(name: str) -> None:
        where = setting.room(moved.get(name, name))
        if where != at["room"]:
            actions.append(Action("Navigate", (where,)))
            at.update(room=where, thing="")
        for holder in () if name in moved else setting.shut(name):
            if holder not in opened:
                to(holder)
                actions.append(Action("Open", (holder,)))
                opened.add(holder)
        to(name)

    def to(name: str) -> None:
        if at["thing"] != name:
            actions.append(Action("Navigate", (name,)))
            at["thing"] = name

    carried: list[tuple[str, Job, str]] = []
    for name, job, target in chosen:
        go(name)
        if target is None:
            continue
        actions.append(Action("Pick", (name,)))
        carried.append((name, job, target))
        if len(carried) < hands and name != chosen[-1][0]:
            continue
        for thing, put, place in carried:
            go(place)
            is_shut = setting.state.states[place].get("open") is False
            if put.relation == "INSIDE" and is_shut and place not in opened:
                actions.append(Action("Open", (place,)))
                opened.add(place)
            actions.append(Action("Place", (thing, RELATION[put.relation], place)))
            moved[thing] = place
        carried = []
    return tuple(actions)


def _stops(plan: Sequence[Action]) -> list[str]:
    return [action.args[0] for action in plan if action.name == "Navigate"]


def _straight(setting: Setting, start: Point, plan: Sequence[Action]) -> float:
    """Metres from stop to stop as the crow flies."""
    total, here = 0.0, start
    for name in _stops(plan):
        if name not in setting.house.room:
            x, y, _ = setting.state.box(name).centre
            total += math.dist(here, (x, y))
            here = x, y
    return round(total, 6)


def _walk(setting: Setting, start: Point, plan: Sequence[Action]) -> float:
    """Metres on the way from stop to stop."""
    total, here = 0.0, start
    for name in _stops(plan):
        metres, here = setting.walk(here, name)
        total += metres
    return total
