"""Suites: what a benchmark is, in halves by who asks.

Suite = tasks + scoring + reporting, and prompting (a task is one question) or playing (a session)

What only some suites have is in records beside these: :class:`~.published.Published`,
:class:`~.viewing.Viewing` and :class:`Experiments`.
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
from homebody.core.ground.field_types import check_fields
from homebody.core.ground.files import sha256
from homebody.core.ground.importing import found_at, imported
from homebody.core.ground.progress import Progress
from homebody.core.ground.seeds import attempt_generator, session_seed
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Dialogue, Image, Player
from homebody.core.play.replay import replay
from homebody.core.play.rounds import play
from homebody.core.play.session import Policy, Session
from homebody.core.play.transcript import MAX_ENTRIES, TranscriptEntry, decode
from homebody.core.protocol import CORRECTED, Protocol, judged_by
from homebody.core.published import Published
from homebody.core.score import Measure, Score, cut_text
from homebody.core.viewing import Viewing

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
_NAME = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")


def _nothing(*given: object) -> None:
    """Do nothing: there is nothing to fetch, to make or to refuse."""


def _no_groups(task: object) -> tuple[()]:
    return ()


def _only_corrected() -> Mapping[str, Protocol]:
    return {CORRECTED.name: CORRECTED}


@dataclass(frozen=True)
class Tasks(Generic[T]):
    """What the tasks are.

    Attributes:
        load: ``load(protocol)`` -> all tasks, in the official order.
        identify: Task -> its id, unique in the suite.
        describe: Task -> one line for people.
        prepare: Fetches the data that the tasks need, if it is not there, and tells its progress.
        categories: Task -> the groups that its metrics are also reported by.
        cluster: Task -> what it shares with others that are like it, such as the house: standard
            errors are those of drawing other clusters. Its id if it shares nothing.
        data: What the tasks are made of -> its version, such as ``{"eai-eval": "1.0.5"}``: it
            stands in every run and with all results.
        read: The tasks of a file that somebody made; None if there are no such files. See
            :meth:`Suite.of_file`.
    """

    load: Callable[[Protocol], Sequence[T]]
    identify: Callable[[T], str]
    describe: Callable[[T], str]
    prepare: Callable[[Progress | None], object] = _nothing
    categories: Callable[[T], Sequence[str]] = _no_groups
    cluster: Callable[[T], str] | None = None
    data: Callable[[], Mapping[str, str]] = dict
    read: Callable[[Path], Sequence[T]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Scoring(Generic[T]):
    """How an output is judged.

    Attributes:
        score: ``score(task, output, protocol)`` for any text whatever; never raises.
        protocols: The ways to judge, by name; ``corrected`` is one.
        bounds: Limits of the work for one output, by name, with what they are.
        rebound: Bounds -> a ``score`` that keeps to them; see :meth:`Suite.bounded`.
        require: Raises HomebodyError if scoring needs something besides data, a planner for
            instance, that is not there.
    """

    score: Callable[[T, str, Protocol], Score]
    protocols: Mapping[str, Protocol] = field(default_factory=_only_corrected)
    bounds: Mapping[str, float] = field(default_factory=dict)
    rebound: Callable[[Mapping[str, float]], Callable[[T, str, Protocol], Score]] | None = None
    require: Callable[[], object] = _nothing

    def __post_init__(self) -> None:
        check_fields(self)


class Rates(typing.Protocol):
    """Sums of counts -> a nested summary of percentages; unrounded if ``exact``."""

    def __call__(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """The summary of these sums."""
        ...


def _no_counts(score: Score) -> Counter[str]:
    return Counter()


def _no_rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Summary:
    """Numbers that are no means over tasks, such as an F1 over all goals: counts are added up, and
    rates made of the sums.

    Attributes:
        count: Score -> what it adds to the numerators and denominators of the summary.
        rates: Added-up counts -> the summary, in the schema that the published evaluator writes.
        columns: Header -> path of keys in the summary.
    """

    count: Callable[[Score], Counter[str]] = _no_counts
    rates: Rates = _no_rates
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Reporting:
    """What is told of scores: the columns of tables, and the summary.

    Attributes:
        means: Header -> metric, of which the mean over tasks is shown.
        measures: Header -> a number in the scores' records, of which the mean over those scores
            is shown that have one.
        tallies: Header -> key of a count in the scores' records.
        summary: Other numbers, in columns before these; that of a suite without any is the means.
        place: Where it stands among the suites of its group: those of a published table in the
            table's order.
    """

    means: Mapping[str, str] = field(default_factory=dict)
    measures: Mapping[str, Measure] = field(default_factory=dict)
    tallies: Mapping[str, str] = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)
    place: int = 0

    def __post_init__(self) -> None:
        check_fields(self)


def _means(reporting: Reporting, scores: Sequence[Score], exact: bool) -> dict[str, Any]:
    """How many tasks there are, and the mean of each metric and measure, unrounded if ``exact``;
    None for what no score has."""
    numbers: dict[str, list[float]] = {
        metric: [score.metrics[metric] for score in scores] for metric in reporting.means.values()
    }
    for measure in reporting.measures.values():
        found = [measure.of(score.record) for score in scores]
        numbers[measure.key] = [number for number in found if number is not None]
    means = {key: math.fsum(of) / len(of) if of else None for key, of in numbers.items()}
    rounded = {
        key: mean if exact or mean is None else round(mean, 4) for key, mean in means.items()
    }
    return {"tasks": len(scores), **rounded}


def _as_it_is(task: T, settings: Mapping[str, str]) -> T:
    return task


@dataclass(frozen=True)
class Prompting(Generic[T]):
    """How a task is asked in one question, whose answer is the output.

    Attributes:
        prompt: Task -> the whole text that a model is given.
        images: Task -> the pictures that it is shown after that text; there may be none.
        settings: How tasks can be set: name -> values, the usual one first.
        set_to: ``set_to(task, settings)`` -> the task as it is asked in those settings, each of
            which can be; how an output is judged does not hang on them.
        system: The system prompt that goes before every prompt; empty for none.
    """

    prompt: Callable[[T], str]
    images: Callable[[T], Sequence[Image]] = _no_groups
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    set_to: Callable[[T, Mapping[str, str]], T] = _as_it_is
    system: Callable[[], str] = str

    def __post_init__(self) -> None:
        check_fields(self)

    def text(self, task: T) -> str:
        """All that a model is given, the system prompt first."""
        return "\n\n".join(filter(None, (self.system(), self.prompt(task))))


Driver: typing.TypeAlias = Callable[[Any, Mapping[str, Policy]], Dialogue]
"""``driver(session, policies)`` -> models playing those roles for which there is no policy."""
PolicyMaker: typing.TypeAlias = "Callable[[Any, np.random.Generator], Policy]"
"""``make(session, generator)`` -> a policy for any roles of that session."""


def check_settings(settings: Mapping[str, str], choices: Mapping[str, tuple[str, ...]]) -> None:
    """Raises HomebodyError on settings that there are not: see :attr:`Playing.settings`."""
    for name, value in settings.items():
        if name not in choices:
            known = ", ".join(choices) or "none"
            raise HomebodyError(f"there is no setting {name[:80]!r}", f"there are: {known}")
        if choices[name] and value not in choices[name]:
            raise HomebodyError(
                f"{name} cannot be {value[:80]!r}", f"choose one of: {', '.join(choices[name])}"
            )


@dataclass(frozen=True)
class Playing(Generic[T]):
    """How a task is played in a session, whose transcript is the output.

    Attributes:
        start: ``start(task, settings, seed, protocol)`` -> a session of the task; settings are
            those that are not as usual, the seed is of all that is random. Raises HomebodyError
            if settings are wrong or the task is not possible.
        build: ``build(task)`` -> what sessions of the task share and take long to make, such as
            its house; a session that is started while it is kept makes it no more. Any thread may
            call it while others play. Raises HomebodyError as ``start`` does.
        roles: Who can be played.
        planners: Who can be asked besides, such as one who decides for several roles.
        policies: What plays without a model, by name.
        settings: How tasks can be set: name -> values, the usual one first, or none where any
            text will do. A setting with the name of a role says who plays it: ``model`` or a
            policy.
        compatible: Raises HomebodyError if settings, each of which can be, do not go together.
        driver: How models are asked; None: as :func:`homebody.drivers.react.react` does.
        player: ``player(session, role)`` -> a model that plays one role beside others, who may be
            people; None: as :func:`homebody.drivers.react.react_player` does.
        max_entries: Most entries of a transcript.
    """

    start: Callable[[T, Mapping[str, str], int, Protocol], Session]
    roles: tuple[str, ...]
    build: Callable[[T], object] = _nothing
    policies: Mapping[str, PolicyMaker] = field(default_factory=dict)
    planners: tuple[str, ...] = ()
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compatible: Callable[[Mapping[str, str]], object] = _nothing
    driver: Driver | None = None
    player: Callable[[Any, str], Player] | None = None
    max_entries: int = MAX_ENTRIES

    def __post_init__(self) -> None:
        check_fields(self)

    def check(self, settings: Mapping[str, str]) -> None:
        """Raises HomebodyError on settings that there are not, or that do not go together."""
        check_settings(settings, self.settings)
        self.compatible(settings)

    def unusual(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Settings, without those that are as usual."""
        usual = {name: values[0] if values else "" for name, values in self.settings.items()}
        return {name: value for name, value in settings.items() if value != usual.get(name)}

    def players(
        self, session: Session, settings: Mapping[str, str], generator: np.random.Generator
    ) -> dict[str, Policy]:
        """Role -> policy, where settings say that no model plays it. Roles of the same kind are
        played by one policy."""
        kinds = {role: settings.get(role, "model") for role in session.roles}
        made = {
            kind: self.policies[kind](session, generator)
            for kind in dict.fromkeys(kinds.values())
            if kind in self.policies
        }
        return {role: made[kind] for role, kind in kinds.items() if kind in made}

    def begun(
        self, task: T, output: str, protocol: Protocol
    ) -> tuple[Session, tuple[TranscriptEntry, ...], str]:
        """A session that has just begun, in the settings that a transcript was played in, and its
        entries.

        Whatever the text, a session comes back: if it is no transcript, without entries and with
        the reason, which is empty if it is one.

        Raises:
            HomebodyError: the task itself is not possible.
        """
        try:
            transcript = decode(output, self.max_entries)
            planners = (*self.roles, *self.planners)
            for entry in transcript.entries:
                if entry.cycle > 0 and entry.planner not in planners:  # each has so many cycles
                    raise HomebodyError(f"there is no planner {entry.planner!r}")
            session = self.start(task, transcript.settings, transcript.seed, protocol)
            transcript.check_version(session.transcript().version)
        except HomebodyError as error:
            return self.start(task, {}, 0, protocol), (), str(error)
        return session, transcript.entries, ""

    def replayed(self, task: T, output: str, protocol: Protocol) -> tuple[Session, str]:
        """A transcript, played again; see :meth:`begun`."""
        session, entries, problem = self.begun(task, output, protocol)
        return replay(session, entries) if not problem else session, problem

    def score(self, task: T, output: str, protocol: Protocol) -> Score:
        """The score of a transcript; a text that is none has done nothing.

        Raises:
            HomebodyError: the task itself is not possible.
        """
        session, problem = self.replayed(task, output, protocol)
        score = session.score(protocol)
        if not problem:
            return score
        record = dict(score.record)
        explanation = f"Nothing was done: {problem}. {record.get('explanation', '')}"
        record["explanation"] = cut_text(explanation)
        record["problem"] = problem
        return replace(score, record=record)


@dataclass(frozen=True)
class TextAgent(Generic[T_contra]):
    """Something that answers a task in a text as a model would, and is no model.

    Attributes:
        answer: ``answer(task, generator)`` -> the output, in the format that a model is asked for.
        require: Raises HomebodyError if it needs more than the suite, a planner for instance, that
            is not there; None if it needs nothing.
    """

    answer: Callable[[T_contra, np.random.Generator], str]
    require: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class Pipeline(Generic[T]):
    """How the tasks of a suite start from another suite's answers (EAI paper, appendix G).

    Attributes:
        first: The suite that is asked first; its tasks have the ids of this one's.
        feed: ``feed(task, output)`` -> the task with what the output says in place of what is
            annotated, and what is to be recorded of that, JSON-serialisable; never raises.
        repeated: Keys of the first score's record that stand in the second's too.
    """

    first: Suite[Any]
    feed: Callable[[T, str], tuple[T, Mapping[str, Any]]]
    repeated: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Experiments(Generic[T]):
    """What a suite can be asked besides one plain question for each task (EAI paper, section 3 and
    appendices G and H); None for each that it cannot.

    Attributes:
        feedback: ``feedback(task, score)`` -> what was wrong with an output, to be told before
            the next try; None where there is nothing to mend. A suite that knows no success has
            no feedback.
        unreliable: ``unreliable(task, chance, seed, epoch, attempt)`` -> the task in a world
            where actions have no effect with that probability, drawn anew for each epoch (from
            1) and attempt (from 0); the task itself if it is 0.
        pipeline: How its tasks start from another suite's answers.
        demands: What its tasks ask for; see :mod:`homebody.results.difficulty`.
    """

    feedback: Callable[[T, Score], str | None] | None = None
    unreliable: Callable[[T, float, int, int, int], T] | None = None
    pipeline: Pipeline[T] | None = None
    demands: Demands[T] | None = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Suite(Generic[T]):
    """One evaluation.

    Its tasks are either one question each (``prompting``) or played (``playing``).

    Attributes:
        name: Dotted name, as the command line takes it.
        title: One line for people.
        tasks: What there is to do.
        scoring: How an output is judged.
        reporting: What is told of scores.
        prompting: How a task is asked.
        playing: How a task is played.
        text_agents: Agents that need no model and answer in a text, by name; those of a suite
            that is played are its policies.
        published: What ties it to a published benchmark, if anything does.
        viewing: What people are shown of its samples, besides texts and numbers.
        experiments: What it can be asked besides one plain question for each task.
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
                f"nobody can be asked: the suite {self.name} has neither prompting nor playing",
                "give Suite(prompting=Prompting(...)) or Suite(playing=Playing(...))",
            )

    def __reduce_ex__(self, version: typing.Any) -> Any:
        """What another process imports, if a module has this very suite; else all that it is made
        of, of which lambdas can be sent by Ray, and not by :mod:`multiprocessing`."""
        place = found_at(self, getattr(self.tasks.load, "__module__", ""))
        return super().__reduce_ex__(version) if place is None else (imported, place)

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of all agents that need no model."""
        return (*self.text_agents, *(self.playing.policies if self.playing is not None else ()))

    @property
    def settings(self) -> Mapping[str, tuple[str, ...]]:
        """How its tasks can be set; see :class:`Playing` and :class:`Prompting`."""
        asked = self.playing or self.prompting
        return asked.settings if asked is not None else {}

    @property
    def models(self) -> tuple[str, ...]:
        """Whom a model can be, where tasks are played, so that each can be another model."""
        playing = self.playing
        return (*playing.roles, *playing.planners) if playing is not None else ()

    def check_settings(self, settings: Mapping[str, str]) -> None:
        """Raises HomebodyError on settings that the suite does not have."""
        if self.playing is not None:
            self.playing.check(settings)
        elif settings and not self.settings:
            raise HomebodyError(f"the tasks of {self.name} are not played, and have no settings")
        else:
            check_settings(settings, self.settings)

    def of_file(self, path: Path) -> Suite[T]:
        """The suite with the tasks of a file in place of its own; it may be left without any.

        Raises:
            HomebodyError: it has no files of tasks, or what is in this one is none.
        """
        if self.tasks.read is None:
            raise HomebodyError(f"{self.name} has only its own tasks")
        try:
            tasks = self.tasks.read(path)
        except HomebodyError as error:
            raise HomebodyError(f"{path}: {error}", error.hint) from error
        made_of = {**self.tasks.data(), "tasks": sha256(path)[:16]}
        own = replace(
            self.tasks,
            load=lambda protocol: tasks,
            prepare=_nothing,
            data=lambda: made_of,
            read=None,
        )
        return replace(self, tasks=own)

    def bounded(self, bounds: Mapping[str, float]) -> Suite[T]:
        """The suite with other limits of work. Raises HomebodyError on one that it does not have,
        that is not positive, or that is no whole number though its default is one."""
        if not bounds:
            return self
        scoring = self.scoring
        changed = dict(scoring.bounds)
        for name, value in bounds.items():
            if name not in scoring.bounds or scoring.rebound is None:
                known = ", ".join(f"{k}={v:g}" for k, v in scoring.bounds.items()) or "none"
                raise HomebodyError(f"{self.name} has no bound {name!r}", f"it has: {known}")
            whole = isinstance(scoring.bounds[name], int)
            if not isinstance(value, int | float) or not 0 < value < math.inf:
                raise HomebodyError(f"the bound {name} must be a positive number")
            if whole and value != int(value):
                raise HomebodyError(f"the bound {name} must be a whole number, not {value:g}")
            changed[name] = int(value) if whole else float(value)
        assert scoring.rebound is not None
        return replace(
            self, scoring=replace(scoring, score=scoring.rebound(changed), bounds=changed)
        )

    def task(self, name: str, protocol: Protocol = CORRECTED) -> T:
        """A task, as a protocol has it, by its id, or by what only its id begins with, up to an
        ``_``. Raises HomebodyError if there is none."""
        tasks = {self.tasks.identify(task): task for task in self.tasks.load(protocol)}
        begun = [other for other in tasks if other.startswith(f"{name}_")]
        found = name if name in tasks else begun[0] if len(begun) == 1 else None
        if found is None:
            near = begun[:5] or get_close_matches(name[:80], tasks)
            several = f"; {'it begins' if begun else 'like it:'} {', '.join(near)}" if near else ""
            raise HomebodyError(
                f"{self.name} has no task {name[:80]!r}{several}",
                f"see: homebody list {self.name}",
            )
        return tasks[found]

    def score(self, task: T, output: str, protocol: Protocol = CORRECTED) -> Score:
        """How an output did: any text gets a score. Raises HomebodyError if the task was loaded
        for a protocol whose world is another, or the protocol is about quirks that the suite does
        not have, or strict where it has no such protocol."""
        rules = self._judged_by(protocol)
        loaded_for = self.published.loaded_for
        if loaded_for is not None and not loaded_for(task, rules):
            raise HomebodyError(
                f"{self.tasks.identify(task)} was loaded for another protocol than"
                f" {rules.name}, with another world",
                "load it for the protocol that it is judged by: suite.task(id, protocol)",
            )
        cluster = self.tasks.cluster or self.tasks.identify
        return replace(self.scoring.score(task, output, rules), cluster=cluster(task))

    def summarise(self, scores: Iterable[Score], *, exact: bool = False) -> dict[str, Any]:
        """The summary of some scores, rounded as the published one unless ``exact``. Of a suite
        that has none of its own: the means of what its tables show."""
        reporting = self.reporting
        if reporting.summary.rates is _no_rates:
            return _means(reporting, [score for score in scores if score.valid], exact)
        sums: Counter[str] = Counter()
        for score in scores:
            sums.update(reporting.summary.count(score))
        return reporting.summary.rates(sums, exact=exact)

    def protocol(self, name: str | Protocol) -> Protocol:
        """A protocol by name, or as it is. Raises HomebodyError if there is none, or it is about
        quirks that the suite does not have, or strict where it has no such protocol."""
        if isinstance(name, Protocol):
            return self._judged_by(name)
        try:
            return self.scoring.protocols[name]
        except KeyError:
            raise HomebodyError(
                f"{self.name} has no protocol {name!r}",
                f"choose one of: {', '.join(self.scoring.protocols)}",
            ) from None

    def _judged_by(self, protocol: Protocol) -> Protocol:
        strict = any(own.strict for own in self.scoring.protocols.values())
        return judged_by(protocol, CORRECTED, self.published.quirks, strict=strict)

    def require_agent(self, name: str, settings: Mapping[str, str] | None = None) -> None:
        """Raises HomebodyError if there is no such agent, what it needs (a planner for instance)
        is not there, or settings leave a role to somebody else."""
        if name not in self.agents:
            raise HomebodyError(
                f"{self.name} has no agent {name!r}", f"choose one of: {', '.join(self.agents)}"
            )
        playing = self.playing
        chosen = {} if playing is None else playing.unusual(settings or {})
        if playing is not None and any(role in chosen for role in playing.roles):
            raise HomebodyError(
                "an agent that is no model plays all roles",
                f"leave the settings {' and '.join(playing.roles)} out, or give --model",
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
        """What an agent that is no model answers to a task; where tasks are played, the transcript
        of its playing all roles.

        Args:
            agent: One of :attr:`agents`.
            settings: How the task is set, where not as usual.
            seed: Of all that is random, together with the task's id, epoch and attempt.
            epoch: From 1.
            attempt: From 0.

        Raises:
            HomebodyError: there is no such agent, settings are wrong or leave a role to somebody
                else, or the task is not possible.
        """
        self.require_agent(agent, settings)
        generator = attempt_generator(seed, self.tasks.identify(task), epoch, attempt)
        if agent in self.text_agents:
            return self.text_agents[agent].answer(task, generator)
        playing = self.playing
        assert playing is not None
        chosen = playing.unusual(settings or {})
        session = playing.start(task, chosen, session_seed(seed, epoch), CORRECTED)
        policy = playing.policies[agent](session, generator)
        return play(session, dict.fromkeys(session.roles, policy)).transcript().encode()
