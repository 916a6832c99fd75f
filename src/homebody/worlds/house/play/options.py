"""The possible actions of a role in a house, updated from its knowledge."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from homebody.core.ground.sharing import copy_flat
from homebody.core.play.options import ActionBlock, ActionList
from homebody.core.play.session import DONE, WAIT
from homebody.worlds.house.model.agents import AIMED, MOTIONS, SOCIAL
from homebody.worlds.house.play.possible import SWITCHES, Uses, uses_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.doors import doors_of


@copy_flat("_known", "_people")
class HouseOptions:
    """All actions that look possible to a role, in a fixed order, ``Done`` last.

    Targets are known and of the right kind, whether in reach or not. Doors are the doors of the
    role's room.
    """

    def __init__(self, simulation: Simulation, role: str) -> None:
        self._simulation = simulation
        self._role = role
        self._version = 0  # of the graph
        self._known: dict[str, Uses] = {}
        self._people: dict[str, None] = {}  # and other agents
        self._held: tuple[str, ...] = ()
        self._near: list[str] = []  # the doors of its room
        self._aims = not simulation.agents[role].skills.isdisjoint(AIMED)
        self._aimed: tuple[str, ...] = ()
        self._options: ActionList | None = None

    def now(self) -> ActionList:
        """Return the current options."""
        graph = self._simulation.graphs[self._role]
        held = tuple(self._simulation.state.held_by(self._role).values())
        if held != self._held:
            self._held, self._options = held, None
        near = [door.name for door in doors_of(graph.house, graph[self._role].room)]
        if near != self._near:
            self._near, self._options = near, None
        aimed = self._simulation.aimed_at(self._role) if self._aims else ()
        if aimed != self._aimed:
            self._aimed, self._options = aimed, None
        if graph.version != self._version:
            for name in graph.changed_since(self._version):
                node = graph[name]
                uses = uses_of(graph.house, node)
                if uses is not None:
                    if uses != self._known.get(name):
                        self._known[name], self._options = uses, None
                elif node.kind in ("person", "agent") and name not in (self._role, *self._people):
                    self._people[name], self._options = None, None
            self._version = graph.version
        if self._options is None:
            self._options = ActionList(self._blocks())
        return self._options

    def _blocks(self) -> list[ActionBlock]:
        simulation, held = self._simulation, self._held
        rooms, mine = simulation.state.house.rooms, simulation.agents[self._role].skills
        nodes = simulation.graphs[self._role].nodes
        names = [name for name in nodes if name in self._known]  # in the order of the graph
        people = [name for name in nodes if name in self._people]
        known = {name: self._known[name] for name in names}
        objects = [name for name in names if known[name].kind == "object"]
        things = [*(name for name in names if known[name].kind == "furniture"), *objects]
        each = ActionBlock.of_each
        there = things if "Explore" in mine else [*(room.name for room in rooms), *things]
        there = there if mine.isdisjoint(SOCIAL) else [*there, *people]
        blocks = [
            ActionBlock((WAIT.name,), [()]),
            each("Explore", (room.name for room in rooms)),
            each("Navigate", (name for name in (*there, *self._near) if name not in held)),
        ]
        blocks += [
            each(skill, (name for name in (*things, *self._near) if skill in known[name].skills))
            for skill in SWITCHES
            if skill in mine and (skill != "Pour" or held)
        ]
        free = [name for name in objects if not known[name].is_held]
        has_hand = len(held) < len(simulation.agents[self._role].hands)
        theirs = [name for name in objects if known[name].is_held]
        blocks += self._with_people(people, held, has_hand, theirs)
        if has_hand:
            blocks.append(each("Pick", free))
        places = {name: [(kind, name) for kind in known[name].takes] for name in things}
        places |= {room.floor_name: [("on", room.floor_name)] for room in rooms}
        put = tuple(skill for skill in ("Rearrange", "Place") if held or skill == "Rearrange")
        put = tuple(skill for skill in put if skill in mine)
        if put:
            blocks.append(ActionBlock(put, _Placements.of(held or free, places)))
        blocks += [ActionBlock((motion,), [()]) for motion in MOTIONS]
        blocks += self._with_aimed(known, places, held, free if has_hand else ())
        able = [block for block in blocks if mine.issuperset(block.names)]
        return [*able, ActionBlock((DONE.name,), [()])]

    def _with_aimed(
        self,
        known: Mapping[str, Uses],
        places: Mapping[str, Sequence[tuple[str, str]]],
        held: Sequence[str],
        free: Sequence[str],
    ) -> Iterator[ActionBlock]:
        """Yield actions on targets in the middle of the picture."""
        for name, skill in AIMED.items():
            if skill == "Pick":
                things = [thing for thing in self._aimed if thing in free]
            elif skill == "Place":
                things = [thing for thing in self._aimed if held and places.get(thing)]
            else:
                wanted = (thing for thing in self._aimed if thing in known)
                things = [thing for thing in wanted if skill in known[thing].skills]
            yield ActionBlock.of_each(name, things)

    def _with_people(
        self, others: Sequence[str], held: Sequence[str], has_hand: bool, theirs: Sequence[str]
    ) -> Iterator[ActionBlock]:
        """Yield asking, requesting, following, taking and giving, with people and other agents."""
        graph, house = self._simulation.graphs[self._role], self._simulation.state.house
        people = [name for name in others if graph.person(name) is not None]
        agents = [name for name in others if name in self._simulation.agents]
        awake = [name for name in agents if name in people]
        holders = {name: graph[name].holder for name in theirs}
        wishes: list[tuple[str, ...]] = [
            (name, "Navigate", room.name) for name in awake for room in house.rooms
        ]
        if has_hand:
            given = (name for name, holder in holders.items() if holder in awake)
            wishes += [(holders[name], "Give", name, self._role) for name in given]
            still = (name for name, holder in holders.items() if holder in house.person)
            yield ActionBlock.of_each("Take", still)
        yield ActionBlock.of_each("Ask", people)
        yield ActionBlock.of_each("Follow", agents)
        yield ActionBlock(("Request",), wishes)
        yield ActionBlock(("Give",), [(name, to) for name in held for to in others])


@dataclass(frozen=True, slots=True)
class _Placements:
    """Rows ``(thing, relation, target)`` of each object at each place. Places on or in the object
    itself are excluded.

    Attributes:
        things: The objects to place.
        places: The places: relation and target.
        own: For each object, the start and number of its own places.
        ends: For each object, the number of rows up to its last.
    """

    things: Sequence[str]
    places: Sequence[tuple[str, str]]
    own: Sequence[tuple[int, int]]
    ends: Sequence[int]

    @staticmethod
    def of(things: Sequence[str], places: Mapping[str, Sequence[tuple[str, str]]]) -> _Placements:
        """Return the placements of objects at the places of each target."""
        begins = dict(zip(places, accumulate(map(len, places.values()), initial=0), strict=False))
        own = [(begins.get(name, 0), len(places.get(name, ()))) for name in things]
        listed = [place for target in places.values() for place in target]
        ends = list(accumulate(len(listed) - count for _, count in own))
        return _Placements(things, listed, own, ends)

    def __len__(self) -> int:
        return self.ends[-1] if self.ends else 0

    def __getitem__(self, row: int, /) -> tuple[str, ...]:
        at = bisect_right(self.ends, row)
        place = row - (self.ends[at - 1] if at else 0)
        begin, count = self.own[at]
        return (self.things[at], *self.places[place + count if place >= begin else place])
