"""A scene in which tasks are drafted: the visible objects of each view, and descriptions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Final, TypeAlias

import numpy as np

from homebody.authoring.embodiedeval.alike import FACES, FRAMED, confusable, is_look_alike
from homebody.authoring.embodiedeval.bearings import centre_on_plan, turn_between, yaw_to
from homebody.authoring.language.names import article, lexicon
from homebody.goals.embodiedeval import NEAR
from homebody.suites.embodiedeval.game import start_state
from homebody.suites.embodiedeval.tasks import EmbodiedTask, Scene, StateChange, house_of
from homebody.suites.embodiedeval.views import (
    SIDE,
    camera_of,
    picture,
    renderer_of,
    visible_things,
)
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Person, Thing
from homebody.worlds.house.model.kinds import FurnitureKind, ThingKind
from homebody.worlds.house.model.receptacles import PREPOSITIONS
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.model.told_apart import appearance, main_colour, phrase
from homebody.worlds.house.play.navigation_graph import GraphView, navigation_graph
from homebody.worlds.house.rendering.viewpoints import shows_enough
from homebody.worlds.house.simulation.relations import is_shut_in, room_of
from homebody.worlds.house.simulation.walking.navigation import is_in_reach
from homebody.worlds.house.simulation.walking.walls import room_at

WELL = 600
"""Minimum pixels, in a picture of 448 x 448, of an object in a question: some 25 by 25."""
TRIED = 112
"""Height and width in pixels of the grids of rays that measure what views show, and of the pictures
that test whether a state is visible."""
CLEARLY = 40
"""Minimum difference of a pixel, out of 255, that counts as visible."""
PART = 0.2
"""Minimum share of the pixels in the view that shows an object largest. An object with fewer pixels
is cut off, hidden or far away."""
FACED: Final = 30.0
"""Maximum degrees to the side at which people visibly look at something; they do not turn their
heads further in the pictures."""
Stage: TypeAlias = tuple[Callable[[GraphView], bool], str]
"""A part of a run: a test for its last view, and the option that follows. The option is empty if it
is enough to reach a view that passes the test."""
_State: TypeAlias = tuple[GraphView, int]
"""A view, and the number of completed stages."""


def usual_furniture(room: str) -> list[str]:
    """Return the categories of furniture that rooms of a kind can have."""
    kind = catalogue().rooms[room]
    return [*kind.extra, *(what for rule in kind.furniture for what in rule.what)]


class Survey:
    """A scene with all its views rendered.

    Args:
        scene: The scene.

    Attributes:
        house: Its house.
        state: Initial state of tasks: all doors inside are open.
        graph: Points and moves of the agent.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.house = house_of(scene)
        self.graph = navigation_graph(self.house)
        self.state = self.initial_state(())

    # -- visibility -----------------------------------------------------------------------------

    @cached_property
    def sights(self) -> Mapping[GraphView, Mapping[str, int]]:
        """GraphView -> visible name -> pixels."""
        return {view: visible_things(self.state, view, TRIED) for view in self.graph.views()}

    @cached_property
    def largest(self) -> Mapping[str, int]:
        """Name -> its pixels in the view that shows it largest."""
        largest: dict[str, int] = {}
        for shown in self.sights.values():
            for name, pixels in shown.items():
                largest[name] = max(largest.get(name, 0), pixels)
        return largest

    def is_seen(self, name: str, least: int = WELL) -> bool:
        """Return whether something is clearly visible from somewhere."""
        return self.largest.get(name, 0) >= least

    def views_of(self, name: str, share: float = PART) -> list[GraphView]:
        """Return the views that show an object clearly: with a minimum number of pixels, as a share
        of its pixels in the view that shows it largest."""
        least = max(WELL, round(share * self.largest.get(name, 0)))
        return [view for view, shown in self.sights.items() if shown.get(name, 0) >= least]

    def is_telling(self, view: GraphView) -> bool:
        """Return whether a view shows some objects, and not just a wall or a door."""
        scene = renderer_of(self.house).scene
        scene.update(self.state)
        return shows_enough(scene, camera_of(self.house, view))

    def shows(self, name: str, state: str) -> bool:
        """Return whether pictures show which of two states an object is in.

        The pictures of its largest view must differ in at least as many pixels as a clearly visible
        object has."""
        best = max(self.sights, key=lambda view: self.sights[view].get(name, 0))
        drawn = []
        for value in (False, True):
            tried = self.initial_state((StateChange(name, state, value),))
            drawn.append(picture(tried, camera_of(self.house, best, TRIED)).rgb.astype(int))
        differing = np.abs(drawn[0] - drawn[1]).max(axis=2) > CLEARLY
        return int(differing.sum()) * (SIDE // TRIED) ** 2 >= WELL

    def shows_inside(self, piece: str, contents: Sequence[str]) -> bool:
        """Return whether the largest view of a piece shows any of its contents once it is open."""
        best = max(self.sights, key=lambda view: self.sights[view].get(piece, 0))
        shown = visible_things(self.initial_state((StateChange(piece, "open", True),)), best)
        return any(name in shown for name in contents)

    # -- contents -------------------------------------------------------------------------------

    @cached_property
    def things(self) -> Sequence[Thing]:
        """Objects that are clearly visible, not in a closed place and not in a hand."""
        return [
            thing
            for thing in self.house.things
            if self.is_seen(thing.name)
            and not is_shut_in(self.state, thing.name)
            and not self.state.can_hold(self.state.places[thing.name][0])
        ]

    @cached_property
    def furniture(self) -> Sequence[Furniture]:
        """Furniture that is clearly visible."""
        return [piece for piece in self.house.furniture if self.is_seen(piece.name, 2 * WELL)]

    @cached_property
    def people(self) -> Sequence[Person]:
        """People who are clearly visible."""
        return [person for person in self.house.people if self.is_seen(person.name)]

    @cached_property
    def activities(self) -> Mapping[str, str]:
        """Person -> activity, for the people whose activity pictures show.

        What they look at is ahead of them, and a TV that is watched is on."""
        return {
            person.name: person.activity
            for person in self.house.people
            if person.activity and self.faces_target(person)
        }

    def faces_target(self, person: Person) -> bool:
        """Return whether what somebody looks at is ahead of them, and on if it is a TV."""
        target = person.looks_at
        if not target:
            return True
        windows = {opening.name: opening.middle for opening in self.house.openings}
        there = windows.get(target) or centre_on_plan(self.state.box(target))
        away = turn_between(person.pose.yaw, yaw_to(person.pose.position[:2], there))
        piece = self.house.piece.get(target)
        is_off = piece is not None and piece.category == "tv"
        is_off = is_off and not self.state.is_in_state(target, "powered_on")
        return abs(away) <= FACED and not is_off

    def room(self, name: str) -> str:
        """Return the room of something."""
        return room_of(self.state, name)

    def all_of(self, category: str, room: str = "") -> list[str]:
        """Return all objects and furniture of a category, visible or not, in a room or anywhere."""
        return [
            each.name
            for each in self.wholes
            if each.category == category and (not room or self.room(each.name) == room)
        ]

    def drawn(self, room: str = "") -> set[str]:
        """Return the nouns of what furniture and objects of a room, or of the scene, show although
        it is no object: the pillows of a bed."""
        rooms = [room] if room else self._drawn
        return {noun for each in rooms for noun in self._drawn.get(each, ())}

    @cached_property
    def _drawn(self) -> Mapping[str, set[str]]:
        """Room -> the nouns of what its furniture and objects show although it is no object."""
        found: dict[str, set[str]] = {}
        for each in self.wholes:
            found.setdefault(self.room(each.name), set()).update(self.nouns_shown(each.name))
        return found

    def nouns_shown(self, name: str) -> set[str]:
        """Return the nouns of what an object or piece shows although it is no object."""
        return {self.noun(kind) for kind in self.kind(name).shows}

    @cached_property
    def wholes(self) -> Sequence[Furniture | Thing]:
        """All furniture and objects, visible or not."""
        return [*self.house.furniture, *self.house.things]

    def are_seen(self, names: Iterable[str], least: int = WELL // 2) -> bool:
        """Return whether all of the objects are visible from somewhere."""
        return all(self.is_seen(name, least) for name in names)

    # -- descriptions ---------------------------------------------------------------------------

    @staticmethod
    @cache
    def noun(category: str) -> str:
        """Return the everyday word for a category or a kind of room."""
        return lexicon().noun(category).singular

    def plural(self, category: str) -> str:
        """Return the plural of the word for a category."""
        noun = lexicon().noun(category)
        return noun.plural or noun.singular

    def a(self, category: str) -> str:
        """Return a category with its article."""
        noun = lexicon().noun(category)
        return f"{article(noun.singular)} {noun.singular}" if noun.is_countable else noun.singular

    def be(self, category: str) -> str:
        """Return "is" or "are" for a category."""
        return "are" if lexicon().noun(category).is_plural else "is"

    def room_description(self, room: str) -> str | None:
        """Return the description of a room; None if the scene has several rooms of this kind."""
        kind = self.house.room[room].kind
        alike = [each for each in self.house.rooms if each.kind == kind]
        return f"the {self.noun(kind)}" if len(alike) == 1 else None

    def appearance_of(self, name: str) -> str | None:
        """Return a description of a person's appearance that is true of nobody else in the scene,
        without activity and place. None if there is no such description."""
        people = self.house.people
        words = appearance(self.house.person[name], people)
        return words if words.startswith("the ") else None

    def description_of(self, name: str, *, place: bool = True, looks: bool = True) -> str | None:
        """Return words that describe only this object, piece or person of the scene: its category
        alone, with its ``looks``, or with its ``place``, if these may be used. None if there are no
        such words."""
        house = self.house
        if name in house.person:
            words = phrase(self._told, name)
            return words if words != name else None
        if name in house.room:
            return self.room_description(name)
        own = house.thing.get(name) or house.piece[name]
        alike = [each for each in self.wholes if self._alike(each, own)]
        noun = self.noun(own.category)
        is_drawn = noun in self.drawn()
        if len(alike) == 1 and not is_drawn:
            return f"the {noun}"
        colour = main_colour(own) if looks and own.category not in FACES | FRAMED else ""
        tones = [main_colour(each) for each in alike if each is not own]
        if colour and not is_drawn and confusable(colour).isdisjoint(tones):
            return f"the {colour} {noun}"
        return self._by_place(own, alike, noun) if place else None

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Name -> description, for each object, piece and person that has one."""
        found = {
            name: self.description_of(name)
            for name in (*self.house.piece, *self.house.thing, *self.house.person)
        }
        return {name: words for name, words in found.items() if words is not None}

    @cached_property
    def _told(self) -> House:
        """The house in which people do only what pictures show."""
        people = self.house.people
        seen = [replace(each, activity=self.activities.get(each.name, "")) for each in people]
        return replace(self.house, people=tuple(seen))

    def _alike(self, one: Furniture | Thing, other: Furniture | Thing) -> bool:
        """Return whether people could confuse the objects, or mean both with one word."""
        return is_look_alike(self.noun(one.category), self.noun(other.category))

    def _by_place(
        self, own: Furniture | Thing, alike: Sequence[Furniture | Thing], noun: str
    ) -> str | None:
        where = self.where(own.name)
        if where is None:
            return None
        same = [each for each in alike if self.where(each.name) == where]
        if own.name in self.house.piece:
            drawn = self.drawn(self.room(own.name))
        else:
            holder = self.state.places[own.name][0]
            drawn = set() if holder in self.house.floors else self.nouns_shown(holder)
        return f"the {noun} {where}" if len(same) == 1 and noun not in drawn else None

    def where(self, name: str) -> str | None:
        """Return the place of an object in words: ``on the desk``, ``in the kitchen``. None if no
        words describe it clearly."""
        room = self.room_description(self.room(name))
        if name in self.house.piece:
            return room and f"in {room}"
        holder, receptacle = self.state.places[name]
        if holder in self.house.floors:
            return room and f"on the floor of {room}"
        whole = self.house.piece.get(holder) or self.house.thing.get(holder)
        if whole is None:
            return None
        kind = next(space.kind for space in whole.receptacles if space.name == receptacle)
        word = PREPOSITIONS[kind]
        others = self.all_of(whole.category)
        if len(others) == 1:
            return f"{word} the {self.noun(whole.category)}"
        same = [other for other in others if self.room(other) == self.room(name)]
        if room and len(same) == 1:
            return f"{word} the {self.noun(whole.category)} in {room}"
        return None

    def kind(self, name: str) -> ThingKind | FurnitureKind:
        """Return the catalogue's entry for an object or piece."""
        own = self.house.thing.get(name) or self.house.piece[name]
        known = catalogue()
        return known.things.get(own.category) or known.furniture[own.category]

    # -- ways -----------------------------------------------------------------------------------

    def moves(self, view: GraphView) -> Sequence[tuple[str, GraphView]]:
        """Return the movements from a view and their results, in the order of options."""
        found = self._moves.get(view)
        if found is None:
            found = self._moves[view] = tuple(self._find_moves(view))
        return found

    @cached_property
    def _moves(self) -> dict[GraphView, Sequence[tuple[str, GraphView]]]:
        return {}

    def _find_moves(self, view: GraphView) -> Iterator[tuple[str, GraphView]]:
        forward = self.graph.forward(view)
        if forward is not None:
            yield "move forward", forward
        for text, way in (("turn left", 1), ("turn right", -1)):
            turned = self.graph.turn(view, way)
            if turned != view:
                yield text, turned
        for text, way in (("look up", 1), ("look down", -1)):
            looked = self.graph.look(view, way)
            if looked is not None:
                yield text, looked

    def shortest(self, start: GraphView, stages: Sequence[Stage], longest: int) -> list[str] | None:
        """Return the shortest sequence of options that completes all stages in order; None if there
        is no such sequence of at most ``longest`` options."""
        far = [self._steps_to(test) for test, _ in stages]
        first = start, self._advance(start, 0, stages)
        came: dict[_State, tuple[_State, str] | None] = {first: None}
        queue = deque([(first, 0)])
        while queue:
            here, taken = queue.popleft()
            view, stage = here
            if stage == len(stages):
                steps: list[str] = []
                at = came[here]
                while at is not None:
                    steps.append(at[1])
                    at = came[at[0]]
                return steps[::-1]
            left = sum(1 for _, option in stages[stage:] if option)
            if taken + left + max(own.get(view, longest + 1) for own in far[stage:]) > longest:
                continue
            onward = [
                ((after, self._advance(after, stage, stages)), text)
                for text, after in self.moves(view)
            ]
            may, option = stages[stage]
            if option and may(view):
                onward.insert(0, ((view, self._advance(view, stage + 1, stages)), option))
            for there, text in onward:
                if there not in came:
                    came[there] = here, text
                    queue.append((there, taken + 1))
        return None

    def _steps_to(self, test: Callable[[GraphView], bool]) -> Mapping[GraphView, int]:
        """Return view -> minimum number of movements to a view that passes a test."""
        found = self._steps.get(test)
        if found is None:
            found = self._steps[test] = {view: 0 for view in self.graph.views() if test(view)}
            queue = deque(found)
            while queue:
                view = queue.popleft()
                for before in self._before[view]:
                    if before not in found:
                        found[before] = found[view] + 1
                        queue.append(before)
        return found

    @cached_property
    def _steps(self) -> dict[Callable[[GraphView], bool], dict[GraphView, int]]:
        return {}

    @cached_property
    def _before(self) -> Mapping[GraphView, Sequence[GraphView]]:
        """View -> the views from which a movement leads to it."""
        found: dict[GraphView, list[GraphView]] = {view: [] for view in self.graph.views()}
        for view in found:
            for _, after in self.moves(view):
                found[after].append(view)
        return found

    @staticmethod
    def _advance(view: GraphView, stage: int, stages: Sequence[Stage]) -> int:
        """Return the stage of a view: stages without an option are completed at once."""
        while stage < len(stages) and not stages[stage][1] and stages[stage][0](view):
            stage += 1
        return stage

    @cached_property
    def point_rooms(self) -> Sequence[str]:
        """The room of each point."""
        return [room_at(self.house, point.position) for point in self.graph.points]

    def points_near(self, name: str) -> frozenset[int]:
        """Return the points that are near an object, piece or person, as the predicates define
        nearness."""
        box = self.state.box(name)
        points = enumerate(self.graph.points)
        return frozenset(n for n, at in points if is_in_reach(self.house, at.position, box, NEAR))

    def initial_state(self, changes: Sequence[StateChange]) -> HouseState:
        """Return the initial state of a task, with some changes."""
        task = EmbodiedTask(
            "t", "navigation", "f", (), self.scene, (0, 0), "t", (), ("grab x",), tuple(changes)
        )
        return start_state(task)
