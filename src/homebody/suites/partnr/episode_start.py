"""The start of an episode: positions of the agents, failing skills and perception errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import HomebodyError
from homebody.core.ground.seeds import choose, generator, shuffle
from homebody.suites.partnr.settings import HUMAN, ROBOT
from homebody.suites.partnr.shared_knowledge import share_knowledge
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model import agents
from homebody.worlds.house.model.house import House, Point, Pose
from homebody.worlds.house.play.aiming import Aim
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skill_failures import SkillFailures
from homebody.worlds.house.simulation.walking.navigation import navigation

BODIES: Final[Mapping[str, agents.Agent]] = {ROBOT: agents.ROBOT, HUMAN: agents.HUMAN}
FAILURES: Final[Mapping[str, float]] = {
    "Pick": 0.15,
    "Place": 0.15,
    "Grab": 0.15,
    "Put": 0.15,
    "PutIn": 0.15,
    "Open": 0.1,
    "Close": 0.1,
    "Navigate": 0.05,
    "Explore": 0.05,
}
"""Skill -> probability of a random failure for both agents, if skills fail.

homebody chose these numbers, because the paper gives no rates for its learned skills (appendix
A.7). Handling fails more often than walking, and changes of state never fail."""
ERRORS: Final = PerceptionErrors(missed=0.1, misclassified=0.05, wrong_room=0.05)
"""Rates of perception errors, if perception errs. homebody chose these numbers, too."""
_HANDLING: Final = ("Pick", "Place", "Grab", "Put", "PutIn", "Open", "Close")
LEARNED_SKILLS: Final = SkillFailures(
    chances=dict.fromkeys(_HANDLING, 0.2),
    time_outs={**dict.fromkeys(_HANDLING, 0.15), "Navigate": 0.2, "Explore": 0.4},
    limit=1_000,
    wrong_object=0.2,
    agents=(ROBOT,),
)
"""Learned skills of the robot, with the failures of appendix A.7 of the paper. The rates are
calibrated against its table 2 (``benchmarks/partnr_learned.py``)."""
LEARNED_PERCEPTION: Final = PerceptionErrors(
    missed=0.3,
    misclassified=0.5,
    furniture_class=0.4,
    furniture_room=0.4,
    merged=0.8,
    phantom=0.2,
    agents=(ROBOT,),
)
"""Perception of the robot by scene graphs from pictures (appendix A.6.2), calibrated likewise."""
_FAILURES: Final = {
    "oracle": SkillFailures(),
    "failing": SkillFailures(FAILURES),
    "learned": LEARNED_SKILLS,
}
_ERRORS: Final = {"privileged": None, "erring": ERRORS, "learned": LEARNED_PERCEPTION}


def start(task: PartnrTask) -> Simulation:
    """Return the simulation of a task. Raises HomebodyError if the episode is not possible.

    Start poses depend on the episode alone, chance on the episode and the task's seed."""
    settings = task.settings
    house = task.house
    partial = settings.observability == "partial"
    poses = _choose_starts(house, f"{task.episode.id} {task.episode.house_seed}")
    seed = int(generator(f"chance {task.episode.id} {task.seed}").integers(2**63))
    bodies = {
        role: BODIES[role].low_level() if settings.is_low_level(role) else BODIES[role]
        for role in settings.roles
    }
    if settings.talk != "none":
        bodies = {role: body.with_skills("Say") for role, body in bodies.items()}
    try:
        simulation = Simulation(
            house,
            bodies,
            seed=seed,
            poses={role: poses[role] for role in settings.roles},
            failures=_FAILURES[settings.skills],
            sees=sees_room if partial else None,
            errors=_ERRORS[settings.perception] if partial else None,
            aims=Aim(house) if settings.actions == "low_level" else None,
            talk=settings.talk,
        )
    except ValueError as error:
        raise HomebodyError(f"the episode {task.id[:80]} cannot start: {error}") from error
    if settings.team == "centralised" and partial:
        share_knowledge(simulation)  # the planner of both knows what either saw
    return simulation


def _choose_starts(house: House, text: str) -> dict[str, Pose]:
    """Sample start poses of robot and human, in different rooms if there are two."""
    rng = generator(f"start {text}")
    ways = navigation(house, agents.ROBOT.radius)
    spots = {room.name: ways.room_spots(room.name) for room in house.rooms}
    rooms = [name for name, free in spots.items() if free]
    if not rooms:
        raise HomebodyError(f"nobody can stand anywhere in the house of seed {house.seed}")
    order = shuffle(rng, rooms)
    poses: dict[str, Pose] = {}
    taken: list[Point] = []
    apart = agents.ROBOT.radius + agents.HUMAN.radius
    for place, role in enumerate((ROBOT, HUMAN)):
        free = [
            (x, y)
            for x, y in spots[order[place % len(order)]]
            if all(max(abs(x - a), abs(y - b)) >= apart for a, b in taken)
        ]
        if not free:
            raise HomebodyError(f"the house of seed {house.seed} has no room for two agents")
        x, y = choose(rng, free)
        taken.append((x, y))
        poses[role] = Pose((x, y, 0.0), 90.0 * int(rng.integers(4)))
    return poses
