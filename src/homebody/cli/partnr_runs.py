"""`homebody partnr`: videos of runs, and traces and fine-tuning data made from runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Workers, app, make_out_folder, note_unscored, progress
from homebody.cli.command import OUTPUT, TASKS, Argument, Exit, Option
from homebody.cli.printing import note, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.suites.partnr.judging.talk import TalkMeasures

partnr_app = app.group("partnr", help="Make, inspect, draw and verify episodes of PARTNR.")
_TOGETHER = 10
"""Runs that a process replays per job."""


Runs = Annotated[
    list[Path],
    Argument(help="A run's <name>_outputs.json files, or folders.", metavar="OUTPUTS..."),
]
Target = Annotated[Path, Option("-o", panel=OUTPUT, help="The .jsonl file to write.")]
OfEpisodes = Annotated[
    Path | None,
    Option(panel=TASKS, help="The episodes of the runs. partnr.val and partnr.test if omitted."),
]


@partnr_app.command()
def traces(
    outputs: Runs,
    out: Target,
    episodes: OfEpisodes = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make traces of successful runs, for --set planner=rag --set traces=FILE."""
    from homebody.suites.partnr.prompting.traces import read_traces, retrieval_quality

    _export("traces", outputs, out, episodes, ("robot", "human"), engine, workers)
    quality = retrieval_quality(read_traces(out))
    if quality is None:
        note("no trace can be an example of another: all have one house or one instruction")
        return
    say(
        f"the example retrieved for a trace has a median similarity of {quality.similarity:.2f}"
        f" and {quality.shared:.0%} of its skills (a random example: {quality.by_chance:.0%})"
    )


@partnr_app.command()
def finetune(
    outputs: Runs,
    out: Target,
    episodes: OfEpisodes = None,
    agent: Annotated[
        str, Option(metavar="ROLE", help="Role whose calls to include: robot, human or both.")
    ] = "both",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make fine-tuning data of successful runs: one chat per call.

    Run a model trained on it with --set planner=finetuned.
    """
    agents = {"robot": ("robot",), "human": ("human",), "both": ("robot", "human")}.get(agent)
    if agents is None:
        raise HomebodyError(f"unknown agent: {agent!r}", "choose one of: robot, human, both")
    _export("chats", outputs, out, episodes, agents, engine, workers)


@partnr_app.command()
def talk(
    silent: Annotated[Path, Argument(help="Outputs of a run without --set talk.", metavar="A")],
    talking: Annotated[
        Path,
        Argument(help="Outputs of the same players with --set talk=room or radio.", metavar="B"),
    ],
    episodes: OfEpisodes = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Measure what talking changes: steps, conflicts, shared knowledge, new messages."""
    from homebody.core.ground.engines import results
    from homebody.results.table import align
    from homebody.suites.partnr.episodes.files import decode
    from homebody.suites.partnr.judging.talk import measure_line

    lines = _read_episodes(episodes)
    first, second = (_read_runs(path) for path in (silent, talking))
    both = [key for key in first if key in second and key[0] in lines]
    if not both:
        raise HomebodyError("the two runs share no episode", "name its file: --episodes PATH")
    jobs = {
        (at, *key): (lines[key[0]], run[key])
        for key in both
        for at, run in enumerate((first, second))
    }
    measured: dict[tuple[int, str, int], TalkMeasures] = {}
    with (
        results(measure_line, jobs, engine=engine, workers=workers, together=_TOGETHER) as found,
        progress() as report,
    ):
        for some in found:
            measured |= some
            report("replaying", len(measured), len(jobs))
    pairs = [(measured[0, *key], measured[1, *key]) for key in both]
    scenes = [decode(lines[name]).scene for name, _ in both]
    say(f"A: {silent}, B: {talking}; {len(both)} runs in {len(set(scenes))} houses")
    say(*align(list(_talk_records(pairs, scenes))).splitlines())
    told = sum(talking.messages for _, talking in pairs)
    if told:
        new = sum(talking.new for _, talking in pairs) / told
        repeated = sum(talking.repeated for _, talking in pairs) / told
        say(f"{told} messages in B: {new:.0%} are new, {repeated:.0%} are repeated")


def _talk_records(
    pairs: Sequence[tuple[TalkMeasures, TalkMeasures]], scenes: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Yield a row for each measure, with the paired differences clustered by house."""
    from homebody.results.comparison_records import paired_cells
    from homebody.results.inference import clustered_mean

    rows: dict[str, tuple[Callable[[TalkMeasures], float], bool]] = {
        "success, %": (lambda run: 100 * run.success, False),
        "steps, where both succeed": (lambda run: run.steps, True),
        "conflicts": (lambda run: run.conflicts, False),
        "rooms searched twice": (lambda run: run.searched_twice, False),
        "agreement, %": (lambda run: 100 * run.agreement, False),
        "messages": (lambda run: run.messages, False),
    }
    for name, (number, solved) in rows.items():
        used = [
            (number(a), number(b), scene)
            for (a, b), scene in zip(pairs, scenes, strict=True)
            if not solved or (a.success and b.success)
        ]
        if used:
            first, second, houses = zip(*used, strict=True)
            of_pairs = clustered_mean([b - a for a, b, _ in used], houses)
            yield {"measure": name, **paired_cells(fmean(first), fmean(second), of_pairs)}


def _read_runs(path: Path) -> dict[tuple[str, int], str]:
    """Return (episode, epoch) -> transcript of the outputs of one model or agent."""
    from homebody.results.outputs import Output, find_outputs, read_outputs

    files = find_outputs(path, "partnr.val")
    if len(files) > 1:
        raise HomebodyError(f"{path} has several runs", f"name one of them: {', '.join(files)}")
    (file,) = files.values()
    known = (each for each in read_outputs(file) if isinstance(each, Output))
    return {(each.identifier, each.epoch): each.text for each in known}


@partnr_app.command()
def replay(
    outputs: Annotated[
        Path,
        Argument(
            help="A run's <name>_outputs.json or log (*.eval; *.jsonl for agents).",
            metavar="OUTPUTS",
        ),
    ],
    task: Annotated[str, Option(panel=TASKS, help="Id of the episode.", metavar="ID")],
    out: Annotated[
        Path,
        Option(
            "-o",
            panel=OUTPUT,
            help="A *.mp4, *.gif, *.webp or *.png (animated), or a folder of frames.",
        ),
    ],
    episodes: OfEpisodes = None,
    epoch: Annotated[
        int, Option(min=1, panel=TASKS, help="Number of the run of the episode, from 1.")
    ] = 1,
    every: Annotated[
        float, Option(metavar="SECONDS", panel=OUTPUT, help="World time between two pictures.")
    ] = 0.5,
    rate: Annotated[int, Option(min=1, max=60, panel=OUTPUT, help="Pictures per second.")] = 8,
) -> None:
    """Render a run as a video: the house from above, and each agent's view and actions."""
    from homebody.core.ground.files import make_folder
    from homebody.suites.partnr.episodes.files import decode
    from homebody.suites.partnr.pictures.replay import MAX_FRAMES, film_run, frames
    from homebody.suites.partnr.tasks import PartnrTask
    from homebody.worlds.house.rendering.video import check_video, write_frames, write_video
    from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

    if not 0.1 <= every <= 60:
        raise HomebodyError(f"--every is {every:g}", "choose 0.1 to 60 seconds")
    if out.suffix:
        check_video(out, 2, 2)
    lines = _read_episodes(episodes)
    if task not in lines:
        raise HomebodyError(
            f"episode {task[:80]!r} is not in {episodes or 'partnr.val or partnr.test'}",
            "give the file of its episodes: --episodes PATH",
        )
    played = PartnrTask(decode(lines[task]))
    film, taken = film_run(
        played, _read_transcript(outputs, task, epoch), round(every * STEPS_PER_SECOND)
    )
    step = -(-len(taken) // MAX_FRAMES)
    with progress() as report:
        made = frames(played, film, [*taken[:-1:step], taken[-1]], report)
        if out.suffix:
            write_video(out, made, rate)
        else:
            make_folder(out)
            write_frames(out, made)
    if step > 1:
        note(f"kept one of {step} pictures: a video has at most {MAX_FRAMES}")
    say(f"{out}: {taken[-1].clock / STEPS_PER_SECOND:.0f} s of {played.id}")


def _read_transcript(path: Path, task: str, epoch: int) -> str:
    """Read the transcript of a task's run. Raises HomebodyError if it does not exist."""
    from homebody.cli.viewed import LOGS
    from homebody.results.outputs import Output, read_outputs

    if path.suffix in LOGS:
        from homebody.evals.logs import read_log

        runs = [output for (name, _), output in read_log(path).outputs.items() if name == task]
    else:
        known = (each for each in read_outputs(path) if isinstance(each, Output))
        runs = [each.text for each in known if each.identifier == task]
    if len(runs) < epoch:
        raise HomebodyError(f"{path} has {len(runs)} runs of {task[:80]!r}", "see: --epoch")
    return runs[epoch - 1]


def _export(
    form: str,
    outputs: Sequence[Path],
    out: Path,
    episodes: Path | None,
    agents: Sequence[str],
    engine: str,
    workers: int | None,
) -> None:
    """Write traces or chats of outputs, in their order."""
    from homebody.core import SampleError
    from homebody.core.ground.engines import results
    from homebody.results.outputs import find_outputs, read_outputs
    from homebody.suites.partnr.episodes.files import open_whole
    from homebody.suites.partnr.prompting import exporting
    from homebody.suites.partnr.prompting.traces import MAX_TRACES

    if out.suffix != ".jsonl":
        raise HomebodyError(f"{out} is not a .jsonl file", "name it *.jsonl")
    make_out_folder(out.parent)
    lines = _read_episodes(episodes)
    runs = []
    unread: dict[str, list[SampleError]] = {}
    for path in outputs:
        for file in find_outputs(path, "partnr.val").values():
            for output in read_outputs(file):
                if isinstance(output, SampleError):
                    unread.setdefault(str(file), []).append(output)
                elif output.identifier in lines:
                    runs.append((lines[output.identifier], output.text))
                else:
                    reason = f"not an episode of {episodes or 'partnr.val or partnr.test'}"
                    error = SampleError(output.identifier, 1, "agent_error", reason)
                    unread.setdefault(str(file), []).append(error)
    if unread and not runs:
        name, (error, *_) = next(iter(unread.items()))
        raise HomebodyError(
            f"{name} has no usable output; the first, {error.identifier[:80]!r}: {error.reason}",
            "give the file of its episodes: --episodes PATH",
        )
    export = partial(exporting.export, form, agents)
    succeeded = count = size = done = 0
    with (
        results(
            export,
            dict(enumerate(runs)),
            engine=engine,
            workers=workers,
            together=_TOGETHER,
            in_order=True,
        ) as exported,
        progress() as report,
        open_whole(out) as written,
    ):
        for some in exported:
            done += len(some)
            report("replaying", done, len(runs))
            written.writelines(chain.from_iterable(some.values()))
            succeeded += sum(map(bool, some.values()))
            count += sum(map(len, some.values()))
            size += sum(map(len, chain.from_iterable(some.values())))
            if form == "traces" and count > MAX_TRACES:
                raise HomebodyError(
                    f"more than {MAX_TRACES:,} traces", "give the outputs of fewer runs"
                )
        if not count:
            raise HomebodyError("none of the runs succeeded", f"{len(runs)} outputs were read")
    say(
        f"{out}: {count:,} {form}, {size / 1e6:,.1f} MB,"
        f" from {succeeded:,} successful runs of {len(runs):,}"
    )
    if episodes is None:
        note(
            "these are episodes of partnr.val or partnr.test; do not evaluate a model there that"
            " was trained on them: use episodes of train"
        )
    if note_unscored(unread):
        raise Exit(1)


def _read_episodes(file: Path | None) -> dict[str, bytes]:
    """Return id -> line for the episodes of a file, or of the suites."""
    from homebody.suites.partnr.episodes.files import encode, read_file
    from homebody.suites.partnr.tasks import load

    if file is not None:
        return {episode.id: encode(episode) for episode in read_file(file)}
    return {task.id: encode(task.episode) for split in ("val", "test") for task in load(split)}
