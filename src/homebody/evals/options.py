"""Options of a run, and the identity of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from homebody._version import __version__
from homebody.core import HomebodyError, Protocol, Suite
from homebody.core.ground.arguments import names, numbers, text, texts
from homebody.drivers import check_driver
from homebody.evals.endpoints import check_limit, check_model_args
from homebody.results.outputs import safe_name
from homebody.results.prompt_versions import PROMPT_VERSION
from homebody.suites import distribution_of, loadable_suites

MAX_ANSWER_RETRIES = 10
"""Maximum retries of a failed output; each makes the prompt longer."""
OF_MODELS = ("roles", "max_tokens", "reasoning_effort", "model_args")
"""Options that apply to models, not to tasks."""
REASONING_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
"""Values of Inspect's ``reasoning_effort``; no model supports all of them."""


@dataclass(frozen=True, slots=True)
class Options:
    """Options that are part of a run's identity.

    Attributes:
        retries: Retries of a failed output, with feedback (EAI paper, appendix H; 3 there).
        fail_probability: Probability that an action has no effect (appendix H.4).
        pipeline: True if a task starts from the model's own output for another suite (appendix G).
        bounds: Limits of the work for one output that differ from the suite's.
        settings: Settings of the tasks that differ from the defaults.
        roles: Role -> the model that plays it, if it is not the run's model.
        driver: One of :data:`homebody.drivers.DRIVERS`; empty for the suite's own.
        max_context: Context length in tokens, to which long conversations are shortened; if None,
            Inspect's value for the model, if it has one.
        tasks: Ids of the tasks to run; empty for all.
        max_tokens: Maximum tokens of a reply; the provider's default if None.
        reasoning_effort: One of ``REASONING_EFFORTS``; the provider's default if empty.
        model_args: Arguments of the run's model and of roles' models with the same provider.
    """

    retries: int = 0
    fail_probability: float = 0.0
    pipeline: bool = False
    bounds: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    driver: str = ""
    max_context: int | None = None
    tasks: Sequence[str] = field(default_factory=list)
    max_tokens: int | None = None
    reasoning_effort: str = ""
    model_args: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, **given: Any) -> Options:
        """Make options by name. Options that are None are ignored."""
        return cls(**{name: value for name, value in given.items() if value is not None})

    def non_defaults(self) -> dict[str, Any]:
        """Return the options that differ from the defaults; only these identify a run."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(USUAL, field.name)
        }

    def task_options(self) -> dict[str, Any]:
        """Return the non-default options that Inspect passes to a task. Options of models are
        excluded."""
        return {key: value for key, value in self.non_defaults().items() if key not in OF_MODELS}

    def validate(self, suite: Suite[Any], protocol: Protocol) -> Options:
        """Return the options in plain values, without the suite's own defaults.

        Raises:
            HomebodyError: A value is invalid, or the suite or protocol does not support it.
        """
        lengths: dict[str, Any] = {
            name: None if value is None else check_limit(name, value)
            for name, value in (("max_context", self.max_context), ("max_tokens", self.max_tokens))
        }
        plain = replace(
            self,
            bounds=_changed_bounds(suite, numbers("bounds", self.bounds)),
            settings=_changed_settings(suite, texts("settings", self.settings)),
            roles=dict(sorted(texts("roles", self.roles).items())),
            driver=_changed_driver(suite, text("driver", self.driver)),
            tasks=names("tasks", self.tasks),
            model_args=check_model_args(self.model_args),
            **lengths,
        )
        plain._check(suite, protocol)
        return plain

    def _check(self, suite: Suite[Any], protocol: Protocol) -> None:
        if not isinstance(self.retries, int) or not 0 <= self.retries <= MAX_ANSWER_RETRIES:
            raise HomebodyError(f"retries must be between 0 and {MAX_ANSWER_RETRIES}")
        chance = self.fail_probability
        if not isinstance(chance, int | float) or not 0.0 <= chance <= 1.0:
            raise HomebodyError("the probability of failure must be between 0 and 1")
        if self.reasoning_effort not in ("", *REASONING_EFFORTS):
            raise HomebodyError(
                f"unknown reasoning effort: {self.reasoning_effort!r:.80}",
                f"choose one of: {', '.join(REASONING_EFFORTS)}",
            )
        for role, model in self.roles.items():
            if role not in suite.models:
                known = ", ".join(suite.models) or "none"
                raise HomebodyError(f"{suite.name} has no role {role!r}", f"it has: {known}")
            if suite.playing is not None and model in suite.playing.policies:
                raise HomebodyError(
                    f"{model} is a policy, not a model", f"use a setting: --set {role}={model}"
                )
        if self.driver:
            check_driver(self.driver)
        if self.driver and suite.playing is None:
            raise HomebodyError(f"the tasks of {suite.name} are not played and need no driver")
        if self.max_context is not None and suite.playing is None:
            raise HomebodyError(
                f"the tasks of {suite.name} are not played, so no conversation is shortened"
            )
        if self.retries and suite.experiments.feedback is None:
            others = _suites_with(suite, lambda other: other.experiments.feedback)
            raise HomebodyError(
                f"{suite.name} does not support replanning",
                f"replanning needs outputs that succeed or fail, as in {others}",
            )
        if chance and suite.experiments.unreliable is None:
            others = _suites_with(suite, lambda other: other.experiments.unreliable)
            raise HomebodyError(f"{suite.name} executes no plans", f"use {others}")
        if chance and protocol.kept_quirks(suite.published.quirks):
            raise HomebodyError(
                "only the corrected protocol judges actions that fail by chance",
                "the published evaluators have no such actions",
            )
        if self.pipeline and suite.experiments.pipeline is None:
            others = _suites_with(suite, lambda other: other.experiments.pipeline)
            raise HomebodyError(f"{suite.name} does not start from goals", f"use {others}")
        if self.pipeline and self.retries:
            raise HomebodyError(
                "a pipeline cannot be replanned: feedback would reveal the goals that the model"
                " must interpret itself",
                "run one without the other",
            )

    def label(self, name: str, retried: bool = True) -> str:
        """Return the name of a table row. If ``retried`` is false, it is the row of the first
        attempts."""
        notes = " + ".join(self._notes(retried))
        return f"{name} ({notes})" if notes else name

    def folder(self, name: str, retried: bool = True) -> str:
        """Return the row's name as the name of a folder: ``openai_gpt-4o_replanning``."""
        return safe_name("_".join([name, *self._notes(retried)]))

    def _notes(self, retried: bool) -> list[str]:
        notes = [f"p={self.fail_probability:g}"] if self.fail_probability else []
        notes += [f"{name}={value:g}" for name, value in sorted(self.bounds.items())]
        notes += [f"{name}={value}" for name, value in sorted(self.settings.items())]
        notes += [f"{role}: {model}" for role, model in sorted(self.roles.items())]
        notes += ["pipeline"] if self.pipeline else []
        return [*notes, "replanning"] if self.retries and retried else notes


USUAL = Options()


def identity(
    suite: Suite[Any],
    options: Options,
    *,
    model: str | None,
    agent: str | None,
    protocol: str,
    limit: int | None,
    epochs: int,
    temperature: float,
    seed: int,
) -> dict[str, Any]:
    """Return the identity of a run: the fields that its log or journal and ``run.json`` store.

    ``prompt_version`` is the suite's prompt version. A suite's own agents read no prompts, so their
    runs have none.
    """
    other = distribution_of(suite.name)
    reads_prompts = agent not in suite.agents
    return {
        "suite": suite.name,
        "model": model,
        "agent": agent,
        "protocol": protocol,
        "limit": limit,
        "epochs": epochs,
        "temperature": temperature,
        "seed": seed,
        "version": __version__,
        **({} if other is None else {"distribution": other}),
        **({"data": data} if (data := dict(suite.tasks.data())) else {}),
        **({PROMPT_VERSION: suite.prompt_version} if reads_prompts else {}),
        **options.non_defaults(),
    }


def _changed_bounds(suite: Suite[Any], bounds: Mapping[str, float]) -> dict[str, float]:
    changed = suite.with_bounds(bounds).scoring.bounds
    return {
        name: changed[name]
        for name in sorted(bounds)
        if changed[name] != suite.scoring.bounds[name]
    }


def _changed_settings(suite: Suite[Any], settings: Mapping[str, str]) -> dict[str, str]:
    suite.check_settings(settings)
    usual = {name: choices[0] if choices else "" for name, choices in suite.settings.items()}
    return {name: settings[name] for name in sorted(settings) if settings[name] != usual[name]}


def _changed_driver(suite: Suite[Any], name: str) -> str:
    usual = suite.playing is not None and suite.playing.driver is None and name == "react"
    return "" if usual else name


def _suites_with(suite: Suite[Any], able: Callable[[Suite[Any]], object]) -> str:
    """Name the suites that support an option, preferably from the same benchmark: ``a.b or
    a.c``."""
    group = suite.name.rpartition(".")[0]
    names = [each.name for each in loadable_suites() if able(each) is not None]
    return " or ".join([name for name in names if name.rpartition(".")[0] == group] or names)
