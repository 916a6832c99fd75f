"""Suites: the definition of a benchmark.

Suite = tasks + scoring + reporting, and prompting (a task is one query) or playing (a session)

Optional parts are :class:`~.published.Published`, :class:`~.viewing.Viewing` and
:class:`Experiments`.
"""

from __future__ import annotations

import math
import re
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from homebody.core.demands import Demands
from homebody.core.goal import is_met
from homebody.core.ground.field_types import check_fields
from homebody.core.ground.files import sha256
from homebody.core.ground.importing import find_import, import_object
from homebody.core.ground.progress import Progress
from homebody.core.ground.seeds import attempt_generator, session_seed
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Dialogue, Image, Player
from homebody.core.play.failures import KEY as LABELS
from homebody.core.play.failures import NOT_PLAYED, FailureAnalysis
from homebody.core.play.replay import replay, retrace
from homebody.core.play.rounds import play
from homebody.core.play.session import Event, Policy, Session
from homebody.core.play.transcript import MAX_ENTRIES, TranscriptEntry, decode
from homebody.core.protocol import CORRECTED, Protocol, resolve_protocol
from homebody.core.published import Published
from homebody.core.score import Measure, Score, cut_text
from homebody.core.viewing import Viewing

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
_NAME = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")


def _do_nothing(*given: object) -> None:
    """Do nothing. It is the default if nothing has to be fetched, made or checked."""


def _return_empty(task: object) -> tuple[()]:
    return ()


def _corrected_only() -> Mapping[str, Protocol]:
    return {CORRECTED.name: CORRECTED}


@dataclass(frozen=True)
class Tasks(Generic[T]):
    """The tasks of a suite.

    Attributes:
        load: ``load(protocol)`` -> all tasks, in the official order.
        identify: Task -> its id, unique in the suite.
        describe: Task -> one line for people.
        prepare: Fetches missing data that the tasks need, and reports progress.
        categories: Task -> the groups by which its metrics are also reported.
        groups: Kind of group -> a function from a task to the names of its groups of this kind, by
            which tasks can be selected. Beside "category", which is ``categories``, a suite can
            have "capability" and "family".
        cluster: Task -> the name of its cluster: similar tasks, for example in the same house,
            share one. Standard errors are clustered. By default each task is its own cluster.
        data: Returns data set -> version, such as ``{"eai-eval": "1.0.5"}``; recorded in every run
            and result.
        read: File -> its tasks; None if tasks cannot be read from files. See
            :meth:`Suite.of_file`.
    """

    load: Callable[[Protocol], Sequence[T]]
    identify: Callable[[T], str]
    describe: Callable[[T], str]
    prepare: Callable[[Progress | None], object] = _do_nothing
    categories: Callable[[T], Sequence[str]] = _return_empty
    groups: Mapping[str, Callable[[T], Sequence[str]]] = field(default_factory=dict)
    cluster: Callable[[T], str] | None = None
    data: Callable[[], Mapping[str, str]] = dict
    read: Callable[[Path], Sequence[T]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Scoring(Generic[T]):
    """The scoring of outputs.

    Attributes:
        score: ``score(task, output, protocol)`` -> the score of any text; never raises.
        protocols: The protocols by name; ``corrected`` is one.
        bounds: Name -> limit of the work for one output.
        score_within: Bounds -> a ``score`` function with these limits; see
            :meth:`Suite.with_bounds`.
        require: Raises HomebodyError if scoring needs something besides the data, such as a
            planner, and it is missing.
    """

    score: Callable[[T, str, Protocol], Score]
    protocols: Mapping[str, Protocol] = field(default_factory=_corrected_only)
    bounds: Mapping[str, float] = field(default_factory=dict)
    score_within: Callable[[Mapping[str, float]], Callable[[T, str, Protocol], Score]] | None = None
    require: Callable[[], object] = _do_nothing

    def __post_init__(self) -> None:
        check_fields(self)


class Rates(typing.Protocol):
    """A function from sums of counts to a nested summary of percentages."""

    def __call__(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """Return the summary of these sums, rounded unless ``exact``."""
        ...


def _no_counts(score: Score) -> Counter[str]:
    return Counter()


def _no_rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Summary:
    """Numbers that are not means over tasks, such as an F1 over all goals: counts are summed, and
    rates computed from the sums.

    Attributes:
        count: Score -> its counts, which are summed over all scores.
        rates: Sums of counts -> the summary, in the schema of the published evaluator.
        columns: Header -> path of keys in the summary.
    """

    count: Callable[[Score], Counter[str]] = _no_counts
    rates: Rates = _no_rates
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Reporting:
    """The reporting of scores: the columns of tables, and the summary.

    Attributes:
        means: Header -> metric; the column has its mean over tasks.
        measures: Header -> number in the scores' records; the column has its mean over the scores
            that have one.
        tallies: Header -> key of a count in the scores' records; the column has its sum.
        summary: Numbers of other kinds, in columns before these. By default the means.
        cross_play: Header -> number in the scores' records, for the table of agents and models
            beside partners (:attr:`Playing.partners`).
        counts_labels: True if columns count the failed runs with each label.
        place: The sort key among the suites of its group; it follows the published table.
    """

    means: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    tallies: Mapping[str, str] = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)
    cross_play: Mapping[str, Measure] = field(default_factory=dict)
    counts_labels: bool = True
    place: int = 0

    def __post_init__(self) -> None:
        check_fields(self)


def _compute_means(reporting: Reporting, scores: Sequence[Score], exact: bool) -> dict[str, Any]:
    """Return the number of tasks and the mean of each metric and measure, unrounded if ``exact``;
    None for measures that no score has."""
    numbers: dict[str, list[float]] = {
        metric: [score.metrics[metric] for score in scores] for metric in reporting.means.values()
    }
    for measure in reporting.measures.values():
        values = [measure.of(score.record) for score in scores]
        numbers[measure.key] = [value for value in values if value is not None]
    means = {key: math.fsum(each) / len(each) if each else None for key, each in numbers.items()}
    rounded = {
        key: mean if exact or mean is None else round(mean, 4) for key, mean in means.items()
    }
    return {"tasks": len(scores), **rounded}


def _return_task(task: T, settings: Mapping[str, str]) -> T:
    return task


@dataclass(frozen=True)
class Prompting(Generic[T]):
    """The prompting of tasks that are one query, whose reply is the output.

    Attributes:
        prompt: Task -> the whole prompt.
        images: Task -> the images after the prompt; may be empty.
        settings: Name of a setting -> its values, the default first.
        set_to: ``set_to(task, settings)`` -> the task in those settings, which are valid. Scoring
            does not depend on them.
        system: Returns the system prompt of all tasks; empty for none.
    """

    prompt: Callable[[T], str]
    images: Callable[[T], Sequence[Image]] = _return_empty
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    set_to: Callable[[T, Mapping[str, str]], T] = _return_task
    system: Callable[[], str] = str

    def __post_init__(self) -> None:
        check_fields(self)

    def text(self, task: T) -> str:
        """Return the whole text that a model receives, the system prompt first."""
        return "\n\n".join(filter(None, (self.system(), self.prompt(task))))


Driver: typing.TypeAlias = Callable[[Any, Mapping[str, Policy]], Dialogue]
"""``driver(session, policies)`` -> models that play the roles without a policy."""
PolicyMaker: typing.TypeAlias = "Callable[[Any, np.random.Generator], Policy]"
"""``make(session, generator)`` -> a policy for any role of that session."""


ORACLES: typing.Final = ("oracle", "expert")
"""Names of the agent that is expected to succeed in every task; the first that exists is used."""


def check_settings(settings: Mapping[str, str], choices: Mapping[str, tuple[str, ...]]) -> None:
    """Raise HomebodyError on unknown settings or values; see :attr:`Playing.settings`."""
    for name, value in settings.items():
        if name not in choices:
            known = ", ".join(choices) or "none"
            raise HomebodyError(f"unknown setting: {name[:80]!r}", f"choose one of: {known}")
        if choices[name] and value not in choices[name]:
            raise HomebodyError(
                f"{name} cannot be {value[:80]!r}", f"choose one of: {', '.join(choices[name])}"
            )


@dataclass(frozen=True)
class Playing(Generic[T]):
    """The playing of tasks in sessions, whose transcripts are the outputs.

    Attributes:
        start: ``start(task, settings, seed, protocol)`` -> a session of the task. ``settings`` has
            the settings that differ from the defaults, and ``seed`` determines everything random.
            Raises HomebodyError if settings are wrong or the task is not possible.
        build: ``build(task)`` -> the shared data of the task's sessions that is slow to make, such
            as its house. Sessions started while it is kept reuse it. Any thread may call it while
            others play. Raises HomebodyError as ``start`` does.
        roles: The roles that can be played.
        planners: Further roles of models, such as a planner that decides for several roles.
        policies: Name -> function that makes a policy, which plays without a model.
        partners: The policies that are made to play beside somebody. They are values of the setting
            with the name of the last role. The first one plays beside people by default.
        settings: Name of a setting -> its values, the default first; no values if any text is
            valid. The setting with the name of a role says who plays it: ``model`` or a policy.
        check_compatible: Raises HomebodyError on settings that exclude each other.
        driver: The driver of models; by default :func:`homebody.drivers.react.react`.
        player: ``player(session, role)`` -> a model that plays one role besides others, possibly
            people; by default :func:`homebody.drivers.react.react_player`.
        max_entries: Maximum number of entries of a transcript.
        analysis: How failed runs are labelled.
        score_impossible: ``score_impossible(task, why)`` -> the score of a task that is not
            possible; without it, scoring such a task raises HomebodyError.
    """

    start: Callable[[T, Mapping[str, str], int, Protocol], Session]
    roles: tuple[str, ...]
    build: Callable[[T], object] = _do_nothing
    policies: Mapping[str, PolicyMaker] = field(default_factory=dict)
    partners: tuple[str, ...] = ()
    planners: tuple[str, ...] = ()
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    check_compatible: Callable[[Mapping[str, str]], object] = _do_nothing
    driver: Driver | None = None
    player: Callable[[Any, str], Player] | None = None
    max_entries: int = MAX_ENTRIES
    analysis: FailureAnalysis = field(default_factory=FailureAnalysis)
    score_impossible: Callable[[T, str], Score] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        chosen = [self.policies, *(self.settings.get(role, ()) for role in self.roles[-1:])]
        if not all(name in names for name in self.partners for names in chosen):
            raise HomebodyError(
                "a partner must be a policy, and a value of the setting of the last role",
                "give Playing(policies=..., settings={ROLE: ('model', ...)}) with its name",
            )

    def check(self, settings: Mapping[str, str]) -> None:
        """Raise HomebodyError on settings that are unknown or exclude each other."""
        check_settings(settings, self.settings)
        self.check_compatible(settings)

    def drop_defaults(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Return the settings that differ from the defaults."""
        defaults = {name: values[0] if values else "" for name, values in self.settings.items()}
        return {name: value for name, value in settings.items() if value != defaults.get(name)}

    def players(
        self, session: Session, settings: Mapping[str, str], generator: np.random.Generator
    ) -> dict[str, Policy]:
        """Return role -> policy, for the roles that settings give to a policy. Roles of the same
        setting share one policy."""
        kinds = {role: settings.get(role, "model") for role in session.roles}
        made = {
            kind: self.policies[kind](session, generator)
            for kind in dict.fromkeys(kinds.values())
            if kind in self.policies
        }
        return {role: made[kind] for role, kind in kinds.items() if kind in made}

    def open_transcript(
        self, task: T, output: str, protocol: Protocol
    ) -> tuple[Session, tuple[TranscriptEntry, ...], str]:
        """Start a session in the settings of a transcript.

        Returns:
            The session, the transcript's entries, and an empty string. If the text is not a valid
            transcript: a session in default settings, no entries, and the reason.

        Raises:
            HomebodyError: the task itself is not possible.
        """
        try:
            transcript = decode(output, self.max_entries)
            planners = (*self.roles, *self.planners)
            for entry in transcript.entries:
                if entry.cycle > 0 and entry.planner not in planners:  # which limit cycles
                    raise HomebodyError(f"unknown planner: {entry.planner!r}")
            session = self.start(task, transcript.settings, transcript.seed, protocol)
            transcript.check_version(session.transcript().version)
        except HomebodyError as error:
            return self.start(task, {}, 0, protocol), (), str(error)
        return session, transcript.entries, ""

    def replay(self, task: T, output: str, protocol: Protocol) -> tuple[Session, str]:
        """Replay a transcript; return the session and what is wrong, as :meth:`open_transcript`."""
        session, entries, problem = self.open_transcript(task, output, protocol)
        return replay(session, entries) if not problem else session, problem

    def score(self, task: T, output: str, protocol: Protocol) -> Score:
        """Score a transcript, and label its failure. An invalid one scores as a session without
        actions.

        Raises:
            HomebodyError: the task itself is not possible, and there is no score for that.
        """
        try:
            session, problem = self.replay(task, output, protocol)
        except HomebodyError as error:
            if self.score_impossible is None:
                raise
            return self.score_impossible(task, str(error))
        score = session.score(protocol)
        record = dict(score.record)
        if problem:
            explanation = f"Nothing was done: {problem}. {record.get('explanation', '')}"
            record["explanation"] = cut_text(explanation)
            record["problem"] = problem
        success = is_met(score.metrics.get("success", session.progress()))
        if success or problem:
            record[LABELS] = [] if success else [NOT_PLAYED]
        else:
            record[LABELS] = self._label(task, output, protocol, record)
        return replace(score, record=record)

    def score_success(self, session: Session) -> Score | None:
        """Return the score of a session that an agent of the suite has just played, if it is a
        success. It is equal to the score of the transcript, without a replay."""
        score = session.score(CORRECTED)
        if not is_met(score.metrics.get("success", session.progress())):
            return None
        return replace(score, record={**score.record, LABELS: []})

    def _label(
        self, task: T, output: str, protocol: Protocol, record: Mapping[str, Any]
    ) -> list[str]:
        """Return the labels of a failed run, which is replayed for its events and its progress."""
        session, entries, _ = self.open_transcript(task, output, protocol)
        events: list[Event] = []
        first, best = session.progress(), 0.0
        for each in retrace(session, entries):
            if isinstance(each, Event):
                events.append(each)
                now = session.progress()
                best = max(best, now if now > first else 0.0)
        return self.analysis.label(session, record, events, best)


@dataclass(frozen=True)
class TextAgent(Generic[T_contra]):
    """An agent that returns the output of a prompted task without a model.

    Attributes:
        answer: ``answer(task, generator)`` -> the output, in the format required of models.
        require: Raises HomebodyError if the agent needs something that is missing, such as a
            planner. None if it needs nothing.
    """

    answer: Callable[[T_contra, np.random.Generator], str]
    require: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class Pipeline(Generic[T]):
    """A pipeline: tasks that start from another suite's outputs (EAI paper, appendix G).

    Attributes:
        first: The first suite. Its tasks have the same ids as the tasks of this suite.
        feed: ``feed(task, output)`` -> the task with the output in place of its annotation, and a
            JSON-serialisable record of that; never raises.
        copied_keys: Keys that are copied from the record of the first score to the record of the
            second score.
    """

    first: Suite[Any]
    feed: Callable[[T, str], tuple[T, Mapping[str, Any]]]
    copied_keys: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Experiments(Generic[T]):
    """Experiments beyond one query per task (EAI paper, section 3 and appendices G and H). An
    attribute is None if the suite does not support the experiment.

    Attributes:
        feedback: ``feedback(task, score)`` -> the faults of an output, for the next attempt; None
            if there are no faults. A suite without a success metric has no feedback.
        unreliable: ``unreliable(task, chance, seed, epoch, attempt)`` -> the task in a world where
            actions have no effect with that probability. It is sampled for each epoch (from 1) and
            attempt (from 0); the task itself if the probability is 0.
        pipeline: The pipeline in which its tasks start from another suite's outputs.
        demands: The demands of its tasks; see :mod:`homebody.results.difficulty`.
    """

    feedback: Callable[[T, Score], str | None] | None = None
    unreliable: Callable[[T, float, int, int, int], T] | None = None
    pipeline: Pipeline[T] | None = None
    demands: Demands[T] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Suite(Generic[T]):
    """A benchmark. Its tasks are either prompted (``prompting``) or played (``playing``).

    Attributes:
        name: Dotted name, as on the command line.
        title: One line for people.
        tasks: The tasks.
        scoring: The scoring of outputs.
        reporting: The reporting of scores.
        prompting: The prompting of tasks.
        playing: The playing of tasks.
        text_agents: Name -> agent that returns outputs without a model. The agents of a played
            suite are its policies.
        published: Its relation to a published benchmark, if it has one.
        viewing: The viewing of its samples, beyond text and numbers.
        experiments: Further experiments.
        prompt_version: Version of the texts that models receive: prompts, observations, feedback.
            Raise it when any wording changes: a new wording is a new task.
    """

    name: str
    title: str
    tasks: Tasks[T]
    scoring: Scoring[T]
    reporting: Reporting = field(default_factory=Reporting)
    prompting: Prompting[T] | None = None
    playing: Playing[T] | None = None
    text_agents: Mapping[str, TextAgent[T]] = field(default_factory=dict)
    published: Published[T] = field(default_factory=Published)
    viewing: Viewing[T] = field(default_factory=Viewing)
    experiments: Experiments[T] = field(default_factory=Experiments)
    prompt_version: int = 1

    def __post_init__(self) -> None:
        check_fields(self)
        if not _NAME.fullmatch(self.name):
            raise HomebodyError(
                f"a suite cannot be called {self.name!r}", "for example: pantry.put_away"
            )
        if self.prompting is None and self.playing is None:
            raise HomebodyError(
                f"the suite {self.name} has neither prompting nor playing",
                "give Suite(prompting=Prompting(...)) or Suite(playing=Playing(...))",
            )

    def __reduce_ex__(self, version: typing.Any) -> Any:
        """Pickle a suite of a module as an import, and any other suite by its parts. Ray can send
        parts that are lambdas; :mod:`multiprocessing` cannot."""
        place = find_import(self, getattr(self.tasks.load, "__module__", ""))
        return super().__reduce_ex__(version) if place is None else (import_object, place)

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of all agents."""
        return (*self.text_agents, *(self.playing.policies if self.playing is not None else ()))

    @property
    def oracle(self) -> str | None:
        """The agent that is expected to succeed in every task; None if no agent is."""
        return next((name for name in ORACLES if name in self.agents), None)

    @property
    def usual_partner(self) -> str:
        """The policy that plays beside people, unless another one is named."""
        partners = self.playing.partners if self.playing is not None else ()
        return partners[0] if partners else self.oracle or "idle"

    @property
    def settings(self) -> Mapping[str, tuple[str, ...]]:
        """The settings of its tasks; see :class:`Playing` and :class:`Prompting`."""
        part = self.playing or self.prompting
        return part.settings if part is not None else {}

    @property
    def models(self) -> tuple[str, ...]:
        """The roles and planners that models can play. Each can have a different model."""
        playing = self.playing
        return (*playing.roles, *playing.planners) if playing is not None else ()

    def check_settings(self, settings: Mapping[str, str]) -> None:
        """Raise HomebodyError on settings that the suite does not have."""
        if self.playing is not None:
            self.playing.check(settings)
        elif settings and not self.settings:
            raise HomebodyError(f"the tasks of {self.name} are not played, and have no settings")
        else:
            check_settings(settings, self.settings)

    def of_file(self, path: Path) -> Suite[T]:
        """Return the suite with the tasks of a file in place of its own. The file may have no
        tasks.

        Raises:
            HomebodyError: the suite cannot read tasks from files, or the file is invalid.
        """
        if self.tasks.read is None:
            raise HomebodyError(f"{self.name} cannot read tasks from a file", "omit --tasks")
        try:
            tasks = self.tasks.read(path)
        except HomebodyError as error:
            raise HomebodyError(f"{path}: {error}", error.hint) from error
        versions = {**self.tasks.data(), "tasks": sha256(path)[:16]}
        own = replace(
            self.tasks,
            load=lambda protocol: tasks,
            prepare=_do_nothing,
            data=lambda: versions,
            read=None,
        )
        return replace(self, tasks=own)

    def with_bounds(self, bounds: Mapping[str, float]) -> Suite[T]:
        """Return the suite with other limits of work. Raises HomebodyError on a limit that the
        suite does not have, that is not positive, or that is not a whole number although its
        default is."""
        if not bounds:
            return self
        scoring = self.scoring
        changed = dict(scoring.bounds)
        for name, value in bounds.items():
            if name not in scoring.bounds or scoring.score_within is None:
                known = ", ".join(f"{k}={v:g}" for k, v in scoring.bounds.items()) or "none"
                raise HomebodyError(f"{self.name} has no bound {name!r}", f"it has: {known}")
            whole = isinstance(scoring.bounds[name], int)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise HomebodyError(f"the bound {name} must be a positive number")
            if whole and value != int(value):
                raise HomebodyError(f"the bound {name} must be a whole number, not {value:g}")
            changed[name] = int(value) if whole else float(value)
        assert scoring.score_within is not None
        return replace(
            self, scoring=replace(scoring, score=scoring.score_within(changed), bounds=changed)
        )

    def task(self, name: str, protocol: Protocol = CORRECTED) -> T:
        """Return the task of a protocol by its id, or by a unique prefix of its id; a prefix of
        whole parts goes first: ``home-1`` is ``home-1-3`` rather than ``home-12-0``. Raises
        HomebodyError if there is no such task."""
        tasks = {self.tasks.identify(task): task for task in self.tasks.load(protocol)}
        longer = [other for other in tasks if name and other.startswith(name) and other != name]
        longer = [other for other in longer if not other[len(name)].isalnum()] or longer
        found = name if name in tasks else longer[0] if len(longer) == 1 else None
        if found is None:
            near = longer[:5] or get_close_matches(name[:80], tasks)
            similar = f"; {'it begins' if longer else 'similar:'} {', '.join(near)}" if near else ""
            raise HomebodyError(
                f"{self.name} has no task {name[:80]!r}{similar}",
                f"see: homebody list {self.name}",
            )
        return tasks[found]

    def select(
        self,
        groups: Mapping[str, Sequence[str]],
        names: Sequence[str] = (),
        protocol: Protocol = CORRECTED,
    ) -> list[str]:
        """Return the ids of tasks that are in one of the named groups of each kind.

        Args:
            groups: Kind of group -> names of groups.
            names: Ids or unique prefixes of the tasks to select from; all if empty.
            protocol: The protocol of the tasks.

        Raises:
            HomebodyError: A group or task does not exist, or no task is in all kinds of groups.
        """
        tasks: Sequence[T] = [self.task(name, protocol) for name in names]
        tasks = tasks or self.tasks.load(protocol)
        kinds = {"category": self.tasks.categories, **self.tasks.groups}
        for kind, wanted in groups.items():
            own = kinds.get(kind, _return_empty)
            known = sorted({name for task in self.tasks.load(protocol) for name in own(task)})
            for name in wanted:
                if name not in known:
                    advice = f"choose one of: {', '.join(known)}" if known else f"omit --{kind}"
                    raise HomebodyError(f"{self.name} has no {kind} {name[:80]!r}", advice)
            tasks = [task for task in tasks if not set(wanted).isdisjoint(own(task))]
        if not tasks:
            raise HomebodyError(f"no task of {self.name} is in all of these groups")
        return [self.tasks.identify(task) for task in tasks]

    def score(self, task: T, output: str, protocol: Protocol = CORRECTED) -> Score:
        """Score an output; any text gets a score. Raises HomebodyError if the task was loaded for a
        protocol with another world, or if the suite does not support the protocol: it has unknown
        quirks, or is strict although the suite has no strict protocol."""
        rules = self._resolve_protocol(protocol)
        is_loaded_for = self.published.is_loaded_for
        if is_loaded_for is not None and not is_loaded_for(task, rules):
            raise HomebodyError(
                f"{self.tasks.identify(task)} was loaded for another protocol than"
                f" {rules.name}, with another world",
                "load it for the protocol that judges it: suite.task(id, protocol)",
            )
        return self._add_cluster(task, self.scoring.score(task, output, rules))

    def score_played(self, task: T, session: Session, protocol: Protocol = CORRECTED) -> Score:
        """Score a session that an agent of the suite has just played (:meth:`play`), as
        :meth:`score` scores its transcript. A success is not replayed."""
        playing, rules = self.playing, self._resolve_protocol(protocol)
        if playing is not None and self.scoring.score == playing.score and rules == CORRECTED:
            score = playing.score_success(session)
            if score is not None:
                return self._add_cluster(task, score)
        return self.score(task, session.transcript().encode(), rules)

    def _add_cluster(self, task: T, score: Score) -> Score:
        cluster = self.tasks.cluster or self.tasks.identify
        return replace(score, cluster=cluster(task))

    def summarise(self, scores: Iterable[Score], *, exact: bool = False) -> dict[str, Any]:
        """Return the summary of scores, rounded like the published summary unless ``exact``. By
        default it has the means in the suite's tables."""
        reporting = self.reporting
        if reporting.summary.rates is _no_rates:
            return _compute_means(reporting, [score for score in scores if score.valid], exact)
        sums: Counter[str] = Counter()
        for score in scores:
            sums.update(reporting.summary.count(score))
        return reporting.summary.rates(sums, exact=exact)

    def protocol(self, name: str | Protocol) -> Protocol:
        """Return a protocol by name, or check a protocol object. Raises HomebodyError if the suite
        does not support it."""
        if isinstance(name, Protocol):
            return self._resolve_protocol(name)
        try:
            return self.scoring.protocols[name]
        except KeyError:
            raise HomebodyError(
                f"{self.name} has no protocol {name!r}",
                f"choose one of: {', '.join(self.scoring.protocols)}",
            ) from None

    def _resolve_protocol(self, protocol: Protocol) -> Protocol:
        strict = any(own.strict for own in self.scoring.protocols.values())
        return resolve_protocol(
            protocol, CORRECTED, self.published.quirks, self.published.choices, strict=strict
        )

    def require_agent(self, name: str, settings: Mapping[str, str] | None = None) -> None:
        """Raise HomebodyError if there is no such agent, if something that it needs is missing, or
        if settings give all roles to others."""
        if name not in self.agents:
            raise HomebodyError(
                f"{self.name} has no agent {name!r}", f"choose one of: {', '.join(self.agents)}"
            )
        playing = self.playing
        chosen = {} if playing is None else playing.drop_defaults(settings or {})
        if playing is not None and all(role in chosen for role in playing.roles):
            raise HomebodyError(
                f"the settings leave no role to the agent {name!r}",
                f"omit one of {', '.join(playing.roles)}",
            )
        agent = self.text_agents.get(name)
        if agent is not None and agent.require is not None:
            agent.require()

    def answer(
        self,
        agent: str,
        task: T,
        *,
        settings: Mapping[str, str] | None = None,
        seed: int = 0,
        epoch: int = 1,
        attempt: int = 0,
    ) -> str:
        """Return an agent's output for a task; for a played task, the transcript of a session in
        which the agent plays the roles that settings give to nobody else.

        Args:
            agent: One of :attr:`agents`.
            settings: The settings that differ from the defaults.
            seed: The seed; with the task's id, epoch and attempt it determines everything random.
            epoch: The number of the epoch, from 1.
            attempt: The number of the attempt, from 0.

        Raises:
            HomebodyError: there is no such agent, settings are wrong or leave it no role, or the
                task is not possible.
        """
        if agent in self.text_agents:
            self.require_agent(agent, settings)
            generator = attempt_generator(seed, self.tasks.identify(task), epoch, attempt)
            return self.text_agents[agent].answer(task, generator)
        session = self.play(agent, task, settings=settings, seed=seed, epoch=epoch, attempt=attempt)
        return session.transcript().encode()

    def play(
        self,
        agent: str,
        task: T,
        *,
        settings: Mapping[str, str] | None = None,
        seed: int = 0,
        epoch: int = 1,
        attempt: int = 0,
    ) -> Session:
        """Return the finished session of an agent that plays a task; see :meth:`answer`."""
        self.require_agent(agent, settings)
        generator = attempt_generator(seed, self.tasks.identify(task), epoch, attempt)
        playing = self.playing
        assert playing is not None
        chosen = playing.drop_defaults(settings or {})
        session = playing.start(task, chosen, session_seed(seed, epoch), CORRECTED)
        policy = playing.policies[agent](session, generator)
        others = playing.players(session, chosen, generator)
        return play(session, dict.fromkeys(session.roles, policy) | others)
