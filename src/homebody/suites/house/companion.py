"""Work with people in a house: bring them things, ask them, have them help, and follow them.

Each of :data:`HOMES` homes has a task of each family. Everybody who does not sleep is awake: they
answer, carry out requests and can be followed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from homebody.core import (
    DONE,
    WAIT,
    Action,
    Playing,
    Policy,
    Protocol,
    Scoring,
    Suite,
    Tasks,
    Transcript,
)
from homebody.core.ground.seeds import shuffle
from homebody.core.play import policies
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.core.viewing import Ability, Viewing
from homebody.suites.house.bring import FAILURES, REPORTING, carry_out, fetch, put
from homebody.suites.house.bring import SETTINGS as _SETTINGS
from homebody.suites.house.errands import ANALYSIS, ROLE, judge
from homebody.suites.house.guided_walk import LIMIT, GuidedSession, GuidedWalk
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import COMPANION, Agent
from homebody.worlds.house.model.house import House, Person, Pose
from homebody.worlds.house.model.recipe import VERSIONS
from homebody.worlds.house.model.told_apart import appearance, words_of
from homebody.worlds.house.play.filming import film
from homebody.worlds.house.play.looking import look
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask, Placement, sample_placement
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.relations import is_shut_in, room_of
from homebody.worlds.house.simulation.simulation import Simulation

if TYPE_CHECKING:  # importing numpy is too slow for the command line
    import numpy as np

HOMES: Final = 25
ROOMS: Final = 6
PEOPLE: Final = 4
"""Maximum number of people in a home."""
FAMILIES: Final = ("bring", "ask", "help", "follow")
GROWN_UP: Final = frozenset({"teenager", "young_adult", "adult", "elderly"})
"""Ages of people whom tasks are about."""
HANDY: Final = 0.3
"""Maximum side in metres of an object that is handed over."""
FAR: Final = 6.0
"""Minimum distance in metres from a person to a room to which they lead the robot."""
SETTINGS: Final = {name: _SETTINGS[name] for name in ("observability", "skills")}
NOTHING: Final = Placement("", "", "")
_TRIES: Final = 400


@dataclass(frozen=True, slots=True)
class CompanionTask:
    """A task with a person.

    Attributes:
        family: One of :data:`FAMILIES`.
        home: Number of the home.
    """

    family: str
    home: int

    @property
    def id(self) -> str:
        """An identifier such as ``ask-3``."""
        return f"{self.family}-{self.home}"


TASKS: Final = tuple(CompanionTask(family, home) for family in FAMILIES for home in range(HOMES))


@dataclass(frozen=True, slots=True)
class Home:
    """A house, and its scene in which everybody who does not sleep is awake (:func:`wake_people`).

    Attributes:
        house: The house.
        scene: The house without the people who are awake.
        agents: Name -> the agent of a person who is awake.
        poses: Name -> the agent's first pose.
        people: Name -> the person, on their feet.
    """

    house: House
    scene: House
    agents: Mapping[str, Agent]
    poses: Mapping[str, Pose]
    people: Mapping[str, Person]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A sampled task.

    Attributes:
        family: The family.
        home: The home.
        pose: The robot's first pose.
        person: The person whom it is about.
        placement: The object, and where it should be put if a person helps with it.
        holder: The furniture that has the object.
        rooms: The rooms of a guided walk.
    """

    family: str
    home: Home
    pose: Pose
    person: Person
    placement: Placement = NOTHING
    holder: str = ""
    rooms: tuple[str, str] = ("", "")

    @property
    def house(self) -> House:
        """The house."""
        return self.home.house

    @property
    def instruction(self) -> str:
        """The task in words."""
        who = appearance(self.person, self.house.people)
        her = "her" if self.person.gender == "female" else "him"
        she = "she" if self.person.gender == "female" else "he"
        if self.family == "follow":
            return (
                f"{who[0].upper()}{who[1:]} wants to show you something. Go to {her} and follow "
                f"{her}, staying within {LIMIT} metres while {she} walks. When {she} tells you to "
                f"stop, stay where you are."
            )
        thing = words_of(self.house.thing[self.placement.name].category)
        if self.family == "bring":
            return f"Bring the {thing} to {who}."
        if self.family == "ask":
            return (
                f"{who[0].upper()}{who[1:]} knows where the {thing} can be found. Ask {her}, then "
                f"bring the {thing} to {her}."
            )
        pieces = [self.house.piece[name] for name in (self.holder, self.placement.target)]
        there, target = (words_of(piece.category) for piece in pieces)
        room, other = (words_of(self.house.room[piece.room].kind) for piece in pieces)
        start = there if room == other else f"{there} in the {room}"
        return (
            f"Put the {thing} from the {start} on the {target} in the {other}. You cannot open "
            f"anything yourself, but {who} will if you ask {her}."
        )


def _agent(family: str) -> Agent:
    """Return the robot of a family: it cannot open anything if a person should help."""
    closed = {"Open", "Close"} if family == "help" else set()
    return replace(COMPANION, skills=COMPANION.skills - closed)


def _simulate(home: Home, family: str, pose: Pose | None = None, **options: Any) -> Simulation:
    """Return a simulation of a home with the robot, at a pose or wherever there is room."""
    poses = home.poses if pose is None else {**home.poses, ROLE: pose}
    roles = {ROLE: _agent(family), **home.agents}
    return Simulation(home.scene, roles, poses=poses, people=home.people, **options)


@lru_cache(len(TASKS))
def _sample_task(task: CompanionTask) -> Drawn:
    """Sample a task, in the first suitable home of its number."""
    import numpy as np

    key = FAMILIES.index(task.family)
    drawn = (
        _sample(task.family, _home(seed), np.random.default_rng([seed, key]))
        for seed in count(task.home, HOMES)
    )
    return next(each for each in drawn if each is not None)


@lru_cache(HOMES)
def _home(seed: int) -> Home:
    house = generate(seed, rooms=ROOMS, people=PEOPLE)
    awake = [person.name for person in house.people if person.activity != "sleeping"]
    scene, agents, poses, people = wake_people(house, awake)
    agents = {name: agent.with_skills("Say") for name, agent in agents.items()}
    return Home(house, scene, agents, poses, people)


def _sample(family: str, home: Home, rng: np.random.Generator) -> Drawn | None:
    """Sample a task in a home; None if no draw suits the family.

    The person is drawn before the robot's start and the object. Large rooms are listed first, and
    the robot more often starts there: a start drawn first would exclude the people in them."""
    house = home.house
    holding = {thing.place[0] for thing in house.things}
    people = [
        person
        for person in house.people
        if person.age in GROWN_UP
        and person.name in home.agents
        and person.name not in holding
        # words that fit whomever of the others one knows
        and appearance(person, house.people) == appearance(person, ())
    ]
    for person in shuffle(rng, people):
        drawn = _sample_with(person, family, home, rng)
        if drawn is not None:
            return drawn
    return None


def _sample_with(person: Person, family: str, home: Home, rng: np.random.Generator) -> Drawn | None:
    """Sample a task with a person; None if no draw suits the family. The robot starts in another
    room."""
    simulation = _simulate(home, family, seed=int(rng.integers(2**31)))
    state = simulation.state
    for _ in range(_TRIES):
        if room_of(state, person.name) == room_of(state, ROLE):
            simulation = _simulate(home, family, seed=int(rng.integers(2**31)))
            state = simulation.state
            continue
        drawn = Drawn(family, home, state.bodies[ROLE].pose, person)
        if family == "follow":
            drawn = replace(drawn, rooms=_sample_rooms(simulation, person.name, rng))
            if drawn.rooms[0] and _can_be_followed(drawn):
                return drawn
        elif (placement := sample_placement(simulation, rng)) is not None:
            holder = state.places[placement.name][0]
            drawn = replace(drawn, placement=placement, holder=holder)
            if _suits(simulation, drawn):
                return drawn
    return None


def _sample_rooms(simulation: Simulation, leader: str, rng: np.random.Generator) -> tuple[str, str]:
    """Sample the rooms of a guided walk. Empty strings: too near, or one cannot be reached."""
    ways = simulation.navigation(leader)
    here = simulation.state.bodies[leader].pose.position[:2]
    names = [room.name for room in simulation.state.house.rooms]
    first, second = shuffle(rng, names)[:2]
    spots = [ways.room_spots(name)[:1] for name in (first, second)]
    if not all(spots) or math.inf in ways.distances(here, [spot for (spot,) in spots]):
        return "", ""
    far = first != room_of(simulation.state, leader) and math.dist(here, spots[0][0]) >= FAR
    return (first, second) if far else ("", "")


def _can_be_followed(drawn: Drawn) -> bool:
    """Return whether the expert keeps near on a guided walk; others may be in its way."""
    session = _start_drawn(drawn, "", {}, 0)
    play(session, {ROLE: carry_out(_steps(session))})
    return session.ending == GOAL_MET


def _suits(simulation: Simulation, drawn: Drawn) -> bool:
    """Return whether an object, its place and its target suit the family."""
    state, house, placement = simulation.state, drawn.house, drawn.placement
    thing = house.thing[placement.name]
    words = [words_of(other.category).split() for other in house.things]
    own = words_of(thing.category).split()
    if max(thing.size) > HANDY or sum(each[-len(own) :] == own for each in words) > 1:
        return False  # "the knife" is the only one, and there is no kitchen knife
    shut = is_shut_in(state, thing.name)
    if drawn.family == "bring":
        return not shut
    if not shut or drawn.holder not in house.piece:
        return False
    if drawn.family == "ask":
        return room_of(state, thing.name) != room_of(state, drawn.person.name)
    places = [(piece.category, house.room[piece.room].kind) for piece in house.furniture]
    pieces = [house.piece[name] for name in (drawn.holder, placement.target)]
    if placement.relation == "within" or any(
        places.count((piece.category, house.room[piece.room].kind)) > 1 for piece in pieces
    ):
        return False
    ways, reach = simulation.navigation(ROLE), simulation.agents[ROLE].reach
    here = drawn.pose.position[:2]
    boxes = [state.box(name) for name in (drawn.holder, placement.target, drawn.person.name)]
    far = (min(ways.distances(here, ways.spots(box, reach)), default=math.inf) for box in boxes)
    return max(far) < math.inf


def start(
    task: CompanionTask, settings: Mapping[str, str], seed: int, protocol: Protocol
) -> HouseSession:
    """Return a session of a task; the seed is that of failing skills."""
    return _start_drawn(_sample_task(task), task.id, settings, seed)


def _start_drawn(
    drawn: Drawn, identifier: str, settings: Mapping[str, str], seed: int
) -> HouseSession:
    simulation = _simulate(
        drawn.home,
        drawn.family,
        drawn.pose,
        seed=seed % 2**64,
        failures=FAILURES if settings.get("skills") == "failing" else None,
        sees=None if settings.get("observability") == "full" else sees_room,
    )
    origin = Transcript(dict(settings), seed)
    wanted = HouseTask(drawn.instruction, source=drawn, id=identifier)
    if drawn.family == "follow":
        walk = GuidedWalk(ROLE, drawn.person.name, drawn.rooms)
        wanted = replace(wanted, judge=walk.progress)
        return GuidedSession(simulation, wanted, walk, origin=origin)
    if drawn.family == "help":
        wanted = replace(wanted, placements=(drawn.placement,))
    else:
        wanted = replace(
            wanted,
            judge=partial(judge, drawn.placement.name, drawn.person.name, drawn.family == "ask"),
        )
    if drawn.family == "ask":
        simulation.graphs[drawn.person.name].refresh([drawn.placement.name])
    return HouseSession(simulation, wanted, origin=origin)


def expert(session: HouseSession, generator: np.random.Generator) -> Policy:
    """Return a policy that knows where everything is, and repeats an action until it works."""
    return carry_out(_steps(session))


def _steps(session: HouseSession) -> Iterator[Action]:
    """Yield the actions that solve a task. Each is computed after the previous one has
    succeeded."""
    drawn: Drawn = session.source
    state, person = session.simulation.state, drawn.person.name
    name, holder = drawn.placement.name, drawn.holder
    meet = Action("Navigate", (person,))
    if drawn.family == "bring":
        yield from fetch(state, name)
    while True:  # people may step aside to another room meanwhile
        yield Action("Explore", (room_of(state, person),))
        node = session.simulation.graphs[ROLE].nodes.get(person)
        if node is not None and node.room == room_of(state, person):
            break
    if drawn.family == "follow":
        assert isinstance(session, GuidedSession)
        if not session.walk.begun:
            yield meet
        yield Action("Follow", (person,))
        while session.walk.stop is None:
            yield WAIT
        return
    yield meet
    if drawn.family == "help":
        yield Action("Request", (person, "Navigate", holder))
        yield Action("Follow", (person,))
        yield Action("Request", (person, "Open", holder))
        while not state.is_in_state(holder, "open"):
            yield WAIT
        yield from fetch(state, name)
        yield from put(state, drawn.placement)
        return
    if drawn.family == "ask":
        yield Action("Ask", (person, drawn.house.thing[name].category))
        yield from fetch(state, name)
        yield meet
    yield Action("Give", (name, person))


def copycat(session: HouseSession, generator: np.random.Generator) -> Policy:
    """Return a policy with the same script for every task and the names of its instruction.

    It walks through all rooms, goes to the person, asks about the object, takes it and does with it
    what the instruction names; without an object it follows the person."""
    plan = iter(_script(session))
    return lambda session, role: next(plan, DONE)


def _script(session: HouseSession) -> Iterator[Action]:
    drawn: Drawn = session.source
    name, person, target = drawn.placement.name, drawn.person.name, drawn.placement.target
    for room in drawn.house.rooms:
        yield Action("Explore", (room.name,))
    yield Action("Navigate", (person,))
    if not name:
        yield Action("Follow", (person,))
        return
    yield Action("Ask", (person, drawn.house.thing[name].category))
    yield Action("Navigate", (name,))
    yield Action("Open", (drawn.holder,))
    yield Action("Pick", (name,))
    yield Action("Navigate", (person,))
    yield Action("Give", (name, person))
    yield Action("Navigate", (target,))
    yield Action("Place", (name, "on", target))


def load(protocol: Protocol) -> Sequence[CompanionTask]:
    """Return all tasks."""
    return TASKS


PLAYING: Playing[CompanionTask] = Playing(
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
    analysis=ANALYSIS,
)
SUITE: Suite[CompanionTask] = Suite(
    name="house.companion",
    title="Work with people in a generated house: bring, ask, get help, follow",
    tasks=Tasks(
        load=load,
        identify=lambda task: task.id,
        describe=lambda task: _sample_task(task).instruction,
        cluster=lambda task: str(task.home),
        data=lambda: dict(VERSIONS),
    ),
    playing=PLAYING,
    scoring=Scoring(PLAYING.score),
    reporting=REPORTING,
    viewing=Viewing(look, film, abilities=(Ability("Collaboration"),)),
)
