"""The policy of a partner: the expert, changed by traits.

A partner has an expert of its own. Traits change its choice of jobs
(:class:`.shares.Preferences`), or give it an *errand*: actions of its own before it continues with
its jobs. An errand ends early if one of its actions fails."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from homebody.core import WAIT, Action, Policy
from homebody.core.ground.seeds import choose, generator
from homebody.core.play.session import Event
from homebody.suites.partnr.expert.expert import Expert
from homebody.suites.partnr.expert.jobs import Job
from homebody.suites.partnr.expert.shares import Preferences
from homebody.suites.partnr.partners import Traits
from homebody.suites.partnr.session import PartnrSession
from homebody.worlds.house.model.agents import STATES
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

PUTTING: Final = frozenset({"Place", "Rearrange"})
WORK: Final = PUTTING | frozenset(STATES)
PATIENCE: Final = 2_000
"""Number of waits after which a partner stops to wait for somebody who can still act: more than an
episode has."""
MAX_STEPS: Final = 8
"""Maximum number of actions of an errand that takes or puts back an object."""
FIRST: Final = 1_000.0
"""Metres that count more than any distance."""


def partner_policy(session: PartnrSession, traits: Traits) -> Policy:
    """Return a policy for any role. Each role is a partner of its own."""
    partners: dict[str, Partner] = {}

    def act(_: object, role: str) -> Action:
        if role not in partners:
            partners[role] = Partner(session, traits, role)
        return partners[role].act()

    return act


class Partner:
    """A partner in one role of a run.

    Args:
        session: The session; it is only read.
        traits: Its traits.
        role: Its role.
    """

    def __init__(self, session: PartnrSession, traits: Traits, role: str) -> None:
        self.session, self.traits, self.role = session, traits, role
        preferences = Preferences(self._takes, self._cost, traits.yields, PATIENCE)
        self._expert = Expert(session, preferences=preferences)
        self._seed = f"partner {session.task.id} {session.task.seed} {role}"
        self._chance = generator(self._seed)
        self._own_room = choose(self._chance, session.simulation.state.house.rooms).name
        self._first_is_mine = bool(self._chance.integers(2))
        self._errands: deque[Iterator[Action]] = deque()
        self._on_errand = False  # with the last action
        self._seen = 0
        self._works = 0
        self._mine: dict[str, bool] = {}
        self._aim = ""  # the object for which it set out
        self._shunned = ""  # the object from which it turned away
        self._opened: dict[str, None] = {}
        self._wavered: set[str] = set()
        self._taken_again: set[str] = set()

    def act(self) -> Action:
        """Return the next action of the role, which is free."""
        if self.session.judge.percent_complete == 1.0:
            return self._expert.act(self.role)
        self._notice()
        if (errand := self._continue_errands()) is None:
            action = self._expert.act(self.role)
            self._set_out()
            if (errand := self._continue_errands()) is None:
                self._on_errand = False
                return action
        self._on_errand = True
        return errand

    def _continue_errands(self) -> Action | None:
        while self._errands:
            action = next(self._errands[0], None)
            if action is not None:
                return action
            self._errands.popleft()
        return None

    # -- what happened ----------------------------------------------------------------------------

    def _notice(self) -> None:
        """Draw the errands that follow the events since the last call."""
        log = self.session.simulation.log
        for event in log[self._seen :]:
            if event.action == WAIT:
                continue
            if event.role == self.role:
                self._follow(event)
            elif event.ok and event.action.name in PUTTING:
                self._take_again(event.action.args[0], self.traits.corrects)
        self._seen = len(log)

    def _follow(self, event: Event) -> None:
        """Draw the errands after an action of its own."""
        traits, action = self.traits, event.action
        on_errand, self._on_errand = self._on_errand, False
        if on_errand and not event.ok:
            self._errands.popleft()
        if event.ok and action.name == "Open":
            self._opened[action.args[0]] = None
        pause = traits.slowness * (event.end - event.start)
        if event.ok and action.name in WORK and not on_errand:
            self._works += 1
            self._aim = self._shunned = ""
            if traits.closes:
                self._errands.extend(map(self._close, self._opened))
                self._opened = {}
            if traits.returns and self._works % traits.returns == 0:
                self._errands.append(iter([Action("Navigate", (self._own_room,))]))
            if action.name in PUTTING:
                self._take_again(action.args[0], traits.repeats)
            pause = max(pause, traits.rest * STEPS_PER_SECOND)
        if pause:
            self._errands.appendleft(self._pause(event.end + pause))

    def _take_again(self, name: str, probability: float) -> None:
        if probability and name not in self._taken_again and self._chance.random() < probability:
            self._taken_again.add(name)
            self._errands.append(self._take(name))

    def _set_out(self) -> None:
        """Draw the errand before the job that the expert has chosen, if that is a new one."""
        job = self._expert.job(self.role)
        if job is None or job.name in (self._aim, self._held):
            return
        self._aim, traits = job.name, self.traits
        if traits.searches and self._chance.random() < traits.searches:
            house = self.session.simulation.state.house
            bearer = self._expert.view.bearer(job.name)
            pieces = [piece.name for piece in house.furniture if piece.receptacles]
            others = [name for name in pieces if name != bearer]
            if others:
                self._errands.append(iter([Action("Navigate", (choose(self._chance, others),))]))
        if (
            traits.wavers
            and job.kind == "move"
            and job.name not in self._wavered
            and self._chance.random() < traits.wavers
        ):
            self._wavered.add(job.name)
            self._errands.append(self._take_and_put_back(job.name))

    # -- errands ----------------------------------------------------------------------------------

    @property
    def _held(self) -> str:
        return self._expert.view.held_object(self.role)

    def _pause(self, until: float) -> Iterator[Action]:
        """Wait until a clock or, as a wait may last longer, a little later."""
        while self.session.clock < until:
            yield WAIT

    def _take(self, name: str) -> Iterator[Action]:
        """Take an object. The expert then puts it where it belongs."""
        for _ in range(MAX_STEPS):
            action = None if self._held else self._expert.toward(self.role, "Pick", name)
            if action is None:
                return
            yield action

    def _take_and_put_back(self, name: str) -> Iterator[Action]:
        yield from self._take(name)
        self._shunned = name
        for _ in range(MAX_STEPS):
            action = self._expert.put_back(self.role) if self._held == name else None
            if action is None:
                return
            yield action

    def _close(self, name: str) -> Iterator[Action]:
        for _ in range(MAX_STEPS):
            is_open = self.session.simulation.state.is_in_state(name, "open")
            action = self._expert.toward(self.role, "Close", name) if is_open else None
            if action is None:
                return
            yield action

    # -- which jobs -------------------------------------------------------------------------------

    def _takes(self, role: str, job: Job) -> bool:
        """Return whether a job is part of its work."""
        part, others = self.traits.part, [name for name in self.session.roles if name != role]
        if part == "all" or not others or job.name == self._held:
            return True
        if job.kind == "state":
            return True  # agents have different skills: nobody else can do it
        owners = self._expert.owners(job)
        if owners:
            return role in owners
        if part == "room":
            view = self._expert.view
            return view.room(job.name) == view.room(role)
        if job.name not in self._mine:
            mine = sum(self._mine.values())
            more = len(self._mine) - 2 * mine  # objects of others beyond its own
            self._mine[job.name] = more > 0 or (more == 0 and self._first_is_mine)
        return self._mine[job.name]

    def _cost(self, role: str, job: Job) -> float:
        """Return the metres that count in addition to a job's distance."""
        view, traits = self._expert.view, self.traits
        cost = FIRST**2 if job.name == self._shunned else 0.0
        if traits.order == "rooms":
            order = {room.name: at for at, room in enumerate(view.state.house.rooms)}
            cost += FIRST * order.get(view.room(job.name), len(order))  # carried through a door
        elif traits.order == "random":
            cost += FIRST * generator(f"{self._seed} {self._works} {job.name}").random()
        if not traits.yields:
            doing = map(self.session.busy, (name for name in self.session.roles if name != role))
            cost -= FIRST * any(action is not None and job.name in action.args for action in doing)
        return cost
