"""Tasks of ET-Plan-Bench from the shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Workers, app, progress, writable
from homebody.cli.command import Argument, Option
from homebody.cli.printing import say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.authoring.etplan.by_model import Reviewer
    from homebody.suites.etplan import training
    from homebody.suites.etplan.tasks import EtplanTask
    from homebody.worlds.virtualhome.scene_graph import SceneGraph

etplan_app = app.group("etplan", help="Make tasks of ET-Plan-Bench.")


@etplan_app.command()
def generate(
    out: Annotated[Path, Argument(help="A .jsonl or .jsonl.gz file to write", metavar="FILE")],
    split: Annotated[str, Option(help="train, val or test: no two share a home")] = "test",
    tasks: Annotated[int, Option(help="How many of each row")] = 200,
    graph: Annotated[
        list[str] | None,
        Option(
            metavar="GRAPH",
            help="A scene graph of VirtualHome, a JSON file, or eai:ID for the one that a task of"
            " EAI begins with: tasks in these rather than in homes; repeatable",
        ),
    ] = None,
    seed: Annotated[int, Option(help="Another seed makes other tasks")] = 0,
    model: Annotated[
        str | None,
        Option(
            help="A model, such as openai/gpt-4o, rejects what is unreasonable and puts the rest"
            " into words; its answers are kept beside FILE"
        ),
    ] = None,
    concurrency: Annotated[int, Option(min=1, help="How often a model is asked at once")] = 8,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make tasks for all rows, each with its shortest plan, that were carried out.

    Run them with: homebody run etplan --tasks FILE
    """
    from homebody.authoring.etplan.make import generate as make
    from homebody.core.ground.files import write_whole
    from homebody.suites.etplan.tasks import encode_lines

    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise HomebodyError(f"{out} is no .jsonl or .jsonl.gz file", f"name it {out.stem}.jsonl")
    writable(out.parent)
    graphs = [_graph(each) for each in graph or ()]
    with _reviewing(model, out, concurrency) as review, progress() as report:
        made = make(
            split,
            tasks,
            graphs=graphs,
            seed=seed,
            engine=engine,
            workers=workers,
            review=review,
            progress=report,
        )
    write_whole(out, encode_lines(made, packed=out.suffix == ".gz"))
    if graphs:
        counts = Counter(task.row for task in made)
        say(f"{out}: {len(made)} tasks in {len(graphs)} scene graphs")
        for row, count in counts.items():
            say(f"{row}: {count}")
    else:
        say(f"{out}: {len(made)} tasks of {split}")
    if review is not None:
        say(*review.summary())


@contextmanager
def _reviewing(model: str | None, out: Path, concurrency: int) -> Iterator[Reviewer | None]:
    """Who reviews drafts: a model, if one is named."""
    if model is None:
        yield None
        return
    from homebody.authoring.answers import cache_answers
    from homebody.authoring.etplan.by_model import Reviewer
    from homebody.evals.asking import asking

    answers = out.with_name(f"{out.name}.answers.jsonl")
    with asking(model, connections=concurrency) as ask, cache_answers(ask, model, answers) as known:
        yield Reviewer(known, concurrency)


def _graph(where: str) -> SceneGraph:
    """The scene graph of a file or of a task of EAI. Raises HomebodyError."""
    from homebody.core.ground.files import read_bounded
    from homebody.worlds.virtualhome.scene_graph import MAX_BYTES, SceneGraph, read_graph

    if where.startswith("eai:"):
        from homebody.suites.eai.virtualhome.tasks import load_task

        task = load_task(where.removeprefix("eai:")).task
        return SceneGraph(task.initial, task.world.agent)
    try:
        return read_graph(read_bounded(Path(where), MAX_BYTES))
    except HomebodyError as error:
        raise HomebodyError(f"{where}: {error}", error.hint) from error


@etplan_app.command()
def samples(
    tasks: Annotated[
        Path, Argument(help="A file that homebody etplan generate made", metavar="TASKS")
    ],
    out: Annotated[Path, Argument(help="A .jsonl file to write", metavar="FILE")],
    run: Annotated[
        list[Path] | None,
        Option(
            metavar="LOG",
            help="The log of a run of a model over these tasks, or a folder of logs: its answers"
            " where it succeeded, rather than those of who knows the home; repeatable",
        ),
    ] = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make data for fine-tuning: what the pipeline asks in tasks of one split, and the answers of
    who knows the home, or of a model, as chats; how many there are of each row."""
    from homebody.core.ground.engines import all_results
    from homebody.core.ground.files import read_bounded, write_whole
    from homebody.suites.etplan import training
    from homebody.suites.etplan.tasks import MAX_BYTES, decode_lines

    writable(out.parent)
    if out.exists() and out.samefile(tasks):
        raise HomebodyError(f"{out} has the tasks", "name another file to write")
    try:
        asked = decode_lines(read_bounded(tasks, MAX_BYTES))
    except HomebodyError as error:
        raise HomebodyError(f"{tasks}: {error}", error.hint) from error
    split = training.split_of(asked)
    jobs = [(task, None, None) for task in asked] if run is None else _runs(run, asked)
    with progress() as report:
        found = all_results(
            *(training.play_again, dict(enumerate(jobs))),
            engine=engine,
            workers=workers,
            progress=report,
            activity="playing",
        )
    made = [*chain.from_iterable(found.values())]
    if not made:
        raise HomebodyError("there are no runs that succeeded, so nothing to learn from")
    write_whole(out, b"".join(sample.line() for sample in made))
    counts = training.statistics(made)
    for row, about in counts.items():
        pairs = about.total() - about["plan"]
        tried = sum(task.row == row for task, _, _ in jobs)
        say(f"{row}: {pairs} questions and {about['plan']} plans of {tried} tasks")
    total = sum(about.total() - about["plan"] for about in counts.values())
    say(f"{out}: {total} questions of {split}")


def _runs(logs: Sequence[Path], tasks: Sequence[EtplanTask]) -> list[training.Recorded]:
    """What models said in runs over tasks. Raises HomebodyError if a log is of others, or was
    played otherwise than by the pipeline."""
    from msgspec import structs

    from homebody.evals.checks import need_inspect

    need_inspect()
    from homebody.evals.logs import said_in_log
    from homebody.suites.etplan.rows import ROWS

    by_id = {(task.row, task.id): task for task in tasks}
    runs: list[training.Recorded] = []
    for path in chain.from_iterable(sorted(p.glob("*.eval")) if p.is_dir() else [p] for p in logs):
        for run, name, said in said_in_log(path):
            row = ROWS.get(str(run.get("suite")).removeprefix("etplan."))
            task = by_id.get((row.tasks, name)) if row is not None else None
            if row is None or task is None or run.get("driver"):
                raise HomebodyError(
                    f"{path} is no run of the pipeline over these tasks",
                    "give the tasks that were run: homebody run etplan --tasks TASKS --model MODEL",
                )
            settings = run.get("settings") or {}
            runs.append((structs.replace(task, row=row.name), said, settings))
    return runs
