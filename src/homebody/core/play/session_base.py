"""The body of sessions: what all of them do alike.

    class Kitchen(SessionBase):
        def begin(self, role, action): ...      # how many steps it takes; raises if it cannot
        def finish(self, role, action): ...     # do it, and say in a sentence what happened
        def describe(self, role): ...           # what a role knows, in words
        def possible(self, role): ...           # what looks possible to it: actions
        def progress(self): ...                 # how far the goal is met, from 0 to 1

A session of these five methods has a clock if :attr:`~SessionBase.rate` says how fast it goes, and
any number of roles. The base reads and writes calls, keeps the transcript, counts actions, tells
each role what it sees, and knows the end. A world with an engine of its own (a house) gives
:meth:`~SessionBase._begin` and :meth:`~SessionBase._pass_time` in place of the first two.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Image, Tool
from homebody.core.play.endings import Ending, read_ending
from homebody.core.play.replay import Recorder
from homebody.core.play.session import (
    ALL_DONE,
    DONE,
    GOAL_MET,
    NOT_READ,
    WAIT,
    Event,
    NotReadyError,
    Observation,
    View,
    require_role,
)
from homebody.core.play.telling import Telling
from homebody.core.play.transcript import (
    MAX_ENTRIES,
    MAX_NAME,
    Position,
    Transcript,
    TranscriptEntry,
    is_writable,
    printable,
    read_call,
    unread,
    write_call,
)
from homebody.core.protocol import CORRECTED, Protocol, judged_by
from homebody.core.score import Score

MAX_STEPS: Final = 1_000_000
"""The clock at which a session ends that has no other limit of time."""
TIME_USED_UP: Final = "the time is used up"
NOBODY_MAY: Final = "nobody may do more"
DONE_TOOL: Final = Tool.of(DONE.name, "Say that you are finished.")
WAIT_TOOL: Final = Tool.of(WAIT.name, "Do nothing until something happens.")


@dataclass(frozen=True, slots=True)
class Doing:
    """An action that has begun.

    Attributes:
        action: What is done.
        start: The clock at which it began.
        end: The clock at which it is over.
    """

    action: Action
    start: int
    end: int


class SessionBase:
    """A session, but for what its world is about; see :class:`.session.Session`.

    Args:
        roles: Who plays, in order of precedence.
        instruction: What is to be done.
        identifier: The task's id.
        max_actions: How many actions each role may try, refused ones too.
        max_steps: The clock at which it ends.
        clock: The clock at which it begins, in a household in which there were others before.
        origin: The settings, the seed and the task's version, for the transcript.
        source: What the task was made of, for policies that may know it.

    Attributes:
        rate: Steps of the clock in a second of the world; 0 where actions take no time.
        skills: What a role can do at all, besides ``Done`` and ``Wait``.
        telling: Who was told what.
        acted: How many actions each role has tried.
        done: The roles whose part is over.
        endings: How each of them ended it, for suites that read it.

    Raises:
        HomebodyError: a role has no plain name of up to 40 characters.
    """

    rate: float = 0.0
    skills: Sequence[Tool] = ()
    done_message: str = "you are done"

    def __init__(
        self,
        roles: Sequence[str],
        instruction: str,
        *,
        identifier: str = "",
        max_actions: int = 50,
        max_steps: int = MAX_STEPS,
        clock: int = 0,
        origin: Transcript | None = None,
        source: Any = None,
    ) -> None:
        for role in roles:
            if not role or printable(role)[:MAX_NAME] != role:
                raise HomebodyError(f"a role has a plain name of up to {MAX_NAME} characters")
        self.roles = tuple(roles)
        self.instruction = instruction
        self.identifier = identifier
        self.max_actions = max_actions
        self.max_steps = max_steps
        self.source = source
        self.acted = dict.fromkeys(self.roles, 0)
        self.done: set[str] = set()
        self.endings: dict[str, Ending] = {}
        self.telling = Telling(self.roles, self.learns)
        self._origin = origin if origin is not None else Transcript()
        self._recorder = Recorder()
        self._clock = clock
        self._doing: dict[str, Doing] = {}
        self._refused = 0
        self._met = False

    # -- what a session of one's own says ---------------------------------------------------------

    def begin(self, role: str, action: Action) -> int:
        """Return how many steps an action takes that begins now: 0 if it is over at once. Raises
        HomebodyError if it cannot be done: why, and as the hint what to do instead."""
        raise NotImplementedError

    def finish(self, role: str, action: Action) -> str:
        """Carry out an action whose time is over, and return a sentence that says what it did.
        Raises HomebodyError if it cannot be done any more, and nothing has changed."""
        raise NotImplementedError

    def describe(self, role: str) -> str:
        """Return all that a role knows, in words."""
        raise NotImplementedError

    def possible(self, role: str) -> Sequence[Action]:
        """Return what looks possible to a role, in a fixed order; ``Done`` is added to it, and
        ``Wait`` where time passes. See :meth:`.session.View.options`."""
        raise NotImplementedError

    def progress(self) -> float:
        """Return how far the goal is met, from 0 to 1."""
        raise NotImplementedError

    # -- what it may say besides ------------------------------------------------------------------

    def learns(self, role: str, event: Event) -> Event | None:
        """Return what a role learns of somebody else's event; None if it does not see it. It is
        not called for ``Wait``: no role learns that others have waited."""
        return event

    def explanation(self) -> str:
        """Return a sentence on how far the goal is met, for the score."""
        return f"{self.progress():.0%} of the goal is met"

    # -- the contract: who may act ----------------------------------------------------------------

    @property
    def clock(self) -> int:
        """Steps since the start."""
        return self._clock

    @property
    def moment(self) -> int:
        """A number that grows whenever something happens that a role could be told."""
        return self.telling.moment

    @property
    def now(self) -> Position:
        """The moment that the session has come to."""
        return Position(self.clock, self._recorder.pauses)

    @property
    def entries(self) -> list[TranscriptEntry]:
        """What was tried, in order."""
        return self._recorder.entries

    @property
    def ending(self) -> str | None:
        """Why it has ended; None while it goes on."""
        over = self._over()
        if over is not None:
            return over
        if any(self.busy(role) is not None for role in self.roles) or self.ready():
            return None
        return ALL_DONE if self.done.issuperset(self.roles) else NOBODY_MAY

    def _over(self) -> str | None:
        """Return why the session is over whatever its roles may still do; None if it is not."""
        if self._met:
            return GOAL_MET
        if self.clock >= self.max_steps:
            return TIME_USED_UP
        return None

    def ready(self) -> tuple[str, ...]:
        """The roles that may act now, in order; nobody when it has ended."""
        if self._over() is not None:
            return ()
        return tuple([role for role in self.roles if self.may_act(role)])

    def may_act(self, role: str) -> bool:
        """Whether a role is neither busy nor done, and has actions left."""
        return (
            role not in self.done
            and self.acted.get(role, self.max_actions) < self.max_actions
            and len(self.entries) < MAX_ENTRIES
            and self.busy(role) is None
        )

    def busy(self, role: str) -> Action | None:
        """What a role is doing; None if nothing, or if there is no such role."""
        doing = self._doing.get(role)
        return None if doing is None else doing.action

    # -- the contract: acting ---------------------------------------------------------------------

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        """Have a role do something, and write it down; see :meth:`.session.Session.act`. What is
        done is what a replay would read."""
        self._require(role, cycle, planner)
        call, read = self._written(action)
        if read is None:
            return self._note(role, call, cycle, planner)
        clock = self.clock
        ending = read_ending(read)
        if ending is not None:
            self.endings[role] = ending
        event = self._begin(role, read) if ending is None else self._end_part(role, read)
        self._write(clock, role, call, cycle, planner)
        return self._acted(role, event)

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Write down what a role said, where no action could be read in it; it counts as one that
        was refused. Raises NotReadyError as :meth:`act`."""
        self._require(role, cycle, planner)
        self._note(role, text, cycle, planner)

    def _note(self, role: str, text: str, cycle: int, planner: str) -> Event:
        clock = self.clock
        event = self._not_read(role, text)
        self._write(clock, role, unread(text), cycle, planner)
        self._acted(role, event)
        return event

    def advance(self) -> Sequence[Event]:
        """Go on to the next moment at which an action of somebody is over, and return those that
        are; nothing, if nobody is doing anything."""
        before = self.clock
        events = self._pass_time()
        moved = self.clock > before
        self._recorder.passed(events, moved)
        self._tell(events, moved)
        if events or moved:
            self._settle()
        return events

    def _tell(self, events: Sequence[Event], moved: bool) -> None:
        """Tell the roles what is over, and whether the clock moved."""
        self.telling.passed(events, moved)

    def _acted(self, role: str, event: Event | None) -> Event | None:
        self.telling.acted(role, event)
        if event is not None:
            self._refused += not event.ok
            self._settle()
        return event

    def _settle(self) -> None:
        """Look whether the goal is met, after something was done."""
        self._met = self.progress() >= 1.0

    def _require(self, role: str, cycle: int, planner: str) -> None:
        """Raise NotReadyError if a role cannot act in a planning cycle."""
        if role not in self.ready():
            raise NotReadyError(f"{printable(str(role))[:MAX_NAME]} cannot act now")

    def _written(self, action: Action) -> tuple[str, Action | None]:
        """Return an action as it is written down, and as a replay reads it."""
        call = write_call(action)
        return call, read_call(call)

    def _write(self, clock: int, role: str, call: str, cycle: int, planner: str) -> None:
        self.acted[role] += 1
        self._recorder.write(clock, role, call, cycle, planner)

    def _event(self, role: str, action: Action, ok: bool, message: str) -> Event:
        """Return the end of an action that took no time."""
        return Event(role, action, ok, message, self.clock, self.clock)

    def _end_part(self, role: str, action: Action) -> Event:
        """End the part of a role that is done."""
        self.done.add(role)
        return self._event(role, action, True, self.done_message)

    def _not_read(self, role: str, text: str) -> Event:
        """Return what a role is told where no action could be read."""
        return self._event(role, Action(""), False, NOT_READ)

    # -- the world: five methods make one; an engine of its own overrides these -------------------

    def _begin(self, role: str, action: Action) -> Event | None:
        """Begin an action; return how it ended, if it is over at once, None if it has begun."""
        try:
            if self._waits(action):
                steps = max(1, round(self.rate))
            else:
                self._check_form(role, action)
                steps = _whole_steps(self.begin(role, action), action)
        except HomebodyError as error:
            return self._event(role, action, False, error.advice)
        if steps > 0:
            self._doing[role] = Doing(action, self.clock, self.clock + steps)
            return None
        return self._finish(role, action, self.clock)

    def _waits(self, action: Action) -> bool:
        """Whether an action is the base's own ``Wait``."""
        return self.rate > 0 and action.name == WAIT.name

    def _check_form(self, role: str, action: Action) -> None:
        """Raise HomebodyError on an action that no skill is called, or with a wrong number of
        arguments; where no skills are declared, any is passed on."""
        if not self.skills:
            return
        skill = next((skill for skill in self.skills if skill.name == action.name), None)
        if skill is None:
            known = ", ".join(tool.name for tool in self.tools(role))
            raise HomebodyError(f"there is no {action.name}", f"there are {known}")
        names = list(skill.parameters.get("properties", ()))
        needed = len(skill.parameters.get("required", ()))
        if not needed <= len(action.args) <= len(names):
            raise HomebodyError(
                f"{action.name} has {needed} arguments, not {len(action.args)}",
                f"write {action.name}[{', '.join(names)}]",
            )

    def _finish(self, role: str, action: Action, start: int) -> Event:
        """Carry out an action whose time is over."""
        try:
            ok, message = True, self.finish(role, action)
        except HomebodyError as error:
            ok, message = False, error.advice
        return Event(role, action, ok, message, start, self.clock)

    def _pass_time(self) -> Sequence[Event]:
        """Go on to the next moment at which an action is over, and return those that are. Who
        waits does so until somebody else has done something, for a second at most."""
        if not self._doing:
            return ()
        clock = min(doing.end for doing in self._doing.values())
        if clock > self.max_steps:
            self._clock = self.max_steps
            return ()
        self._clock = clock
        busy = [role for role in self.roles if role in self._doing]
        over = [role for role in busy if self._doing[role].end == clock]
        if any(not self._waits(self._doing[role].action) for role in over):
            over += [r for r in busy if r not in over and self._waits(self._doing[r].action)]
        events = []
        for role in over:
            doing = self._doing.pop(role)
            if self._waits(doing.action):
                events.append(Event(role, WAIT, True, "you waited", doing.start, clock))
            else:
                events.append(self._finish(role, doing.action, doing.start))
        return events

    # -- the contract: what roles are told --------------------------------------------------------

    @property
    def view(self) -> View:
        """What roles are shown: usually the session itself."""
        return self

    def observe(self, role: str) -> Observation:
        """What a role is told now. Raises HomebodyError if there is no such role."""
        require_role(self, role)
        return Observation(
            role,
            self.clock,
            self.told_instruction(role),
            self.telling.news(role),
            self.view,
            self.moment,
            shows=self.shows,
            left=self.left(role),
            history=self.telling.history(role),
        )

    @property
    def shows(self) -> bool:
        """Whether models are shown the images."""
        return False

    def left(self, role: str) -> int | None:
        """How many more times a role may act."""
        return max(0, self.max_actions - self.acted[role])

    def told_instruction(self, role: str) -> str:
        """The instruction as a role is told it."""
        return self.instruction

    def learnt(self, role: str) -> str:
        """All that a role knows, before it has acted; its news says the rest."""
        return "" if self.acted[role] else self.describe(role)

    def options(self, role: str) -> Sequence[Action]:
        """What looks possible to a role, ``Done`` last. Raises HomebodyError if an option cannot be
        written as a call."""
        possible = self.possible(role)
        for option in possible:
            if not is_writable(option):
                raise HomebodyError(
                    f"the game offers what cannot be written as a call: {str(option)[:80]!r}",
                    "names of actions are of letters, digits and _; arguments without , [ and ]",
                )
        return [*possible, *((WAIT,) if self.rate > 0 else ()), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        """What a role can do at all. Raises HomebodyError if a skill cannot be written as a
        call."""
        for skill in self.skills:
            if not is_writable(Action(skill.name)):
                raise HomebodyError(
                    f"the game has a tool that cannot be written as a call: {skill.name[:80]!r}",
                    "names of actions are of letters, digits and _",
                )
        return [*self.skills, *((WAIT_TOOL,) if self.rate > 0 else ()), DONE_TOOL]

    def known(self, role: str) -> Any:
        """What a role knows, in the world's own terms: the session; only to be read."""
        return self

    def images(self, role: str) -> Sequence[Image]:
        """What a role sees. Raises HomebodyError, as there are no pictures."""
        raise HomebodyError("there are no pictures of this world")

    # -- the contract: how it is going ------------------------------------------------------------

    def transcript(self) -> Transcript:
        """What was tried so far: enough to play it again (:mod:`.replay`)."""
        return replace(self._origin, entries=tuple(self.entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        """How it did, as if it ended now."""
        judged_by(protocol, CORRECTED)
        progress = self.progress()
        success = progress >= 1.0
        record: Mapping[str, Any] = {
            "instruction": self.instruction,
            "success": success,
            "progress": progress,
            "explanation": self.explanation(),
            "ending": self.ending or "",
            "actions": len(self.entries),
            "done": sorted(self.done),
            "refused": self._refused,
            "steps": self.clock,
            "settings": dict(self._origin.settings),
            "problem": "",
        }
        metrics = {"success": float(success), "progress": progress}
        return Score(self.identifier, metrics, record)

    def clone(self) -> Self:
        """Return a session that has come to the same moment and goes on by itself. It shares what
        never changes: the task."""
        return copy.deepcopy(self, {id(shared): shared for shared in self._shared()})

    def _shared(self) -> Sequence[Any]:
        """What clones share, since nobody changes it."""
        return (self.source, self._origin)


def _whole_steps(steps: object, action: Action) -> int:
    """Return what ``begin`` returned. Raises TypeError if it is no whole number, ValueError if it
    is negative."""
    advice = "return a whole number, the steps that the action takes, or 0 if it is over at once"
    try:
        number = operator.index(steps)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"begin() returned {steps!r} for {write_call(action)}: {advice}") from None
    if number < 0:
        raise ValueError(f"begin() returned {number} for {write_call(action)}: {advice}")
    return number
