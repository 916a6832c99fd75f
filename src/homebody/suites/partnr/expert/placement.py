"""The final place of an object for a job.

It is next to neighbours that are there already, has enough room, and makes no proposition true too
early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.candidates import list_placements
from homebody.suites.partnr.expert.choice import FULL
from homebody.suites.partnr.expert.house_view import Placement, holds, spaces
from homebody.suites.partnr.expert.jobs import Job, all_atoms
from homebody.suites.partnr.expert.memory import Memory
from homebody.suites.partnr.expert.usual_places import surfaces
from homebody.worlds.house.simulation.conditions import Move

JOB_WEIGHT = 8
"""Weight of the job's atoms relative to atoms that must not be true yet."""
MAX_LOOKED_AT = 6
"""Maximum number of places that are considered for an object whose exact place is relevant."""


def anchors(memory: Memory, role: str, job: Job) -> tuple[list[str], bool]:
    """Return the neighbours of an object that are at their final places, and whether the object
    should wait for other neighbours."""
    view = memory.view
    moving = {move.name: move for move in memory.agenda.jobs if move.kind == "move"}
    order = list(moving)
    settled: list[str] = []
    coming = False
    # in a cluster any other neighbour will do until the chosen one is there
    for name in dict.fromkeys((*job.near, *memory.clusters.get(job.name, ()))):
        if settled and name not in job.near:
            break
        carried = view.bearing_role(name) not in ("", role)
        if carried or (name in moving and memory.is_handled(name)):
            # of two that wait for each other the first goes ahead, unless the other has done so
            first = name in moving and order.index(name) < order.index(job.name)
            coming |= first or not job.atoms or name in memory.objects_being_put()
        elif name not in moving or all(view.is_true(atom) for atom in moving[name].atoms):
            settled.append(name)
    return settled, coming


def spots(memory: Memory, job: Job, settled: Sequence[str]) -> tuple[list[Placement], bool]:
    """Return the places for an object, best first, and whether another agent is about to bring
    further neighbours.

    All places beyond the first are found in the same state of the house."""
    view, name = memory.view, job.name
    if job.kind == "away":
        candidates = placements_elsewhere(memory, job)
    else:
        candidates = iter(_possible_placements(memory, job, settled))
    fitting: list[Placement] = []
    taken = False
    for placement in candidates:
        if placement.target in view.state.poses and (
            view.bearing_role(placement.target) or memory.is_handled(placement.target)
        ):
            taken = True
            continue
        if (barred := view.closed_before(placement)) and memory.is_handled(barred):
            taken = True
            continue
        if taken and placement.target in view.state.house.floors and job.kind == "move":
            break  # waiting is better
        if (name, placement) in memory.full or not view.has_room_for(name, placement):
            continue
        fitting.append(placement)
        if len(fitting) >= MAX_LOOKED_AT or not memory.is_delicate(name):
            break
    return fitting, taken


def _possible_placements(memory: Memory, job: Job, settled: Sequence[str]) -> list[Placement]:
    """Return the allowed places of an object, best first.

    Places where it must not be yet and tight places come later. The floor is the last resort."""
    later = memory.later_places(job.name)
    found = list_placements(memory.view, job.name, job.atoms, settled)

    def rank(placement: Placement) -> tuple[bool, int]:
        resort = placement is found[-1] and placement.target in memory.view.state.house.floors
        return placement.target in later, 2 if resort else _is_tight(memory, job, placement)

    return sorted(found, key=rank)


def _is_tight(memory: Memory, job: Job, placement: Placement) -> bool:
    """Return whether other agents are putting objects there, so that hardly any room is left."""
    view, target = memory.view, placement.target
    coming = [name for name, place in memory.objects_being_put().items() if place == target]
    if not coming or target in view.state.house.floors:
        return False
    sizes = [view.state.house.thing[name].size for name in (*coming, job.name)]
    return sum(w * d for w, d, _ in sizes) > FULL * view.vacant_area(placement.relation, target)


def placements_elsewhere(memory: Memory, job: Job) -> Iterator[Placement]:
    """Yield places out of the way: where the job's atoms hold, or near tops, then floors."""
    view, name, avoid = memory.view, job.name, job.avoid
    house, places = view.state.house, view.state.places
    bad = {names[1] for _, names in avoid if len(names) > 1}
    near = [
        other for kind, names in avoid if kind == "is_next_to" for other in names if other != name
    ]
    bad |= {places[other][0] for other in near if other in places}
    if job.atoms:
        allowed = list_placements(view, name, job.atoms, ())
        yield from (placement for placement in allowed if placement.target not in bad)
        return
    here = view.room(name)
    rooms = sorted(house.room, key=lambda room: (room != here, view.distance(name, room), room))
    rooms = [room for room in rooms if room not in bad]
    for room in rooms:
        for placement in surfaces(view, name, room):
            if placement.target not in bad and placement.target != places[name][0]:
                yield placement
    if not any(predicate == "is_on_floor" for predicate, _ in avoid):
        yield from (Placement("on", house.room[room].floor_name) for room in rooms)


def resting_places(memory: Memory, role: str, name: str) -> Iterator[Placement]:
    """Yield places for an unneeded object: its origin, near tops, floor, other rooms."""
    view = memory.view
    if name in memory.origins:
        yield memory.origins[name]
    room = view.room(role)
    yield from surfaces(view, name, room)
    yield Placement("on", view.state.house.room[room].floor_name)
    for other in view.state.house.rooms:
        if other.name != room:
            yield from surfaces(view, name, other.name)


def in_steps(memory: Memory, role: str, name: str, placement: Placement) -> bool:
    """Return whether an object is moved step by step instead of by one action.

    This is the case if the last step depends on the agent's exact position, or on facts that it has
    not seen yet."""
    view = memory.view
    if name in memory.careful or memory.is_delicate(name):
        return True
    if placement.beside and placement.target in view.state.house.floors:
        return True
    if not view.simulation.graphs[role].partial:
        return False
    if placement.relation == "within" or placement.beside:
        return True
    return not (memory.knows(role, name) and memory.knows(role, placement.target))


def best(memory: Memory, role: str, job: Job, among: Sequence[Placement]) -> Placement | None:
    """Return the best of several placements on a target that the agent has reached.

    Returns None if there is no room. Placements without room are recorded."""
    view, name = memory.view, job.name
    delicate = memory.is_delicate(name)
    looked_at = list(among)
    if delicate and among and not among[0].beside:
        relation, target = among[0].relation, among[0].target
        there = [
            other
            for space in spaces(view.state, target, relation)
            for other in view.state.objects_at((target, space.name))
            if other != name
        ]
        looked_at += [Placement(relation, target, other) for other in there[:MAX_LOOKED_AT]]
    least: tuple[int, int] | None = None
    chosen = None
    for place, placement in enumerate(looked_at):
        move = view.simulate_placement(role, name, placement)
        if move is None:
            memory.full.add((name, placement))
            continue
        wrong = _wrong(memory, job, move) if delicate else 0
        if least is None or (wrong, place) < least:
            least, chosen = (wrong, place), placement
    return chosen


def _wrong(memory: Memory, job: Job, move: Move) -> int:
    """Return a move's penalty for violated atoms and for atoms that become true too early."""
    view, name = memory.view, job.name
    after = view.state_after(move)
    wanted = dict.fromkeys((*job.atoms, *memory.agenda.wanted.get(name, ())))
    wrong = sum(JOB_WEIGHT * (atom in job.atoms) + 1 for atom in wanted if not holds(after, atom))
    wrong += sum(holds(after, atom) for atom in job.avoid)
    for index in memory.agenda.later:
        for atom in all_atoms(memory.requirements, index, name):
            wrong += 2 * (holds(after, atom) and not view.is_true(atom))
    return wrong


def objects_in_the_way(memory: Memory, job: Job, placement: Placement) -> Iterator[Job]:
    """Yield jobs that move objects out of the way, unneeded and large ones first."""
    view, wanted = memory.view, memory.agenda.wanted
    sizes = view.state.house.thing
    things = [
        other
        for space in spaces(view.state, placement.target, placement.relation)
        for other in view.state.objects_at((placement.target, space.name))
        if other not in (job.name, placement.beside)
        and view.is_movable(other)
        and not memory.is_in_use(other)
    ]
    things.sort(
        key=lambda other: (
            other in wanted,
            memory.is_too_early(other),
            -sizes[other].size[0] * sizes[other].size[1],
        )
    )
    for other in things:
        atoms = [atom for atom in wanted.get(other, ()) if atom[0] not in STATES]
        if not any(placement.target in names or kind == "is_next_to" for kind, names in atoms):
            yield Job(
                "away", other, tuple(atoms), avoid=(("is_on_top", (other, placement.target)),)
            )
