"""PARTNR's runs from the shell: shown as films, and made into traces and samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

from homebody.cli.app import EngineName, Workers, app, make_out_folder, note_unscored, progress
from homebody.cli.command import Argument, Exit, Option
from homebody.cli.printing import note, say
from homebody.core import HomebodyError

partnr_app = app.group("partnr", help="Make, inspect, picture and verify episodes of PARTNR.")
_TOGETHER = 10
"""Runs that a process plays again at a time."""


Runs = Annotated[
    list[Path],
    Argument(help="<name>_outputs.json that a run wrote, or folders", metavar="OUTPUTS..."),
]
Target = Annotated[Path, Option("--out", "-o", help="The .jsonl file to write")]
OfEpisodes = Annotated[
    Path | None,
    Option(help="The episodes that were played; those of partnr.val and test if left out"),
]


@partnr_app.command()
def traces(
    outputs: Runs,
    out: Target,
    episodes: OfEpisodes = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make solved traces of runs that succeeded, for --set planner=rag --set traces=FILE."""
    _export("traces", outputs, out, episodes, ("robot", "human"), engine, workers)


@partnr_app.command()
def finetune(
    outputs: Runs,
    out: Target,
    episodes: OfEpisodes = None,
    agent: Annotated[str, Option(help="Whose calls: robot, human or both")] = "both",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make samples for fine-tuning of runs that succeeded, one chat for each call.

    A model trained on them plays with --set planner=finetuned.
    """
    agents = {"robot": ("robot",), "human": ("human",), "both": ("robot", "human")}.get(agent)
    if agents is None:
        raise HomebodyError(f"there is no agent {agent!r}", "choose robot, human or both")
    _export("chats", outputs, out, episodes, agents, engine, workers)


@partnr_app.command()
def replay(
    outputs: Annotated[
        Path,
        Argument(
            help="<name>_outputs.json that a run wrote, or its log (*.eval; of an agent, *.jsonl)",
            metavar="OUTPUTS",
        ),
    ],
    task: Annotated[str, Option("--task", help="The episode's id", metavar="ID")],
    out: Annotated[
        Path,
        Option(
            "--out", "-o", help="*.mp4, *.gif, *.webp or *.png (animated), or a folder for frames"
        ),
    ],
    episodes: OfEpisodes = None,
    epoch: Annotated[int, Option(min=1, help="Which run of the episode")] = 1,
    every: Annotated[float, Option(help="Seconds in the house between two pictures")] = 0.5,
    rate: Annotated[int, Option(min=1, max=60, help="Pictures a second")] = 8,
) -> None:
    """Show a run as a film: the plan from above, what each agent sees, and what it does."""
    from homebody.core.ground.files import make_folder
    from homebody.suites.partnr.episodes.files import decode
    from homebody.suites.partnr.pictures.replay import MAX_FRAMES, filmed, frames
    from homebody.suites.partnr.tasks import PartnrTask
    from homebody.worlds.house.rendering.video import check_video, write_frames, write_video
    from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

    if not 0.1 <= every <= 60:
        raise HomebodyError(f"a picture every {every:g} s", "choose 0.1 to 60")
    if out.suffix:
        check_video(out, 2, 2)
    lines = _read_episodes(episodes)
    if task not in lines:
        raise HomebodyError(
            f"there is no episode {task[:80]!r} in {episodes or 'partnr.val or partnr.test'}",
            "name the file of its episodes: --episodes FILE",
        )
    played = PartnrTask(decode(lines[task]))
    film, taken = filmed(
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
        note(f"one of {step} pictures: a film has {MAX_FRAMES} at most")
    say(f"{out}: {taken[-1].clock / STEPS_PER_SECOND:.0f} s of {played.id}")


def _read_transcript(path: Path, task: str, epoch: int) -> str:
    """The transcript of a run of a task. Raises HomebodyError if there is none."""
    from homebody.cli.viewed import LOGS
    from homebody.results.outputs import Output, read_outputs

    if path.suffix in LOGS:
        from homebody.evals.logs import read_log

        runs = [output for (name, _), output in read_log(path).outputs.items() if name == task]
    else:
        known = (one for one in read_outputs(path) if isinstance(one, Output))
        runs = [one.text for one in known if one.identifier == task]
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
    """Traces or chats of outputs, in their order."""
    from homebody.core import SampleError
    from homebody.core.ground.engines import results
    from homebody.results.outputs import find_outputs, read_outputs
    from homebody.suites.partnr.episodes.files import whole
    from homebody.suites.partnr.prompting import exporting
    from homebody.suites.partnr.prompting.traces import MAX_TRACES

    if out.suffix != ".jsonl":
        raise HomebodyError(f"{out}: what is written has a line for each", "name it *.jsonl")
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
                    reason = f"no episode of {episodes or 'partnr.val or partnr.test'}"
                    error = SampleError(output.identifier, 1, "agent_error", reason)
                    unread.setdefault(str(file), []).append(error)
    if unread and not runs:
        name, (error, *_) = next(iter(unread.items()))
        raise HomebodyError(
            f"{name} has no output that can be used; the first, {error.identifier[:80]!r}:"
            f" {error.reason}",
            "name the file of its episodes: --episodes FILE",
        )
    export = partial(exporting.export, form, agents)
    succeeded = count = size = done = 0
    with (
        results(
            *(export, dict(enumerate(runs))),
            engine=engine,
            workers=workers,
            together=_TOGETHER,
            in_order=True,
        ) as exported,
        progress() as report,
        whole(out) as written,
    ):
        for some in exported:
            done += len(some)
            report("playing again", done, len(runs))
            written.writelines(chain.from_iterable(some.values()))
            succeeded += sum(map(bool, some.values()))
            count += sum(map(len, some.values()))
            size += sum(map(len, chain.from_iterable(some.values())))
            if form == "traces" and count > MAX_TRACES:
                raise HomebodyError(
                    f"these are more than {MAX_TRACES:,} traces", "give the outputs of fewer runs"
                )
        if not count:
            raise HomebodyError("none of the runs succeeded", f"{len(runs)} outputs were read")
    say(
        f"{out}: {count:,} {form}, {size / 1e6:,.1f} MB,"
        f" of {succeeded:,} runs that succeeded, out of {len(runs):,}"
    )
    if episodes is None:
        note(
            "these are of partnr.val or partnr.test; a model that has seen them is no longer"
            " evaluated there: take episodes of train"
        )
    if note_unscored(unread):
        raise Exit(1)


def _read_episodes(file: Path | None) -> dict[str, bytes]:
    """Id -> line, of the episodes of a file, or of the suites."""
    from homebody.suites.partnr.episodes.files import encode, read_file
    from homebody.suites.partnr.tasks import load

    if file is not None:
        return {episode.id: encode(episode) for episode in read_file(file)}
    return {task.id: encode(task.episode) for split in ("val", "test") for task in load(split)}
