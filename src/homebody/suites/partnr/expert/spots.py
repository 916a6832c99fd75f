"""Where an expert puts a thing for a job: next to what is there already, where there is room, and
where nothing comes true that must not be so yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homebody.suites.partnr.expert.jobs import Job, all_atoms
from homebody.suites.partnr.expert.notes import Notes
from homebody.suites.partnr.expert.places import options, surfaces
from homebody.suites.partnr.expert.world import Spot, holds, spaces
from homebody.suites.partnr.predicates import STATES
from homebody.worlds.house.simulation.conditions import Move

FIRST = 8
"""How much more a job is worth than what must not come true yet."""
LOOKED_AT = 6
"""Most places that are looked at for a thing of which it matters where exactly it is put."""


def anchors(notes: Notes, agent: str, job: Job) -> tuple[list[str], bool]:
    """What a thing belongs next to that is where it belongs already, and whether it should wait
    for more to come."""
    world = notes.world
    moving = {one.name: one for one in notes.agenda.jobs if one.kind == "move"}
    order = list(moving)
    settled, coming = [], False
    for name in job.near:
        carried = world.bearing_agent(name) not in ("", agent)
        if carried or (name in moving and notes.handled(name)):
            # of two who wait for each other the first goes ahead
            first = name in moving and order.index(name) < order.index(job.name)
            coming |= first or not job.atoms
        elif name not in moving or all(world.true(atom) for atom in moving[name].atoms):
            settled.append(name)
    return settled, coming


def spots(notes: Notes, job: Job, settled: Sequence[str]) -> tuple[list[Spot], bool]:
    """Where a thing can be put for a job, best first, and whether there is more that somebody
    else has in hand now. Of more than one place all are in the same state of the house."""
    world, name = notes.world, job.name
    if job.kind == "away":
        some = elsewhere(notes, job)
    else:
        some = iter(options(world, name, job.atoms, settled))
    found: list[Spot] = []
    taken = False
    for spot in some:
        if spot.target in world.state.poses and (
            world.bearing_agent(spot.target) or notes.handled(spot.target)
        ):
            taken = True
            continue
        if (name, spot) in notes.full or not world.fits(name, spot):
            continue
        found.append(spot)
        if len(found) >= LOOKED_AT or not notes.delicate(name):
            break
    return found, taken


def elsewhere(notes: Notes, job: Job) -> Iterator[Spot]:
    """Where a thing is out of the way: where it may be besides if it has atoms, else on tops, the
    nearest first, and on the floor at last."""
    world, name, avoid = notes.world, job.name, job.avoid
    house, places = world.state.house, world.state.places
    bad = {names[1] for _, names in avoid if len(names) > 1}
    near = [one for kind, names in avoid if kind == "is_next_to" for one in names if one != name]
    bad |= {places[one][0] for one in near if one in places}
    if job.atoms:
        yield from (one for one in options(world, name, job.atoms, ()) if one.target not in bad)
        return
    here = world.room(name)
    rooms = sorted(house.room, key=lambda one: (one != here, world.distance(name, one), one))
    rooms = [room for room in rooms if room not in bad]
    for room in rooms:
        for spot in surfaces(world, name, room):
            if spot.target not in bad and spot.target != places[name][0]:
                yield spot
    if not any(predicate == "is_on_floor" for predicate, _ in avoid):
        yield from (Spot("on", house.room[room].floor_name) for room in rooms)


def resting_places(notes: Notes, agent: str, name: str) -> Iterator[Spot]:
    """Where an agent can put down what it holds and does not need: where it was, on tops near by,
    on the floor, in other rooms."""
    world = notes.world
    if name in notes.origins:
        yield notes.origins[name]
    room = world.room(agent)
    yield from surfaces(world, name, room)
    yield Spot("on", world.state.house.room[room].floor_name)
    for other in world.state.house.rooms:
        if other.name != room:
            yield from surfaces(world, name, other.name)


def in_steps(notes: Notes, agent: str, name: str, spot: Spot) -> bool:
    """Whether a thing is carried in steps, not in one action: where the last step depends on
    where exactly one stands, or on what the agent has yet to see."""
    world = notes.world
    if name in notes.careful or notes.delicate(name):
        return True
    if spot.beside and spot.target in world.state.house.floors:
        return True
    if not world.simulation.graphs[agent].partial:
        return False
    if spot.relation == "within" or spot.beside:
        return True
    return not (notes.knows(agent, name) and notes.knows(agent, spot.target))


def best(notes: Notes, agent: str, job: Job, among: Sequence[Spot]) -> Spot | None:
    """Of places on one target, at which the agent stands with the thing in hand, the one where
    least is wrong; None if there is no room. Places without room are noted."""
    world, name = notes.world, job.name
    delicate = notes.delicate(name)
    looked_at = list(among)
    if delicate and among and not among[0].beside:
        relation, target = among[0].relation, among[0].target
        there = [
            one
            for space in spaces(world.state, target, relation)
            for one in world.state.on((target, space.name))
            if one != name
        ]
        looked_at += [Spot(relation, target, one) for one in there[:LOOKED_AT]]
    least: tuple[int, int] | None = None
    found = None
    for place, spot in enumerate(looked_at):
        move = world.placed(agent, name, spot)
        if move is None:
            notes.full.add((name, spot))
            continue
        wrong = _wrong(notes, job, move) if delicate else 0
        if least is None or (wrong, place) < least:
            least, found = (wrong, place), spot
    return found


def _wrong(notes: Notes, job: Job, move: Move) -> int:
    """How much would be wrong after a move: atoms of the job that would not hold, and twice those
    that would make true what comes later."""
    world, name = notes.world, job.name
    after = world.after(move)
    wanted = dict.fromkeys((*job.atoms, *notes.agenda.wanted.get(name, ())))
    wrong = sum(FIRST * (atom in job.atoms) + 1 for atom in wanted if not holds(after, atom))
    wrong += sum(holds(after, atom) for atom in job.avoid)
    for index in notes.agenda.later:
        for atom in all_atoms(notes.goals, index, name):
            wrong += 2 * (holds(after, atom) and not world.true(atom))
    return wrong


def in_the_way(notes: Notes, job: Job, spot: Spot) -> Iterator[Job]:
    """Jobs that would make room for a thing at a place: what is there and may be elsewhere is
    taken away, what nobody asks for first, large things before small ones."""
    world, wanted = notes.world, notes.agenda.wanted
    sizes = world.state.house.thing
    things = [
        one
        for space in spaces(world.state, spot.target, spot.relation)
        for one in world.state.on((spot.target, space.name))
        if one not in (job.name, spot.beside) and world.movable(one) and not notes.in_use(one)
    ]
    things.sort(
        key=lambda one: (
            one in wanted,
            notes.early(one),
            -sizes[one].size[0] * sizes[one].size[1],
        )
    )
    for one in things:
        atoms = [atom for atom in wanted.get(one, ()) if atom[0] not in STATES]
        if not any(spot.target in names or kind == "is_next_to" for kind, names in atoms):
            yield Job("away", one, tuple(atoms), avoid=(("is_on_top", (one, spot.target)),))
