"""Ground-truth plans are the shortest: no sequence of actions that the rules of the scene graph
allow, on anything in the house, is shorter. The rules are written anew here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache

import pytest

from homebody.authoring.etplan.drafts import draft
from homebody.authoring.etplan.graph_setting import GraphSetting
from homebody.authoring.etplan.house_setting import HouseSetting
from homebody.authoring.etplan.setting import Setting
from homebody.authoring.etplan.shortest import shortest
from homebody.core.ground.seeds import generator
from homebody.goals.etplan import PLACED, ROBOT, Condition, Criterion, jobs
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import keep
from homebody.worlds.virtualhome.scene_graph import read_graph
from worlds.virtualhome.scene_graphs import household

State = tuple[str, str, frozenset[str], tuple[str, ...], frozenset[tuple[str, str, str]], int]
"""Room, what the robot has gone to, what was opened, held, moved, and stages that are over."""


@lru_cache
def setting(house: int | str) -> Setting:
    """The home of a seed, or a scene graph."""
    if isinstance(house, int):
        return HouseSetting(house)
    return GraphSetting(keep(read_graph(household())).digest)


def least_actions(home: Setting, start: str, criterion: Criterion, hands: int) -> int:
    """Actions of the shortest plan, by breadth-first search over all that can be done."""
    first: State = (start, "", frozenset(), (), frozenset(), 0)
    chosen = choices(home, criterion)
    return min(search(home, first, criterion, hands, names) for names in chosen)


def choices(home: Setting, criterion: Criterion) -> Iterator[dict[str, str]]:
    """Things that classes can stand for so that what is said of where they are found is so."""
    ordered = jobs(criterion)
    wanted = list(dict.fromkeys(w for job in ordered for w in (job.thing, job.target) if w))

    def choose(left: list, names: dict[str, str]) -> Iterator[dict[str, str]]:
        if not left:
            yield names
            return
        for name in home.instances(left[0].category):
            if all(home.holds_for(name, c) for c in left[0].where) and name not in names.values():
                yield from choose(left[1:], {**names, left[0].category: name})

    yield from choose(wanted, {})


def search(
    home: Setting, first: State, criterion: Criterion, hands: int, names: dict[str, str]
) -> int:
    """The number of actions until the last stage holds, of these things; 99 if it never does."""
    stages = [[c for c in stage if says_where(criterion, c)] for stage in criterion.stages]
    relevant = {n for name in names.values() for n in (name, *home.closed_around(name))}
    rooms = {home.facts.room(name) for name in relevant}
    queue, seen = deque([(first, 0)]), {first}
    while queue:
        state, count = queue.popleft()
        stage = state[5]
        if holds(home, state, stages[stage], names):
            stage += 1
            if stage == len(stages):
                return count
            new = [c for c in criterion.new_puts[stage] if c in stages[stage]]
            if any(holds(home, state, [c], names) for c in new):  # too early
                continue
        state = (*state[:5], stage)
        for after in successors(home, state, hands, relevant, rooms):
            if after not in seen and count < 16:
                seen.add(after)
                queue.append((after, count + 1))
    return 99


def says_where(criterion: Criterion, condition: Condition) -> bool:
    """Whether a condition is of what the robot does, not of where something is found."""
    put = [(j.thing.category, j.target.category) for j in jobs(criterion) if j.target]
    pair = condition.first, condition.second
    return condition.first == ROBOT or pair in put


def holds(home: Setting, state: State, stage: list[Condition], names: dict[str, str]) -> bool:
    _, at, _, held, moved, _ = state
    for condition in stage:
        second = names[condition.second]
        if condition.first == ROBOT:
            near = {at, *held} | {thing for thing, _, place in moved if place == at}
            near |= set(held)
            if second not in near and not any(t == second and p == at for t, _, p in moved):
                return False
        elif (names[condition.first], condition.relation, second) not in moved:
            return False
    return True


def successors(
    home: Setting, state: State, hands: int, relevant: set[str], rooms: set[str]
) -> Iterator[State]:
    room, at, opened, held, moved, stage = state
    where = {thing: place for thing, _, place in moved}
    for other in rooms - {room}:
        yield other, "", opened, held, moved, stage
    for name in relevant:
        here = home.facts.room(where.get(name, name)) == room
        if (
            here
            and name not in held
            and (name in where or opened.issuperset(home.closed_around(name)))
        ):
            yield room, name, opened, held, moved, stage
    can_open = not (home.needs_hand and len(held) == 2)
    if at and can_open and at not in opened and home.is_shut(at):
        yield room, at, opened | {at}, held, moved, stage
    if at and home.facts.category(at) in home.grabbable and at not in held and len(held) < hands:
        kept = frozenset(each for each in moved if each[0] != at)
        yield room, at, opened, (*held, at), kept, stage
    for thing in held:
        left = tuple(other for other in held if other != thing)
        for relation in ("ON", "INSIDE"):
            shut = bool(at) and home.is_shut(at) and at not in opened
            able = at and at != thing and not (relation == "INSIDE" and shut)
            if (
                able
                and home.facts.can_bear(at, PLACED[relation])
                and home.fits(thing, relation, at)
            ):
                yield room, at, opened, left, moved | {(thing, relation, at)}, stage


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["navigation_relation", "manipulation", "several", "temporal"])
@pytest.mark.parametrize("seed", [39, 41, "graph"])
def test_no_plan_is_shorter(kind: str, seed: int | str) -> None:
    home, row, rng = setting(seed), ROWS[kind], generator(f"{kind} {seed}")
    spots = [spot for room in home.starts() for spot in room]
    compared = 0
    for _ in range(12):
        made = draft(home, row, rng)
        start = spots[int(rng.integers(len(spots)))]
        if made is None or len(made.things) > 2:  # the search is too long for three
            continue
        found = shortest(home, start, jobs(made.criterion), row.hands)
        if found is None:
            continue
        compared += 1
        least = least_actions(home, home.room_at(start), made.criterion, row.hands)
        assert len(found.actions) == least, (str(made.criterion), found.actions)
    assert compared >= 3


def test_two_hands_take_both_before_they_put_them_down() -> None:
    home, rng = setting(40), generator("hands")
    spot = home.starts()[0][0]
    for _ in range(20):
        made = draft(home, ROWS["several"], rng)
        both = made and len(made.things) == 2 and shortest(home, spot, jobs(made.criterion), 2)
        if both:
            names = [action.name for action in both.actions if action.name in ("Pick", "Place")]
            assert names == ["Pick", "Pick", "Place", "Place"]
