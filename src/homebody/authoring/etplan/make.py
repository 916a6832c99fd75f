"""Tasks for all rows of a split: drafted for each home, chosen, and kept if they can be done.

A task is kept if the oracle, which follows the shortest plan, meets the goal with the plan's last
action and not before (paper, section 3.2: only what can be executed is kept). What is hidden is
hidden by a definition: of all drafts of a kind in the split, the fifth with the smallest thing, or
with the farthest (section 4.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import msgspec
import numpy as np

from homebody.authoring.etplan.drafts import draft
from homebody.authoring.etplan.phrasing import phrase
from homebody.authoring.etplan.setting import Setting
from homebody.authoring.etplan.shortest import shortest
from homebody.core import CORRECTED, HomebodyError, Progress
from homebody.core.engines import ENGINES, cores
from homebody.core.seeds import generator
from homebody.core.session import GOAL_MET, play
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.jobs import jobs
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.rows import ROWS, Row
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import SPLITS, EtplanTask, written

HIDDEN: Final = 0.2
"""Share of all drafts that count as small, or as far."""
POOL: Final = {"navigation": 8, "manipulation": 8, "several": 3, "temporal": 10}
"""Drafts of a kind for each task that a row shall have: enough for a fifth of them, less those that
cannot be done, where things are hidden."""
_OWN: Final = tuple(row for row in ROWS.values() if row.tasks == row.name)


@dataclass(frozen=True, slots=True)
class Job:
    """What one process does at a time: the drafts of a home, or the verification of some.

    Attributes:
        house: Seed of the home.
        count: How many tasks each row shall have of it.
        seed: Of what is drawn.
        drafts: What is to be verified; empty if drafts are to be made.
    """

    house: int
    count: int
    seed: int
    drafts: tuple[EtplanTask, ...] = ()


def generate(
    split: str,
    count: int,
    *,
    seed: int = 0,
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[EtplanTask, ...]:
    """The tasks of a split, so many for each row that has its own.

    Args:
        split: One of :data:`SPLITS`.
        count: Tasks of each row, 1 to 5,000.
        seed: Of all that is drawn; the same arguments give the same tasks.
        engine: One of :data:`~homebody.core.engines.ENGINES`.
        workers: How many processes; as many as there are cores if left out.
        progress: Told of homes drafted and tasks verified.

    Raises:
        HomebodyError: there is no such split, engine or count, or there are not so many tasks.
    """
    if split not in SPLITS:
        raise HomebodyError(f"there is no split {split[:40]!r}", f"choose: {', '.join(SPLITS)}")
    if engine not in ENGINES:
        raise HomebodyError(f"there is no engine {engine!r}", f"choose: {', '.join(ENGINES)}")
    if not 1 <= count <= 5_000:
        raise HomebodyError(f"a row can have 1 to 5000 tasks, not {count}")
    run = ENGINES[engine]
    number = workers or cores()
    houses = SPLITS[split]
    each = -(-count // len(houses))
    drafted = sorted(
        run(work, [Job(house, each, seed) for house in houses], number),
        key=lambda made: made[0],
    )
    pools = {
        row.name: [task for _, tasks in drafted for task in tasks if task.row == row.name]
        for row in _OWN
        if not row.occlusion
    }
    wanted = {row.name: _taking_turns(hidden(row, pools)) for row in _OWN}
    kept: dict[str, list[EtplanTask]] = {name: [] for name in wanted}
    total = count * len(kept)
    while any(len(kept[name]) < count and wanted[name] for name in kept):
        batch: dict[int, list[EtplanTask]] = {}
        for name, queue in wanted.items():
            missing = count - len(kept[name])
            for task in queue[: missing and missing + 8]:
                batch.setdefault(task.house, []).append(task)
            del queue[: missing and missing + 8]
        todo = [Job(house, 0, seed, tuple(tasks)) for house, tasks in sorted(batch.items())]
        for _, tasks in sorted(run(work, todo, number), key=lambda made: made[0]):
            for task in tasks:
                if len(kept[task.row]) < count:
                    kept[task.row].append(task)
            if progress is not None:
                progress(f"tasks of {split}", sum(map(len, kept.values())), total)
    for name, tasks in kept.items():
        if len(tasks) < count:
            raise HomebodyError(f"there are {len(tasks)} tasks of {name}, not {count}")
    return tuple(
        msgspec.structs.replace(task, id=f"{name}-{number}")
        for name, tasks in kept.items()
        for number, task in enumerate(sorted(tasks, key=lambda task: task.house))
    )


def work(job: Job) -> tuple[int, list[EtplanTask]]:
    """Do a job: the home, and its drafts or those that are kept."""
    if job.drafts:
        return job.house, [task for task in job.drafts if is_solved(task)]
    return job.house, list(_drafts(job))


def hidden(row: Row, pools: dict[str, list[EtplanTask]]) -> list[EtplanTask]:
    """The drafts that are of a row, out of those of its kind."""
    plain = row.name.removesuffix(f"_{row.occlusion}") if row.occlusion else row.name
    pool = pools[plain]
    if not row.occlusion:
        return pool
    ordered = sorted(
        pool,
        key=lambda task: (task.volume if row.occlusion == "size" else -task.away, task.id),
    )
    chosen = ordered[: int(len(ordered) * HIDDEN)]
    own = {task.id for task in chosen}
    return [msgspec.structs.replace(task, row=row.name) for task in pool if task.id in own]


def is_solved(task: EtplanTask) -> bool:
    """Whether the oracle meets the goal with the plan's last action, and not before."""
    session = start(ROWS[task.row], task, {}, 0, CORRECTED)
    play(session, {ROBOT: oracle(session, np.random.default_rng(0))})
    done = [event.action for event in session.simulation.log if event.ok]
    follows = iter(done)
    return (
        bool(done)
        and session.ending == GOAL_MET
        and all(action in follows for action in task.reference)
        and done[-1] == task.reference[-1]
    )


def _drafts(job: Job) -> Iterator[EtplanTask]:
    setting = _setting(job.house)
    spots = {room.name: setting.ways.room_spots(room.name) for room in setting.house.rooms}
    rooms = [name for name, free in spots.items() if free]
    for row in _OWN:
        if row.occlusion:
            continue
        rng = generator(f"etplan {job.seed} {job.house} {row.name}")
        asked: set[tuple[str, str]] = set()
        for number in range(job.count * POOL[row.kind]):
            made = draft(setting, row, rng)
            if made is None:
                continue
            room = rooms[int(rng.integers(len(rooms)))]
            free = spots[room]
            x, y = free[int(rng.integers(len(free)))]
            solutions = [
                shortest(setting, (x, y), jobs(made.criterion), hands)
                for hands in range(1, row.hands + 1)
            ]
            found = [each for each in solutions if each is not None]
            words = phrase(setting, row.kind, made, rng)
            if not found or (str(made.criterion), room) in asked:
                continue
            asked.add((str(made.criterion), room))
            best = min(found, key=lambda each: (each.metres, len(each.actions)))
            away, _ = setting.walk((x, y), best.found)
            yield EtplanTask(
                id=f"{row.name}-{job.house}-{number}",
                row=row.name,
                house=job.house,
                start=(x, y, 0.0),
                instruction=words,
                criterion=str(made.criterion),
                plan=written(best.actions),
                metres=best.metres,
                volume=setting.litres(best.found),
                away=round(away, 3),
            )


def _taking_turns(tasks: Sequence[EtplanTask]) -> list[EtplanTask]:
    """Tasks in an order in which homes take turns."""
    turn: dict[int, int] = {}
    ordered = []
    for task in tasks:
        turn[task.house] = turn.get(task.house, 0) + 1
        ordered.append((turn[task.house], task.house, task))
    return [task for _, _, task in sorted(ordered, key=lambda each: each[:2])]


@lru_cache(4)
def _setting(house: int) -> Setting:
    return Setting(house)
