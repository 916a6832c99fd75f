"""The speech of people: in the first person, without the brackets of actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from homebody.core.action import Action
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.receptacles import PREPOSITIONS
from homebody.worlds.house.simulation.graph_node import Node

MAX_NAMED = 6
"""Maximum number of objects named in one reply."""
_DOING: Mapping[str, str] = {
    "Navigate": "on the way to {0}",
    "Explore": "looking around in {0}",
    "Follow": "following {0}",
    "Pick": "picking up {0}",
    "Place": "putting {0} {1} {2}",
    "Open": "opening {0}",
    "Close": "closing {0}",
    "Give": "giving {0} to {1}",
    "Say": "talking to {0}",
    "Wait": "waiting",
}
_ADVICE = re.compile(r"(; |\. |: (?=\w+\[)).*", re.DOTALL)
_FIRST_PERSON = (
    (re.compile(r"^(\S+) is not known to you$"), r"I do not know where \1 is"),
    (re.compile(r"^there is (no|nobody|nothing)( [\w, ]+)? named (\S+).*"), r"I know of no \3"),
    (re.compile(r"^the (relation|constraint) must be .*"), "I do not understand where to put it"),
    (re.compile(r"\byou are\b"), "I am"),
    (re.compile(r"\b(to|follows|with|from) you\b"), r"\1 me"),
    (re.compile(r"\bwithin reach\b"), "within my reach"),
    (re.compile(r"\byour\b"), "my"),
    (re.compile(r"\byou\b"), "I"),
)


def first_person(refusal: str) -> str:
    """Turn a refusal for an agent into that agent's own words, without the advice."""
    words = _ADVICE.sub("", refusal)
    for pattern, replacement in _FIRST_PERSON:
        words = pattern.sub(replacement, words)
    return words


def phrase_action(action: Action) -> str:
    """Return a phrase for a current action that follows "is" or "I am"."""
    return _DOING.get(action.name, "busy").format(*action.args)


def deny_knowledge(wanted: str) -> str:
    """Return a reply about an unknown name. It depends only on the catalogue, not on the house."""
    known = catalogue()
    word = as_category(wanted)
    kinds = {*known.things, *known.furniture, *known.rooms, "person", "door"}
    if word in kinds:
        return f"I have seen no {word.replace('_', ' ')}"
    if word.rpartition("_")[2].isdigit():
        return f"I do not know where {wanted} is"
    return f'I do not know what "{wanted}" is'


def as_category(words: str) -> str:
    """Return words as a category: ``salt_shaker`` for ``Salt shaker``."""
    return "_".join(words.lower().split())


def whereabouts(found: Sequence[Node], speaker: str, listener: str) -> str:
    """Return a reply about the places of objects.

    Args:
        found: The nearest first; at least one. At most :data:`MAX_NAMED` are named.
        speaker: The name of the speaker.
        listener: The name of the listener.
    """
    if len(found) == 1:
        return _place_one(found[0], speaker, listener)
    named = sorted(found[:MAX_NAMED], key=lambda node: found.index(_first_there(found, node)))
    groups = [
        f"{_join_names([node.name for node in there])} {place}"
        for place, there in (
            (place, list(nodes))
            for place, nodes in groupby(named, lambda node: _place(node, speaker, listener))
        )
    ]
    which = "" if len(found) <= MAX_NAMED else "the nearest are "
    return f"I know of {len(found)}: {which}{'; '.join(groups)}"


def _place_one(node: Node, speaker: str, listener: str) -> str:
    if node.name == speaker:
        return "that is me"
    if node.relation == "held" and node.holder in (speaker, listener):
        return f"{'I' if node.holder == speaker else 'you'} hold {node.name}"
    if node.relation == "held":
        return f"{node.holder} holds {node.name}"
    return f"{node.name} is {_place(node, speaker, listener)}"


def _place(node: Node, speaker: str, listener: str) -> str:
    if node.relation == "held":
        whose = {speaker: "my hand", listener: "your hand"}
        return f"in {whose.get(node.holder, f'the hand of {node.holder}')}"
    if not node.relation:
        return f"in {node.room}"
    return f"{PREPOSITIONS[node.relation]} {node.holder} in {node.room}"


def _first_there(found: Sequence[Node], node: Node) -> Node:
    """Return the nearest of the objects at the place of a node."""
    there = node.holder, node.relation, node.room
    return next(other for other in found if (other.holder, other.relation, other.room) == there)


def _join_names(names: Sequence[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1]) if len(names) > 1 else names)
