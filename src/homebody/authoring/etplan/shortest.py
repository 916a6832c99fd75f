"""The shortest plan, from the scene graph (paper, appendix A.6).

The graph leads from rooms to their objects, and from closed furniture to its contents. A robot
outside the room of an object goes to the room first, then to the closed container, opens it, and
goes to the object. The robot goes to an object before it handles it. Among plans with the same
number of actions, the plan with the shortest walk is chosen. The contents of a container move with
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product, starmap

from homebody.authoring.etplan.setting import Setting, Start, matching_instances
from homebody.core import Action
from homebody.goals.etplan import PLACED, Job

MOST_CHOICES = 20_000
"""Maximum number of assignments of objects to classes whose numbers of actions are compared."""
MOST_WALKS = 12
"""Maximum number of the shortest plans that are compared by their walks."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A plan with its first object and its length.

    Attributes:
        actions: The plan.
        found: The object that is found first.
        metres: Approximate length of the walk.
    """

    actions: tuple[Action, ...]
    found: str
    metres: float


def shortest(setting: Setting, start: Start, jobs: Sequence[Job], hands: int) -> Solution | None:
    """Return the shortest plan; None if there is no plan, or if there are too many choices.

    Jobs are in any order, except that an object is filled before it is put somewhere. With two
    hands the robot takes both objects before it puts them down.
    """
    here = setting.room_at(start)
    wanted = list(dict.fromkeys(w for job in jobs for w in (job.thing, job.target) if w))
    options = [matching_instances(setting, one) for one in wanted]
    if math.prod(map(len, options)) > MOST_CHOICES or not all(options):
        return None
    orders = [
        order
        for order in permutations(jobs)
        if not any(
            first.thing == later.target
            for place, first in enumerate(order)
            for later in order[place:]
        )
    ]
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
    best.sort(
        key=lambda plan: (
            round(setting.straight_distance(start, _stops(plan)), 6),
            tuple(map(str, plan)),
        )
    )
    walked = [
        (setting.walk(start, _stops(plan)), place) for place, plan in enumerate(best[:MOST_WALKS])
    ]
    metres, place = min(walked)
    if not math.isfinite(metres):
        return None
    return Solution(best[place], plans[best[place]], round(metres, 3))


def _plan(
    setting: Setting, room: str, chosen: Sequence[tuple[str, Job, str | None]], hands: int
) -> tuple[Action, ...]:
    """Return the plan that does the jobs in a given order with given objects."""
    actions: list[Action] = []
    opened: set[str] = set()
    moved: dict[str, str] = {}  # container -> where it was put
    at = {"room": room, "thing": ""}

    def go(name: str) -> None:
        where = setting.facts.room(moved.get(name, name))
        if where != at["room"]:
            actions.append(Action("Navigate", (where,)))
            at.update(room=where, thing="")
        for holder in () if name in moved else setting.closed_around(name):
            open_(holder)
        to(name)

    def open_(name: str) -> None:
        if name not in opened:
            go(name)
            actions.append(Action("Open", (name,)))
            opened.add(name)

    def to(name: str) -> None:
        if at["thing"] != name:
            actions.append(Action("Navigate", (name,)))
            at["thing"] = name

    carried: list[tuple[str, Job, str]] = []
    if setting.needs_hand and hands > 1:  # when both are full it is too late
        for _, job, target in chosen:
            if target is not None and job.relation == "INSIDE" and setting.is_shut(target):
                open_(target)
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
            if put.relation == "INSIDE" and setting.is_shut(place):
                open_(place)
            actions.append(Action("Place", (thing, PLACED[put.relation], place)))
            moved[thing] = place
        carried = []
    return tuple(actions)


def _stops(plan: Sequence[Action]) -> list[str]:
    return [action.args[0] for action in plan if action.name == "Navigate"]
