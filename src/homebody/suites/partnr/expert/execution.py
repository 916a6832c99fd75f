"""Derives the next action of a job: going somewhere, opening something, or putting an object down.

Each function looks at the house as it is and returns one action, or None if nothing can be done
now. An agent carries one object at a time, and puts down objects that it does not need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homebody.core import Action
from homebody.suites.partnr.expert.candidates import list_placements
from homebody.suites.partnr.expert.house_view import SKILL_FOR, HouseView, Placement
from homebody.suites.partnr.expert.jobs import Job
from homebody.suites.partnr.expert.memory import Memory
from homebody.suites.partnr.expert.placement import (
    anchors,
    best,
    in_steps,
    objects_in_the_way,
    resting_places,
    spots,
)


@dataclass(frozen=True, slots=True)
class JobExecutor:
    """Derives actions from jobs and the expert's memory."""

    memory: Memory

    @property
    def view(self) -> HouseView:
        """The house as it is now."""
        return self.memory.view

    def step(self, role: str, job: Job) -> Action | None:
        """Return an agent's next action for a job; None if it can do nothing for it now."""
        if self.view.bearing_role(job.name) not in ("", role):
            return None
        if job.kind != "state":
            return self._move(role, job)
        ((predicate, _),) = job.atoms
        skill = SKILL_FOR[predicate]
        if skill not in self.view.simulation.agents[role].skills:
            return None
        if skill == "Fill":
            return self._fill(role, job.name)
        if skill == "Pour":
            return self._pour(role, job.name)
        return self.act_on(role, job.name, Action(skill, (job.name,)))

    # -- reaching objects -------------------------------------------------------------------------

    def act_on(self, role: str, name: str, action: Action) -> Action | None:
        """Return an action on an object, or one that makes the object reachable."""
        shut = self.view.closed_around(name)
        if shut:
            return self._open(role, shut)
        if not self._reaches(role, name):
            return self._go(role, name)
        return action

    def approach(self, role: str, name: str) -> Action | None:
        """Return an action toward an object or its closed container; None if within reach."""
        there = self.view.closed_around(name) or name
        return None if self._reaches(role, there) else self._go(role, there)

    def _reaches(self, role: str, name: str) -> bool:
        return self.memory.knows(role, name) and self.view.scene.is_in_reach(role, name)

    def _open(self, role: str, name: str) -> Action | None:
        if self.memory.is_handled(name):
            return None
        if not self._reaches(role, name):
            return self._go(role, name)
        return Action("Open", (name,))

    def _go(self, role: str, name: str) -> Action | None:
        """Return an action toward an object.

        An agent that does not know the object yet goes to the furniture or floor that bears it. If
        that is within reach from another room, it enters the room."""
        view = self.view
        if self.memory.knows(role, name):
            return Action("Navigate", (name,))
        bearer = view.bearer(name)
        if bearer in view.state.bodies:
            return None
        room = view.room(bearer)
        near = bearer in view.state.house.piece and view.scene.is_in_reach(role, bearer)
        to = room if near and view.room(role) != room else bearer
        return Action("Navigate", (to,))

    def _pick(self, role: str, name: str) -> Action | None:
        """Return an action toward picking an object; the hand is emptied first."""
        if self.view.held_object(role):
            return self.put_down(role)
        action = self.act_on(role, name, Action("Pick", (name,)))
        if action is not None and action.name == "Pick":
            self.memory.note_pick(name)
        return action

    # -- states -----------------------------------------------------------------------------------

    def _open_lid(self, role: str, name: str) -> Action | None:
        if self.view.state.states.get(name, {}).get("open") is False:
            return self.act_on(role, name, Action("Open", (name,)))
        return None

    def _fill(self, role: str, name: str) -> Action | None:
        """Return an action toward filling an object at a tap, if necessary the nearest one."""
        view, house = self.view, self.view.state.house
        first = self._open_lid(role, name)
        if first is not None:
            return first
        taps = [tap.name for tap in house.furniture if view.scene.can(tap.name, "faucet")]
        if not view.closed_around(name) and self._reaches(role, name):
            if any(view.scene.is_in_reach(role, tap) for tap in taps):
                return Action("Fill", (name,))
            if name in house.piece:
                return None
        if name in house.piece:
            return self._go(role, name)
        if view.held_object(role) != name:
            return self._pick(role, name)
        if not taps:
            return None
        return self._go(role, min(taps, key=lambda tap: (view.distance(role, tap), tap)))

    def _pour(self, role: str, name: str) -> Action | None:
        """Return an action toward emptying an object into another, preferably a sink."""
        view, state, memory = self.view, self.view.state, self.memory
        if view.held_object(role) != name:
            return self._pick(role, name)
        first = self._open_lid(role, name)
        if first is not None:
            return first
        into = [
            (vessel not in state.house.piece, round(view.distance(role, vessel), 3), vessel)
            for vessel, own in state.states.items()
            if own.get("filled") is False
            and vessel != name
            and not memory.is_handled(vessel)
            and not memory.is_too_early(vessel)
            and not view.bearing_role(vessel)
            and not any(kind == "is_empty" for kind, _ in memory.agenda.wanted.get(vessel, ()))
        ]
        if not into:
            return None
        other = min(into)[2]
        first = self._open_lid(role, other)
        return first if first is not None else self.act_on(role, other, Action("Pour", (other,)))

    # -- places -----------------------------------------------------------------------------------

    def _move(self, role: str, job: Job) -> Action | None:
        """Return an action toward the place that a job requires for an object."""
        memory, view, name = self.memory, self.view, job.name
        held = view.held_object(role)
        if held and held != name:
            return self.put_down(role)
        settled, coming = anchors(memory, role, job)
        if job.near and not settled and not coming and not job.atoms:
            return self.put_down(role)  # its future neighbour is placed first
        shut = "" if held else view.closed_around(name)
        if shut:
            return self._open(role, shut)
        if job.near and not settled and coming:
            return self._carry_toward(role, job) if held else self._pick(role, name)
        places, taken = spots(memory, job, settled)
        if not places and not taken and held and settled and job.atoms:
            memory.loose.add(name)  # no room beside its neighbours: it is placed without them
        if not places and name in memory.loose:
            if all(view.is_true(atom) for atom in job.atoms):  # its neighbours come to it
                memory.stuck.add(job)
                return None
            places, taken = spots(memory, job, ())
        if not places and taken:
            return self._carry_toward(role, job) if held else self._pick(role, name)
        if not places:
            return self._make_room(role, job, settled)
        barred = view.closed_before(places[0])
        if barred and (held or self._reaches(role, barred)):
            return self._open(role, barred)
        if not barred and not in_steps(memory, role, name, places[0]):
            memory.note_pick(name)
            return Action("Rearrange", places[0].arguments(name))
        return self._place(role, job, places) if held else self._pick(role, name)

    def _carry_toward(self, role: str, job: Job) -> Action | None:
        """Return an action that carries an object toward its later place."""
        view = self.view
        for placement in list_placements(view, job.name, job.atoms, ()):
            if placement.target in view.state.house.piece and not self._reaches(
                role, placement.target
            ):
                return self._go(role, placement.target)
            break
        return None

    def _place(self, role: str, job: Job, places: Sequence[Placement]) -> Action | None:
        """Return an action that puts down the held object for a job.

        The agent goes there first and checks the resulting place before it lets go."""
        view, there = self.view, places[0].target
        floor = there in view.state.house.floors
        if floor and places[0].beside:
            if not self._reaches(role, places[0].beside):
                return self._go(role, places[0].beside)
        elif floor:
            if view.room(role) != view.room(there):
                return Action("Navigate", (there,))
        elif not self._reaches(role, there):
            return self._go(role, there)
        placement = best(
            self.memory, role, job, [option for option in places if option.target == there]
        )
        if placement is not None:
            return Action("Place", placement.arguments(job.name))
        return self._seek_space(role, job, there) if floor else None

    def _seek_space(self, role: str, job: Job, floor: str) -> Action | None:
        """Return an action that goes to another place in the room, where the floor may be free."""
        view, memory = self.view, self.memory
        room = view.room(floor)
        far = [
            piece.name
            for piece in view.state.house.furniture
            if piece.room == room and not view.scene.is_in_reach(role, piece.name)
        ]
        memory.tries[job.name] = memory.tries.get(job.name, 0) + 1
        memory.full = {tried for tried in memory.full if tried[1].target != floor}
        return Action("Navigate", (far[len(view.simulation.log) % len(far)],)) if far else None

    # -- out of the way ---------------------------------------------------------------------------

    def put_down(self, role: str) -> Action | None:
        """Return an action that puts the held object back or where there is room.

        Returns None if nothing is held or there is no room anywhere."""
        view, memory = self.view, self.memory
        name = view.held_object(role)
        for placement in resting_places(memory, role, name) if name else ():
            if (
                (name, placement) in memory.full
                or view.closed_before(placement)
                or not view.has_room_for(name, placement)
            ):
                continue
            if view.bearing_role(placement.target) or placement.target in memory.cleared.get(
                name, ()
            ):
                continue
            if not memory.is_too_early(name):
                return Action("Rearrange", placement.arguments(name))
            action = self._place(role, Job("move", name), [placement])
            if action is not None:
                return action
        return None

    def _make_room(self, role: str, job: Job, settled: Sequence[str]) -> Action | None:
        """Return an action that makes room for an object; if impossible, mark the job as stuck."""
        memory, view = self.memory, self.view
        if view.held_object(role):
            memory.stuck.add(job)
            return None
        for placement in list_placements(view, job.name, job.atoms, settled) if job.atoms else ():
            floor = placement.target in view.state.house.floors
            if floor or not view.is_small_enough(job.name, placement.relation, placement.target):
                continue
            barred = view.closed_before(placement)
            if barred:
                return self._open(role, barred)
            for away in objects_in_the_way(memory, job, placement):
                action = self._move(role, away)
                if action is not None:
                    memory.cleared.setdefault(away.name, set()).add(placement.target)
                    return action
        memory.stuck.add(job)
        return None
