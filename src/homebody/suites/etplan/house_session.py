"""A task being played in its home: a :class:`HouseSession`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from homebody.core import HomebodyError, Observation, Protocol, Score, Transcript
from homebody.core.play.conversation import Image
from homebody.goals.etplan import ROBOT, EtplanGoal
from homebody.suites.etplan.facts import Asked
from homebody.suites.etplan.graph_game import SKILLS
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.trace import CriterionTrace, Played
from homebody.worlds.house.model import agents
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.simulation import Simulation

HANDS: Final = ("right", "left")
WAYS: Final = ("ahead", "left", "behind", "right")
"""Where pictures are taken of, each 90 degrees on; yaw grows to the left."""
REACH: Final = 0.8
"""Metres."""
MOST_STEPS: Final = 1_000_000
"""Of the clock: actions run out before."""


def start_in_house(
    row: Row,
    task: EtplanTask,
    knowledge: str,
    origin: Transcript,
    scored: Callable[[Played, Score, Protocol | None], Score],
) -> HouseSession:
    """A session of a task of a row. Nothing in it is by chance.

    Raises:
        HomebodyError: the task is not possible in its home, or its rays need what is not
            installed.
    """
    assert isinstance(task.house, int)
    assert not isinstance(task.start, str)
    x, y, yaw = task.start
    try:
        simulation = Simulation(
            home(task.house),
            {ROBOT: body(row)},
            seed=origin.seed % 2**64,
            poses={ROBOT: Pose((x, y, 0.0), yaw)},
            sees=None if knowledge == "full" else sight(task.house),
            layout=knowledge != "visible",
        )
    except ValueError as error:
        raise HomebodyError(f"the task {task.id} cannot begin: {error}") from error
    facts = HouseFacts(simulation.state)
    seen, followed = CriterionTrace(task.goal, facts), 0
    goal = EtplanGoal(task.goal)

    def follow() -> CriterionTrace:
        nonlocal followed
        events = simulation.log[followed:]
        followed += len(events)
        for event in events:
            if event.ok:
                seen.add(event.action)
        return seen

    def measured(simulation: Simulation, score: Score, wanted: Protocol | None) -> Score:
        played = Played(
            follow(),
            tuple((event.action, "" if event.ok else event.message) for event in simulation.log),
            score.record["actions"] - len(score.record["done"]),
            simulation.moved[ROBOT],
        )
        return scored(played, score, wanted)

    wanted = HouseTask(
        task.instruction,
        judge=lambda simulation: goal.progress(follow().trace),
        measure=measured,
        source=Asked(row, task, knowledge, facts),
        id=task.id,
    )
    session = HouseSession(
        simulation, wanted, max_actions=row.most_actions, max_steps=MOST_STEPS, origin=origin
    )
    session.view = Scan(simulation, task.house, origin.settings.get("observation") == "pictures")
    return session


class Scan(HouseView):
    """What a session shows, its pictures being those of a look all around: 90 degrees each.

    Args:
        simulation: What is shown.
        house: Seed of its home.
        shows: Whether models are shown the pictures.
    """

    def __init__(self, simulation: Simulation, house: int, shows: bool) -> None:
        super().__init__(simulation)
        self._house = house
        self._shows = shows

    def in_sight(self, role: str) -> Iterable[str]:
        """What a role sees now, all around, along lines of sight: what its pictures can show."""
        return sight(self._house)(self._simulation.state, role)

    def observe(self, role: str, instruction: str) -> Observation:
        """What a role is told now."""
        return replace(super().observe(role, instruction), shows=self._shows)

    def images(self, role: str) -> tuple[Image, ...]:
        """What a role sees ahead, to its left, behind it and to its right. Needs the extra
        ``house``."""
        return tuple(
            Image(name, self.picture(role, turn=90.0 * at, fov=90.0).rgb)
            for at, name in enumerate(WAYS)
        )


def body(row: Row) -> agents.Agent:
    """The robot of a row."""
    return agents.Agent(frozenset(SKILLS), reach=REACH, hands=HANDS[: row.hands])
