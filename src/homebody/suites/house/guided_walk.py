"""Sessions in which a person leads the robot through a house, says when to stop, and walks on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from homebody.core import WAIT, Action, Event
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.simulation.people import is_in_earshot
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import WALKING

LIMIT: Final = 3
"""Maximum distance in metres between the leader and the robot while the leader walks."""
TICK: Final = 10
"""Steps between measurements of the distance."""
STOP: Final = "stop here"


@dataclass(slots=True)
class GuidedWalk:
    """A person's walk to a room with the robot, and on to another room without it.

    The person sets out when the robot stands near, waits in the first room until it stands, tells
    it to stop, and walks on.

    Attributes:
        robot: The agent that should follow.
        leader: The person, who has the skill ``Say``.
        rooms: The room where the robot has to stop, and the one to which the person walks on.
        begun: True after the person has set out.
        lost: True if the robot was too far away while the person led it.
        stop: The clock when the robot first stood after the person had said to stop.
        left: True after the person has arrived in the other room.
        ended: True after the robot has ended its part.
    """

    robot: str
    leader: str
    rooms: tuple[str, str]
    begun: bool = False
    lost: bool = False
    stop: int | None = None
    left: bool = False
    ended: bool = False

    def measure(self, simulation: Simulation) -> None:
        """Note whether the robot is too far away from the person who leads it."""
        if simulation.busy(self.leader) == self._walk(0):
            there = _place(simulation, self.leader)
            self.lost |= math.dist(there, _place(simulation, self.robot)) > LIMIT

    def watch(self, simulation: Simulation) -> None:
        """Begin what the person does next; called at each event."""
        busy = simulation.busy
        if self.ended or busy(self.leader) or busy(self.robot) not in (None, WAIT):
            return
        say, here = Action("Say", (self.robot, STOP)), room_of(simulation.state, self.leader)
        if self.stop is None and any(event.action == say and event.ok for event in simulation.log):
            self.stop = simulation.clock
        if self.stop is not None:
            self.left |= here == self.rooms[1]
            wanted = self._walk(1)
        else:
            self.begun |= is_in_earshot(simulation.state, self.robot, self.leader)
            wanted = say if here == self.rooms[0] else self._walk(0)
        if self.begun and not self.left:
            simulation.act(self.leader, wanted)

    def progress(self, simulation: Simulation) -> float:
        """Return a half for following up to the place to stop, and a half for staying there.

        Stepping aside for others is no walk of one's own.
        """
        if self.stop is None or self.lost:
            return 0.0
        since = (e for e in simulation.log if e.role == self.robot and e.end > self.stop)
        walked = any(e.action.name in WALKING and e.end > e.start for e in since)
        return 1.0 if not walked and (self.ended or self.left) else 0.5

    def _walk(self, part: int) -> Action:
        return Action("Navigate", (self.rooms[part],))


class GuidedSession(HouseSession):
    """A session with a guided walk.

    Args:
        simulation: As in :class:`HouseSession`.
        task: The task, judged by the walk.
        walk: The guided walk.
        options: Further arguments of :class:`HouseSession`.
    """

    def __init__(
        self, simulation: Simulation, task: HouseTask, walk: GuidedWalk, **options: Any
    ) -> None:
        self.walk = walk
        simulation.watchers.append(walk.watch)
        super().__init__(simulation, task, **options)

    def _pass_time(self) -> Sequence[Event]:
        while True:
            events = self.simulation.advance(self.clock + TICK)
            self.walk.measure(self.simulation)
            if events or self.simulation.next_event is None:
                return events

    def _end_part(self, role: str, action: Action) -> Event:
        self.walk.ended = True
        event = super()._end_part(role, action)
        self._settle()
        return event


def _place(simulation: Simulation, name: str) -> Point:
    x, y, _ = simulation.state.bodies[name].pose.position
    return x, y
