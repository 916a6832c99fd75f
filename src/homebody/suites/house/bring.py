"""Bring an object to another place in a new house: the simplest task of the house world.

Tasks are sampled from seeds, four in each of 25 homes, and are feasible: the agent can walk to the
object and its target, nothing on the way is locked, and there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from homebody.core import (
    DONE,
    Action,
    HomebodyError,
    Measure,
    Playing,
    Policy,
    Protocol,
    Reporting,
    Scoring,
    Suite,
    Tasks,
    Transcript,
)
from homebody.core.play import policies
from homebody.core.play.failures import FailureAnalysis
from homebody.core.viewing import Ability, Viewing
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, MOTIONS
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.recipe import VERSIONS
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.aiming import Aim
from homebody.worlds.house.play.filming import film
from homebody.worlds.house.play.looking import look
from homebody.worlds.house.play.run_facts import find_facts
from homebody.worlds.house.play.session import MAX_ACTIONS, HouseSession
from homebody.worlds.house.play.tasks import HouseTask, Placement, bring
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.simulation import Simulation

if TYPE_CHECKING:  # importing numpy is too slow for the command line
    import numpy as np

HOUSES: Final = 25
TASKS_PER_HOUSE: Final = 4
ROLE: Final = "agent"
SMALL_STEPS: Final = 500
"""Limit of actions with low-level actions."""
FAILURES: Final = {"Navigate": 0.05, "Open": 0.1, "Pick": 0.1, "Place": 0.1}
"""Skill -> probability that it fails, with failing skills."""
SETTINGS: Final = {
    "observability": ("partial", "full"),
    "skills": ("oracle", "failing"),
    "actions": ("skills", "low_level"),
}


@dataclass(frozen=True, slots=True)
class BringTask:
    """One object to be brought somewhere.

    Attributes:
        house: Seed of the house.
        draw: Number of the task in its house.
    """

    house: int
    draw: int

    @property
    def id(self) -> str:
        """An identifier such as ``home-3-1``."""
        return f"home-{self.house}-{self.draw}"


TASKS: Final = tuple(
    BringTask(house, draw) for house in range(HOUSES) for draw in range(TASKS_PER_HOUSE)
)


@lru_cache(HOUSES)
def _house(seed: int) -> House:
    return generate(seed)


@lru_cache(len(TASKS))
def _sample_task(task: BringTask) -> tuple[HouseTask, Pose]:
    """Return the sampled task and the agent's first pose."""
    import numpy as np

    simulation = Simulation(_house(task.house), {ROLE: HUMAN}, seed=task.draw)
    drawn = bring()(simulation, np.random.default_rng(task.draw))
    return replace(drawn, id=task.id), simulation.state.bodies[ROLE].pose


def start(
    task: BringTask, settings: Mapping[str, str], seed: int, protocol: Protocol
) -> HouseSession:
    """Return a session of a task. The seed determines random failures of skills."""
    wanted, pose = _sample_task(task)
    low_level = settings.get("actions") == "low_level"
    simulation = Simulation(
        _house(task.house),
        {ROLE: HUMAN.low_level() if low_level else HUMAN},
        seed=seed % 2**64,
        poses={ROLE: pose},
        failures=FAILURES if settings.get("skills") == "failing" else None,
        sees=None if settings.get("observability") == "full" else sees_room,
        aims=Aim(_house(task.house)) if low_level else None,
    )
    return HouseSession(
        simulation,
        wanted,
        max_actions=SMALL_STEPS if low_level else MAX_ACTIONS,
        origin=Transcript(dict(settings), seed),
    )


def expert(session: HouseSession, generator: np.random.Generator) -> Policy:
    """Return a policy that knows where everything is, and repeats an action until it works."""
    if not session.simulation.agents[ROLE].skills.isdisjoint(MOTIONS):
        raise HomebodyError("the expert only uses skills", "use actions=skills")
    return carry_out(_steps(session))


def carry_out(plan: Iterator[Action]) -> Policy:
    """Return a policy that carries out a plan, and repeats an action until it works."""
    last: list[Action] = []

    def act(session: HouseSession, role: str) -> Action:
        own = (event.ok for event in reversed(session.simulation.log) if event.role == role)
        if not last or next(own, True):
            last[:] = [next(plan, DONE)]
        return last[0]

    return act


def _steps(session: HouseSession) -> Iterator[Action]:
    """Yield the actions that solve a task. Each is computed after the previous one has
    succeeded."""
    for placement in session.task.placements:
        yield from fetch(session.simulation.state, placement.name)
        yield from put(session.simulation.state, placement)


def fetch(state: HouseState, name: str) -> Iterator[Action]:
    """Yield the actions that take an object from where it is."""
    around = [name]
    while around[-1] in state.places:
        around.append(state.places[around[-1]][0])
    room = state.house.floors.get(around[-1])
    yield Action("Explore", (room.name,)) if room else Action("Navigate", (around[-1],))
    for outer in reversed(around[1:]):
        if state.states.get(outer, {}).get("open") is False:
            yield Action("Navigate", (outer,))
            yield Action("Open", (outer,))
    yield Action("Navigate", (name,))
    yield Action("Pick", (name,))


def put(state: HouseState, placement: Placement) -> Iterator[Action]:
    """Yield the actions that place a held object."""
    yield Action("Navigate", (placement.target,))
    shut = state.states[placement.target].get("open") is False
    if placement.relation == "within" and shut:
        yield Action("Open", (placement.target,))
    yield Action("Place", (placement.name, placement.relation, placement.target))


def copycat(session: HouseSession, generator: np.random.Generator) -> Policy:
    """Return a policy that follows the same script for every task, with the names in its
    instruction.

    It walks through all rooms, takes the object, opens the target and puts it there, whatever the
    feedback."""
    plan = iter(_script(session))
    return lambda session, role: next(plan, DONE)


def _script(session: HouseSession) -> Iterator[Action]:
    for room in session.simulation.state.house.rooms:
        yield Action("Explore", (room.name,))
    for placement in session.task.placements:
        yield Action("Navigate", (placement.name,))
        yield Action("Pick", (placement.name,))
        yield Action("Navigate", (placement.target,))
        yield Action("Open", (placement.target,))
        yield Action("Place", (placement.name, placement.relation, placement.target))


def load(protocol: Protocol) -> Sequence[BringTask]:
    """Return all tasks."""
    return TASKS


REPORTING: Final = Reporting(
    means={"Success": "success", "Progress": "progress"},
    measures={
        "Actions": Measure("actions", best="low"),
        "Refused": Measure("refused", best="low"),
        "Metres": Measure("moved", best="low"),
    },
)
PLAYING: Playing[BringTask] = Playing(
    start=start,
    build=_sample_task,
    roles=(ROLE,),
    policies={
        "expert": expert,
        "random": policies.random,
        "copycat": copycat,
        "idle": policies.idle,
    },
    settings=SETTINGS,
    max_entries=SMALL_STEPS,
    analysis=FailureAnalysis(find_facts),
)
SUITE: Suite[BringTask] = Suite(
    name="house.bring",
    title="Bring an object to another place in a generated house",
    tasks=Tasks(
        load=load,
        identify=lambda task: task.id,
        describe=lambda task: _sample_task(task)[0].instruction,
        cluster=lambda task: str(task.house),
        data=lambda: dict(VERSIONS),
    ),
    playing=PLAYING,
    scoring=Scoring(PLAYING.score),
    reporting=REPORTING,
    viewing=Viewing(look, film, abilities=(Ability("Moving things"),)),
    prompt_version=3,
)
