"""The common body of sessions.

    class Kitchen(SessionBase):
        def begin(self, role, action): ...      # return the steps it takes; raise if impossible
        def finish(self, role, action): ...     # do it, and return a sentence on the result
        def describe(self, role): ...           # return a role's knowledge, as text
        def possible(self, role): ...           # return the actions that look possible to it
        def progress(self): ...                 # return the progress, from 0 to 1

These five methods make a session with any number of roles; it has a clock if
:attr:`~SessionBase.rate` is positive. The base reads and writes calls, keeps the transcript, counts
actions, notifies each role of the events it sees, and detects the end. A world with its own engine
(a house) overrides :meth:`~SessionBase._begin` and :meth:`~SessionBase._pass_time` instead of the
first two.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from homebody.core.action import Action
from homebody.core.goal import is_met
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
from homebody.core.play.telling import EventLog
from homebody.core.play.transcript import (
    MAX_ENTRIES,
    MAX_NAME,
    Position,
    Transcript,
    TranscriptEntry,
    is_writable,
    mark_unread,
    printable,
    read_call,
    write_call,
)
from homebody.core.protocol import CORRECTED, Protocol, resolve_protocol
from homebody.core.score import Score

MAX_STEPS: Final = 1_000_000
"""The clock at which a session without another time limit ends."""

TIME_USED_UP: Final = "the time is used up"
NOBODY_MAY: Final = "nobody may do more"
DONE_TOOL: Final = Tool.of(DONE.name, "Say that you are finished.")
WAIT_TOOL: Final = Tool.of(WAIT.name, "Do nothing until something happens, or for a short time.")


@dataclass(frozen=True, slots=True)
class Doing:
    """An action that has begun.

    Attributes:
        action: The action.
        start: The clock when it began.
        end: The clock when it ends.
    """

    action: Action
    start: int
    end: int


class SessionBase:
    """A session without a world; see :class:`.session.Session`.

    Args:
        roles: The roles, in order of precedence.
        instruction: The task as text.
        identifier: The task's id.
        max_actions: Number of actions that each role may try, refused ones included.
        max_steps: The clock at which the session ends.
        max_entries: Number of actions of all roles together.
        clock: The clock at the start; positive in a household with earlier sessions.
        origin: The settings, the seed and the task's version, for the transcript.
        source: The object from which the task was made, for policies that may use it.

    Attributes:
        rate: Steps of the clock per second of the world; 0 if actions take no time.
        longest_wait: Seconds after which a ``Wait`` ends if nothing has happened.
        skills: The kinds of actions, without ``Done`` and ``Wait``.
        event_log: The events that each role has seen.
        action_counts: Role -> number of actions it has tried.
        done: The roles that have ended their part.
        endings: Role -> the ending of its part, for suites that use it.

    Raises:
        HomebodyError: a role's name is not printable or is longer than 40 characters.
    """

    rate: float = 0.0
    longest_wait: float = 1.0
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
        max_entries: int = MAX_ENTRIES,
        clock: int = 0,
        origin: Transcript | None = None,
        source: Any = None,
    ) -> None:
        for role in roles:
            if not role or printable(role)[:MAX_NAME] != role:
                raise HomebodyError(
                    f"the name of a role must be printable, with 1 to {MAX_NAME} characters"
                )
        self.roles = tuple(roles)
        self.instruction = instruction
        self.identifier = identifier
        self.max_actions = max_actions
        self.max_steps = max_steps
        self.max_entries = max_entries
        self.source = source
        self.action_counts = dict.fromkeys(self.roles, 0)
        self.done: set[str] = set()
        self.endings: dict[str, Ending] = {}
        self.event_log = EventLog(self.roles, self.perceive)
        self._origin = origin if origin is not None else Transcript()
        self._recorder = Recorder()
        self._clock = clock
        self._doing: dict[str, Doing] = {}
        self._refused = 0
        self._met = False

    # -- what a session must implement ------------------------------------------------------------

    def begin(self, role: str, action: Action) -> int:
        """Return the number of steps that an action takes if it begins now; 0 if it ends at once.
        Raises HomebodyError if it is impossible, with the reason and, as the hint, what to do."""
        raise NotImplementedError

    def finish(self, role: str, action: Action) -> str:
        """Carry out an action when it ends, and return a sentence on its result. If it has become
        impossible, raise HomebodyError and change nothing."""
        raise NotImplementedError

    def describe(self, role: str) -> str:
        """Return everything that a role knows, as text."""
        raise NotImplementedError

    def possible(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible to a role, in a fixed order, without ``Done`` and
        ``Wait``. See :meth:`.session.View.options`."""
        raise NotImplementedError

    def progress(self) -> float:
        """Return the progress towards the goal, from 0 to 1."""
        raise NotImplementedError

    # -- what a session may override --------------------------------------------------------------

    def perceive(self, role: str, event: Event) -> Event | None:
        """Return another role's event as a role sees it; None if the role does not see it. It is
        called after :meth:`finish`, and for current actions (:meth:`doing`). It is not called for
        ``Wait``, because no other role perceives waits."""
        return event

    def next_change(self) -> int | None:
        """Return the clock at which the world next changes by itself, as when a kettle boils; None
        if it does not. Waiting roles can act then, and the goal is checked. The changed state
        follows from :attr:`clock`."""
        return None

    def explanation(self) -> str:
        """Return a sentence on the progress, for the score."""
        return f"{self.progress():.0%} of the goal is met"

    # -- the contract: who may act ----------------------------------------------------------------

    @property
    def clock(self) -> int:
        """Steps since the start."""
        return self._clock

    @property
    def moment(self) -> int:
        """A counter that grows whenever something happens that a role could be notified of."""
        return self.event_log.moment

    @property
    def now(self) -> Position:
        """The current moment."""
        return Position(self.clock, self._recorder.pauses)

    @property
    def entries(self) -> list[TranscriptEntry]:
        """All actions so far, in order."""
        return self._recorder.entries

    @property
    def ending(self) -> str | None:
        """The reason why the session has ended; None if it has not."""
        ending = self._find_ending()
        if ending is not None:
            return ending
        if any(self.busy(role) is not None for role in self.roles) or self.ready():
            return None
        return ALL_DONE if self.done.issuperset(self.roles) else NOBODY_MAY

    def _find_ending(self) -> str | None:
        """Return why the session has ended although roles could still act; None if it has not
        ended."""
        if self._met:
            return GOAL_MET
        if self.clock >= self.max_steps:
            return TIME_USED_UP
        return None

    def ready(self) -> tuple[str, ...]:
        """Return the roles that may act now, in order; none after the end."""
        if self._find_ending() is not None:
            return ()
        return tuple([role for role in self.roles if self.can_act(role)])

    def can_act(self, role: str) -> bool:
        """Return whether a role is neither busy nor done, and has actions left."""
        return (
            role not in self.done
            and self.action_counts.get(role, self.max_actions) < self.max_actions
            and len(self.entries) < self.max_entries
            and self.busy(role) is None
        )

    def busy(self, role: str) -> Action | None:
        """Return the current action of a role; None if it has none or does not exist."""
        doing = self._doing.get(role)
        return None if doing is None else doing.action

    # -- the contract: acting ---------------------------------------------------------------------

    def act(self, role: str, action: Action, cycle: int = 0, planner: str = "") -> Event | None:
        """Let a role act, and record it; see :meth:`.session.Session.act`. The action is read back
        from its record, so that a replay does the same."""
        self._require(role, cycle, planner)
        call, read = self._as_replayed(action)
        if read is None:
            return self._note(role, call, cycle, planner)
        clock = self.clock
        ending = read_ending(read)
        if ending is not None:
            self.endings[role] = ending
        event = self._begin(role, read) if ending is None else self._end_part(role, read)
        self._write(clock, role, call, cycle, planner)
        return self._after_action(role, event)

    def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
        """Record a string in which no action could be read; it counts as a refused action. Raises
        NotReadyError as :meth:`act`."""
        self._require(role, cycle, planner)
        self._note(role, text, cycle, planner)

    def _note(self, role: str, text: str, cycle: int, planner: str) -> Event:
        clock = self.clock
        event = self._refuse_unread(role, text)
        self._write(clock, role, mark_unread(text), cycle, planner)
        self._after_action(role, event)
        return event

    def think(self, role: str, seconds: float) -> bool:
        """Return False: thinking takes no time; see :meth:`.session.Session.think`."""
        return False

    def advance(self) -> Sequence[Event]:
        """Let time pass until some action ends, and return the events of all actions that end then.
        Returns no events if no role is acting or the session has ended."""
        if self.ending is not None:
            return []
        before = self.clock
        events = self._pass_time()
        moved = self.clock > before
        self._recorder.record_time(events, moved)
        self._tell(events, moved)
        if events or moved:
            self._settle()
        return events

    def _tell(self, events: Sequence[Event], moved: bool) -> None:
        """Notify the roles of finished actions, and note whether the clock moved."""
        self.event_log.record_time(events, moved)

    def _after_action(self, role: str, event: Event | None) -> Event | None:
        self.event_log.record_action(role, event)
        if event is not None:
            self._refused += not event.ok
            self._settle()
        return event

    def _settle(self) -> None:
        """Check whether the goal is met, after something has happened."""
        self._met = is_met(self.progress())

    def _require(self, role: str, cycle: int, planner: str) -> None:
        """Raise NotReadyError if a role cannot act in a planning cycle."""
        if role not in self.ready():
            raise NotReadyError(f"{printable(str(role))[:MAX_NAME]} cannot act now")

    def _as_replayed(self, action: Action) -> tuple[str, Action | None]:
        """Return an action's call as recorded, and the action that a replay reads from it."""
        call = write_call(action)
        return call, read_call(call)

    def _write(self, clock: int, role: str, call: str, cycle: int, planner: str) -> None:
        self.action_counts[role] += 1
        self._recorder.write(clock, role, call, cycle, planner)

    def _event(self, role: str, action: Action, ok: bool, message: str) -> Event:
        """Return the event of an action that took no time."""
        return Event(role, action, ok, message, self.clock, self.clock)

    def _end_part(self, role: str, action: Action) -> Event:
        """End the part of a role."""
        self.done.add(role)
        return self._event(role, action, True, self.done_message)

    def _refuse_unread(self, role: str, text: str) -> Event:
        """Return the event of a string in which no action could be read."""
        return self._event(role, Action(""), False, NOT_READ)

    # -- the world: engines override these --------------------------------------------------------

    def _begin(self, role: str, action: Action) -> Event | None:
        """Begin an action. Return its event if it ended at once, None if it has begun."""
        try:
            if self._is_wait(action):
                steps = max(1, round(self.rate * self.longest_wait))
            else:
                self._check_form(role, action)
                steps = _check_steps(self.begin(role, action), action)
        except HomebodyError as error:
            return self._event(role, action, False, error.advice)
        if steps > 0:
            self._doing[role] = Doing(action, self.clock, self.clock + steps)
            return None
        return self._finish(role, action, self.clock)

    def _is_wait(self, action: Action) -> bool:
        """Return whether an action is the base's own ``Wait``."""
        return self.rate > 0 and action.name == WAIT.name

    def _check_form(self, role: str, action: Action) -> None:
        """Raise HomebodyError for an unknown skill or a wrong number of arguments.

        A session without declared skills accepts any action.
        """
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
        """Carry out an action at its end."""
        try:
            ok, message = True, self.finish(role, action)
        except HomebodyError as error:
            ok, message = False, error.advice
        return Event(role, action, ok, message, start, self.clock)

    def _pass_time(self) -> Sequence[Event]:
        """Let time pass until some action ends or the world changes by itself, and return the
        events of all actions that end then. A wait also ends then, or after :attr:`longest_wait`.
        """
        if not self._doing:
            return ()
        clock = min(doing.end for doing in self._doing.values())
        change = self.next_change()
        if change is not None and self.clock < change < clock:
            clock = change
        if clock > self.max_steps:
            self._clock = self.max_steps
            return ()
        self._clock = clock
        busy = [role for role in self.roles if role in self._doing]
        over = [role for role in busy if self._doing[role].end == clock]
        if clock == change or any(not self._is_wait(self._doing[role].action) for role in over):
            over += [r for r in busy if r not in over and self._is_wait(self._doing[r].action)]
        events = []
        for role in over:
            doing = self._doing.pop(role)
            if self._is_wait(doing.action):
                events.append(Event(role, WAIT, True, "you waited", doing.start, clock))
            else:
                events.append(self._finish(role, doing.action, doing.start))
        return events

    # -- the contract: observations ---------------------------------------------------------------

    @property
    def view(self) -> View:
        """The source of observations: usually the session itself."""
        return self

    def observe(self, role: str) -> Observation:
        """Return the observation of a role now. Raises HomebodyError if there is no such role."""
        require_role(self, role)
        return Observation(
            role,
            self.clock,
            self.instruction_for(role),
            self.event_log.news(role),
            self.view,
            self.moment,
            shows_images=self.shows_images,
            actions_left=self.actions_left(role),
            history=self.event_log.history(role),
        )

    @property
    def shows_images(self) -> bool:
        """True if models receive the images."""
        return False

    def actions_left(self, role: str) -> int | None:
        """Return the number of actions that a role may still try."""
        return max(0, self.max_actions - self.action_counts[role])

    def instruction_for(self, role: str) -> str:
        """Return the instruction that a role receives."""
        return self.instruction

    def doing(self, role: str) -> Mapping[str, Action]:
        """Return the current actions of the other roles that a role would perceive."""
        seen = {}
        for other, doing in self._doing.items():
            if other != role and not self._is_wait(doing.action):
                event = Event(other, doing.action, True, "", doing.start, self.clock)
                perceived = self.perceive(role, event)
                if perceived is not None:
                    seen[other] = perceived.action
        return seen

    def describe_changes(self, role: str) -> str:
        """Return everything that a role knows before its first action; later its news suffices."""
        return "" if self.action_counts[role] else self.describe(role)

    def options(self, role: str) -> Sequence[Action]:
        """Return the actions that look possible to a role, ``Done`` last. Raises HomebodyError if
        one cannot be written as a call."""
        possible = self.possible(role)
        for option in possible:
            if not is_writable(option):
                raise HomebodyError(
                    f"this option cannot be written as a call: {str(option)[:80]!r}",
                    "names of actions have letters, digits and _; arguments have no , [ or ]",
                )
        return [*possible, *((WAIT,) if self.rate > 0 else ()), DONE]

    def tools(self, role: str) -> Sequence[Tool]:
        """Return all kinds of actions of a role. Raises HomebodyError if one cannot be written as a
        call."""
        for skill in self.skills:
            if not is_writable(Action(skill.name)):
                raise HomebodyError(
                    f"this tool cannot be written as a call: {skill.name[:80]!r}",
                    "names of actions have letters, digits and _",
                )
        return [*self.skills, *((WAIT_TOOL,) if self.rate > 0 else ()), DONE_TOOL]

    def knowledge(self, role: str) -> Any:
        """Return the knowledge of a role as read-only objects: here, the session itself."""
        return self

    def images(self, role: str) -> Sequence[Image]:
        """Raise HomebodyError, as there are no pictures."""
        raise HomebodyError("there are no pictures of this world")

    # -- the contract: results --------------------------------------------------------------------

    def transcript(self) -> Transcript:
        """Return all actions so far: enough to replay the session (:mod:`.replay`)."""
        return replace(self._origin, entries=tuple(self.entries))

    def score(self, protocol: Protocol | None = None) -> Score:
        """Score the session as if it ended now."""
        resolve_protocol(protocol, CORRECTED)
        progress = self.progress()
        success = is_met(progress)
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
        """Return an independent session at the same moment. The two share the task, which never
        changes."""
        return copy.deepcopy(self, {id(shared): shared for shared in self._shared_objects()})

    def _shared_objects(self) -> Sequence[Any]:
        """Return the objects that clones share, as they never change."""
        return (self.source, self._origin)


def _check_steps(steps: object, action: Action) -> int:
    """Check the result of ``begin``. Raises TypeError if it is not a whole number, ValueError if it
    is negative."""
    advice = "return a whole number, the steps that the action takes, or 0 if it ends at once"
    try:
        number = operator.index(steps)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"begin() returned {steps!r} for {write_call(action)}: {advice}") from None
    if number < 0:
        raise ValueError(f"begin() returned {number} for {write_call(action)}: {advice}")
    return number
