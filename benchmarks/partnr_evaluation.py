"""homebody's judge against PARTNR's published evaluation classes, on the same run, in one run.

    python benchmarks/partnr_evaluation.py --checkout FOLDER [--steps 20000]

8 propositions with an order, argument constraints, dependencies and what has to hold at the end. In
every step something that the task is about is carried along, so that atoms are asked for again in
every step; now and then facts change. The judge's time is that of the whole run less that of
answering its questions alone, which is the world's work ("beyond the geometry"); the answers are
kept in a table here. The published classes read the same facts from a table, all in their time.
They take quadratic time, so theirs is measured for fewer steps (``--published-steps``) and both are
compared on that. The published code runs in the environment of the
differential tests. Without --checkout only homebody is timed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from differential import partnr_runs as runs
from differential import published
from homebody.goals.partnr import (
    QUIRKS,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    Judge,
    Judgement,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)

CUPS = ("cup_0", "cup_1", "cup_2")
TABLES = ("table_0", "table_1")


def task() -> Evaluation:
    on, inside = "is_on_top", "is_inside"
    return Evaluation(
        (
            Proposition(on, (CUPS, TABLES)),
            Proposition(on, (("plate_0",), TABLES)),
            Proposition("is_next_to", (CUPS, ("plate_0",))),
            Proposition(inside, (("spoon_0", "spoon_1"), ("drawer_0", "drawer_1"))),
            Proposition("is_filled", (CUPS,)),
            Proposition("is_in_room", (("book_0",), ("bedroom_0", "bedroom_1"))),
            Proposition(on, (("book_0",), ("shelf_0",))),
            Proposition(on, (("plate_0",), ("counter_0",))),
        ),
        (
            Dependency((2,), (0, 1), "while_satisfied"),
            Dependency((7,), (1,), "after_unsatisfied"),
            Dependency((6,), (5,), "after_satisfied"),
        ),
        (
            TemporalConstraint(((0, 3), (1, 3), (3, 5))),
            SameArgConstraint((0, 4), ("object_handles", "object_handles")),
            DifferentArgConstraint((0, 3), ("receptacle_handles", "receptacle_handles")),
            TerminalSatisfactionConstraint((0, 3, 4, 5, 6, 7)),
        ),
    )


Fact = tuple[str, ...]


def make_run(steps: int) -> list[tuple[runs.Step, tuple[str, ...]]]:
    """For each step the facts that change, and the names of what moved or changed."""
    random = Random(1)
    facts = sorted(
        {
            (one.predicate, *names)
            for one in task().propositions
            for names in (
                [(a, b) for a in one.lists[0] for b in one.lists[1]]
                if len(one.lists) > 1
                else [(a,) for a in one.lists[0]]
            )
        }
    )
    things = sorted({fact[1] for fact in facts})
    carried = ["cup_0", "book_0"]
    run = []
    for step in range(steps):
        if step % 50 == 0:
            carried = random.sample(things, 2)
        flips: runs.Step = []
        if step % 25 == 24:  # something is put down or taken up
            fact = random.choice([one for one in facts if one[1] in carried])
            flips.append((fact, random.random() < 0.4))
        run.append((flips, ("agent_0", "agent_1", *carried)))
    return run


def judge(run: Sequence[tuple[runs.Step, tuple[str, ...]]]) -> tuple[float, float, Judgement, int]:
    """Seconds of the run, seconds of its questions alone, the result, and the questions' number."""
    facts: set[Fact] = set()
    asked: list[tuple[str, tuple[str | float, ...]]] = []

    def drive(holds: Callable[[str, tuple[str | float, ...]], object]) -> tuple[float, Judgement]:
        facts.clear()
        one = Judge(task(), QUIRKS.keys())
        started = time.perf_counter()
        for flips, moved in run:
            for fact, value in flips:
                (facts.add if value else facts.discard)(fact)
            one.step(holds, moved)
        return time.perf_counter() - started, one.result()

    def holds(predicate: str, arguments: tuple[str | float, ...]) -> bool:
        return (predicate, *arguments) in facts

    def noted(predicate: str, arguments: tuple[str | float, ...]) -> bool:
        asked.append((predicate, arguments))
        return holds(predicate, arguments)

    drive(noted)
    seconds, result = drive(holds)
    started = time.perf_counter()
    for question in asked:
        holds(*question)
    return seconds, time.perf_counter() - started, result, len(asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkout", type=Path)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--published-steps", type=int, default=4_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()

    run = make_run(given.steps)
    measured = [judge(run) for _ in range(given.runs)]
    seconds, geometry = min(one[0] for one in measured), min(one[1] for one in measured)
    _, _, result, asked = measured[0]
    print(
        f"homebody, {given.steps} steps: {seconds * 1e3:.1f} ms, of which {geometry * 1e3:.1f} ms"
        f" answer {asked} questions: {(seconds - geometry) * 1e3:.1f} ms beyond the geometry;"
        f" {result.percent_complete:.3f} complete"
    )
    if given.checkout is None:
        return
    short = run[: given.published_steps]
    seconds, geometry, result, _ = min(
        (judge(short) for _ in range(given.runs)), key=lambda one: one[0]
    )
    with tempfile.TemporaryDirectory() as folder:
        job = runs.job(task(), [flips for flips, _ in short], timed=True)
        (record,) = published.drive(runs.DRIVER, [given.checkout], [job], Path(folder), workers=1)
    if record["percent"] != result.percent_complete:
        raise SystemExit(f"they differ: {record['percent']} and {result.percent_complete}")
    print(
        f"published, {len(short)} steps: {record['seconds']:.3f} s; homebody, with the geometry,"
        f" {seconds * 1e3:.1f} ms: {record['seconds'] / seconds:.0f} times faster"
    )


if __name__ == "__main__":
    main()
