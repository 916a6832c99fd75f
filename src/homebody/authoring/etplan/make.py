"""Makes the tasks of a split for all rows of the paper's tables.

Drafts are made for each home. Those that are compared with each other form a *group*: an open
task, whose object is seen on entering its room, the same task from a distant start, and a task from
the same start whose object is hidden; or a task for one hand and for two. A group is kept if the
oracle, which follows the shortest plan, meets the goal of each task with the plan's last action and
not before (paper, section 3.2: only executable tasks are kept).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Final, TypeAlias

import msgspec
import numpy as np

from homebody.authoring.etplan.drafts import Draft, draft
from homebody.authoring.etplan.graph_setting import GraphSetting
from homebody.authoring.etplan.house_setting import HouseSetting
from homebody.authoring.etplan.phrasing import is_surprising, phrase
from homebody.authoring.etplan.setting import Setting, Start, matching_instances
from homebody.authoring.etplan.shortest import Solution, shortest
from homebody.core import CORRECTED, HomebodyError, Progress
from homebody.core.ground.engines import all_results
from homebody.core.ground.seeds import choose, generator
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.core.play.transcript import write_call
from homebody.goals.etplan import ROBOT, Criterion, Target, jobs
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.rows import ROWS, Row
from homebody.suites.etplan.scenes import SPLITS, keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.virtualhome.scene_graph import SceneGraph, read_graph, write_graph

Group: TypeAlias = tuple[EtplanTask, ...]
"""Tasks of different rows that are compared with the first."""
DRAFTS: Final = {"navigation": 36, "manipulation": 36, "several": 12, "temporal": 12}
"""Number of drafts of a kind per group."""
RELATED: Final = 4
"""Factor of this number for rows with relations, of which fewer can be stated."""
SPARE: Final = 3
"""Number of groups of a home per group that is wanted of it; some cannot be done."""
FARTHER: Final = 4.0
"""Minimum number of metres by which a distant start is farther from the object."""
SPARE_ACTIONS: Final = 2
"""Number of actions of the limit, besides the shortest plan, for each object and target, and for
each closed container that looks like the right one."""
_OPEN: Final = tuple(
    row
    for row in ROWS.values()
    if row.tasks == row.name and not row.occlusion and row.name != "several_two_arms"
)
"""The rows whose tasks begin a group."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One job of a process: to make the groups of a home, or to verify groups.

    Attributes:
        house: Seed of the home, or digest of the scene graph.
        count: Number of groups of each row in it.
        seed: Seed of random choices.
        graph: The scene graph as a line of JSON; empty for a home.
        groups: Groups to verify; empty to make groups.
    """

    house: int | str
    count: int
    seed: int
    graph: bytes = b""
    groups: tuple[Group, ...] = ()


def generate(
    split: str,
    count: int,
    *,
    graphs: Sequence[SceneGraph] = (),
    seed: int = 0,
    engine: str = "pool",
    workers: int | None = None,
    review: Callable[[Sequence[EtplanTask]], Iterable[EtplanTask]] | None = None,
    progress: Progress | None = None,
) -> tuple[EtplanTask, ...]:
    """Return the tasks of a split, the same number for each row with its own tasks.

    Args:
        split: One of :data:`SPLITS`.
        count: Tasks of each row, 1 to 5,000.
        graphs: Scene graphs to use instead of the homes of a split. A row gets as
            many tasks as they allow, possibly none.
        seed: Seed of all random choices; the same arguments give the same tasks.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; default: the number of cores.
        review: Chooses among executable tasks, and may reword them.
        progress: Is notified of verified tasks.

    Raises:
        HomebodyError: the split, engine or count is invalid, or too few tasks were found.
    """
    if split not in SPLITS:
        raise HomebodyError(f"unknown split: {split[:40]!r}", f"choose one of: {', '.join(SPLITS)}")
    if not 1 <= count <= 5_000:
        raise HomebodyError(f"a row can have 1 to 5000 tasks, not {count}")
    lines: dict[int | str, bytes] = {keep(each).digest: write_graph(each) for each in graphs}
    houses: Sequence[int | str] = tuple(lines) or SPLITS[split]
    each = -(-count // len(houses))

    def run_batches(groups: Mapping[int | str, Sequence[Group]], count: int) -> list[Group]:
        batches = {
            house: Batch(house, count, seed, lines.get(house, b""), tuple(own))
            for house, own in sorted(groups.items())
        }
        results = all_results(work, batches, engine=engine, workers=workers)
        return [*chain.from_iterable(results.values())]

    made = run_batches(dict.fromkeys(houses, ()), each)
    wanted = {
        row.name: _alternate_homes([group for group in made if group[0].row == row.name])
        for row in _OPEN
    }
    kept: dict[str, list[Group]] = {name: [] for name in wanted}
    while any(len(kept[name]) < count and wanted[name] for name in kept):
        picked: dict[int | str, list[Group]] = {}
        for name, queue in wanted.items():
            missing = count - len(kept[name])
            for group in queue[: missing and missing + 8]:
                picked.setdefault(group[0].house, []).append(group)
            del queue[: missing and missing + 8]
        for group in _review(run_batches(picked, 0), review):
            if len(kept[group[0].row]) < count:
                kept[group[0].row].append(group)
            if progress is not None:
                progress(f"tasks of {split}", sum(map(len, kept.values())), count * len(kept))
    for name, groups in kept.items():
        if len(groups) < count and not graphs:
            raise HomebodyError(f"there are {len(groups)} tasks of {name}, not {count}")
    return tuple(_number_tasks(kept.values()))


def _review(
    groups: Sequence[Group],
    review: Callable[[Sequence[EtplanTask]], Iterable[EtplanTask]] | None,
) -> Iterator[Group]:
    """Yield the groups of which a review keeps all tasks. Tasks with the same criterion keep the
    same words."""
    if review is None:
        yield from groups
        return
    asked = {(task.house, task.instruction): task for group in groups for task in group}
    words = dict.fromkeys(task.id for task in asked.values())
    words |= {task.id: task.instruction for task in review([*asked.values()])}
    for group in groups:
        said = [words[asked[task.house, task.instruction].id] for task in group]
        if all(said):
            yield tuple(
                msgspec.structs.replace(task, instruction=text)
                for task, text in zip(group, said, strict=True)
            )


def _number_tasks(kept: Iterable[Sequence[Group]]) -> Iterator[EtplanTask]:
    """Yield the tasks of each row in the order of their homes, with their ids. The tasks of a group
    have the same number."""
    rows: dict[str, list[EtplanTask]] = {name: [] for name in ROWS}
    for groups in kept:
        for number, group in enumerate(sorted(groups, key=lambda group: str(group[0].house))):
            first = f"{group[0].row}-{number}"
            for task in group:
                task_id = f"{task.row}-{number}"
                twin = first if task is not group[0] else ""
                rows[task.row].append(msgspec.structs.replace(task, id=task_id, twin=twin))
    return chain.from_iterable(rows.values())


def work(batch: Batch) -> list[Group]:
    """Run a batch: make groups for a home, or return the groups that the oracle solves."""
    if batch.graph:
        keep(read_graph(batch.graph))
    if batch.groups:
        return [group for group in batch.groups if all(map(is_solved, group))]
    setting = _setting(batch.house)
    return [group for row in _OPEN for group in _groups(setting, row, batch)]


def is_solved(task: EtplanTask) -> bool:
    """Return whether the oracle meets the goal with the plan's last action, and not before."""
    session = start(ROWS[task.row], task, {}, 0, CORRECTED)
    play(session, {ROBOT: oracle(session, np.random.default_rng(0))})
    done = [entry.call for entry in session.transcript().entries]
    follows = iter(done)
    return (
        session.ending == GOAL_MET
        and session.score().record["lcs_ratio"] == 1.0
        and all(step in follows for step in task.plan)
        and done[-1] == task.plan[-1]
    )


# --- The groups of a home ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Drafted:
    """A draft in words.

    Attributes:
        draft: The draft.
        words: Its instruction.
        things: The right objects to find first.
        rare: True if they are where such objects rarely are, and a hint tells where.
    """

    draft: Draft
    words: str
    things: tuple[str, ...]
    rare: bool


def _groups(setting: Setting, row: Row, batch: Batch) -> Iterator[Group]:
    rng = generator(f"etplan {batch.seed} {batch.house} {row.name}")
    starts = [choose(rng, free) for free in setting.starts()]
    count = batch.count * DRAFTS[row.kind] * (RELATED if row.relation else 1)
    drafted = _rare_first(list(_drafted(setting, row, rng, count)))
    make = _occluded_groups if f"{row.name}_size" in ROWS else _plain_groups
    found = make(setting, row, drafted, starts, rng)
    for number, group in zip(range(batch.count * SPARE), found, strict=False):
        place = f"{batch.house}-{number}"
        yield tuple(
            msgspec.structs.replace(task, id=f"{task.row}-{place}", house=batch.house)
            for task in group
        )


def _drafted(
    setting: Setting, row: Row, rng: np.random.Generator, count: int
) -> Iterator[_Drafted]:
    """Yield drafts with different criteria."""
    asked: set[str] = set()
    for _ in range(count):
        made = draft(setting, row, rng)
        if made is None or str(made.criterion) in asked:
            continue
        asked.add(str(made.criterion))
        where = tuple(c for c in made.where if c.first == made.things[0])
        things = matching_instances(setting, Target(made.things[0], where))
        rare = not row.relation and is_surprising(setting, made.things[0])  # a hint tells where
        yield _Drafted(made, phrase(setting, row.kind, made, rng), tuple(things), rare)


def _rare_first(made: Sequence[_Drafted]) -> list[_Drafted]:
    """Return drafts in an order in which three of five have their first object in a room where such
    objects are rarely, as long as there are any."""
    rare, usual = ([each for each in made if each.rare is kind] for kind in (True, False))
    turns = zip_longest(rare[::3], usual[::2], rare[1::3], usual[1::2], rare[2::3])
    return [each for turn in turns for each in turn if each is not None]


def _plain_groups(
    setting: Setting,
    row: Row,
    drafted: Sequence[_Drafted],
    starts: Sequence[Start],
    rng: np.random.Generator,
) -> Iterator[Group]:
    """Yield each draft as a task. If there are two hands in another row, it is a task of both."""
    two = ROWS.get(f"{row.name}_two_arms")
    for made in drafted:
        free = [each for each in starts if _is_apart(setting, made, each)]
        if free:
            begin = choose(rng, free)
            rows = (row,) if two is None else (row, two)
            tasks = [_task(setting, each, made, begin) for each in rows]
            group = tuple(task for task in tasks if task is not None)
            if len(group) == len(rows):
                yield group


def _occluded_groups(
    setting: Setting,
    row: Row,
    drafted: Sequence[_Drafted],
    starts: Sequence[Start],
    rng: np.random.Generator,
) -> Iterator[Group]:
    """Yield groups of an open task, a task with a hidden object, and the open task from a distant
    start. In a scene graph, which may have no distances, any other start is distant, and a group
    may have fewer tasks."""
    used: set[str] = set()
    for made in drafted:
        free = [each for each in starts if _is_apart(setting, made, each)]
        ways = sorted((_away(setting, made.things, each), str(each), each) for each in free)
        if not ways or made.draft.things[0] in used:
            continue
        way, _, begin = ways[int(rng.integers((len(ways) + 1) // 2))]
        if _is_hidden(setting, made, begin):
            continue
        first = _task(setting, row, made, begin)
        if first is None:
            continue
        distant = [
            each
            for far, _, each in ways
            if each != begin and (far - way >= FARTHER or isinstance(begin, str))
        ]
        far_row, hidden_row = ROWS[f"{row.name}_distance"], ROWS[f"{row.name}_size"]
        far = _task(setting, far_row, made, distant[-1]) if distant else None
        portable = setting.facts.is_portable(made.draft.things[0])
        hidden = next(
            (
                (other, task)
                for other in drafted
                if other.draft.things[0] not in used
                and other.rare == made.rare
                and setting.facts.is_portable(other.draft.things[0]) == portable
                and _is_apart(setting, other, begin)
                and _is_hidden(setting, other, begin)
                and (task := _task(setting, hidden_row, other, begin)) is not None
            ),
            None,
        )
        if isinstance(begin, tuple) and (far is None or hidden is None):
            continue
        used.add(made.draft.things[0])
        group = [first]
        if hidden is not None:
            used.add(hidden[0].draft.things[0])
            group.append(hidden[1])
        yield (*group, far) if far is not None else tuple(group)


def _is_apart(setting: Setting, made: _Drafted, start: Start) -> bool:
    """Return whether the right objects are in other rooms, and none of them is seen from a
    start."""
    room = setting.room_at(start)
    seen = setting.seen_on_entering(start, room)
    return not any(setting.facts.room(name) == room or name in seen for name in made.things)


def _is_hidden(setting: Setting, made: _Drafted, start: Start) -> bool:
    """Return whether no right object is seen on entering its room."""
    return not any(
        name in setting.seen_on_entering(start, setting.facts.room(name)) for name in made.things
    )


def _away(setting: Setting, things: Sequence[str], start: Start) -> float:
    """Return the metres from a start to the nearest of some objects."""
    return min(setting.walk(start, [name]) for name in things)


def _task(setting: Setting, row: Row, made: _Drafted, begin: Start) -> EtplanTask | None:
    """Return a draft as a task; None if it has no plan."""
    found = _best_solution(setting, row, made, begin)
    if found is None:
        return None
    task = solved_task(setting, row, begin, made.words, made.draft.criterion, found)
    wanted = len(made.draft.things) + bool(made.draft.target)
    return msgspec.structs.replace(
        task,
        hidden=_is_hidden(setting, made, begin),
        most_actions=len(found.actions)
        + SPARE_ACTIONS * (wanted + _lookalikes(setting, made, found)),
    )


def _lookalikes(setting: Setting, made: _Drafted, found: Solution) -> int:
    """Return how many containers look like those that are opened for the things: closed, of the
    same class, in the same room."""
    names = {name for action in found.actions for name in action.args}
    things = [name for name in names if setting.facts.category(name) in made.draft.things]
    opened = {holder for name in things for holder in setting.closed_around(name)}
    return sum(
        setting.is_shut(other) and setting.facts.room(other) == setting.facts.room(holder)
        for holder in opened
        for other in setting.instances(setting.facts.category(holder))
        if other not in opened
    )


def solved_task(
    setting: Setting, row: Row, begin: Start, words: str, criterion: Criterion, found: Solution
) -> EtplanTask:
    """Return a task with its plan. Its id is the row, and its house is still to be named."""
    things = matching_instances(setting, jobs(criterion)[0].thing)
    return EtplanTask(
        id=row.name,
        row=row.name,
        house="0" * 16 if isinstance(begin, str) else 0,
        start=begin,
        instruction=words,
        criterion=str(criterion),
        plan=tuple(map(write_call, found.actions)),
        metres=found.metres,
        volume=setting.litres(found.found),
        away=round(_away(setting, things, begin), 3),
    )


def _best_solution(setting: Setting, row: Row, made: _Drafted, begin: Start) -> Solution | None:
    """Return the plan with the fewest actions, and of these the one with the shortest walk."""
    solutions = [
        shortest(setting, begin, jobs(made.draft.criterion), hands)
        for hands in range(1, row.hands + 1)
    ]
    found = [each for each in solutions if each is not None]
    return min(found, key=lambda each: (len(each.actions), each.metres), default=None)


def _alternate_homes(groups: Sequence[Group]) -> list[Group]:
    """Return groups in an order in which homes alternate."""
    homes: dict[int | str, list[Group]] = {}
    for group in groups:
        homes.setdefault(group[0].house, []).append(group)
    rounds = zip_longest(*homes.values())
    return [group for turn in rounds for group in turn if group is not None]


@lru_cache(4)
def _setting(house: int | str) -> Setting:
    return GraphSetting(house) if isinstance(house, str) else HouseSetting(house)
