"""Makes the tasks of a split for all rows of the paper's tables.

Drafts are made for each home, and some of them are chosen. A task is kept if the oracle, which
follows the shortest plan, meets the goal with the plan's last action and not before (paper, section
3.2: only executable tasks are kept). The rows with hidden objects use the fifth of the drafts with
the smallest or the farthest objects (section 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final

import msgspec
import numpy as np

from homebody.authoring.etplan.drafts import draft
from homebody.authoring.etplan.graph_setting import GraphSetting
from homebody.authoring.etplan.house_setting import HouseSetting
from homebody.authoring.etplan.phrasing import phrase
from homebody.authoring.etplan.setting import Setting
from homebody.authoring.etplan.shortest import shortest
from homebody.core import CORRECTED, HomebodyError, Progress
from homebody.core.ground.engines import all_results
from homebody.core.ground.seeds import choose, generator
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.core.play.transcript import write_call
from homebody.goals.etplan import ROBOT, jobs
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.rows import ROWS, Row
from homebody.suites.etplan.scenes import keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import SPLITS, EtplanTask
from homebody.worlds.virtualhome.scene_graph import SceneGraph, read_graph, write_graph

HIDDEN: Final = 0.2
"""Share of all drafts whose objects count as small, or as far."""
POOL: Final = {"navigation": 8, "manipulation": 12, "several": 3, "temporal": 30}
"""Number of drafts of a kind per task of a row. A fifth of them can have hidden objects, and some
cannot be done."""
_OWN: Final = tuple(row for row in ROWS.values() if row.tasks == row.name)


@dataclass(frozen=True, slots=True)
class Batch:
    """One job of a process: to make the drafts of a home, or to verify drafts.

    Attributes:
        house: Seed of the home, or digest of the scene graph.
        count: Number of tasks of each row in it.
        seed: Seed of random choices.
        graph: The scene graph as a line of JSON; empty for a home.
        drafts: Drafts to verify; empty to make drafts.
    """

    house: int | str
    count: int
    seed: int
    graph: bytes = b""
    drafts: tuple[EtplanTask, ...] = ()


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

    def run_batches(
        drafts: Mapping[int | str, Sequence[EtplanTask]], count: int
    ) -> dict[int | str, list[EtplanTask]]:
        batches = {
            house: Batch(house, count, seed, lines.get(house, b""), tuple(tasks))
            for house, tasks in sorted(drafts.items())
        }
        return all_results(work, batches, engine=engine, workers=workers)

    drafted = [*chain.from_iterable(run_batches(dict.fromkeys(houses, ()), each).values())]
    pools = {
        row.name: [task for task in drafted if task.row == row.name]
        for row in _OWN
        if not row.occlusion
    }
    wanted = {row.name: _alternate_homes(drafts_of_row(row, pools)) for row in _OWN}
    kept: dict[str, list[EtplanTask]] = {name: [] for name in wanted}
    total = count * len(kept)
    while any(len(kept[name]) < count and wanted[name] for name in kept):
        picked: dict[int | str, list[EtplanTask]] = {}
        for name, queue in wanted.items():
            missing = count - len(kept[name])
            for task in queue[: missing and missing + 8]:
                picked.setdefault(task.house, []).append(task)
            del queue[: missing and missing + 8]
        solved = [*chain.from_iterable(run_batches(picked, 0).values())]
        for task in (review or iter)(solved):
            if len(kept[task.row]) < count:
                kept[task.row].append(task)
            if progress is not None:
                progress(f"tasks of {split}", sum(map(len, kept.values())), total)
    for name, tasks in kept.items():
        if len(tasks) < count and not graphs:
            raise HomebodyError(f"there are {len(tasks)} tasks of {name}, not {count}")
    return tuple(
        msgspec.structs.replace(task, id=f"{name}-{number}")
        for name, tasks in kept.items()
        for number, task in enumerate(sorted(tasks, key=lambda task: task.house))
    )


def work(batch: Batch) -> list[EtplanTask]:
    """Run a batch: draft tasks for a home, or return the drafts that the oracle solves."""
    if batch.graph:
        keep(read_graph(batch.graph))
    if batch.drafts:
        return [task for task in batch.drafts if is_solved(task)]
    return list(_drafts(batch))


def drafts_of_row(row: Row, pools: dict[str, list[EtplanTask]]) -> list[EtplanTask]:
    """Return the drafts for a row, out of the drafts of its kind."""
    plain = row.name.removesuffix(f"_{row.occlusion}") if row.occlusion else row.name
    pool = pools[plain]
    if not row.occlusion:
        return pool
    ordered = sorted(
        pool, key=lambda task: (task.volume if row.occlusion == "size" else -task.away, task.id)
    )
    chosen = ordered[: int(len(ordered) * HIDDEN)]
    own = {task.id for task in chosen}
    return [msgspec.structs.replace(task, row=row.name) for task in pool if task.id in own]


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


def _drafts(batch: Batch) -> Iterator[EtplanTask]:
    setting = _setting(batch.house)
    rooms = setting.starts()
    for row in _OWN:
        if row.occlusion:
            continue
        rng = generator(f"etplan {batch.seed} {batch.house} {row.name}")
        asked: set[tuple[str, str]] = set()
        for number in range(batch.count * POOL[row.kind]):
            made = draft(setting, row, rng)
            if made is None:
                continue
            begin = choose(rng, choose(rng, rooms))
            solutions = [
                shortest(setting, begin, jobs(made.criterion), hands)
                for hands in range(1, row.hands + 1)
            ]
            found = [each for each in solutions if each is not None]
            words = phrase(setting, row.kind, made, rng)
            criterion = str(made.criterion)
            about = criterion, setting.room_at(begin)
            if not found or about in asked:
                continue
            asked.add(about)
            best = min(found, key=lambda each: (each.metres, len(each.actions)))
            yield EtplanTask(
                id=f"{row.name}-{batch.house}-{number}",
                row=row.name,
                house=batch.house,
                start=begin,
                instruction=words,
                criterion=criterion,
                plan=tuple(map(write_call, best.actions)),
                metres=best.metres,
                volume=setting.litres(best.found),
                away=round(setting.walk(begin, [best.found]), 3),
            )


def _alternate_homes(tasks: Sequence[EtplanTask]) -> list[EtplanTask]:
    """Return tasks in an order in which homes alternate. If a home has the same goal several times,
    with starts in different rooms, the repetitions come last."""
    turns: Counter[tuple[int | str, int]] = Counter()
    asked: Counter[tuple[int | str, str]] = Counter()
    ordered = []
    for task in tasks:
        again = asked[task.house, task.criterion]
        asked[task.house, task.criterion] += 1
        turns[task.house, again] += 1
        ordered.append((again, turns[task.house, again], str(task.house), task))
    return [task for *_, task in sorted(ordered, key=itemgetter(0, 1, 2))]


@lru_cache(4)
def _setting(house: int | str) -> Setting:
    return GraphSetting(house) if isinstance(house, str) else HouseSetting(house)
