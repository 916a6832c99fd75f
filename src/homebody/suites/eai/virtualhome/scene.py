"""A VirtualHome task as sessions play it: what is seen, what is told, what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from homebody.core import Action, Fact, State, Trace
from homebody.core.formula import Atom, Structure, atoms, is_variable
from homebody.core.ground.sharing import never_changes
from homebody.goals.ltl.goal import LTLGoal
from homebody.suites.eai.interactive.scene import Standing
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
"""Action -> what it does, and what its objects are called."""
STORED: Final = frozenset(
    {*STATES, "ONTOP", "INSIDE", "BETWEEN", "NEXT_TO", "FACING", "HOLDS_RH", "HOLDS_LH"}
)
"""Predicates whose facts are stored."""
_TOLD: Final = frozenset({*STATES, "ONTOP", "INSIDE", "FACING", "HOLDS_RH", "HOLDS_LH"})
"""Those of which an agent is told that they have changed."""
_SAID: Final = tuple(state for state in STATES if state not in ("CLEAN", "SITTING", "LYING"))
"""States of things that descriptions have."""
_HANDS: Final = {"HOLDS_RH": "right", "HOLDS_LH": "left"}


@never_changes
@dataclass(frozen=True, eq=False)
class VirtualHomeScene:
    """See :class:`homebody.suites.eai.interactive.scene.Scene`.

    Attributes:
        annotated: The task with its annotations.
        eai: VirtualHome, as the other abilities see it.
        arguments: Action -> what it does, and what its objects are called.
    """

    annotated: VirtualHomeTask
    eai: ClassVar = WORLD
    arguments: ClassVar = ARGUMENTS

    @cached_property
    def world(self) -> VirtualHome:
        """The household."""
        world = self.annotated.task.world
        assert isinstance(world, VirtualHome)
        return world

    @cached_property
    def _goal(self) -> LTLGoal:
        goal = self.annotated.task.goal
        assert isinstance(goal, LTLGoal)
        return goal

    # -- what is seen -----------------------------------------------------------------------------

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The rooms, in a fixed order."""
        state = self.annotated.task.initial
        return tuple(name for name in state.objects if state.holds("ROOM", (name,)))

    def room(self, state: State, name: str) -> str | None:
        """The room of a thing."""
        return self._plain(state).room(name)

    def _plain(self, state: State) -> StateView:
        """A state as it is, by no quirk of a protocol."""
        return StateView(state, self.world.agent, frozenset(), {})

    @cached_property
    def _openable(self) -> frozenset[str]:
        """What can be opened; sinks are inside of counters that are closed and cannot."""
        return find_openable(self.world.view(self.annotated.task.initial))

    def seen(self, state: State, room: str | None, names: Iterable[str]) -> frozenset[str]:
        """The things of these that an agent in a room sees."""
        view = self._plain(state)
        return frozenset(name for name in names if is_seen(view, self._openable, room, name))

    def moved(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """What may be seen, or not, because of changed facts."""
        things: set[str] = set()
        for fact in facts:
            if fact[0] in ("ONTOP", "INSIDE", "BETWEEN", "OPEN", "CLOSED"):
                things.add(fact[1])
            elif fact[0] in _HANDS:
                things.add(fact[2])
        things.discard(self.world.agent)
        view = self._plain(state)
        return {name for thing in things for name in view.inside_out(thing)}

    def search(self, state: State, name: str) -> Action | None:
        """Go to the room of a thing, or open what it is shut in."""
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
        goals = (*self.annotated.state_goals, *self.annotated.relation_goals)
        return frozenset(name for _, *names in goals for name in names)

    @cached_property
    def told(self) -> frozenset[str]:
        """What the official prompt lists, that is what the annotated plan changes, what the plan
        and the goal name, and all that these are in or on."""
        task = self.annotated
        plan = (name for action in task.task.reference for name in action.args)
        names = {*task.relevant, *self.goal_objects, *plan, task.task.world.agent, *self.rooms}
        places = (bearers(task.task.initial, name) for name in tuple(names))
        names.update(place for each in places for _, place in each)
        return frozenset(name for name in names if name in task.task.initial.objects)

    @cached_property
    def instruction(self) -> str:
        """Title, description, and the conditions of the goal."""
        task = self.annotated
        lines = [f"{task.title.strip()}. {task.task.instruction.strip()}"]
        wanted = [_clause(goal) for goal in (*task.state_goals, *task.relation_goals)]
        done = [goal.upper().replace("|", " or ") for goal in task.action_goals]
        if done:
            order = " in this order" if len(done) > 1 else ""
            lines += ["", f"Do these actions{order}, on whatever it takes:", *_points(done)]
        if wanted:
            lines += ["", "In the end all of this has to be so:", *_points(wanted)]
        return "\n".join(lines)

    def is_there(self, state: State, name: str) -> bool:
        """Everything is."""
        return True

    def is_part_of_house(self, name: str) -> bool:
        """Whether a thing is a wall or the like."""
        return class_of(name) in HOUSE

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """What a thing is on, or else in."""
        for relation, word in PLACES.items():
            for place in sorted(state.targets(relation, name)):
                if place not in self.rooms and not self.is_part_of_house(place):
                    return word, place
        return None

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """The states of a thing; that it is clean is not said."""
        states = [s for s in _SAID if state.holds(s, (name,))]
        return [phrase(Atom(s, (name,))).removeprefix(f"{name} is ") for s in states]

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """Where the character is, what it holds, what is near."""
        agent = self.world.agent
        others = [n for n in names if n != agent and n not in self.rooms]

        def related(predicate: str) -> str:
            return name_list(n for n in others if view.holds(predicate, (agent, n)))

        resting = [s for s in ("SITTING", "LYING") if view.holds(s, (agent,))]
        posture = phrase(Atom(resting[0], (agent,))).split(" is ")[1] if resting else "on your feet"
        on = [n for n in others if view.holds("ONTOP", (agent, n))]
        where = f" on {name_list(on)}" if on else ""
        inside = [n for n in self.rooms if view.holds("IN_ROOM", (agent, n))]
        worn = [n for n in others if view.holds("ONTOP", (n, agent))]
        hands = [f"In your {side} hand: {related(hand)}." for hand, side in _HANDS.items()]
        return [
            f"You are {agent}, {posture}{where}, in {name_list(inside)}.",
            " ".join([*hands, *([f"You wear: {name_list(worn)}."] if worn else ())]),
            f"You face: {related('FACED')}.",
            f"Near you: {related('NEAR')}.",
        ]

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """What an action has brought about."""
        if after is before:
            return []
        delete, add = after.change_from
        agent = self.world.agent
        news = [fact for fact in add if fact[0] in _TOLD and not before.holds(fact[0], fact[1:])]
        if action.args:
            beside = ("NEXT_TO", agent, action.args[0])
            if beside in add and not before.holds("NEXT_TO", beside[1:]):
                news.append(beside)
        if news:
            return [_clause(fact) for fact in dict.fromkeys(news)]
        gone = [f for f in delete if f[0] in _TOLD and before.holds(f[0], f[1:])]
        return [_clause(f, negated=True) for f in gone if not after.holds(f[0], f[1:])]

    # -- the goal ---------------------------------------------------------------------------------

    @cached_property
    def _at_stake(self) -> frozenset[Fact] | None:
        """The facts that the goal asks for; None if it asks for others too."""
        wanted = [a for a in atoms(self._goal.formula) if a.predicate not in self._goal.actions]
        if any(a.predicate not in STORED or any(map(is_variable, a.args)) for a in wanted):
            return None
        return frozenset((a.predicate, *a.args) for a in wanted)

    @cached_property
    def _wanted(self) -> frozenset[str]:
        """The actions that the goal asks for."""
        names = (a.predicate for a in atoms(self._goal.formula))
        return frozenset(name for name in names if name in self._goal.actions)

    def standing(
        self, last: Standing | None, states: Sequence[State], actions: Sequence[Action]
    ) -> Standing:
        """How far the goal is met."""
        if last is not None and not self._matters(states, actions, last.step):
            return replace(last, step=len(actions))
        trace = Trace(tuple(states), tuple(actions))
        return Standing(self._goal.progress(trace), len(actions))

    def _matters(self, states: Sequence[State], actions: Sequence[Action], step: int) -> bool:
        """Whether anything after a step was done or has changed that the goal asks for."""
        if self._at_stake is None:
            return True
        if any(action.name in self._wanted for action in actions[step:]):
            return True
        changes = (change for state in states[step + 1 :] for change in state.change_from)
        return not all(map(self._at_stake.isdisjoint, changes))


def _clause(fact: Fact, *, negated: bool = False) -> str:
    """A fact in words: in which hand something is matters to goals."""
    text = phrase(Atom(fact[0], fact[1:]), negated)
    return f"{text} in the {_HANDS[fact[0]]} hand" if fact[0] in _HANDS else text


def _points(lines: Iterable[str]) -> list[str]:
    return [f"- {line}" for line in lines]
