"""`homebody partnr`: make, count, show, draw and verify episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import (
    EngineName,
    Interrupted,
    TextOrJson,
    Workers,
    check_format,
    make_out_folder,
    progress,
)
from homebody.cli.command import MODEL, OUTPUT, TASKS, Argument, Exit, Option
from homebody.cli.partnr_runs import partnr_app
from homebody.cli.printing import remark, say, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape_json

if TYPE_CHECKING:
    from homebody.authoring.partnr.counts import GenerationPlan, Report
    from homebody.authoring.partnr.prompting.records import PromptingReport as ModelReport
    from homebody.goals.partnr import Episode


def _find_file(path: Path) -> Path:
    """Return the file of episodes of that path or, if there is no such file, of that suite."""
    from homebody.suites.partnr.episodes.files import find_own_file

    return path if path.exists() else find_own_file(str(path)) or path


EpisodeFile = Annotated[
    Path,
    Argument(
        help="Episodes as .jsonl(.gz), published episodes as .json(.gz), or partnr.val or"
        " partnr.test.",
        metavar="FILE",
        meaning=_find_file,
    ),
]
First = Annotated[int | None, Option(help="Only the first episodes.", min=1)]
EpisodeId = Annotated[str, Argument(help="Id of an episode in the file.", metavar="ID")]

_TOGETHER = 20
"""Episodes that a process verifies per job."""


@partnr_app.command()
def generate(
    out: Annotated[Path, Argument(help="The folder to write.", metavar="OUT")],
    split: Annotated[
        str, Option(metavar="NAME", panel=TASKS, help="train, val or test; they share no house.")
    ] = "train",
    episodes: Annotated[int, Option(panel=TASKS, help="Number of episodes.")] = 1000,
    engine: EngineName = "pool",
    workers: Workers = None,
    seed: Annotated[int, Option(panel=TASKS, help="Seed of the episodes, 0 to 999.")] = 0,
    seeds: Annotated[
        Path | None,
        Option(
            panel=TASKS,
            help="Adapt these episodes (a file or folder) to other houses. With --model, a folder"
            " of published seed files.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        Option(
            metavar="NAME",
            panel=MODEL,
            help="Have this model write the episodes. Results differ each time.",
        ),
    ] = None,
    concurrency: Annotated[int, Option(min=1, panel=MODEL, help="Concurrent requests.")] = 8,
) -> None:
    """Make episodes that the expert solves; resume if interrupted."""
    from homebody.authoring.partnr import shards
    from homebody.authoring.partnr.counts import GenerationPlan
    from homebody.authoring.partnr.make import make
    from homebody.authoring.partnr.regrounding import from_seeds

    try:
        if model is not None:
            plan = GenerationPlan(split, episodes, seed, model)
            say(*_generate_with_model(out, plan, seeds, concurrency))
            return
        author, plan = make, GenerationPlan(split, episodes, seed)
        if seeds is not None:
            digest = from_seeds.load_episodes(seeds).digest
            author = partial(from_seeds.make, str(seeds))
            plan = GenerationPlan(split, episodes, seed, f"seeds {digest}")
        make_out_folder(out)
        with progress() as report:
            made = shards.generate(
                out, plan, author, engine=engine, workers=workers, progress=report
            )
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; run the same command to resume") from error
    say(*_report_lines(out, made))


@partnr_app.command()
def stats(
    file: EpisodeFile,
    form: TextOrJson = "text",
    most: Annotated[int, Option(min=0, panel=OUTPUT, help="Categories to list per kind.")] = 10,
    seed: Annotated[int, Option(min=0, help="Seed of the sample of compared instructions.")] = 0,
) -> None:
    """Show statistics of a file of episodes beside the paper's."""
    from homebody.authoring.partnr.statistics import format_statistics, statistics
    from homebody.suites.partnr.episodes.files import read_file

    check_format(form, "text", "json")
    result = statistics(_count_episodes(read_file(file)), seed)
    if not result.episodes:
        raise HomebodyError(f"{file} has no episodes")
    if form == "json":
        say_text(escape_json({each.name: getattr(result, each.name) for each in fields(result)}))
    else:
        say_text(format_statistics(result, most))


@partnr_app.command()
def show(file: EpisodeFile, identifier: EpisodeId) -> None:
    """Show an episode: instruction, evaluation and initial state."""
    from homebody.goals.partnr import (
        Annotation,
        EvaluationError,
        write_annotation,
        write_evaluation,
    )
    from homebody.suites.partnr.episodes.files import find
    from homebody.suites.partnr.episodes.kinds import label

    episode, house = find(file, identifier), None
    if episode.house_seed is not None:
        from homebody.suites.partnr.episodes.scene import scene

        house = scene(episode)
    say_text(episode.instruction)
    say("", f"{episode.id}: {label(episode.evaluation)}, in {episode.scene}")
    if house is not None:
        rooms = ", ".join(room.name for room in house.rooms)
        say(f"{len(house.furniture)} pieces of furniture in {rooms}")
    say("", "evaluation", "")
    try:
        say_text(write_annotation(Annotation(episode.instruction, episode.evaluation)))
    except EvaluationError:  # the annotation language cannot express it
        say_text(escape_json(write_evaluation(episode.evaluation)) + "\n")
    say("initial state", "", *_initial_lines(episode))


@partnr_app.command()
def draw(
    file: EpisodeFile,
    identifier: EpisodeId,
    out: Annotated[
        Path | None, Option("-o", panel=OUTPUT, help="The picture to write. ID.svg if omitted.")
    ] = None,
) -> None:
    """Draw an episode's goal as SVG."""
    from homebody.core.ground.files import write_whole
    from homebody.suites.partnr.episodes.files import find
    from homebody.suites.partnr.pictures.goal_picture import draw as drawn
    from homebody.suites.partnr.tasks import PartnrTask

    episode = find(file, identifier)
    name = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in episode.id)
    picture = out or Path(f"{name[:80]}.svg")
    if picture.suffix.lower() != ".svg":
        raise HomebodyError(f"{picture}: pictures of episodes are SVG", "name it *.svg")
    write_whole(picture, drawn(PartnrTask(episode)))
    remark(str(picture))


@partnr_app.command()
def check(
    file: EpisodeFile,
    first: First = None,
    human: Annotated[
        Path | None,
        Option(
            metavar="RESULTS",
            help="Also require that people solved them: a file of `homebody study results -f csv`.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Option("-o", metavar="FILE", panel=OUTPUT, help="Write the episodes without defects."),
    ] = None,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Verify episodes: well-formed, not solved initially, and solved by the expert.

    Lists the defects; the exit code is 1 if there are any.
    """
    from itertools import islice

    from homebody.authoring.partnr.checks.people import find_complaint, read_people
    from homebody.core.ground.engines import finish
    from homebody.suites.partnr.episodes.files import encode, open_whole, read_file

    people = read_people(human) if human is not None else None
    ids: Counter[str] = Counter()
    lines = []
    for episode in islice(read_file(file), first):
        ids[episode.id] += 1
        lines.append(encode(episode))
    wrong = [(name, "the id is not unique") for name, count in ids.items() if count > 1]
    verdicts: dict[int, tuple[str, str]] = {}
    try:
        with progress() as report:
            finish(
                verify_line,
                dict(enumerate(lines)),
                (),
                verdicts.update,
                engine=engine,
                workers=workers,
                together=_TOGETHER,
                progress=report,
                activity="verifying",
            )
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted after {len(verdicts)} episodes") from error
    wrong += [(name, why) for name, why in verdicts.values() if why]
    if people is not None:
        complaints = {name: find_complaint(people.get(name)) for name in ids}
        wrong += [(name, why) for name, why in complaints.items() if why]
    place = {name: number for number, name in enumerate(ids)}
    for name, why in sorted(wrong, key=lambda pair: (place[pair[0]], pair[1])):
        say(f"{name}: {why}")
    defective = {name for name, _ in wrong}
    say(f"{len(lines)} episodes, {len(defective)} defective")
    if out is not None:
        names = (verdicts[number][0] for number in range(len(lines)))
        kept = [line for line, name in zip(lines, names, strict=True) if name not in defective]
        with open_whole(out) as written:
            written.writelines(line + b"\n" for line in kept)
        remark(f"{out}: {len(kept)} episodes")
    if wrong or not lines:
        raise Exit(1)


def verify_line(line: bytes) -> tuple[str, str]:
    """Return the id of an episode and its defect; the defect of a sound episode is empty."""
    from homebody.authoring.partnr.draft import Rejected
    from homebody.authoring.partnr.verify import verify
    from homebody.suites.partnr.episodes.files import decode

    episode = decode(line)
    try:
        verify(episode)
    except (Rejected, HomebodyError) as error:
        return episode.id, " ".join(str(error).split()) or type(error).__name__
    return episode.id, ""


def _initial_lines(episode: Episode) -> Iterator[str]:
    """Yield a line for each object: its place, and its unusual states."""
    states: dict[str, list[str]] = {}
    for state, values in episode.states.items():
        for name, value in values.items():
            word = state.removeprefix("is_").replace("_", " ")
            states.setdefault(name, []).append(word if value else f"not {word}")
    for name, place in sorted(episode.receptacles.items(), key=lambda pair: (pair[1], pair[0])):
        words = ", ".join(states.pop(name, ()))
        yield f"  {place:<32} {name}" + (f" [{words}]" if words else "")
    for name, words_of_name in states.items():
        yield f"  {name} [{', '.join(words_of_name)}]"


def _count_episodes(episodes: Iterator[Episode]) -> Iterator[Episode]:
    with progress() as report:
        for number, episode in enumerate(episodes, 1):
            if not number % 1_000:
                report("reading", number, 0)
            yield episode


def _generate_with_model(
    out: Path, plan: GenerationPlan, path: Path | None, concurrency: int
) -> list[str]:
    """Have a model make episodes; return lines that report the result."""
    from homebody.authoring.partnr.prompting import generate as by_model
    from homebody.authoring.partnr.prompting import sources
    from homebody.authoring.partnr.prompting.records import read_finished
    from homebody.authoring.partnr.regrounding import from_seeds
    from homebody.evals.asking import open_text_model

    model = plan.author
    seeds = from_seeds.load(path) if path is not None else None
    source = sources.free_source()
    if seeds is not None:
        plan = replace(plan, author=f"{model} with seeds {seeds.digest}")
        source = sources.seeded_source(seeds)
    made = read_finished(out, plan)
    if made is None:
        with open_text_model(model, connections=concurrency) as ask, progress() as report:
            make_out_folder(out)
            find = sources.example_finder(seeds, report)
            made = by_model.generate(
                out, plan, ask, source, find, concurrency=concurrency, progress=report
            )
    lines = [
        *_report_lines(out, made),
        f"{made.calls:,} calls; a model's episodes are not reproducible",
    ]
    if made.counts.episodes < plan.episodes:
        lines.append(
            f"{plan.episodes - made.counts.episodes:,} of {plan.episodes:,} episodes are missing;"
            " run the same command to retry"
        )
    return lines


def _report_lines(out: Path, made: Report | ModelReport) -> list[str]:
    counts = made.counts
    lines = [
        f"{out / 'episodes.jsonl.gz'}: {counts.episodes:,} episodes of {made.plan.split}"
        f" in {made.houses} houses",
        f"{counts.acceptance:.1%} of drafts accepted, {counts.seconds:,.0f} s of work,"
        f" at most {counts.megabytes:,.0f} MB",
    ]
    ranked = sorted(counts.rejected.items(), key=lambda pair: (-pair[1], pair[0]))
    lines += [f"  {name:<44} {count:6,} rejected" for name, count in ranked]
    return lines
