"""The skills of agents as data: arguments, duration and effect.

A skill's ``effect`` returns the changes that the skill would make, or raises :class:`Refused` with
a sentence for the model: the reason and a remedy. It changes nothing itself, so a refused action
leaves the state as it was. It is evaluated when the skill begins and again when it ends, because
others act meanwhile. Facts that an agent cannot know from afar (the holder of an object, whether
something is closed or clean) are revealed only within reach.

Walking and composite skills (Navigate, Explore, Rearrange) are in
:mod:`homebody.worlds.house.simulation.simulation`, which has the clock. Actions are written as in
PARTNR (appendix A.8.1 of its paper): ``Pick[cup_0]``, ``Place[cup_0, on, table_1, next_to,
plate_2]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from homebody.core.action import Action
from homebody.worlds.house.model.agents import AIMED
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import (
    Changes,
    Face,
    Move,
    Refused,
    SkillContext,
    Switch,
    free_hand,
    need_access,
    need_at_hand,
    need_beside,
    need_object,
    need_open,
    need_reach,
    need_room_to_swing,
    need_state,
    need_unheld,
    resolve_reference,
    would_be_next_to,
)
from homebody.worlds.house.simulation.people import ask, give, request, say, take
from homebody.worlds.house.simulation.placing import fit, fit_on_floor, receptacles
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.walking.turning import TURN, look, turn

STEPS_PER_SECOND = 30
_OTHER: Mapping[str, str] = {"on": "within", "within": "on"}


def apply(state: HouseState, changes: Changes) -> None:
    """Apply changes to a state."""
    for change in changes:
        if isinstance(change, Move):
            state.move(change.name, change.place, change.pose)
        elif isinstance(change, Switch):
            state.set(change.name, change.state, change.value)
        elif isinstance(change, Face):
            state.walk(change.agent, Pose(state.bodies[change.agent].pose.position, change.yaw))
            state.look(change.agent, change.pitch)


def handed_to(changes: Changes) -> list[str]:
    """Return the new bearers of objects that changes move."""
    return [change.place[0] for change in changes if isinstance(change, Move)]


def pick(context: SkillContext, agent: str, name: str) -> Changes:
    """Take an object into the first free hand."""
    hand = hand_for(context, agent, name)
    need_at_hand(context, agent, name)
    return (Move(name, (agent, hand), context.state.carried_pose(agent, hand, name)),)


def hand_for(context: SkillContext, agent: str, name: str) -> str:
    """Return the hand that would take an object within reach. Raises Refused."""
    need_object(context, name)
    if context.state.places[name][0] == agent:
        raise Refused(f"you hold {name} already")
    hand = free_hand(context, agent)
    if not context.can(name, "grabbable"):
        raise Refused(f"{name} cannot be picked up")
    return hand


def check_rearrange(
    context: SkillContext,
    agent: str,
    name: str,
    relation: str,
    target: str,
    constraint: str = "None",
    reference: str = "None",
) -> None:
    """Raise Refused if an object could not be picked and placed even from beside it.

    Args:
        context: The context as the agent believes it to be.
    """
    need_object(context, name)
    spaces_for(context, name, relation, target)
    beside = resolve_reference(context, name, target, constraint, reference)
    if target not in context.state.house.floors:
        need_space(context, agent, relation, target)
    need_beside(context, target, beside)
    if context.state.places[name][0] != agent:
        hand_for(context, agent, name)
        need_unheld(context, agent, name)
        need_access(context, name)


def place(
    context: SkillContext,
    agent: str,
    name: str,
    relation: str,
    target: str,
    constraint: str = "None",
    reference: str = "None",
) -> Changes:
    """Put a held object on or in furniture, an object or a floor, optionally next to another."""
    state = context.state
    need_object(context, name)
    if state.places[name][0] != agent:
        raise Refused(f"you do not hold {name}; pick it up first: Pick[{name}]")
    beside = resolve_reference(context, name, target, constraint, reference)
    spaces = spaces_for(context, name, relation, target)
    if target in state.house.floors:
        here = room_of(state, agent)
        if here != state.house.floors[target].name:
            raise Refused(
                f"you are in {here}; go to {state.house.floors[target].name} first: "
                f"Navigate[{state.house.floors[target].name}]"
            )
        need_beside(context, target, beside)
        reach = context.agents[agent].reach
        floor_pose = fit_on_floor(state, name, target, agent, reach, beside)
        if floor_pose is None:
            raise Refused(
                f"there is no free floor for {name} here"
                + (f" next to {beside}; Navigate[{beside}] first" if beside else "")
                + ("" if beside else "; go somewhere else in the room first")
            )
        return (Move(name, (target, ""), floor_pose),)
    need_reach(context, agent, target)
    need_space(context, agent, relation, target)
    need_beside(context, target, beside)
    toward = state.bodies[agent].pose.position
    for space in spaces:
        if beside in state.places and state.places[beside] != (target, space):
            continue
        pose = fit(state, name, (target, space), toward, beside)
        if pose is not None and would_be_next_to(state, name, pose, beside):
            return (Move(name, (target, space), pose),)
    if beside:
        raise Refused(
            f"there is no room for {name} next to {beside} on or in {target}; make room by moving "
            f"something, or place it without next_to"
        )
    other = _OTHER[relation]
    way = f', put it "{other}" {target}' if receptacles(state, target, other) else ""
    raise Refused(
        f"there is no room for {name} {relation} {target}; take something away{way} or use another "
        f"place"
    )


def spaces_for(context: SkillContext, name: str, relation: str, target: str) -> tuple[str, ...]:
    """Return the names of receptacles for an object, accessible (:func:`need_space`) or not."""
    state = context.state
    if relation not in ("on", "within"):
        raise Refused(f'the relation must be "on" or "within", not "{relation}"')
    if target in state.house.floors:
        if relation == "within":
            raise Refused(f'things are placed "on" {target}, not "within"')
        return ("",)
    if target in state.house.room:
        floor = state.house.room[target].floor_name
        raise Refused(
            f"{target} is a room; put {name} on its floor, {floor}, or on furniture there"
        )
    if target not in state.house.piece and target not in state.poses:
        raise Refused(f"there is no furniture, floor or object named {target}")
    at = target
    while at in state.places:
        if at == name:
            raise Refused(f"{name} cannot be put on or in itself")
        at = state.places[at][0]
    spaces = receptacles(state, target, relation)
    if not spaces:
        other = _OTHER[relation]
        if receptacles(state, target, other):
            raise Refused(f'nothing can be placed "{relation}" {target}; use "{other}"')
        raise Refused(f"nothing can be placed on or in {target}")
    return tuple(space.name for space in spaces)


def need_space(context: SkillContext, agent: str, relation: str, target: str) -> None:
    """Require that the receptacles of a piece or object are accessible."""
    need_unheld(context, agent, target)
    if relation == "within":
        need_open(context, target)
    need_access(context, target)


def put(context: SkillContext, agent: str, name: str, target: str) -> Changes:
    """Put a held object on something."""
    return place(context, agent, name, "on", target)


def put_in(context: SkillContext, agent: str, name: str, target: str) -> Changes:
    """Put a held object into something."""
    return place(context, agent, name, "within", target)


def open_(context: SkillContext, agent: str, name: str) -> Changes:
    """Open furniture, a door or an object; a locked one needs its key in a hand."""
    state = context.state
    is_open = need_state(context, name, "open", "be opened")
    need_at_hand(context, agent, name)
    if is_open:
        raise Refused(f"{name} is open already")
    changes: Changes = (Switch(name, "open", True),)
    if state.is_in_state(name, "locked"):
        if why := lacking_key(context, agent, name):
            raise Refused(why)
        changes = (Switch(name, "locked", False), *changes)
    if name in state.house.door:
        need_room_to_swing(context, agent, name)
    return changes


def lacking_key(context: SkillContext, agent: str, name: str) -> str:
    """Return feedback on a lock that an agent cannot open, or "". The feedback names the key if the
    agent knows it."""
    state = context.state
    lock = state.house.piece.get(name) or state.house.door.get(name)
    key = lock.key if lock is not None else ""
    if not key:
        return f"{name} is locked, and there is no key to it"
    if state.places.get(key, ("", ""))[0] == agent:
        return ""
    graph = context.graphs.get(agent)
    if graph is not None and key not in graph.nodes:
        return f"{name} is locked; its key has to be found"
    return f"{name} is locked; hold its key first: {key}"


def close(context: SkillContext, agent: str, name: str) -> Changes:
    """Close furniture, a door or an object."""
    if name in context.state.house.door:
        need_at_hand(context, agent, name)
        need_room_to_swing(context, agent, name)
    return _switch(context, agent, name, Switch(name, "open", False), "be closed", "closed")


def clean(context: SkillContext, agent: str, name: str) -> Changes:
    """Clean a dirty object."""
    return _switch(context, agent, name, Switch(name, "clean", True), "be cleaned", "clean")


def fill(context: SkillContext, agent: str, name: str) -> Changes:
    """Fill an object from a faucet within reach, or a basin from its own faucet."""
    is_full = need_state(context, name, "filled", "be filled")
    need_at_hand(context, agent, name)
    if is_full:
        raise Refused(f"{name} is full already")
    need_open(context, name)
    if not any(
        context.can(piece.name, "faucet") and context.is_in_reach(agent, piece.name)
        for piece in context.state.house.furniture
    ):
        raise Refused(
            f"there is no faucet within reach; pick {name} up, go to a sink and fill it there"
        )
    return (Switch(name, "filled", True),)


def pour(context: SkillContext, agent: str, name: str) -> Changes:
    """Pour the contents of a held container into another object."""
    state = context.state
    is_full = need_state(context, name, "filled", "be poured into")
    held = [thing for thing in state.held_by(agent).values() if thing != name]
    sources = [thing for thing in held if context.can(thing, "pourable")]
    if not sources:
        raise Refused("you hold nothing to pour from; pick up a filled container first")
    full = [source for source in sources if state.is_in_state(source, "filled")]
    if not full:
        raise Refused(f"{sources[0]} is empty; fill it at a faucet first: Fill[{sources[0]}]")
    full.sort(key=lambda source: state.states[source].get("open") is False)  # an open one first
    need_open(context, full[0])
    need_at_hand(context, agent, name)
    if is_full:
        raise Refused(f"{name} is full already")
    need_open(context, name)
    return Switch(full[0], "filled", False), Switch(name, "filled", True)


def power_on(context: SkillContext, agent: str, name: str) -> Changes:
    """Turn something on."""
    return _switch(
        context, agent, name, Switch(name, "powered_on", True), "be turned on", "turned on"
    )


def power_off(context: SkillContext, agent: str, name: str) -> Changes:
    """Turn something off."""
    return _switch(
        context, agent, name, Switch(name, "powered_on", False), "be turned off", "turned off"
    )


def _switch(
    context: SkillContext, agent: str, name: str, wanted: Switch, verb: str, already: str
) -> Changes:
    """Return a change of one state that needs only reach. Raises Refused."""
    now = need_state(context, name, wanted.state, verb)
    need_at_hand(context, agent, name)
    if now == wanted.value:
        raise Refused(f"{name} is {already} already")
    return (wanted,)


def wait(context: SkillContext, agent: str) -> Changes:
    """Do nothing for a second."""
    return ()


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that is done where the agent stands.

    Attributes:
        usage: Its call form.
        steps: Its duration in steps of 1/30 s.
        arguments: Least and most number of arguments.
        effect: Function of the context, the agent and the arguments; see the module.
    """

    usage: str
    steps: int
    arguments: tuple[int, int]
    effect: Callable[..., Changes]


SKILLS: Mapping[str, Skill] = {
    "Pick": Skill("Pick[object]", 30, (1, 1), pick),
    "Place": Skill(
        "Place[object, on|within, furniture, next_to|None, object|None]", 30, (3, 5), place
    ),
    "Open": Skill("Open[furniture or door]", 45, (1, 1), open_),
    "Close": Skill("Close[furniture or door]", 45, (1, 1), close),
    "Clean": Skill("Clean[object]", 150, (1, 1), clean),
    "Fill": Skill("Fill[object]", 90, (1, 1), fill),
    "Pour": Skill("Pour[object]", 60, (1, 1), pour),
    "PowerOn": Skill("PowerOn[object]", 15, (1, 1), power_on),
    "PowerOff": Skill("PowerOff[object]", 15, (1, 1), power_off),
    "Wait": Skill("Wait[]", 30, (0, 0), wait),
    "Ask": Skill("Ask[person, object or category|None]", 60, (1, 2), ask),
    "Give": Skill("Give[object, person or agent]", 30, (2, 2), give),
    "Take": Skill("Take[object]", 30, (1, 1), take),
    "Request": Skill("Request[person, skill, its arguments ...]", 60, (2, 7), request),
    "Say": Skill("Say[agent, words]", 30, (2, 20), say),  # commas divide the words
    "Grab": Skill("Grab[object]", 30, (1, 1), pick),
    "Put": Skill("Put[object, furniture]", 30, (2, 2), put),
    "PutIn": Skill("PutIn[object, furniture]", 30, (2, 2), put_in),
    "TurnLeft": Skill("TurnLeft[]", 10, (0, 0), partial(turn, degrees=TURN)),
    "TurnRight": Skill("TurnRight[]", 10, (0, 0), partial(turn, degrees=-TURN)),
    "LookUp": Skill("LookUp[]", 10, (0, 0), partial(look, degrees=TURN)),
    "LookDown": Skill("LookDown[]", 10, (0, 0), partial(look, degrees=-TURN)),
}

WALKING: Mapping[str, tuple[str, tuple[int, int]]] = {
    "Navigate": ("Navigate[room, furniture, door, object or agent]", (1, 1)),
    "Explore": ("Explore[room]", (1, 1)),
    "Follow": ("Follow[agent]", (1, 1)),
    "Rearrange": ("Rearrange[object, on|within, furniture, next_to|None, object|None]", (3, 5)),
    "MoveAhead": ("MoveAhead[]", (0, 0)),
}
"""Walking skills: call form, least and most arguments."""
FORMS: Mapping[str, tuple[str, tuple[int, int]]] = {
    **WALKING,
    **{name: (skill.usage, skill.arguments) for name, skill in SKILLS.items()},
    **{name: (f"{name}[thing in the middle of your picture]", (0, 1)) for name in AIMED},
}
"""All skills: call form, least and most arguments."""


def check_form(action: Action) -> None:
    """Raise Refused if a known skill has too few or too many arguments."""
    usage, (least, most) = FORMS[action.name]
    if not least <= len(action.args) <= most:
        raise Refused(f"{action.name} is written {usage}")


SUCCESS_MESSAGES: Mapping[str, str] = {
    "Navigate": "you are at {0}",
    "Explore": "you have looked around in {0}",
    "Pick": "you hold {0}",
    "Grab": "you hold {0}",
    "Place": "{0} is {1} {2}",
    "Rearrange": "{0} is {1} {2}",
    "Put": "{0} is on {1}",
    "PutIn": "{0} is within {1}",
    "Open": "{0} is open",
    "Close": "{0} is closed",
    "Clean": "{0} is clean",
    "Fill": "{0} is full",
    "Pour": "{0} is full",
    "PowerOn": "{0} is turned on",
    "PowerOff": "{0} is turned off",
    "Wait": "you waited",
    "Ask": "you asked {0}",
    "Give": "{1} holds {0}",
    "Take": "you hold {0}",
    "Request": "{0} says: I will",
    "Follow": "you have followed {0}",
    "MoveAhead": "you went a step ahead",
    "TurnLeft": "you turned to the left",
    "TurnRight": "you turned to the right",
    "LookUp": "you look further up",
    "LookDown": "you look further down",
}
"""Feedback on successful skills."""


def success_message(action: Action) -> str:
    """Return the feedback on a successful action."""
    return SUCCESS_MESSAGES[action.name].format(*action.args)
