"""Descriptions of skills and tools for models, and the outputs of the perception tools.

Source: appendix A.8.1 of the PARTNR paper. In the paper, a language model answers the queries.
Here, the words of a query are matched with names, categories, places and states that the agent
knows. If none matches, similar spellings are used (:mod:`.retrieval`). Therefore runs are
repeatable and tools cost nothing. A tool reports the agent's knowledge, which may be wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

from homebody.core import Action, Session
from homebody.suites.partnr.prompting.calls import usage
from homebody.suites.partnr.prompting.knowledge_text import (
    describe_object,
    has_faucet,
    state_words,
)
from homebody.suites.partnr.prompting.retrieval import (
    build_index,
    content_words,
    find_closest,
    hashing_embedder,
    words,
)
from homebody.suites.partnr.session import THINK
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.wordnet import things_in_class
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.skills import FORMS
from homebody.worlds.house.simulation.text import format_action

MAX_LINES: Final = 25
MAX_PARTNER_ACTIONS: Final = 12
MIN_LIKENESS: Final = 0.15
"""Minimum cosine of a match by spelling. Such a match is reported as uncertain."""
UNSURE: Final = "Nothing fits for sure; this is spelt most alike:"

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "Navigate": "walk to a room, or to a piece of furniture or an object, which is within reach "
    "then",
    "Explore": "walk through a room and look around; what you see there becomes known to you. "
    "What is inside closed furniture stays hidden until it is opened",
    "Pick": "take an object that is within reach into your hand; it must be free, and you can "
    "hold one object only",
    "Place": "put the object in your hand on or in furniture, a floor or a container that is "
    "within reach. The last two arguments are None, or next_to and something that it shall be "
    "next to; an object to be next to must be there already",
    "Rearrange": "the whole of moving an object: walk to it, pick it up, walk to the target and "
    "place it; arguments as for Place",
    "Open": "open furniture or an object that has a door, drawer or lid, within reach",
    "Close": "close what is open, within reach",
    "Clean": "clean a dirty object or piece of furniture that is within reach or in your hand",
    "Fill": "fill an object that you hold or can reach; a faucet must be within reach, too",
    "Pour": "pour from the filled container in your hand into the one that you name",
    "PowerOn": "turn on a device within reach",
    "PowerOff": "turn off a device within reach",
    "MoveAhead": "go 0.25 m ahead",
    "TurnLeft": "turn 30 degrees to the left",
    "TurnRight": "turn 30 degrees to the right",
    "LookUp": "look 30 degrees further up",
    "LookDown": "look 30 degrees further down",
    "PickAhead": "take an object in the middle of your picture into your hand; it must be within "
    "reach and free, and you can hold one object only",
    "PlaceAhead": "put the object in your hand on or in something in the middle of your picture "
    "and within reach: furniture, a container or the floor",
    "OpenAhead": "open furniture, a door or an object in the middle of your picture, within reach",
    "CloseAhead": "close it again",
    "CleanAhead": "clean something in the middle of your picture and within reach",
    "FillAhead": "fill something in the middle of your picture; a faucet must be within reach, too",
    "PourAhead": "pour from the filled container in your hand into one in the middle of your "
    "picture",
    "PowerOnAhead": "turn on a device in the middle of your picture, within reach",
    "PowerOffAhead": "turn such a device off",
    "Say": "tell the other agent something, in one sentence of plain words. Name an object "
    "together with its furniture or room, and its place becomes known to the other agent",
    "Wait": "do nothing until you see something happen, 20 seconds at most",
    "FindAgentActionTool": "ask what the other agent has done and is doing",
    "FindObjectTool": "ask for names of objects that you know of, by what they are, where they "
    "are or how they are, such as FindObjectTool[dirty cups in the bedroom]",
    "FindReceptacleTool": "ask for names of furniture and floors, such as "
    "FindReceptacleTool[a table in the bedroom]",
    "FindRoomTool": "ask for names of rooms, such as FindRoomTool[where one washes]",
    "Done": "say that your part of the task is finished; you will not be asked again",
}
"""Call -> its description for a model."""

_GROUPS: Final[Mapping[str, str]] = {
    "dish": "cup mug glass wine_glass plate bowl saucer teapot pitcher tray pan pot kettle",
    "cutlery": "fork spoon knife chopsticks",
    "game": "puzzle board_game playing_cards dice chess_board game_console game_controller",
    "tool": "hammer screwdriver wrench pliers saw drill measuring_tape toolbox",
    "device": "laptop monitor keyboard computer_mouse printer tablet phone telephone "
    "remote_control camera headphones speaker radio game_console charger",
    "bag": "handbag backpack suitcase gym_bag shopping_bag briefcase",
    "couch": "sofa",
    "tap": "sink washbasin bathtub",
    "drawer": "dresser nightstand desk",
    "closet": "wardrobe",
    "refrigerator": "fridge",
}
_CLASSES: Final[Mapping[str, str]] = {
    "fruit": "edible_fruit.n.01",
    "vegetable": "vegetable.n.01",
    "food": "food.n.01 food.n.02",
    "drink": "beverage.n.01",
    "toy": "plaything.n.01",
    "clothing": "clothing.n.01 footwear.n.02",
    "footwear": "footwear.n.02",
}
"""Words for the objects in classes of WordNet."""
_ALIASES: Final[Mapping[str, str]] = {
    "clothe": "clothing",
    "clothes": "clothing",
    "utensil": "cutlery",
    "silverware": "cutlery",
    "electronic": "device",
    "gadget": "device",
    "beverage": "drink",
    "dishware": "dish",
    "snack": "food",
    "full": "filled",
    "shut": "closed",
    "lounge": "living",
    "faucet": "faucet",
}
_ANYTHING = (
    "object thing item something anything furniture receptacle room place all any every each "
    "everything other known list"
)
_ANY: Final = frozenset(_ANYTHING.split())
"""Words that match anything."""
_ROOMS: Final[Mapping[str, str]] = {
    "kitchen": "food eat cook drink dish meal snack bake wash",
    "pantry": "food eat store supplies",
    "dining_room": "eat meal dinner dine",
    "living_room": "relax sit guest watch tv",
    "tv_room": "relax sit watch tv movie",
    "bedroom": "sleep bed rest clothing",
    "guest_room": "sleep bed guest",
    "kids_room": "toy play child kid sleep",
    "playroom": "toy play game child kid",
    "bathroom": "wash bath shower toilet clean",
    "guest_bathroom": "wash toilet guest",
    "office": "work study desk computer paper",
    "library": "read book study",
    "laundry_room": "laundry wash clothing",
    "closet": "clothing footwear store",
    "garage": "car tool repair bike",
    "storage_room": "store tool",
    "hallway": "enter leave coat footwear corridor entrance",
}
"""Room category -> words for its uses and contents."""


def describe_tools(calls: Iterable[str]) -> str:
    """Describe each call on a line: its notation and effect."""
    return "\n".join(f"- {usage(name)}: {DESCRIPTIONS[name]}." for name in calls)


def answer_tool(session: Session, roles: Sequence[str], role: str, call: Action) -> str:
    """Return the output of a perception tool.

    Args:
        roles: The roles whose knowledge is queried: the agent's, or all that share it.

    Raises:
        KeyError: There is no such perception tool.
    """
    if call.name == "FindAgentActionTool":
        return partner_actions(session, role)
    find = {
        "FindObjectTool": find_objects,
        "FindReceptacleTool": find_receptacles,
        "FindRoomTool": find_rooms,
    }[call.name]
    return find(session.observe(roles[0]).knowledge, roles, call.args[0])


def partner_actions(session: Session, role: str) -> str:
    """Return the recent and current actions of the other agents."""
    lines = []
    for other in session.roles:
        if other == role:
            continue
        past = [
            event
            for event in session.observe(other).history
            if event.role == other and event.action.name in FORMS
        ]
        done = [
            f"{format_action(result.action)}{'' if result.ok else ' (failed)'}"
            for result in past[-MAX_PARTNER_ACTIONS:]
        ]
        doing = session.busy(other)
        acts = doing is not None and doing.name != THINK
        now = format_action(doing) if doing is not None and acts else "nothing"
        left = (
            f"{len(past) - MAX_PARTNER_ACTIONS} actions before these, "
            if len(past) > MAX_PARTNER_ACTIONS
            else ""
        )
        lines.append(f"{other} has done: {left}{', '.join(done) or 'nothing yet'}. Now: {now}.")
    return "\n".join(lines) or "There is no other agent."


def find_objects(known: WorldGraph, roles: Sequence[str], query: str) -> str:
    """Return the objects that match a query, with their places."""
    objects = list(known.of_kind("object"))

    def at(node: Node) -> str:
        holder = known.nodes.get(node.holder)
        place = "floor" if holder is None and node.holder.startswith("floor_") else ""
        category = holder.category if holder is not None else place
        mine = "hand held" if node.relation == "held" else ""
        return f"{category} {node.room} {mine} {' '.join(state_words(node))}"

    return _lines_for(
        _find_matching(objects, query, at),
        _find_alike(objects, query),
        lambda node: describe_object(node, roles),
        "No object that you know of fits; explore rooms or open furniture to find more.",
    )


def find_receptacles(known: WorldGraph, roles: Sequence[str], query: str) -> str:
    """Return the furniture and floors that match a query, with their rooms."""
    pieces = list(known.of_kind("furniture"))
    pieces += [
        Node(room.floor_name, "furniture", "floor", (0.0, 0.0, 0.0), room.name)
        for room in known.house.rooms
    ]

    def at(node: Node) -> str:
        return f"{node.room} {'faucet' if has_faucet(node) else ''} {' '.join(state_words(node))}"

    return _lines_for(
        _find_matching(pieces, query, at),
        _find_alike(pieces, query),
        lambda node: f"{node.name} in {node.room}{_format_notes(state_words(node))}",
        "No furniture fits; ask for a kind of furniture or a room.",
    )


def find_rooms(known: WorldGraph, roles: Sequence[str], query: str) -> str:
    """Return the rooms that match a query; all if none does."""
    nodes, rooms = known.nodes.values(), list(known.of_kind("room"))
    usual = catalogue().things

    def uses(room: Node) -> str:
        here = [node.category for node in nodes if node.room == room.name and node is not room]
        kept = [name for name, kind in usual.items() if room.category in kind.rooms]
        return f"{_ROOMS.get(room.category, '')} {' '.join(here)} {' '.join(kept)}"

    return _lines_for(_find_matching(rooms, query, uses) or rooms, (), lambda node: node.name, "")


# -- how ------------------------------------------------------------------------------------------


def _find_matching(
    nodes: Sequence[Node],
    query: str,
    other: Callable[[Node], str],
) -> list[Node]:
    """Return the best matches of a query: the nodes that it names or, if none exist, the nodes
    that match most words.

    Words that match no node are ignored. Words about the kind of a node count more than words about
    its place and state: for "apples on the table", apples elsewhere match better than pears on the
    table.

    Args:
        other: Words for the place and state of a node.
    """
    tokens = set(re.findall(r"[\w.:-]+", query))
    named = [node for node in nodes if node.name in tokens]
    if named:
        return named
    query_words = [_ALIASES.get(word, word) for word in content_words(query) if word not in _ANY]
    query_words = list(dict.fromkeys(query_words))
    if not query_words:
        return list(nodes)
    words_of_kinds = [set(words(_kind_words(node.category))) for node in nodes]
    others = [set(words(other(node))) for node in nodes]
    weights = [
        sum(len(query_words) + 1 if word in a else word in b for word in query_words)
        for a, b in zip(words_of_kinds, others, strict=True)
    ]
    best = max(weights, default=0)
    if not best:
        return []
    return [node for node, weight in zip(nodes, weights, strict=True) if weight == best]


def _find_alike(nodes: Sequence[Node], query: str) -> list[Node]:
    """Return the nodes whose category is spelt most like a query, best first."""
    if not nodes:
        return []
    ranked = find_closest(
        query, build_index([node.category for node in nodes], hashing_embedder()), len(nodes)
    )
    best = ranked[0][1]
    return [nodes[place] for place, likeness in ranked if likeness >= max(MIN_LIKENESS, best)]


@cache
def _kind_words(category: str) -> str:
    """Return words for a category: its name and its groups."""
    groups = [group for group, members in _GROUPS.items() if category in members.split()]
    classes = [
        word for word, kinds in _CLASSES.items() if category in things_in_class(*kinds.split())
    ]
    return " ".join((category, *groups, *classes))


def _format_notes(notes: Sequence[str]) -> str:
    return f" ({', '.join(notes)})" if notes else ""


def _lines_for(
    matches: Sequence[Node], alike: Sequence[Node], line: Callable[[Node], str], nothing: str
) -> str:
    """Return lines for the matches, else for similar nodes, else the message ``nothing``."""
    shown = (matches or alike)[:MAX_LINES]
    lines = [line(node) for node in shown]
    if shown and not matches:
        lines.insert(0, UNSURE)
    if len(matches) > MAX_LINES:
        lines.append(f"and {len(matches) - MAX_LINES} more; ask for something more particular")
    return "\n".join(lines) or nothing
