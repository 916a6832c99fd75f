"""The interface of a VirtualHome task to sessions: its observations, messages and goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from homebody.core import Action, Fact, State, Trace
from homebody.core.formula import Atom, Structure, atoms, is_variable
from homebody.core.ground.sharing import never_changes
from homebody.goals.ltl.goal import LTLGoal
from homebody.suites.eai.interactive.scene import GoalProgress
from homebody.suites.eai.interactive.session_text import name_list
from homebody.suites.eai.virtualhome.tasks import (
    STATES,
    VirtualHomeTask,
    class_of,
)
from homebody.suites.eai.virtualhome.world import WORLD
from homebody.worlds.virtualhome import VirtualHome
from homebody.worlds.virtualhome.phrases import phrase
from homebody.worlds.virtualhome.sight import (
    HOUSE,
    PLACES,
    bearers,
    find_openable,
    is_seen,
    is_shut,
)
from homebody.worlds.virtualhome.view import StateView

_ONE: Final = ("object",)
ARGUMENTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "WALK": ("walk to a room, or up to a thing, which is near then", ("target",)),
    "RUN": ("run to a room or up to a thing", ("target",)),
    "FIND": ("go up to a thing, if it is not near already", _ONE),
    "TURNTO": ("turn to a thing, which you then face", _ONE),
    "LOOKAT": ("look at a thing that you face", _ONE),
    "LOOKAT_SHORT": ("look briefly at a thing that you face", _ONE),
    "LOOKAT_LONG": ("look long at a thing that you face", _ONE),
    "POINTAT": ("point at a thing that you face", _ONE),
    "WATCH": ("watch something that can be watched, in your room, that you face", _ONE),
    "SIT": ("sit down on a seat that is near", _ONE),
    "LIE": ("lie down on something that is near", _ONE),
    "STANDUP": ("get up from where you sit or lie", ()),
    "SLEEP": ("sleep where you sit or lie", ()),
    "WAKEUP": ("wake up where you sit or lie", ()),
    "GRAB": ("take a thing that is near into a free hand", _ONE),
    "PUTBACK": ("put a thing in your hand on something near", ("object", "target")),
    "PUTIN": ("put a thing in your hand into something near and open", ("object", "target")),
    "PUTOBJBACK": ("put a thing in your hand back where you took it from", _ONE),
    "DROP": ("drop a thing in your hand", _ONE),
    "RELEASE": ("let go of a thing in your hand", _ONE),
    "POUR": ("pour a thing in your hand into something near", ("object", "target")),
    "PUTON": ("put on clothes that are in your hand", _ONE),
    "PUTOFF": ("take off clothes that you wear", _ONE),
    "OPEN": ("open a thing that is near, with a free hand; not while it is on", _ONE),
    "CLOSE": ("close a thing that is near", _ONE),
    "SWITCHON": ("switch on a thing that is near, closed and plugged in", _ONE),
    "SWITCHOFF": ("switch off a thing that is near", _ONE),
    "PLUGIN": ("plug in a thing that is near, with a free hand", _ONE),
    "PLUGOUT": ("unplug a thing that is near and off, with a free hand", _ONE),
    "WASH": ("wash a thing that is near", _ONE),
    "RINSE": ("rinse a thing that is near", _ONE),
    "SCRUB": ("scrub a thing that is near", _ONE),
    "WIPE": ("wipe a thing that is near, with something in your hand", _ONE),
    "TOUCH": ("touch a thing that is near", _ONE),
    "PUSH": ("push a thing that is near, with a free hand", _ONE),
    "PULL": ("pull a thing that is near, with a free hand", _ONE),
    "MOVE": ("move a thing that is near, with a free hand", _ONE),
    "SQUEEZE": ("squeeze a thing that is near, with a free hand", _ONE),
    "TYPE": ("type on a thing that is near", _ONE),
    "READ": ("read something in your hand", _ONE),
    "DRINK": ("drink what is in your hand", _ONE),
    "EAT": ("eat food that is near", _ONE),
    "CUT": ("cut food that is near, with a knife in one hand and the other free", _ONE),
    "GREET": ("greet a person", _ONE),
}
"""Action -> its description, and names for its objects."""
STORED: Final = frozenset(
    {*STATES, "ONTOP", "INSIDE", "BETWEEN", "NEXT_TO", "FACING", "HOLDS_RH", "HOLDS_LH"}
)
"""Predicates whose facts are stored."""
_REPORTED: Final = frozenset({*STATES, "ONTOP", "INSIDE", "FACING", "HOLDS_RH", "HOLDS_LH"})
"""Predicates whose changes are reported to the agent."""
_DESCRIBED: Final = tuple(state for state in STATES if state not in ("CLEAN", "SITTING", "LYING"))
"""States that descriptions of objects include."""
_HANDS: Final = {"HOLDS_RH": "right", "HOLDS_LH": "left"}


@never_changes
@dataclass(frozen=True, eq=False)
class VirtualHomeScene:
    """A scene of VirtualHome. See :class:`homebody.suites.eai.interactive.scene.Scene`.

    Attributes:
        annotated_task: The task with its annotations.
        eai: VirtualHome, as the other abilities see it.
        arguments: Action -> its description, and names for its objects.
    """

    annotated_task: VirtualHomeTask
    eai: ClassVar = WORLD
    arguments: ClassVar = ARGUMENTS

    @cached_property
    def world(self) -> VirtualHome:
        """The household."""
        world = self.annotated_task.task.world
        assert isinstance(world, VirtualHome)
        return world

    @cached_property
    def _goal(self) -> LTLGoal:
        goal = self.annotated_task.task.goal
        assert isinstance(goal, LTLGoal)
        return goal

    # -- what is seen -----------------------------------------------------------------------------

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The rooms, in a fixed order."""
        state = self.annotated_task.task.initial
        return tuple(name for name in state.objects if state.holds("ROOM", (name,)))

    def room(self, state: State, name: str) -> str | None:
        """Return the room of an object."""
        return self._plain_view(state).room(name)

    def _plain_view(self, state: State) -> StateView:
        """Return the view of a state without quirks of a protocol."""
        return StateView(state, self.world.agent, frozenset(), {})

    @cached_property
    def _openable(self) -> frozenset[str]:
        """Openable objects. Sinks are inside closed counters that cannot be opened."""
        return find_openable(self.world.view(self.annotated_task.task.initial))

    def visible_objects(
        self, state: State, room: str | None, names: Iterable[str]
    ) -> frozenset[str]:
        """Return which of these objects an agent in a room sees."""
        view = self._plain_view(state)
        return frozenset(name for name in names if is_seen(view, self._openable, room, name))

    def moved_objects(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """Return the objects whose visibility may depend on the changed facts."""
        things: set[str] = set()
        for fact in facts:
            if fact[0] in ("ONTOP", "INSIDE", "BETWEEN", "OPEN", "CLOSED"):
                things.add(fact[1])
            elif fact[0] in _HANDS:
                things.add(fact[2])
        things.discard(self.world.agent)
        view = self._plain_view(state)
        return {name for thing in things for name in view.inside_out(thing)}

    def search(self, state: State, name: str) -> Action | None:
        """Go to the room of an object, or open its container."""
        agent = self.world.agent
        room = self.room(state, name)
        if room is not None and room != self.room(state, agent):
            return Action("WALK", (room,))
        shut = [
            place
            for relation, place in bearers(state, name)
            if is_shut(state, self._openable, relation, place)
        ]
        if not shut:
            return None
        near = self.world.view(state).is_near(agent, shut[-1])
        return Action("OPEN" if near else "WALK", (shut[-1],))

    # -- words ------------------------------------------------------------------------------------

    @cached_property
    def goal_objects(self) -> frozenset[str]:
        """The objects that the instruction names."""
        goals = (*self.annotated_task.state_goals, *self.annotated_task.relation_goals)
        return frozenset(name for _, *names in goals for name in names)

    @cached_property
    def task_objects(self) -> frozenset[str]:
        """The objects of the prompt, the plan and the goal, and their supports and containers."""
        task = self.annotated_task
        plan = (name for action in task.task.reference for name in action.args)
        names = {*task.relevant, *self.goal_objects, *plan, task.task.world.agent, *self.rooms}
        places = (bearers(task.task.initial, name) for name in tuple(names))
        names.update(place for each in places for _, place in each)
        return frozenset(name for name in names if name in task.task.initial.objects)

    @cached_property
    def instruction(self) -> str:
        """Title, description, and the conditions of the goal."""
        task = self.annotated_task
        lines = [f"{task.title.strip()}. {task.task.instruction.strip()}"]
        wanted = [_clause(goal) for goal in (*task.state_goals, *task.relation_goals)]
        done = [goal.upper().replace("|", " or ") for goal in task.action_goals]
        if done:
            order = " in this order" if len(done) > 1 else ""
            lines += [
                "",
                f"Do these actions{order}, on any objects that they need:",
                *_points(done),
            ]
        if wanted:
            lines += ["", "In the end, all of this must hold:", *_points(wanted)]
        return "\n".join(lines)

    def is_there(self, state: State, name: str) -> bool:
        """Return True: every object exists."""
        return True

    def is_part_of_house(self, name: str) -> bool:
        """Return whether an object is a wall or the like."""
        return class_of(name) in HOUSE

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """Return the support of an object, or else its container."""
        for relation, word in PLACES.items():
            for place in sorted(state.targets(relation, name)):
                if place not in self.rooms and not self.is_part_of_house(place):
                    return word, place
        return None

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """Return the states of an object, except ``CLEAN``."""
        states = [s for s in _DESCRIBED if state.holds(s, (name,))]
        return [phrase(Atom(s, (name,))).removeprefix(f"{name} is ") for s in states]

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """Describe the character's location, held objects and near objects."""
        agent = self.world.agent
        others = [n for n in names if n != agent and n not in self.rooms]

        def related_names(predicate: str) -> str:
            return name_list(n for n in others if view.holds(predicate, (agent, n)))

        resting = [s for s in ("SITTING", "LYING") if view.holds(s, (agent,))]
        posture = phrase(Atom(resting[0], (agent,))).split(" is ")[1] if resting else "on your feet"
        on = [n for n in others if view.holds("ONTOP", (agent, n))]
        where = f" on {name_list(on)}" if on else ""
        inside = [n for n in self.rooms if view.holds("IN_ROOM", (agent, n))]
        worn = [n for n in others if view.holds("ONTOP", (n, agent))]
        hands = [f"In your {side} hand: {related_names(hand)}." for hand, side in _HANDS.items()]
        return [
            f"You are {agent}, {posture}{where}, in {name_list(inside)}.",
            " ".join([*hands, *([f"You wear: {name_list(worn)}."] if worn else ())]),
            f"You face: {related_names('FACED')}.",
            f"Near you: {related_names('NEAR')}.",
        ]

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """Describe the effects of an action."""
        if after is before:
            return []
        delete, add = after.change_from
        agent = self.world.agent
        news = [
            fact for fact in add if fact[0] in _REPORTED and not before.holds(fact[0], fact[1:])
        ]
        if action.args:
            beside = ("NEXT_TO", agent, action.args[0])
            if beside in add and not before.holds("NEXT_TO", beside[1:]):
                news.append(beside)
        if news:
            return [_clause(fact) for fact in dict.fromkeys(news)]
        gone = [f for f in delete if f[0] in _REPORTED and before.holds(f[0], f[1:])]
        return [_clause(f, negated=True) for f in gone if not after.holds(f[0], f[1:])]

    # -- the goal ---------------------------------------------------------------------------------

    @cached_property
    def _goal_facts(self) -> frozenset[Fact] | None:
        """The facts in the goal; None if the goal also depends on other facts."""
        wanted = [a for a in atoms(self._goal.formula) if a.predicate not in self._goal.actions]
        if any(a.predicate not in STORED or any(map(is_variable, a.args)) for a in wanted):
            return None
        return frozenset((a.predicate, *a.args) for a in wanted)

    @cached_property
    def _goal_actions(self) -> frozenset[str]:
        """The actions in the goal."""
        names = (a.predicate for a in atoms(self._goal.formula))
        return frozenset(name for name in names if name in self._goal.actions)

    def goal_progress(
        self, last: GoalProgress | None, states: Sequence[State], actions: Sequence[Action]
    ) -> GoalProgress:
        """Return the progress toward the goal."""
        if last is not None and not self._has_relevant_change(states, actions, last.step):
            return replace(last, step=len(actions))
        trace = Trace(tuple(states), tuple(actions))
        return GoalProgress(self._goal.progress(trace), len(actions))

    def _has_relevant_change(
        self, states: Sequence[State], actions: Sequence[Action], step: int
    ) -> bool:
        """Return whether an action or a change after a step concerns the goal."""
        if self._goal_facts is None:
            return True
        if any(action.name in self._goal_actions for action in actions[step:]):
            return True
        changes = (change for state in states[step + 1 :] for change in state.change_from)
        return not all(map(self._goal_facts.isdisjoint, changes))


def _clause(fact: Fact, *, negated: bool = False) -> str:
    """Describe a fact. The text names the hand that holds an object, because goals depend on it."""
    text = phrase(Atom(fact[0], fact[1:]), negated)
    return f"{text} in the {_HANDS[fact[0]]} hand" if fact[0] in _HANDS else text


def _points(lines: Iterable[str]) -> list[str]:
    return [f"- {line}" for line in lines]
