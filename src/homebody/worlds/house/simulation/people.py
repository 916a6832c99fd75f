"""What agents do with people of the scene: ask them, hand them things, take what they hold.

People do not act by themselves. They take one thing at a time, give what they hold to who asks for
it, and tell what they do, what they hold, and where things are that lie open in their room; of
everything else they know nothing. What they say is hearsay to who asked: true when it was said.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Person
from homebody.worlds.house.model.people import HAND, held_pose
from homebody.worlds.house.simulation.conditions import (
    NONE,
    Changes,
    Move,
    Refused,
    SkillContext,
    Tell,
    TooFar,
    bearer,
    free_hand,
    need_object,
)
from homebody.worlds.house.simulation.relations import gap, room_of
from homebody.worlds.house.simulation.rooms import in_the_open

EARSHOT = 2.0
"""Metres within which somebody is asked."""


def ask(context: SkillContext, agent: str, name: str, thing: str = "None") -> Changes:
    """Ask a person what they do, or where something is: an object, a person, an agent or a
    category of objects."""
    person = _awake(context, name)
    state = context.state
    away = gap(state.box(agent), state.box(name))
    if away > EARSHOT or room_of(state, agent) != person.room:
        raise TooFar(f"{name} is too far away to talk to; go there first: Navigate[{name}]")
    if thing in NONE:
        does = person.activity or person.posture
        held = state.on((name, HAND))
        holds = f", and hold {held[0]}" if held else ""
        return (Tell(f"{name} says: I am {does}{holds}", (name, *held)),)
    heard = _known(context, person, thing)
    if not heard:
        return (Tell(f"{name} says: I do not know where {thing} is"),)
    return (Tell(f"{name} says: {_where(context, name, heard)}", (heard,)),)


def give(context: SkillContext, agent: str, name: str, to: str) -> Changes:
    """Put an object from an agent's hand into that of a person or another agent within reach."""
    state = context.state
    need_object(context, name)
    if state.places[name][0] != agent:
        raise Refused(f"you do not hold {name}; pick it up first: Pick[{name}]")
    if to == agent:
        raise Refused(f"you hold {name} already")
    _need_near(context, agent, to)
    if to in state.bodies:
        held = state.held(to)
        for hand in context.agents[to].hands:
            if hand not in held:
                return (Move(name, (to, hand), state.carried(to, hand, name)),)
        raise Refused(f"{to} has no free hand; put {name} down somewhere")
    person = _awake(context, to)
    if held_now := state.on((to, HAND)):
        raise Refused(f"{to} holds {held_now[0]}; take that first: Take[{held_now[0]}]")
    return (Move(name, (to, HAND), held_pose(person, state.house.thing[name].size)),)


def take(context: SkillContext, agent: str, name: str) -> Changes:
    """Have a person within reach hand over what they hold."""
    state = context.state
    need_object(context, name)
    holder = bearer(state, name)
    if holder == agent:
        raise Refused(f"you hold {name} already")
    if holder in state.bodies:
        raise Refused(f"{name} is held by {holder}, who has to give it to you")
    if state.places[name][0] not in state.house.person:
        raise Refused(f"nobody holds {name}; pick it up: Pick[{name}]")
    hand = free_hand(context, agent)
    _need_near(context, agent, holder)
    _awake(context, holder)
    return (Move(name, (agent, hand), state.carried(agent, hand, name)),)


def _awake(context: SkillContext, name: str) -> Person:
    """A person who can be talked to. Raises Refused."""
    person = context.state.house.person.get(name)
    if person is None:
        raise Refused(f"there is nobody named {name} who could be asked")
    if person.activity == "sleeping":
        raise Refused(f"{name} is asleep")
    return person


def _need_near(context: SkillContext, agent: str, other: str) -> None:
    if not context.state.bears(other):
        raise Refused(f"there is nobody named {other}")
    if not context.in_reach(agent, other, others=True):
        raise TooFar(f"{other} is not within reach; go there first: Navigate[{other}]")


def _known(context: SkillContext, person: Person, thing: str) -> str:
    """What a person can tell of: what is named so or of that category, and in sight; what is
    named first of several."""
    state = context.state
    seen = in_the_open(state, person.room)
    if thing in seen:
        return thing
    alike = (one.name for one in state.house.things if one.category == thing)
    return next((name for name in alike if name in seen), "")


def _where(context: SkillContext, person: str, thing: str) -> str:
    """Where something is, in the words of a person."""
    state = context.state
    if thing == person:
        return "that is me"
    if thing not in state.places:
        return f"{thing} is in {room_of(state, thing)}"
    at = state.places[thing][0]
    if at == person:
        return f"I hold {thing}"
    if state.bears(at):
        return f"{at} holds {thing}"
    whole = state.house.piece.get(at) or state.house.thing.get(at)
    spaces = whole.receptacles if whole is not None else ()
    inside = any(s.name == state.places[thing][1] and s.kind == "within" for s in spaces)
    return f"{thing} is {'in' if inside else 'on'} {at} in {room_of(state, thing)}"
