"""What can be asked of a run besides the suite's own question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from homebody._version import __version__
from homebody.core import HomebodyError, Protocol, Suite
from homebody.core.ground.arguments import names, numbers, text, texts
from homebody.drivers import check_driver
from homebody.evals.endpoints import checked_model_args, limited
from homebody.results.outputs import safe_name
from homebody.suites import distribution_of, loadable_suites

MAX_ANSWER_RETRIES = 10
"""How often a failed answer may be mended. The prompt grows with each."""
OF_MODELS = ("roles", "max_tokens", "model_args")
"""Options of models rather than of what they are asked."""


@dataclass(frozen=True, slots=True)
class Options:
    """Settings that are part of what makes a run this run.

    Attributes:
        retries: How often a failed answer may be mended, told what was wrong (EAI paper,
            appendix H; 3 there).
        fail_probability: How often an action has no effect (appendix H.4).
        pipeline: The question starts from the model's own answer to an earlier one (appendix G).
        bounds: Limits of the work for one output that are other than the suite's.
        settings: How tasks are set, where not as usual.
        roles: Role -> the model that plays it, where it is not that of the run.
        driver: How models are asked that play: one of :data:`homebody.drivers.DRIVERS`; empty for
            how the suite has it.
        max_context: Tokens that a model can read and write at a time, to which long conversations
            are shortened; what Inspect knows of the model if left out, which may be nothing.
        tasks: Ids of the only tasks that are asked; all of the suite's if empty.
        max_tokens: Of an answer; as many as the provider sees fit if left out.
        model_args: Arguments of the model of the run, and of those of roles with its provider.
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
    model_args: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, **given: Any) -> Options:
        """Options by name, of which those that are None are left out."""
        return cls(**{name: value for name, value in given.items() if value is not None})

    def changed(self) -> dict[str, Any]:
        """Those that are not as usual. The others are left out of what names a run, so that it
        is the run that it was before there were options."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != getattr(USUAL, field.name)
        }

    def of_task(self) -> dict[str, Any]:
        """Those of the changed ones that Inspect passes on to a task: not those of models."""
        return {key: value for key, value in self.changed().items() if key not in OF_MODELS}

    def checked(self, suite: Suite[Any], protocol: Protocol) -> Options:
        """The same in plain values, without what the suite has anyway.

        Raises:
            HomebodyError: a value cannot be, or the suite, or the protocol, cannot do this.
        """
        lengths: dict[str, Any] = {
            name: None if value is None else limited(name, value)
            for name, value in (("max_context", self.max_context), ("max_tokens", self.max_tokens))
        }
        plain = replace(
            self,
            bounds=_other_bounds(suite, numbers("bounds", self.bounds)),
            settings=_other_settings(suite, texts("settings", self.settings)),
            roles=dict(sorted(texts("roles", self.roles).items())),
            driver=_other_driver(suite, text("driver", self.driver)),
            tasks=names("tasks", self.tasks),
            model_args=checked_model_args(self.model_args),
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
        for role, model in self.roles.items():
            if role not in suite.models:
                known = ", ".join(suite.models) or "none"
                raise HomebodyError(f"{suite.name} has no role {role!r}", f"it has: {known}")
            if suite.playing is not None and model in suite.playing.policies:
                raise HomebodyError(
                    f"{model} is no model, but a policy", f"it is a setting: --set {role}={model}"
                )
        if self.driver:
            check_driver(self.driver)
        if self.driver and suite.playing is None:
            raise HomebodyError(f"the tasks of {suite.name} are not played, and need no driver")
        if self.max_context is not None and suite.playing is None:
            raise HomebodyError(
                f"the tasks of {suite.name} are not played: there is nothing to shorten"
            )
        if self.retries and suite.experiments.feedback is None:
            others = _others(suite, lambda other: other.experiments.feedback)
            raise HomebodyError(
                f"there is no replanning for {suite.name}",
                f"it is for answers that succeed or fail, as those of {others}",
            )
        if chance and suite.experiments.unreliable is None:
            others = _others(suite, lambda other: other.experiments.unreliable)
            raise HomebodyError(f"{suite.name} executes no plans", f"use {others}")
        if chance and protocol.kept_quirks(suite.published.quirks):
            raise HomebodyError(
                "actions that fail are judged by the corrected protocol only",
                "in the published evaluators no action fails by chance",
            )
        if self.pipeline and suite.experiments.pipeline is None:
            others = _others(suite, lambda other: other.experiments.pipeline)
            raise HomebodyError(f"{suite.name} does not start from goals", f"use {others}")
        if self.pipeline and self.retries:
            raise HomebodyError(
                "a pipeline cannot be replanned: feedback would name the goals that the model is"
                " to interpret itself",
                "run one after the other",
            )

    def label(self, name: str, retried: bool = True) -> str:
        """A name for the row of a table, or, if not ``retried``, of its first attempts."""
        notes = " + ".join(self._notes(retried))
        return f"{name} ({notes})" if notes else name

    def folder(self, name: str, retried: bool = True) -> str:
        """The same as the name of a folder: ``openai_gpt-4o_replanning``."""
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
    """What makes a run this run, as it heads its log or journal, and stands in ``run.json``."""
    other = distribution_of(suite.name)
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
        **options.changed(),
    }


def _other_bounds(suite: Suite[Any], bounds: Mapping[str, float]) -> dict[str, float]:
    changed = suite.with_bounds(bounds).scoring.bounds
    return {
        name: changed[name]
        for name in sorted(bounds)
        if changed[name] != suite.scoring.bounds[name]
    }


def _other_settings(suite: Suite[Any], settings: Mapping[str, str]) -> dict[str, str]:
    suite.check_settings(settings)
    usual = {name: choices[0] if choices else "" for name, choices in suite.settings.items()}
    return {name: settings[name] for name in sorted(settings) if settings[name] != usual[name]}


def _other_driver(suite: Suite[Any], name: str) -> str:
    usual = suite.playing is not None and suite.playing.driver is None and name == "react"
    return "" if usual else name


def _others(suite: Suite[Any], able: Callable[[Suite[Any]], object]) -> str:
    """Suites that can, of the same benchmark if there are any: ``a.b or a.c``."""
    group = suite.name.rpartition(".")[0]
    names = [each.name for each in loadable_suites() if able(each) is not None]
    return " or ".join([name for name in names if name.rpartition(".")[0] == group] or names)
