"""`homebody run`: run models and agents on suites."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import (
    Bounds,
    DriverName,
    FormatName,
    Interrupted,
    OutFolder,
    OwnTasks,
    ProtocolName,
    Settings,
    Strict,
    SuiteName,
    WithReference,
    add_published,
    app,
    complete_agents,
    complete_words,
    make_out_folder,
    prepare_suite,
    print_rows,
    progress,
    read_bounds,
    read_format,
    read_pairs,
    resolve_protocol,
)
from homebody.cli.command import MODEL, OUTPUT, PLAY, PROMPT, TASKS, Exit, Option, is_given
from homebody.cli.printing import note
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from homebody.core import SampleError, Score, Suite
    from homebody.evals.options import Options
    from homebody.results.rows import Row
    from homebody.results.table import Format


@app.command()
def run(
    suite: SuiteName,
    model: Annotated[
        list[str] | None,
        Option(
            "-m",
            metavar="NAME",
            panel=TASKS,
            help="Run this Inspect model, such as openai/gpt-4o. Repeatable.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        Option(
            "-a",
            metavar="NAME",
            panel=TASKS,
            complete=complete_agents,
            help="Run this agent, which needs no model, such as oracle. Repeatable.",
        ),
    ] = None,
    protocol: ProtocolName = "corrected",
    strict: Strict = False,
    limit: Annotated[
        int | None,
        Option(min=1, panel=TASKS, help="Only the first tasks, which may all be of one kind."),
    ] = None,
    task: Annotated[
        list[str] | None,
        Option(
            metavar="ID",
            panel=TASKS,
            help="Only this task, by id or unique prefix. Repeatable; --limit applies to them.",
        ),
    ] = None,
    category: Annotated[
        list[str] | None,
        Option(metavar="NAME", panel=TASKS, help="Only tasks of this category. Repeatable."),
    ] = None,
    capability: Annotated[
        list[str] | None,
        Option(metavar="NAME", panel=TASKS, help="Only tasks of this capability. Repeatable."),
    ] = None,
    family: Annotated[
        list[str] | None,
        Option(metavar="NAME", panel=TASKS, help="Only tasks of this family. Repeatable."),
    ] = None,
    tasks: OwnTasks = None,
    epochs: Annotated[int, Option(min=1, panel=TASKS, help="Number of samples per task.")] = 1,
    temperature: Annotated[
        float,
        Option(
            min=0.0, envvar="INSPECT_EVAL_TEMPERATURE", panel=MODEL, help="Sampling temperature."
        ),
    ] = 0.0,
    max_tokens: Annotated[
        int | None,
        Option(
            min=1,
            envvar="INSPECT_EVAL_MAX_TOKENS",
            panel=MODEL,
            help="Maximum tokens of one reply.",
        ),
    ] = None,
    reasoning_effort: Annotated[
        str | None,
        Option(
            metavar="LEVEL",
            envvar="INSPECT_EVAL_REASONING_EFFORT",
            panel=MODEL,
            help="Reasoning effort of the model: none, minimal, low, medium, high, xhigh or max.",
        ),
    ] = None,
    model_arg: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=VALUE",
            envvar="INSPECT_EVAL_MODEL_ARGS",
            panel=MODEL,
            help="Pass an argument to the model, such as stream=false. Repeatable.",
        ),
    ] = None,
    model_base_url: Annotated[
        str | None,
        Option(
            metavar="URL",
            envvar="INSPECT_EVAL_MODEL_BASE_URL",
            panel=MODEL,
            help="Address of the model's server.",
        ),
    ] = None,
    timeout: Annotated[
        int | None,
        Option(
            min=1,
            metavar="SECONDS",
            envvar=["INSPECT_EVAL_ATTEMPT_TIMEOUT", "INSPECT_EVAL_TIMEOUT"],
            panel=MODEL,
            help="Time limit of one request before it is retried.",
        ),
    ] = None,
    max_retries: Annotated[
        int | None,
        Option(
            min=0,
            envvar="INSPECT_EVAL_MAX_RETRIES",
            panel=MODEL,
            help="Retries of a failed request. 7 if omitted.",
        ),
    ] = None,
    max_connections: Annotated[
        int | None,
        Option(
            min=1,
            envvar="INSPECT_EVAL_MAX_CONNECTIONS",
            panel=MODEL,
            help="Maximum number of concurrent requests.",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        Option(
            min=1,
            max=1024,
            panel=PLAY,
            help="Number of processes for agents. All cores if omitted.",
        ),
    ] = None,
    engine: Annotated[
        str | None,
        Option(
            metavar="ENGINE",
            panel=PLAY,
            complete=complete_words("fork", "pool", "ray", "serial"),
            help="Run agents in copies of this process (fork), in new processes (pool), on Ray"
            " (ray) or in this process (serial).",
        ),
    ] = None,
    seed: Annotated[
        int, Option(min=0, panel=PLAY, help="Seed of agents and of actions that fail by chance.")
    ] = 0,
    replan: Annotated[
        int,
        Option(
            min=0,
            metavar="N",
            panel=PROMPT,
            help="Give feedback on a failed output and retry up to N times (paper: 3).",
        ),
    ] = 0,
    fail_probability: Annotated[
        float,
        Option(min=0.0, max=1.0, panel=PLAY, help="Probability that an action has no effect."),
    ] = 0.0,
    pipeline: Annotated[
        bool,
        Option(
            panel=PROMPT,
            help="Also run with the goals that the model predicted in goal interpretation.",
        ),
    ] = False,
    bound: Bounds = None,
    setting: Settings = None,
    partners: Annotated[
        str | None,
        Option(
            metavar="NAMES",
            panel=PLAY,
            help="Run beside each of these partners, and print a cross-play table: all, or names"
            " such as fair,slow.",
        ),
    ] = None,
    role: Annotated[
        list[str] | None,
        Option(
            metavar="ROLE=MODEL",
            panel=MODEL,
            help="Use another model for a role, such as human=openai/gpt-4o. Repeatable.",
        ),
    ] = None,
    driver: DriverName = None,
    max_context: Annotated[
        int | None,
        Option(
            min=1,
            metavar="TOKENS",
            panel=PROMPT,
            help="Context length of the model; longer conversations are shortened.",
        ),
    ] = None,
    log_dir: Annotated[
        Path,
        Option(
            metavar="DIR",
            envvar="INSPECT_LOG_DIR",
            panel=OUTPUT,
            help="Folder of Inspect's logs and of agents' journals.",
        ),
    ] = Path("logs"),
    reuse: Annotated[
        bool,
        Option(panel=OUTPUT, help="Do not repeat a finished run: take its result from --log-dir."),
    ] = False,
    out: OutFolder = None,
    form: FormatName = "table",
    reference: WithReference = False,
) -> None:
    """Run models or agents on suites; resume an interrupted run.

    A prefix such as eai names all suites that begin with it.
    """
    if partners is not None and reference:
        raise HomebodyError("nothing published is comparable with --partners", "omit --reference")
    from homebody.cli.cross_play import check_seats, cross_play_suite, read_partners
    from homebody.cli.person import PERSON, Person, require_person
    from homebody.results.record import check_place
    from homebody.results.rows import failed_note, make_row
    from homebody.results.writing import keep_run, places
    from homebody.suites import get_suite, list_members

    by_kind = {"category": category, "capability": capability, "family": family}
    groups = {kind: names for kind, names in by_kind.items() if names}

    def run_one(asked: Suite[Any], out: Path | None, show: bool) -> tuple[list[Row], int]:
        """Run one suite; return its rows and the number of failed samples."""
        nonlocal model, protocol, max_tokens, reasoning_effort, model_arg, workers
        if not model and not agent and (usual := os.environ.get("INSPECT_EVAL_MODEL")):
            model = [usual]  # not an envvar of --model: a run of agents ignores it
        if not model and not agent:
            name = next(iter(asked.agents))
            raise HomebodyError(
                "nothing to run",
                f"give --model openai/gpt-4o, or --agent {name} to run without a model",
            )
        protocol = resolve_protocol(protocol, strict)
        rules, form_ = asked.protocol(protocol), read_format(form)
        from homebody import evals
        from homebody.core.ground.engines import cores
        from homebody.evals.endpoints import MAX_REQUEST_RETRIES, read_model_args
        from homebody.evals.options import Options, identity
        from homebody.evals.runner import INTERRUPTED
        from homebody.evals.samples import Setup

        if not model:  # agents ignore the environment
            max_tokens = max_tokens if is_given("max_tokens") else None
            reasoning_effort = reasoning_effort if is_given("reasoning_effort") else None
            model_arg = model_arg if is_given("model_arg") else None
        given_settings = read_pairs(setting, "--set team=centralised")
        of_all = {
            "retries": replan,
            "fail_probability": fail_probability,
            "bounds": read_bounds(bound),
            "settings": given_settings,
            "roles": read_pairs(role, "--role human=openai/gpt-4o"),
        }
        of_models = {
            "driver": driver,
            "max_context": max_context,
            "max_tokens": max_tokens,
            "reasoning_effort": reasoning_effort,
            "model_args": read_model_args(model_arg) if model_arg else None,
        }
        of_agents = {} if model else of_models  # only without a model do agents refuse them

        beside = read_partners(asked, partners) if partners is not None else [{}]

        def variants(is_agent: bool) -> list[Options]:
            given = Options.of(**of_all, **(of_agents if is_agent else of_models))
            return [
                replace(given, pipeline=started, settings={**given.settings, **partner}).validate(
                    asked, rules
                )
                for started in ((False, True) if pipeline else (False,))
                for partner in beside
            ]

        def retries_of(options: Options) -> tuple[bool, ...]:
            return (False, True) if options.retries else (True,)

        runs = [(name, True, variants(True)) for name in agent or ()]
        runs += [(name, False, variants(False)) for name in model or ()]
        if out is not None:
            _require_own_folders(runs)
        make_out_folder(out)
        chosen = prepare_suite(asked, scoring=True)
        own = chosen.select(groups, task or (), rules) if groups else task
        reported = chosen
        if partners is not None:
            check_seats(chosen, given_settings)
            reported = cross_play_suite(chosen)
        for name in agent or ():  # some need a planner or a terminal
            if name == PERSON:
                require_person(chosen)
            else:
                chosen.require_agent(name)
        made_by: dict[str, Any] = {
            "protocol": protocol,
            "limit": limit,
            "epochs": epochs,
            "temperature": temperature,
            "seed": seed,
        }
        rows: list[Row] = []
        finished: list[str] = []

        def check_places(out: Path) -> None:
            """Raise HomebodyError if results of another run would be overwritten."""
            named = Setup(chosen, protocol, options=Options(tasks=own)).task_ids if own else ()
            for name, is_agent, each in runs:
                for options in each:
                    its = replace(options, tasks=list(named))
                    made = identity(chosen, its, **_model_or_agent(name, is_agent), **made_by)
                    for retried in retries_of(options):
                        folder, file = places(out, options.folder(name, retried))
                        check_place(folder, chosen.name, protocol, made, file)

        if out is not None:
            check_places(out)

        def keep(
            label: str,
            folder: str,
            scores: Sequence[Score],
            outputs: Iterable[tuple[str, str]],
            errors: Sequence[SampleError],
            made: Mapping[str, Any],
        ) -> None:
            rows.append(make_row(label, reported, scores, errors))
            if out is not None:
                keep_run(out, folder, chosen, scores, rules, errors, outputs, made)

        if workers is None and sys.platform != "linux":
            workers = cores()  # new processes are safe on a command line
        failed = 0
        try:
            for name, is_agent, each in runs:
                scores_of_all: list[Score] = []
                errors_of_all: list[SampleError] = []
                for options in each:
                    at_keyboard: dict[str, Any] = {}
                    if is_agent and name == PERSON:
                        person = Person(log_dir / f"{chosen.name}_{PERSON}.png")
                        at_keyboard = {"agent": person, "engine": "serial", "workers": 1}
                    # a bar would disturb who types
                    with nullcontext() if at_keyboard else progress(chosen.name) as report:
                        result = evals.run(
                            chosen,
                            **_model_or_agent(name, is_agent)
                            | {"engine": engine if is_agent or not agent else None}
                            | {"workers": workers}
                            | at_keyboard,
                            **made_by,
                            **options.non_defaults(),
                            tasks=own,
                            max_connections=max_connections,
                            max_retries=MAX_REQUEST_RETRIES if max_retries is None else max_retries,
                            model_base_url=None if is_agent else model_base_url,
                            timeout=timeout,
                            log_dir=log_dir,
                            progress=report,
                            tell=note,
                            reuse=reuse or (pipeline and not options.pipeline),
                        )
                    if result.reused:
                        note(f"{name}: took the result of an earlier run, {result.log_path}")
                    failed += len(result.errors)
                    scores_of_all += result.scores
                    errors_of_all += result.errors
                    if result.errors:
                        why = failed_note(result.errors, len(result.scores))
                        note(f"{name}: {why}; see {result.log_path}; run again to retry them")
                    for retried in retries_of(options):
                        keep(
                            options.label(name, retried),
                            options.folder(name, retried),
                            result.scores if retried else result.first_scores,
                            result.outputs if retried else result.first_outputs,
                            result.errors,
                            result.run,
                        )
                if len(beside) > 1:
                    label = f"{name} ({len(beside)} partners)"
                    rows.append(make_row(label, reported, scores_of_all, errors_of_all))
                finished.append(name)
        except KeyboardInterrupt as error:
            raise Interrupted(str(error) or INTERRUPTED) from error
        finally:  # show finished models even if a later one fails
            if rows and show:
                print_rows(rows, reported, rules, form_, reference=reference)
            if finished and len(finished) < len(runs):
                done = ", ".join(finished)
                note(f"finished: {done}; omit these to run only the others")
        return rows, failed

    group = list_members(suite)
    chosen = group or (get_suite(suite),)
    if tasks is not None:
        if sys.platform != "linux":
            workers = 1  # a suite with other tasks cannot be sent to new processes
        given = (each.of_file(tasks) for each in chosen)
        chosen = tuple(each for each in given if each.tasks.load(each.protocol(protocol)))
        if not chosen:
            raise HomebodyError(f"{tasks} has no tasks of {suite}")
    if not group:
        _, failed = run_one(chosen[0], out, True)
    else:
        made: list[tuple[Suite[Any], list[Row]]] = []
        failed = 0
        for number, each in enumerate(chosen, 1):
            note(f"{each.name}, {number} of {len(chosen)}")
            folder = None if out is None else out / each.name.removeprefix(f"{suite}.")
            rows, errors = run_one(each, folder, False)
            made.append((each if partners is None else cross_play_suite(each), rows))
            failed += errors
        _print_group(suite, made, protocol, read_format(form), reference)
    if failed:
        raise Exit(1)


def _print_group(
    group: str,
    made: Sequence[tuple[Suite[Any], Sequence[Row]]],
    protocol: str,
    form: Format,
    reference: bool,
) -> None:
    """Print the rows of several suites; suites with the same columns share a table."""
    tables: dict[tuple[str, ...], list[tuple[Suite[Any], Sequence[Row]]]] = {}
    for suite, own in made:
        parts = suite.reporting
        columns = (*parts.summary.columns, *parts.means, *parts.measures, *parts.tallies)
        tables.setdefault(columns, []).append((suite, own))
    for table in tables.values():
        rows: list[Row] = []
        for suite, own in table:
            among = add_published(own, suite, suite.protocol(protocol)) if reference else ()
            short = suite.name.removeprefix(f"{group}.")
            many = len(own) > 1 or among
            rows += [
                replace(row, name=f"{short}, {row.name}" if many else short) for row in among or own
            ]
        first, _ = table[0]
        print_rows(rows, replace(first, name=group), first.protocol(protocol), form)


def _model_or_agent(name: str, is_agent: bool) -> dict[str, Any]:
    """Return the arguments of :func:`homebody.evals.run` that name the model or agent."""
    return {"model": None if is_agent else name, "agent": name if is_agent else None}


def _require_own_folders(runs: Iterable[tuple[str, bool, Sequence[Options]]]) -> None:
    """Raise HomebodyError if two runs would write their results to the same folder.

    Args:
        runs: Name, whether it is an agent, and the options of each run.
    """
    owners: dict[str, tuple[str, bool]] = {}
    for name, is_agent, each in runs:
        for options, retried in product(each, (False, True)):
            folder = options.folder(name, retried)
            other = owners.setdefault(folder, (name, is_agent))
            if other != (name, is_agent):
                raise HomebodyError(
                    f"the results of {other[0]} and of {name} would share the folder {folder}",
                    "run one after the other, each with its own --out",
                )
