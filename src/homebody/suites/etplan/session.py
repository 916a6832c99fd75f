"""A task being played in its home: a :class:`HouseSession` whose trace is judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from typing import Final

from homebody.core import Protocol, Score, Transcript
from homebody.core.conversation import Image
from homebody.core.protocol import judged_by
from homebody.core.score import cut_text
from homebody.goals.etplan import ROBOT, EtplanGoal
from homebody.suites.etplan.agents.questions import PROMPTS
from homebody.suites.etplan.house_trace import HouseTrace, around, category, middle
from homebody.suites.etplan.metrics import Run, left_out, measure
from homebody.suites.etplan.protocol import QUIRKS
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.tasks import Asked, EtplanTask, home
from homebody.worlds.house.model import agents
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.senses import Perception
from homebody.worlds.house.simulation.simulation import Simulation

KNOWLEDGE: Final = ("visible", "layout", "full")
"""What the robot knows before it has looked: rooms and doors; furniture too; everything
(appendix A.5)."""
SKILLS: Final = frozenset({"Navigate", "Open", "Close", "Pick", "Place"})
HANDS: Final = ("right", "left")
WAYS: Final = ("ahead", "left", "behind", "right")
"""Where pictures are taken of, each 90 degrees on; yaw grows to the left."""
REACH: Final = 0.8
"""Metres."""
MOST_STEPS: Final = 1_000_000
"""Of the clock: actions run out before."""


def settings(row: Row) -> dict[str, tuple[str, ...]]:
    """How tasks of a row can be set, each as usual first."""
    usual = "layout" if row.layout else "visible"
    return {
        "knowledge": (usual, *(level for level in KNOWLEDGE if level != usual)),
        "observation": ("text", "pictures"),
        "prompt": PROMPTS,
    }


def start(
    row: Row, task: EtplanTask, given: Mapping[str, str], seed: int, protocol: Protocol
) -> HouseSession:
    """A session of a task of a row. Nothing in it is by chance.

    Raises:
        HomebodyError: the task is not possible in its home, or its rays need what is not
            installed.
    """
    knowledge = given.get("knowledge", settings(row)["knowledge"][0])
    house = home(task.house)
    simulation = Simulation(
        house,
        {ROBOT: body(row)},
        seed=seed % 2**64,
        poses={ROBOT: task.pose},
        sees=None if knowledge == "full" else sight(task.house),
        layout=knowledge != "visible",
    )
    seen = HouseTrace(simulation, ROBOT, task.goal)
    goal = EtplanGoal(task.goal)
    quirks = protocol.kept(QUIRKS)

    def measured(simulation: Simulation, score: Score, wanted: Protocol | None) -> Score:
        own = Protocol("", frozenset(quirks))
        return _score(row, task, simulation, seen, score, judged_by(wanted, own, QUIRKS))

    wanted = HouseTask(
        task.instruction,
        judge=lambda simulation: goal.progress(seen.follow(simulation)),
        measure=measured,
        source=Asked(row, task, partial(around, simulation.state)),
        id=task.id,
    )
    origin = Transcript(dict(given), seed)
    session = HouseSession(
        simulation, wanted, max_actions=row.most_actions, max_steps=MOST_STEPS, origin=origin
    )
    session.view = Scan(simulation, task.house)
    return session


class Scan(HouseView):
    """What a session shows, its pictures being those of a look all around: 90 degrees each.

    Args:
        simulation: What is shown.
        house: Seed of its home.
    """

    def __init__(self, simulation: Simulation, house: int) -> None:
        super().__init__(simulation)
        self._house = house

    def in_sight(self, role: str) -> Iterable[str]:
        """What a role sees now, all around, along lines of sight: what its pictures can show."""
        return sight(self._house)(self._simulation.state, role)

    def images(self, role: str) -> tuple[Image, ...]:
        """What a role sees ahead, to its left, behind it and to its right. Needs the extra
        ``house``."""
        return tuple(
            Image(name, self.picture(role, turn=90.0 * at, fov=90.0).rgb)
            for at, name in enumerate(WAYS)
        )


def body(row: Row) -> agents.Agent:
    """The robot of a row."""
    return agents.Agent(SKILLS, reach=REACH, hands=HANDS[: row.hands])


@lru_cache(2)
def sight(house: int) -> Perception:
    """How the robot sees in a home: all around from where it stands, along real lines of sight."""
    from homebody.worlds.house.rendering.visibility import looking

    return looking(home(house))


def _score(
    row: Row,
    task: EtplanTask,
    simulation: Simulation,
    seen: HouseTrace,
    score: Score,
    protocol: Protocol,
) -> Score:
    """The score of a session, of what all house tasks have."""
    quirks = protocol.kept(QUIRKS)
    verdict = EtplanGoal(task.goal, quirks).judge(seen.follow(simulation))
    house = simulation.state.house
    run = Run(
        tried=tuple((event.action, event.ok) for event in simulation.log),
        reference=task.reference,
        category=partial(category, house),
        length=score.record["actions"] - len(score.record["done"]),
        metres=simulation.moved[ROBOT],
        success=verdict.success,
        most_actions=row.most_actions,
        kind=row.kind,
        stops=tuple(seen.stops),
        targets=tuple(middle(simulation.state, name) for name in seen.walked_to),
    )
    record = {
        **score.record,
        "success": verdict.success,
        "progress": verdict.progress,
        "explanation": cut_text(verdict.explanation),
        "conditions": [[part.text, part.satisfied] for part in verdict.parts],
        **measure(run, quirks),
    }
    metrics = {"success": float(verdict.success), "progress": verdict.progress}
    return Score(task.id, metrics, record).left_out(left_out(run, quirks))
