"""The next action of an agent who does a job: where to go, what to open, where to put things.

Each function looks at the house as it is and returns one action, or None if nothing can be done
about it now. An agent carries one thing at a time; what it holds without need it puts down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homebody.core import Action
from homebody.suites.partnr.expert.jobs import Job
from homebody.suites.partnr.expert.notes import Notes
from homebody.suites.partnr.expert.places import options
from homebody.suites.partnr.expert.spots import (
    anchors,
    best,
    in_steps,
    in_the_way,
    resting_places,
    spots,
)
from homebody.suites.partnr.expert.world import SKILL_FOR, Spot, World


@dataclass(frozen=True, slots=True)
class Hands:
    """Makes actions of jobs, from what the expert has noted."""

    notes: Notes

    @property
    def world(self) -> World:
        return self.notes.world

    def step(self, agent: str, job: Job) -> Action | None:
        """What an agent does next for a job; None if it can do nothing for it now."""
        if self.world.bearing_agent(job.name) not in ("", agent):
            return None
        if job.kind != "state":
            return self._move(agent, job)
        ((predicate, _),) = job.atoms
        skill = SKILL_FOR[predicate]
        if skill not in self.world.simulation.agents[agent].skills:
            return None
        if skill == "Fill":
            return self._fill(agent, job.name)
        if skill == "Pour":
            return self._pour(agent, job.name)
        return self._at(agent, job.name, Action(skill, (job.name,)))

    # -- getting at things ------------------------------------------------------------------------

    def _at(self, agent: str, name: str, action: Action) -> Action | None:
        """An action on a thing, once it is at hand."""
        shut = self.world.shut(name)
        if shut:
            return self._open(agent, shut)
        if not self._reaches(agent, name):
            return self._go(agent, name)
        return action

    def _reaches(self, agent: str, name: str) -> bool:
        return self.notes.knows(agent, name) and self.world.scene.in_reach(agent, name)

    def _open(self, agent: str, name: str) -> Action | None:
        if self.notes.handled(name):
            return None
        if not self._reaches(agent, name):
            return self._go(agent, name)
        return Action("Open", (name,))

    def _go(self, agent: str, name: str) -> Action | None:
        """On the way to a thing; if the agent does not know it yet, to what bears it, and into
        that room if it can be reached from another."""
        world = self.world
        if self.notes.knows(agent, name):
            return Action("Navigate", (name,))
        bearer = world.bearer(name)
        if bearer in world.state.bodies:
            return None
        room = world.room(bearer)
        near = bearer in world.state.house.piece and world.scene.in_reach(agent, bearer)
        to = room if near and world.room(agent) != room else bearer
        return Action("Navigate", (to,))

    def _pick(self, agent: str, name: str) -> Action | None:
        """A thing into the hand, which is emptied first."""
        if self.world.held(agent):
            return self.put_down(agent)
        action = self._at(agent, name, Action("Pick", (name,)))
        if action is not None and action.name == "Pick":
            self.notes.picked(name)
        return action

    # -- states -----------------------------------------------------------------------------------

    def _lid(self, agent: str, name: str) -> Action | None:
        """Opens a vessel that is closed."""
        if self.world.state.states.get(name, {}).get("open") is False:
            return self._at(agent, name, Action("Open", (name,)))
        return None

    def _fill(self, agent: str, name: str) -> Action | None:
        """Fills a thing at a tap: where it is, or carried to the nearest."""
        world, house = self.world, self.world.state.house
        first = self._lid(agent, name)
        if first is not None:
            return first
        taps = [one.name for one in house.furniture if world.scene.can(one.name, "faucet")]
        if not world.shut(name) and self._reaches(agent, name):
            if any(world.scene.in_reach(agent, one) for one in taps):
                return Action("Fill", (name,))
            if name in house.piece:
                return None
        if name in house.piece:
            return self._go(agent, name)
        if world.held(agent) != name:
            return self._pick(agent, name)
        if not taps:
            return None
        return self._go(agent, min(taps, key=lambda one: (world.distance(agent, one), one)))

    def _pour(self, agent: str, name: str) -> Action | None:
        """Empties a thing into another, a basin if there is one."""
        world, state, notes = self.world, self.world.state, self.notes
        if world.held(agent) != name:
            return self._pick(agent, name)
        first = self._lid(agent, name)
        if first is not None:
            return first
        into = [
            (one not in state.house.piece, round(world.distance(agent, one), 3), one)
            for one, own in state.states.items()
            if own.get("filled") is False
            and one != name
            and not notes.handled(one)
            and not notes.early(one)
            and not world.bearing_agent(one)
            and not any(kind == "is_empty" for kind, _ in notes.agenda.wanted.get(one, ()))
        ]
        if not into:
            return None
        other = min(into)[2]
        first = self._lid(agent, other)
        return first if first is not None else self._at(agent, other, Action("Pour", (other,)))

    # -- places -----------------------------------------------------------------------------------

    def _move(self, agent: str, job: Job) -> Action | None:
        """Puts a thing where its job wants it."""
        notes, world, name = self.notes, self.world, job.name
        held = world.held(agent)
        if held and held != name:
            return self.put_down(agent)
        settled, coming = anchors(notes, agent, job)
        if job.near and not settled and not coming and not job.atoms:
            return self.put_down(agent)  # what it belongs next to is put in its place first
        shut = "" if held else world.shut(name)
        if shut:
            return self._open(agent, shut)
        if job.near and not settled and coming:
            return self._toward(agent, job) if held else self._pick(agent, name)
        places, taken = spots(notes, job, settled)
        if not places and name in notes.loose:
            places, taken = spots(notes, job, ())
        if not places:
            return None if taken else self._make_room(agent, job, settled)
        barred = world.barred(places[0])
        if barred:
            return self._open(agent, barred)
        if not in_steps(notes, agent, name, places[0]):
            notes.picked(name)
            return Action("Rearrange", places[0].arguments(name))
        return self._place(agent, job, places) if held else self._pick(agent, name)

    def _toward(self, agent: str, job: Job) -> Action | None:
        """With a thing in hand to where it will go once what it belongs next to is there."""
        world = self.world
        for spot in options(world, job.name, job.atoms, ()):
            if spot.target in world.state.house.piece and not self._reaches(agent, spot.target):
                return self._go(agent, spot.target)
            break
        return None

    def _place(self, agent: str, job: Job, places: Sequence[Spot]) -> Action | None:
        """Puts down what is in hand for a job: goes there, and looks at where it would come to
        be before it does."""
        world, there = self.world, places[0].target
        floor = there in world.state.house.floors
        if floor and places[0].beside:
            if not self._reaches(agent, places[0].beside):
                return self._go(agent, places[0].beside)
        elif floor:
            if world.room(agent) != world.room(there):
                return Action("Navigate", (there,))
        elif not self._reaches(agent, there):
            return self._go(agent, there)
        spot = best(self.notes, agent, job, [one for one in places if one.target == there])
        if spot is not None:
            return Action("Place", spot.arguments(job.name))
        return self._elbow(agent, job, there) if floor else None

    def _elbow(self, agent: str, job: Job, floor: str) -> Action | None:
        """To another place in the room, where the floor may be free."""
        world, notes = self.world, self.notes
        room = world.room(floor)
        far = [
            one.name
            for one in world.state.house.furniture
            if one.room == room and not world.scene.in_reach(agent, one.name)
        ]
        notes.tries[job.name] = notes.tries.get(job.name, 0) + 1
        notes.full = {one for one in notes.full if one[1].target != floor}
        return Action("Navigate", (far[len(world.simulation.log) % len(far)],)) if far else None

    # -- out of the way ---------------------------------------------------------------------------

    def put_down(self, agent: str) -> Action | None:
        """Puts what is held back to where it was, or where there is room; None if nothing is
        held, or there is no room anywhere."""
        world, notes = self.world, self.notes
        name = world.held(agent)
        for spot in resting_places(notes, agent, name) if name else ():
            if (name, spot) in notes.full or world.barred(spot) or not world.fits(name, spot):
                continue
            if world.bearing_agent(spot.target) or spot.target in notes.cleared.get(name, ()):
                continue
            if not notes.early(name):
                return Action("Rearrange", spot.arguments(name))
            action = self._place(agent, Job("move", name), [spot])
            if action is not None:
                return action
        return None

    def _make_room(self, agent: str, job: Job, settled: Sequence[str]) -> Action | None:
        """Takes something away from where there is no room for a thing; if that cannot be, the
        job is stuck."""
        notes, world = self.notes, self.world
        if world.held(agent):
            return self.put_down(agent)
        for spot in options(world, job.name, job.atoms, settled) if job.atoms else ():
            floor = spot.target in world.state.house.floors
            if floor or not world.could_fit(job.name, spot.relation, spot.target):
                continue
            barred = world.barred(spot)
            if barred:
                return self._open(agent, barred)
            for away in in_the_way(notes, job, spot):
                action = self._move(agent, away)
                if action is not None:
                    notes.cleared.setdefault(away.name, set()).add(spot.target)
                    return action
        notes.stuck.add(job)
        return None
