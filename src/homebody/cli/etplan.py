"""`homebody etplan`: make tasks and training data of ET-Plan-Bench."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Workers, app, make_out_folder, progress
from homebody.cli.command import MODEL, TASKS, Argument, Option
from homebody.cli.printing import say
from homebody.core import HomebodyError
from homebody.core.ground.user_errors import name_file

if TYPE_CHECKING:
    from homebody.authoring.etplan.by_model import Reviewer
    from homebody.suites.etplan import training
    from homebody.suites.etplan.tasks import EtplanTask
    from homebody.worlds.virtualhome.scene_graph import SceneGraph

etplan_app = app.group("etplan", help="Make tasks and training data of ET-Plan-Bench.")


@etplan_app.command()
def generate(
    out: Annotated[Path, Argument(help="The .jsonl or .jsonl.gz file to write.", metavar="FILE")],
    split: Annotated[
        str, Option(metavar="NAME", panel=TASKS, help="train, val or test; they share no home.")
    ] = "test",
    tasks: Annotated[int, Option(panel=TASKS, help="Number of tasks per row.")] = 200,
    graph: Annotated[
        list[str] | None,
        Option(
            metavar="GRAPH",
            panel=TASKS,
            help="Make tasks in this scene graph of VirtualHome: a JSON file, or eai:ID for the"
            " initial state of an EAI task. Repeatable.",
        ),
    ] = None,
    seed: Annotated[int, Option(panel=TASKS, help="Seed of the tasks.")] = 0,
    model: Annotated[
        str | None,
        Option(
            metavar="NAME",
            panel=MODEL,
            help="Have this model reject unreasonable tasks and reword the others. Its replies are"
            " kept beside FILE.",
        ),
    ] = None,
    concurrency: Annotated[int, Option(min=1, panel=MODEL, help="Concurrent requests.")] = 8,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make tasks for all rows of the paper's table 2, each with its shortest plan.

    Plans are verified by execution. Run them with: homebody run etplan --tasks FILE
    """
    from homebody.authoring.etplan.make import generate as make
    from homebody.core.ground.files import write_whole
    from homebody.suites.etplan.tasks import encode_tasks

    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise HomebodyError(f"{out} is not a .jsonl or .jsonl.gz file", f"name it {out.stem}.jsonl")
    make_out_folder(out.parent)
    graphs = [_read_graph(each) for each in graph or ()]
    with _open_reviewer(model, out, concurrency) as review, progress() as report:
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
    write_whole(out, encode_tasks(made, packed=out.suffix == ".gz"))
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
def _open_reviewer(model: str | None, out: Path, concurrency: int) -> Iterator[Reviewer | None]:
    """Open the model that reviews drafts. Yield None if no model is named."""
    if model is None:
        yield None
        return
    from homebody.authoring.answers import cache_answers
    from homebody.authoring.etplan.by_model import Reviewer
    from homebody.evals.asking import open_text_model

    answers = out.with_name(f"{out.name}.answers.jsonl")
    with (
        open_text_model(model, connections=concurrency) as ask,
        cache_answers(ask, model, answers) as known,
    ):
        yield Reviewer(known, concurrency)


def _read_graph(where: str) -> SceneGraph:
    """Read the scene graph of a file or of an EAI task. Raises HomebodyError."""
    from homebody.core.ground.files import read_bounded
    from homebody.worlds.virtualhome.scene_graph import MAX_BYTES, SceneGraph, read_graph

    if where.startswith("eai:"):
        from homebody.suites.eai.virtualhome.tasks import load_task

        task = load_task(where.removeprefix("eai:")).task
        return SceneGraph(task.initial, task.world.agent)
    with name_file(where):
        return read_graph(read_bounded(Path(where), MAX_BYTES))


@etplan_app.command()
def released(
    folder: Annotated[
        Path, Argument(help="The folder of the seven released files.", metavar="FOLDER")
    ],
    out: Annotated[Path, Argument(help="The .jsonl or .jsonl.gz file to write.", metavar="FILE")],
    graph: Annotated[
        list[str],
        Option(
            metavar="GRAPH",
            panel=TASKS,
            help="Place tasks in this scene graph of VirtualHome: a JSON file, or eai:ID for the"
            " initial state of an EAI task. Repeatable.",
        ),
    ],
) -> None:
    """Place the paper's released tasks in scene graphs that exist, with new plans.

    The reasons why the others cannot be played are counted, and written to FILE.reasons.txt.
    """
    from homebody.authoring.etplan.released_tasks import place_tasks
    from homebody.core.ground.files import write_whole
    from homebody.suites.etplan.released import read_released
    from homebody.suites.etplan.tasks import encode_tasks

    make_out_folder(out.parent)
    tasks = read_released(folder)
    placed, refused = place_tasks(tasks, [_read_graph(each) for each in graph])
    write_whole(out, encode_tasks(placed, packed=out.suffix == ".gz"))
    lines = "".join(f"{name}: {why}\n" for name, why in refused.items())
    write_whole(out.with_name(f"{out.name}.reasons.txt"), lines.encode())
    say(f"{out}: {len(placed)} of {len(tasks)} released tasks")
    for row, count in Counter(task.row for task in placed).items():
        say(f"{row}: {count}")
    for why, count in Counter(why.partition(" (")[0] for why in refused.values()).most_common():
        say(f"{why}: {count}")


@etplan_app.command()
def samples(
    tasks: Annotated[
        Path, Argument(help="A file made by homebody etplan generate.", metavar="TASKS")
    ],
    out: Annotated[Path, Argument(help="The .jsonl file to write.", metavar="FILE")],
    run: Annotated[
        list[Path] | None,
        Option(
            metavar="LOG",
            help="Use a model's successful replies in this log or folder of logs instead of the"
            " expert's. Repeatable.",
        ),
    ] = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Write training data: queries of the default driver, each with the correct reply or a model's
    reply.

    Each line is a chat; the counts per row are printed.
    """
    from homebody.core.ground.engines import all_results
    from homebody.core.ground.files import write_whole
    from homebody.suites.etplan import training

    make_out_folder(out.parent)
    if out.exists() and out.samefile(tasks):
        raise HomebodyError(f"{out} is the file of tasks", "give another file to write")
    asked = _read_tasks(tasks)
    split = training.split_of(asked)
    jobs = [(task, None, None) for task in asked] if run is None else _read_runs(run, asked)
    with progress() as report:
        found = all_results(
            training.replay_samples,
            dict(enumerate(jobs)),
            engine=engine,
            workers=workers,
            progress=report,
            activity="playing",
        )
    made = [*chain.from_iterable(found.values())]
    if not made:
        raise HomebodyError("no run succeeded, so there is no training data")
    write_whole(out, b"".join(sample.line() for sample in made))
    counts = training.statistics(made)
    for row, about in counts.items():
        pairs = about.total() - about["plan"]
        tried = sum(task.row == row for task, _, _ in jobs)
        say(f"{row}: {pairs} queries and {about['plan']} plans of {tried} tasks")
    total = sum(about.total() - about["plan"] for about in counts.values())
    say(f"{out}: {total} queries of {split}")


@etplan_app.command()
def pictures(
    tasks: Annotated[
        Path, Argument(help="A file made by homebody etplan generate.", metavar="TASKS")
    ],
    run: Annotated[
        list[Path],
        Option(metavar="LOG", help="A log or folder of logs with pictures. Repeatable."),
    ],
) -> None:
    """Print precision and recall of the objects that a model listed in pictures, by row."""
    from homebody.suites.etplan.picture_lists import PictureLists, count_lists

    asked = _read_tasks(tasks)
    rows: dict[str, PictureLists] = {}
    for task, answers, settings in _read_runs(run, asked):
        found = count_lists(task, answers or (), settings or {})
        rows[task.row] = rows.get(task.row, PictureLists()) + found
    for row, found in rows.items():
        if found.visible:
            say(f"{row}: precision {found.precision:.1f} %, recall {found.recall:.1f} %")
    if not any(found.visible for found in rows.values()):
        raise HomebodyError("these runs have no pictures", "run with --set observation=pictures")


def _read_tasks(path: Path) -> tuple[EtplanTask, ...]:
    """Read a file of tasks. Raises HomebodyError that names it."""
    from homebody.core.ground.files import read_bounded
    from homebody.suites.etplan.tasks import MAX_BYTES, decode_tasks

    with name_file(path):
        return decode_tasks(read_bounded(path, MAX_BYTES))


def _read_runs(logs: Sequence[Path], tasks: Sequence[EtplanTask]) -> list[training.Recorded]:
    """Read models' replies in runs over tasks.

    Raises:
        HomebodyError: A log belongs to other tasks, or its run used a driver (``--driver``).
    """
    from msgspec import structs

    from homebody.evals.checks import need_inspect

    need_inspect()
    from homebody.evals.logs import read_replies
    from homebody.suites.etplan.rows import ROWS

    by_id = {(task.row, task.id): task for task in tasks}
    runs: list[training.Recorded] = []
    for path in chain.from_iterable(sorted(p.glob("*.eval")) if p.is_dir() else [p] for p in logs):
        for run, name, said in read_replies(path):
            row = ROWS.get(str(run.get("suite")).removeprefix("etplan."))
            task = by_id.get((row.tasks, name)) if row is not None else None
            if row is None or task is None or run.get("driver"):
                raise HomebodyError(
                    f"{path} is not a run of the pipeline over these tasks",
                    "give the tasks that were run: homebody run etplan --tasks TASKS --model MODEL",
                )
            settings = run.get("settings") or {}
            runs.append((structs.replace(task, row=row.name), said, settings))
    return runs
