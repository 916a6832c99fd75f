"""Episodes drawn at random that can be solved: objects anywhere in a house, and an evaluation
function of which each part is about objects of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from homebody.goals.partnr import (
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    check,
)
from homebody.suites.partnr.episodes.scene import sample_thing, scene, to_episode
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.jobs import true_atoms
from homebody.suites.partnr.expert.requirements import Requirements
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.placing import fit
from homebody.worlds.house.simulation.walking.walls import with_things
from suites.partnr.homes import FULL, of

HOUSES = 5
KINDS = (
    *("cup", "plate", "bowl", "book", "pillow", "laptop", "kettle", "vase", "spoon", "apple"),
    *("candle", "basket", "table_lamp", "pot", "towel", "phone", "water_bottle", "lunch_box"),
)
T = TypeVar("T")


@dataclass
class Draw:
    """What is being drawn: the parts of an evaluation function, and the objects left for it."""

    rng: np.random.Generator
    view: HouseView
    left: list[str]
    propositions: list[Proposition] = field(default_factory=list)
    passing: set[int] = field(default_factory=set)
    dependencies: list[Dependency] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    groups: list[list[int]] = field(default_factory=list)

    def pick(self, of_these: Sequence[T]) -> T:
        return of_these[int(self.rng.integers(len(of_these)))]

    def some(self, one: str, of_these: Sequence[str], most: int) -> list[str]:
        """One, and up to so many others, in any order."""
        others = [name for name in of_these if name != one]
        self.rng.shuffle(others)
        found = [one, *others[: int(self.rng.integers(0, most + 1))]]
        self.rng.shuffle(found)
        return found

    def add(self, one: Proposition, passing: bool = False) -> int:
        self.propositions.append(one)
        if passing:
            self.passing.add(len(self.propositions) - 1)
        return len(self.propositions) - 1

    def roomy(self, *things: str) -> list[str]:
        """Tops with room for all of some objects side by side."""
        house = self.view.state.house
        need = sum(house.thing[one].size[0] * house.thing[one].size[1] for one in things)
        found = [
            one.name
            for one in house.furniture
            if self.view.widest_vacant_area("on", one.name) > 0.15 + 3 * need
            and all(self.view.is_small_enough(thing, "on", one.name) for thing in things)
        ]
        return found or [self.pick([])]

    def with_state(self, state: str, value: bool) -> str:
        house = self.view.state.house
        ways = self.view.simulation.navigation("human")
        here = ways.room_spots(house.rooms[0].name)[0]
        return self.pick(
            [
                one.name
                for one in (*house.furniture, *house.things)
                if one.states.get(state) is value
                and (
                    one.name in house.thing
                    or min(ways.distances(here, ways.spots(one.box, 0.8)), default=np.inf) < np.inf
                )
            ]
        )


def _on(draw: Draw) -> list[int]:
    number = int(draw.rng.integers(1, 3))
    things = [draw.left.pop() for _ in range(number + int(draw.rng.integers(0, 2)))]
    tops = draw.roomy(*things)
    places = draw.some(draw.pick(tops), tops, 2)
    return [draw.add(of("is_on_top", things, places, number=number, same=number > 1))]


def _inside(draw: Draw) -> list[int]:
    thing, house = draw.left.pop(), draw.view.state.house
    fits = [
        one.name
        for one in house.furniture
        if draw.view.is_small_enough(thing, "within", one.name)
        and draw.view.vacant_area("within", one.name) > 0.2
        and one.category != "trash_bin"
    ]
    return [draw.add(of("is_inside", [thing], draw.some(draw.pick(fits), fits, 1)))]


def _room(draw: Draw) -> list[int]:
    room = draw.pick([one.name for one in draw.view.state.house.rooms])
    thing = draw.left.pop()
    found = [draw.add(of("is_in_room", [thing], [room]))]
    if draw.rng.random() < 0.4:
        found.append(draw.add(of("is_on_floor", [thing])))
    return found


def _near(draw: Draw) -> list[int]:
    return [draw.add(of("is_next_to", [draw.left.pop()], [draw.left.pop()]))]


def _near_there(draw: Draw) -> list[int]:
    one, other = draw.left.pop(), draw.left.pop()
    tops = draw.roomy(one, other)
    places = draw.some(draw.pick(tops), tops, 1)
    first = draw.add(of("is_on_top", [one], places))
    second = draw.add(of("is_on_top", [other], places))
    third = draw.add(of("is_next_to", [one], [other]))
    draw.dependencies.append(Dependency((third,), (first, second), "while_satisfied"))
    return [first, second, third]


def _cluster(draw: Draw) -> list[int]:
    things = [draw.left.pop() for _ in range(int(draw.rng.integers(2, 4)))]
    lists = tuple((one,) for one in things)
    return [draw.add(Proposition("is_clustered", lists, (1,) * len(lists)))]


def _state(draw: Draw) -> list[int]:
    predicate, state, value = draw.pick(
        [
            ("is_clean", "clean", False),
            ("is_filled", "filled", False),
            ("is_powered_on", "powered_on", False),
            ("is_powered_off", "powered_on", True),
        ]
    )
    return [draw.add(of(predicate, [draw.with_state(state, value)]))]


def _there_and_on(draw: Draw) -> list[int]:
    thing = draw.left.pop()
    tops = draw.roomy(thing)
    first, second = draw.pick(tops), draw.pick(tops)
    if first == second:
        raise ValueError
    one = draw.add(of("is_on_top", [thing], [first]), passing=True)
    other = draw.add(of("is_on_top", [thing], [second]))
    relation = draw.pick(["after_satisfied", "after_unsatisfied"])
    draw.dependencies.append(Dependency((other,), (one,), relation))
    return [one, other]


def _same_or_different(draw: Draw) -> list[int]:
    one, other = draw.left.pop(), draw.left.pop()
    tops = draw.roomy(one, other)
    places = draw.some(draw.pick(tops), tops, 3)
    constraint = DifferentArgConstraint if len(places) > 1 else SameArgConstraint
    if draw.rng.random() < 0.5:
        constraint = SameArgConstraint
    found = [draw.add(of("is_on_top", [thing], places)) for thing in (one, other)]
    draw.constraints.append(constraint((found[0], found[1]), ("receptacle_handles",) * 2))
    return found


PARTS: tuple[Callable[[Draw], list[int]], ...] = (
    *(
        _on,
        _inside,
        _room,
        _near,
        _near_there,
        _cluster,
        _state,
        _state,
        _there_and_on,
        _same_or_different,
    ),
)


def draw_task(seed: int) -> PartnrTask | None:
    """A task, or None if what was drawn is done in part at first, where that matters: what counts
    from the start cannot come later, or elsewhere."""
    rng = np.random.default_rng(seed)
    house = _furnish(rng, scene(int(rng.integers(HOUSES))))
    empty = PartnrTask(
        to_episode("empty", "Do it.", Evaluation((of("is_on_floor", ["x"]),)), house)
    )
    names = [one.name for one in house.things]
    rng.shuffle(names)
    draw = Draw(rng, HouseView(PartnrSession(replace(empty, settings=FULL)).simulation), names)
    wanted = int(rng.integers(1, 5))
    while len(draw.groups) < wanted:
        sizes = len(draw.propositions)
        try:
            draw.groups.append(draw.pick(PARTS)(draw))
        except (ValueError, IndexError):  # too few things or places
            if len(draw.propositions) > sizes or not draw.left:
                return None
    evaluation = _finish(draw)
    requirements = Requirements(evaluation)
    switched = [one.lists[0] for one in draw.propositions if len(one.lists) == 1]
    repeated = len(set(switched)) < len(switched)
    constrained = {index for tie in requirements.argument_constraints for index in tie.propositions}
    early = [
        index
        for index in range(len(draw.propositions))
        if (requirements.predecessors.get(index) or index in constrained)
        and true_atoms(requirements, index, draw.view)
    ]
    if repeated or early:
        return None
    return PartnrTask(to_episode(f"drawn-{seed}", "Do it.", evaluation, house), FULL)


def _finish(draw: Draw) -> Evaluation:
    """The parts in an order, some of them at the same time."""
    stages, proposition_status = {}, 0
    for group in draw.rng.permutation(len(draw.groups)):
        proposition_status += int(draw.rng.random() < 0.4)
        stages[int(group)] = proposition_status
    edges = {
        (one, other)
        for a, first in enumerate(draw.groups)
        for b, second in enumerate(draw.groups)
        if stages[a] + 1 == stages[b]
        for one in first
        for other in second
    }
    edges |= {
        (head, one)
        for gate in draw.dependencies
        if gate.relation != "while_satisfied"
        for head in gate.depends_on
        for one in gate.propositions
    }
    ends = [index for index in range(len(draw.propositions)) if index not in draw.passing]
    constraints = [*draw.constraints, TerminalSatisfactionConstraint(tuple(ends))]
    if edges:
        constraints.append(TemporalConstraint(tuple(sorted(edges))))
    return check(Evaluation(tuple(draw.propositions), tuple(draw.dependencies), tuple(constraints)))


def _furnish(rng: np.random.Generator, house: House) -> House:
    """The house with some 15 objects on and in its furniture, and states drawn."""
    holders = [
        (one.name, space.name)
        for one in house.furniture
        for space in one.receptacles
        if one.category not in ("toilet", "trash_bin", "drying_rack")
    ]
    counts: dict[str, int] = {}
    for _ in range(20):
        kind = KINDS[int(rng.integers(len(KINDS)))]
        name = f"{kind}_{counts.get(kind, 0)}"
        thing = sample_thing(house.seed, name, kind)
        place = holders[int(rng.integers(len(holders)))]
        thing = replace(
            thing,
            place=place,
            pose=house.piece[place[0]].pose,
            states={state: bool(rng.random() < 0.5) for state in thing.states},
        )
        state = HouseState.start(with_things(house, (*house.things, thing)))
        box = house.piece[place[0]].box
        toward = tuple(float(rng.uniform(a, b)) for a, b in zip(box.low, box.high, strict=True))
        pose = fit(state, name, place, (toward[0], toward[1], toward[2]))
        if pose is not None:
            counts[kind] = counts.get(kind, 0) + 1
            house = with_things(house, (*house.things, replace(thing, pose=pose)))
    return house
