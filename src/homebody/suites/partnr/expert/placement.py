"""Where an expert puts a thing for a job: next to what is there already, where there is room, and
where nothing comes true that must not be so yet."""

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
"""How much more a job is worth than what must not come true yet."""
MAX_LOOKED_AT = 6
"""Most places that are looked at for a thing of which it matters where exactly it is put."""


def anchors(memory: Memory, role: str, job: Job) -> tuple[list[str], bool]:
    """What a thing belongs next to that is where it belongs already, and whether it should wait
    for more to come."""
    view = memory.view
    moving = {move.name: move for move in memory.agenda.jobs if move.kind == "move"}
    order = list(moving)
    settled: list[str] = []
    coming = False
    # in a cluster it can be next to any other, if what it was to be next to is not there yet
    for name in dict.fromkeys((*job.near, *memory.clusters.get(job.name, ()))):
        if settled and name not in job.near:
            break
        carried = view.bearing_role(name) not in ("", role)
        if carried or (name in moving and memory.is_handled(name)):
            # of two who wait for each other the first goes ahead, unless the other has done so
            first = name in moving and order.index(name) < order.index(job.name)
            coming |= first or not job.atoms or name in memory.objects_being_put()
        elif name not in moving or all(view.is_true(atom) for atom in moving[name].atoms):
            settled.append(name)
    return settled, coming


def spots(memory: Memory, job: Job, settled: Sequence[str]) -> tuple[list[Placement], bool]:
    """Where a thing can be put for a job, best first, and whether there is more that somebody
    else has in hand now. Of more than one place all are in the same state of the house."""
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
            break  # rather wait than put it there
        if (name, placement) in memory.full or not view.has_room_for(name, placement):
            continue
        fitting.append(placement)
        if len(fitting) >= MAX_LOOKED_AT or not memory.is_delicate(name):
            break
    return fitting, taken


def _possible_placements(memory: Memory, job: Job, settled: Sequence[str]) -> list[Placement]:
    """Where a thing may be, best first: rather not where it must not be yet, nor where there will
    hardly be room, but there rather than on the floor if that is the last resort."""
    later = memory.later_places(job.name)
    found = list_placements(memory.view, job.name, job.atoms, settled)

    def rank(placement: Placement) -> tuple[bool, int]:
        resort = placement is found[-1] and placement.target in memory.view.state.house.floors
        return placement.target in later, 2 if resort else _is_tight(memory, job, placement)

    return sorted(found, key=rank)


def _is_tight(memory: Memory, job: Job, placement: Placement) -> bool:
    """Whether others are putting something there, and there will hardly be room for both."""
    view, target = memory.view, placement.target
    coming = [name for name, place in memory.objects_being_put().items() if place == target]
    if not coming or target in view.state.house.floors:
        return False
    sizes = [view.state.house.thing[name].size for name in (*coming, job.name)]
    return sum(w * d for w, d, _ in sizes) > FULL * view.vacant_area(placement.relation, target)


def placements_elsewhere(memory: Memory, job: Job) -> Iterator[Placement]:
    """Where a thing is out of the way: where it may be besides if it has atoms, else on tops, the
    nearest first, and on the floor at last."""
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
    """Where an agent can put down what it holds and does not need: where it was, on tops near by,
    on the floor, in other rooms."""
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
    """Whether a thing is carried in steps, not in one action: where the last step depends on
    where exactly one stands, or on what the agent has yet to see."""
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
    """Of places on one target, at which the agent stands with the thing in hand, the one where
    least is wrong; None if there is no room. Places without room are noted."""
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
    """How much would be wrong after a move: atoms of the job that would not hold, and twice those
    that would make true what comes later."""
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
    """Jobs that would make room for a thing at a place: what is there and may be elsewhere is
    taken away, what nobody asks for first, large things before small ones."""
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
