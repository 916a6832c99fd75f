"""PARTNR's episodes: made, counted, looked into, pictured and verified from the shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Interrupted, Workers, progress, writable
from homebody.cli.command import Argument, Exit, Option
from homebody.cli.partnr_runs import partnr_app
from homebody.cli.printing import remark, say, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape_json

if TYPE_CHECKING:
    from homebody.authoring.partnr.counts import GenerationPlan, Report
    from homebody.authoring.partnr.prompting.records import PromptingReport as ModelReport
    from homebody.goals.partnr import Episode


def _file(path: Path) -> Path:
    """A file of episodes; the name of a suite is that of its own, unless a file is called so."""
    from homebody.suites.partnr.episodes.files import own

    return path if path.exists() else own(str(path)) or path


EpisodeFile = Annotated[
    Path,
    Argument(
        help="Episodes: .jsonl(.gz), or published ones, .json(.gz); partnr.val and partnr.test are"
        " those of the suites",
        metavar="FILE",
        meaning=_file,
    ),
]
First = Annotated[int | None, Option(help="Only so many, from the beginning", min=1)]
EpisodeId = Annotated[str, Argument(help="An episode of the file", metavar="ID")]

_TOGETHER = 20
"""Episodes that are verified as one job."""


@partnr_app.command()
def generate(
    out: Annotated[Path, Argument(help="A folder to write into", metavar="OUT")],
    split: Annotated[str, Option(help="train, val or test: no two share a house")] = "train",
    episodes: Annotated[int, Option(help="How many")] = 1000,
    engine: EngineName = "pool",
    workers: Workers = None,
    seed: Annotated[int, Option(help="Another seed makes other episodes")] = 0,
    seeds: Annotated[
        Path | None,
        Option(
            help="Adapt these to other houses: a file or folder of episodes, or, with a model, a"
            " folder of published seed files"
        ),
    ] = None,
    model: Annotated[
        str | None,
        Option(help="A model writes them, such as openai/gpt-4o; others each time"),
    ] = None,
    concurrency: Annotated[int, Option(min=1, help="How often a model is asked at once")] = 8,
) -> None:
    """Make episodes that the expert solves; ended early, the same command goes on."""
    from homebody.authoring.partnr import shards
    from homebody.authoring.partnr.counts import GenerationPlan
    from homebody.authoring.partnr.make import make
    from homebody.authoring.partnr.regrounding import from_seeds

    try:
        if model is not None:
            plan = GenerationPlan(split, episodes, seed, model)
            say(*_by_model(out, plan, seeds, concurrency))
            return
        author, plan = make, GenerationPlan(split, episodes, seed)
        if seeds is not None:
            digest = from_seeds.load_episodes(seeds).digest
            author = partial(from_seeds.make, str(seeds))
            plan = GenerationPlan(split, episodes, seed, f"seeds {digest}")
        writable(out)
        with progress() as report:
            made = shards.generate(
                out, plan, author, engine=engine, workers=workers, progress=report
            )
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; the same command goes on where it ended") from error
    say(*_made(out, made))


@partnr_app.command()
def stats(
    file: EpisodeFile,
    form: Annotated[str, Option("--format", "-f", help="text or json")] = "text",
    most: Annotated[int, Option(min=0, help="Categories of each kind that are listed")] = 10,
    seed: Annotated[int, Option(min=0, help="Of the instructions that are compared")] = 0,
) -> None:
    """What a file of episodes is like, beside the paper's figures of its own."""
    from homebody.authoring.partnr.statistics import described, statistics
    from homebody.suites.partnr.episodes.files import read_file

    if form not in ("text", "json"):
        raise HomebodyError(f"there is no format {form!r}", "choose text or json")
    result = statistics(_reported(read_file(file)), seed)
    if not result.episodes:
        raise HomebodyError(f"{file} has no episodes")
    if form == "json":
        say_text(escape_json({each.name: getattr(result, each.name) for each in fields(result)}))
    else:
        say_text(described(result, most))


@partnr_app.command()
def show(file: EpisodeFile, identifier: EpisodeId) -> None:
    """An episode: what is asked, how it is judged, and how things are at first."""
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
    say("", "how it is judged", "")
    try:
        say_text(write_annotation(Annotation(episode.instruction, episode.evaluation)))
    except EvaluationError:  # there is more in it than this text can say
        say_text(escape_json(write_evaluation(episode.evaluation)) + "\n")
    say("at first", "", *_at_first(episode))


@partnr_app.command()
def draw(
    file: EpisodeFile,
    identifier: EpisodeId,
    out: Annotated[
        Path | None, Option("--out", "-o", help="The picture to write; ID.svg if left out")
    ] = None,
) -> None:
    """Draw what an episode asks for, as SVG."""
    from homebody.core.ground.files import write_whole
    from homebody.suites.partnr.episodes.files import find
    from homebody.suites.partnr.pictures.draw import draw as drawn
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
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Verify episodes again: well-formed, not done at first, and solved by the expert.

    Says what is wrong with which; the exit code is 1 if anything is.
    """
    from itertools import islice

    from homebody.core.ground.engines import finish
    from homebody.suites.partnr.episodes.files import encode, read_file

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
                *(verified, dict(enumerate(lines)), (), verdicts.update),
                engine=engine,
                workers=workers,
                together=_TOGETHER,
                progress=report,
                activity="verifying",
            )
    except KeyboardInterrupt as error:
        raise Interrupted(f"interrupted after {len(verdicts)} episodes") from error
    wrong += [(name, why) for name, why in verdicts.values() if why]
    place = {name: number for number, name in enumerate(ids)}
    for name, why in sorted(wrong, key=lambda pair: (place[pair[0]], pair[1])):
        say(f"{name}: {why}")
    say(f"{len(lines)} episodes, {len({name for name, _ in wrong})} with something wrong")
    if wrong or not lines:
        raise Exit(1)


def verified(line: bytes) -> tuple[str, str]:
    """The id of an episode, and what is wrong with it, or nothing."""
    from homebody.authoring.partnr.draft import Rejected
    from homebody.authoring.partnr.verify import verify
    from homebody.suites.partnr.episodes.files import decode

    episode = decode(line)
    try:
        verify(episode)
    except (Rejected, HomebodyError) as error:
        return episode.id, " ".join(str(error).split()) or type(error).__name__
    return episode.id, ""


def _at_first(episode: Episode) -> Iterator[str]:
    """Where things are, a line for each, and which states are not as they mostly are."""
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


def _reported(episodes: Iterator[Episode]) -> Iterator[Episode]:
    with progress() as report:
        for number, episode in enumerate(episodes, 1):
            if not number % 1_000:
                report("reading", number, 0)
            yield episode


def _by_model(out: Path, plan: GenerationPlan, path: Path | None, concurrency: int) -> list[str]:
    """Has a model make episodes, and says what came of it, in lines."""
    from homebody.authoring.partnr.prompting import generate as by_model
    from homebody.authoring.partnr.prompting import sources
    from homebody.authoring.partnr.prompting.records import finished
    from homebody.authoring.partnr.regrounding import from_seeds
    from homebody.evals.asking import asking

    model = plan.author
    seeds = from_seeds.load(path) if path is not None else None
    source = sources.freely()
    if seeds is not None:
        plan = replace(plan, author=f"{model} with seeds {seeds.digest}")
        source = sources.after(seeds)
    made = finished(out, plan)
    if made is None:
        with asking(model, connections=concurrency) as ask, progress() as report:
            writable(out)
            find = sources.examples(seeds, report)
            made = by_model.generate(
                out, plan, ask, source, find, concurrency=concurrency, progress=report
            )
    lines = [*_made(out, made), f"{made.calls:,} calls; a model's episodes cannot be made again"]
    if made.counts.episodes < plan.episodes:
        lines.append(
            f"of {plan.episodes:,} episodes {plan.episodes - made.counts.episodes:,} did not come"
            " about; the same command tries again"
        )
    return lines


def _made(out: Path, made: Report | ModelReport) -> list[str]:
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
