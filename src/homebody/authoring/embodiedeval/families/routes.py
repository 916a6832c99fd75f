"""Navigation: to places that have no name, and along routes that are described."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.going import goals
from homebody.authoring.embodiedeval.families.options import MOST, starts_outside
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.play.navigation_graph import GraphView

MARGIN: Final = 0.4
"""Minimum lead in metres of the nearest or farthest point over the next."""
AHEAD: Final = 25.0
"""Degrees to the side at which something still counts as ahead."""
LONGEST_WALK: Final = 11
"""Maximum steps of a route that is described."""
TIMES: Final = ("", "once", "twice", "three times", "four times", "five times", "six times")


def gates(survey: Survey) -> dict[str, int]:
    """Return room -> the only point through which it is entered, for rooms with such a point."""
    rooms = survey.point_rooms
    found: dict[str, int] = {}
    for room in dict.fromkeys(rooms):
        entered = [
            point
            for point, own in enumerate(rooms)
            if own == room and any(rooms[other] != room for other in survey.graph.neighbours(point))
        ]
        if len(entered) == 1:
            found[room] = entered[0]
    return found


def _point_draft(text: str, point: int, starts: tuple[int, ...] = ()) -> Draft:
    return Draft(
        text,
        goes=(f"p{point}",),
        predicates=(f"agent_at p{point}",),
        capabilities=("spatial",),
        starts=starts,
    )


def _best(survey: Survey, points: Sequence[int], place: Point, way: int = 1) -> int | None:
    """Return the point that is clearly nearest to a place, or farthest (``way`` -1)."""
    far = {point: way * _far(survey, point, place) for point in points}
    ordered = sorted(far, key=lambda point: far[point])
    if not ordered or (len(ordered) > 1 and far[ordered[1]] - far[ordered[0]] < MARGIN):
        return None
    return ordered[0]


@family("navigation")
def via(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go into one room first, then to furniture in another."""
    for room, gate in gates(survey).items():
        called = survey.room_description(room)
        pieces = [each for each in goals(survey) if each.room != room]
        for piece in shuffle(rng, pieces)[: MOST if called else 0]:
            its = survey.words.get(piece.name)
            if its is None or gate in survey.points_near(piece.name):
                continue
            yield Draft(
                one_of(
                    rng,
                    f"Go into {called} first, and then to {its}.",
                    f"Before you go to {its}, have a look into {called}: step inside.",
                ),
                goes=(f"p{gate}", piece.name),
                predicates=(f"agent_pass p{gate}", f"agent_near {piece.name}"),
                capabilities=("long_horizon",),
                starts=starts_outside(survey, rng, room),
            )


@family("navigation")
def round_trip(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go somewhere and come back."""
    rooms, entered = survey.point_rooms, gates(survey)
    for room, gate in entered.items():
        called = survey.room_description(room)
        others = [
            point
            for point, own in enumerate(rooms)
            if own != room and 2.0 < survey.graph.distance(gate, point) < 5.0
        ]
        for start in shuffle(rng, others)[: MOST if called else 0]:
            yield Draft(
                one_of(
                    rng,
                    f"Go into {called} and come back to where you are now.",
                    f"Step into {called}, then return to the very place where you started.",
                ),
                goes=(f"p{gate}", f"p{start}"),
                predicates=(f"agent_pass p{gate}", f"again agent_at p{start}"),
                capabilities=("long_horizon",),
                starts=(start,),
            )


@family("navigation")
def two_rooms(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go into two rooms, one after the other."""
    called = {
        room: (gate, words)
        for room, gate in gates(survey).items()
        if (words := survey.room_description(room)) is not None
    }
    for one in called:
        for other in called:
            if one != other:
                (first, its), (second, others) = called[one], called[other]
                yield Draft(
                    one_of(
                        rng,
                        f"Step into {its}, and after that into {others}.",
                        f"Check {its} first and {others} next: enter each of them.",
                    ),
                    goes=(f"p{first}", f"p{second}"),
                    predicates=(f"agent_pass p{first}", f"agent_at p{second}"),
                    capabilities=("long_horizon",),
                    starts=starts_outside(survey, rng, one, other),
                )


@family("navigation")
def step_by_step(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Follow a route that is described by numbers of steps."""
    for begin, steps, after in _walks(survey, rng):
        words = [f"{text} {TIMES[len(list(same))]}" for text, same in groupby(steps)]
        near = _landmark(survey, after)
        end = f" You should now face {near}." if near else ""
        text = one_of(
            rng,
            f"{', then '.join(words).capitalize()}.{end}",
            f"Follow these directions: {'; '.join(words)}.{end}",
        )
        yield _directions_draft(survey, text, begin, after, "base")


@family("navigation")
def by_landmarks(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Follow a route that is described by landmarks."""
    for begin, steps, after in _walks(survey, rng):
        parts: list[str] = []
        view, marks = begin, set[str]()
        for text, same in groupby(steps):
            count = len(list(same))
            passed: set[str | None] = set()
            for _ in range(count):
                passed.add(_landmark(survey, view))
                view = dict(survey.moves(view))[text]
            mark = _landmark(survey, view)
            if text == "move forward":
                parts.append(f"go straight on {TIMES[count]}")
            elif mark is None or mark in passed | marks:
                parts.append(f"{text} {TIMES[count]}")
            else:
                marks.add(mark)
                parts.append(f"{text} until you face {mark}")
        if marks:
            text = one_of(
                rng,
                f"{', '.join(parts).capitalize()}, and stop.",
                f"This is how to get there: {', then '.join(parts)}.",
            )
            yield _directions_draft(survey, text, begin, after, "complex_instruction")


def _directions_draft(
    survey: Survey, text: str, begin: GraphView, after: GraphView, capability: str
) -> Draft:
    return Draft(
        text,
        goes=(f"p{after.point}",),
        predicates=(f"agent_at p{after.point}",),
        capabilities=(capability,),
        starts=(begin.point,),
        heading=survey.graph.heading(begin).yaw,
    )


def _walks(
    survey: Survey, rng: np.random.Generator
) -> Iterator[tuple[GraphView, list[str], GraphView]]:
    """Yield random routes of four to ten steps with a turn: start, steps and end."""
    count, made = len(survey.graph.points), 0
    for _ in range(8 * MOST):
        start, goal = (int(rng.integers(count)) for _ in range(2))
        headings = survey.graph.points[start].headings
        exits = [number for number, heading in enumerate(headings) if heading.to is not None]
        begin = view = GraphView(start, int(rng.choice(exits or len(headings))))
        steps = survey.shortest(begin, [(partial(_is_at, goal), "")], LONGEST_WALK)
        if steps is None or len(steps) < 5 or len(set(steps)) < 2 or made == MOST:
            continue
        if steps.count("move forward") < 2 or max(map(steps.count, set(steps))) >= len(TIMES):
            continue
        for step in steps:
            view = dict(survey.moves(view))[step]
        made += 1
        yield begin, steps, view


def _is_at(point: int, view: GraphView) -> bool:
    return view.point == point


def _landmark(survey: Survey, view: GraphView) -> str | None:
    """Return the description of the largest object ahead."""
    (x, y, _), yaw, _ = survey.graph.eye(view)
    shown = survey.sights[view]
    for name in sorted(shown, key=lambda name: (-shown[name], name)):
        if name not in survey.words or shown[name] < 1_500:
            continue
        there = survey.state.box(name).centre
        bearing = math.degrees(math.atan2(x - there[0], there[1] - y))
        if abs((bearing - yaw + 180.0) % 360.0 - 180.0) < AHEAD:
            return survey.words[name]
    return None


@family("navigation")
def outlook(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to the only window of a room."""
    rooms = survey.point_rooms
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        windows = [
            each
            for each in survey.house.openings
            if each.kind == "window" and room.name in each.rooms
        ]
        if called is None or len(windows) != 1:
            continue
        middle = windows[0].middle
        inside = [point for point, own in enumerate(rooms) if own == room.name]
        best = _best(survey, inside, middle)
        if best is not None and len(inside) > 1:
            yield _point_draft(
                one_of(
                    rng,
                    f"Go as close as you can to the window of {called}.",
                    f"I would like to look out: go right up to the window in {called}.",
                ),
                best,
            )


@family("navigation")
def doorway(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Stand in the passage between two rooms."""
    passages = [each for each in survey.house.openings if each.is_passage]
    for opening in passages:
        rooms = [survey.room_description(room) for room in opening.rooms]
        twins = [each for each in passages if set(each.rooms) == set(opening.rooms)]
        middle = opening.middle
        best = _best(survey, range(len(survey.graph.points)), middle)
        if None in rooms or len(twins) > 1 or best is None or _far(survey, best, middle) > 0.5:
            continue
        one, other = rooms
        yield _point_draft(
            one_of(
                rng,
                f"Stand in the doorway between {one} and {other}.",
                f"Go to where one passes from {one} into {other}, and stop there.",
            ),
            best,
        )


@family("navigation")
def far_end(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go as far into a room as possible from its only door."""
    rooms = survey.point_rooms
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        doors = [
            each
            for each in survey.house.openings
            if (each.is_passage or each.kind == "entrance") and room.name in each.rooms
        ]
        inside = [point for point, own in enumerate(rooms) if own == room.name]
        if called is None or len(doors) != 1 or not 3 <= len(inside) < len(rooms):
            continue
        best = _best(survey, inside, doors[0].middle, -1)
        if best is not None:
            yield _point_draft(
                one_of(
                    rng,
                    f"Go to the far end of {called}: as far from its door as you can.",
                    f"Enter {called} and stop in the place that is farthest from the door.",
                ),
                best,
                starts_outside(survey, rng, room.name),
            )


def _far(survey: Survey, point: int, place: Point) -> float:
    return math.dist(survey.graph.points[point].position, place)
