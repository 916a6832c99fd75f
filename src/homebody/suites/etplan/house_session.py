"""A session of a task in its home: a :class:`HouseSession`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from homebody.core import HomebodyError, Protocol, Score, Transcript
from homebody.core.play.conversation import Image
from homebody.goals.etplan import ROBOT, EtplanGoal
from homebody.suites.etplan.context import TaskContext
from homebody.suites.etplan.graph_game import SKILLS
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.relation_text import describe_relations
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.tasks import EtplanTask
from homebody.suites.etplan.trace import CriterionTrace, PlayedRun
from homebody.worlds.house.model import agents
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.simulation import Simulation

HANDS: Final = ("right", "left")
WAYS: Final = ("ahead", "left", "behind", "right")
"""Directions of the pictures in steps of 90 degrees. Yaw increases to the left."""
REACH: Final = 0.8
"""Metres."""
MOST_STEPS: Final = 1_000_000
"""Limit of the clock. The limit of actions is reached earlier."""


def start_in_house(
    row: Row,
    task: EtplanTask,
    knowledge: str,
    origin: Transcript,
    scored: Callable[[PlayedRun, Score, Protocol | None], Score],
) -> HouseSession:
    """Return a deterministic session of a task. Raises HomebodyError if it is impossible."""
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
    followed = GoalTracker(task, facts, scored)
    wanted = HouseTask(
        task.instruction,
        judge=followed.progress,
        measure=followed.score,
        source=TaskContext(row, task, knowledge, facts, followed.seen),
        id=task.id,
    )
    return HouseSession(
        simulation,
        wanted,
        max_actions=row.most_actions,
        max_steps=MOST_STEPS,
        view=Scan(simulation, facts, task.house, origin.settings.get("observation") == "pictures"),
        origin=origin,
    )


class GoalTracker:
    """A goal that follows the successful actions of a simulation.

    Args:
        task: The task with the goal.
        facts: The facts of its home.
        scored: Makes the score of a played run.

    Attributes:
        facts: The facts of its home.
        seen: The trace up to the last look.
    """

    def __init__(
        self,
        task: EtplanTask,
        facts: HouseFacts,
        scored: Callable[[PlayedRun, Score, Protocol | None], Score],
    ) -> None:
        self.facts = facts
        self.seen = CriterionTrace(task.goal, facts)
        self._goal = EtplanGoal(task.goal)
        self._scored = scored
        self._count = 0

    def _follow(self, simulation: Simulation) -> CriterionTrace:
        events = simulation.log[self._count :]
        self._count += len(events)
        for event in events:
            if event.ok:
                self.seen.add(event.action)
        return self.seen

    def progress(self, simulation: Simulation) -> float:
        """Return the current progress of the goal."""
        return self._goal.progress(self._follow(simulation).trace)

    def score(self, simulation: Simulation, score: Score, wanted: Protocol | None) -> Score:
        """Return the score of a simulation, based on the score that all sessions have."""
        played = PlayedRun(
            self._follow(simulation),
            tuple((event.action, "" if event.ok else event.message) for event in simulation.log),
            score.record["actions"] - len(score.record["done"]),
            simulation.moved[ROBOT],
        )
        return self._scored(played, score, wanted)


class Scan(HouseView):
    """A view of a session that states what is near what, with pictures all around, 90 degrees each.

    Args:
        simulation: The simulation.
        facts: The facts of its home.
        house: Seed of its home.
        shows: True if models receive the pictures.
    """

    def __init__(self, simulation: Simulation, facts: HouseFacts, house: int, shows: bool) -> None:
        super().__init__(simulation, shows=shows)
        self._facts = facts
        self._house = house

    def describe(self, role: str) -> str:
        """Describe all knowledge of a role, with the relations that criteria ask for."""
        nodes = self.knowledge(role).nodes.values()
        known = [node.name for node in nodes if node.kind in ("furniture", "object")]
        related = describe_relations(self._facts, known)
        return "\n".join(filter(None, (related, super().describe(role))))

    def in_sight(self, role: str) -> Iterable[str]:
        """Return the objects all around that a role sees along lines of sight. Its pictures can
        show these objects."""
        return sight(self._house)(self._simulation.state, role)

    def images(self, role: str) -> tuple[Image, ...]:
        """Return the pictures of a role's view to all four sides. Needs the extra ``house``."""
        return tuple(
            Image(name, self.picture(role, turn=90.0 * at, fov=90.0).rgb)
            for at, name in enumerate(WAYS)
        )


def body(row: Row) -> agents.Agent:
    """Return the robot of a row."""
    return agents.Agent(frozenset(SKILLS), reach=REACH, hands=HANDS[: row.hands])
