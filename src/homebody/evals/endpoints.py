"""Settings of requests to models: limits, address and provider arguments.

Limits, retries and addresses do not identify a run, so they may change when it is resumed.
Everything that may change an output (its length, the model's arguments) identifies it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from homebody.core import HomebodyError
from homebody.core.ground.arguments import text, whole
from homebody.evals.checks import need_inspect

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model

MAX_REQUEST_RETRIES: Final = 7
"""Retries of one request. With Inspect's waits of 3, 6, 12 ... seconds they take 7 minutes."""
MAX_NUMBER: Final = 10**9
"""Maximum of seconds, retries, tokens and requests."""
MAX_VALUE: Final = 1_000
"""Maximum characters of a model argument."""
MAX_ARGS: Final = 50
"""Maximum number of model arguments."""
_SECRET: Final = re.compile(
    r"(.*_)?(api)?(key|secret|token|password|authorization|bearer|headers)|aws_.*", re.IGNORECASE
)
_OURS: Final = ("base_url", "config", "default", "memoize", "model", "required", "role")
"""Names that Inspect would not treat as model arguments."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Limits and address of requests.

    Attributes:
        timeout: Seconds before a request is abandoned and retried.
        max_retries: Retries of a request that failed because of the server or a quota.
        max_connections: Maximum number of concurrent requests; Inspect chooses if None.
        base_url: Address of the run's model, and of roles' models with the same provider.

    Raises:
        HomebodyError: A value is invalid.
    """

    timeout: int | None = None
    max_retries: int = MAX_REQUEST_RETRIES
    max_connections: int | None = None
    base_url: str | None = None

    def __post_init__(self) -> None:
        """Raise HomebodyError if a value is invalid."""
        check_limit("max_retries", self.max_retries, 0)
        for name in ("timeout", "max_connections"):
            if getattr(self, name) is not None:
                check_limit(name, getattr(self, name))
        if self.base_url is not None:
            _check_url(text("model_base_url", self.base_url))

    def config(
        self, temperature: float, max_tokens: int | None, reasoning_effort: str = ""
    ) -> dict[str, Any]:
        """Return the arguments of Inspect's ``GenerateConfig``."""
        return {
            "temperature": temperature,
            "max_tokens": max_tokens,
            "reasoning_effort": reasoning_effort or None,
            "attempt_timeout": self.timeout,
            "max_retries": self.max_retries,
            "max_connections": self.max_connections,
        }

    def arguments(self, name: str, main: str, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of Inspect's ``get_model`` for a model of a run.

        ``args`` and the address apply to models with the provider of the ``main`` model.
        """
        same = provider_of(name) == provider_of(main)
        return {"base_url": self.base_url, **args} if same else {}


def role_models(
    roles: Mapping[str, str],
    main: str,
    args: Mapping[str, Any],
    connection: Connection,
    config: GenerateConfig,
) -> dict[str, Model]:
    """Return role -> model; they have the ``main`` model's temperature and length limit."""
    from inspect_ai.model import get_model

    return {
        role: get_model(
            name, config=config, memoize=False, **connection.arguments(name, main, args)
        )
        for role, name in roles.items()
    }


def provider_of(model: str) -> str:
    """Return a model's provider: ``openai``, or with the service ``openai-api/local``."""
    parts = model.split("/")
    return "/".join(parts[: 2 if parts[0] == "openai-api" else 1])


def check_limit(name: str, value: object, least: int = 1) -> int:
    """Return a whole number within limits. Raises HomebodyError if it is not."""
    number = whole(name, value, least)
    if number > MAX_NUMBER:
        raise HomebodyError(f"{name} must be at most {MAX_NUMBER:,}")
    return number


def read_model_args(written: Sequence[str]) -> dict[str, Any]:
    """Read ``["device=cuda:0", "stream=false"]`` as values by name.

    Values are read as Inspect's command line does: YAML scalars, and strings with commas as lists.

    Raises:
        HomebodyError: An argument cannot be read.
    """
    need_inspect()
    import yaml  # type: ignore[import-untyped]  # Inspect brings it along

    args: dict[str, Any] = {}
    for given in written:
        name, mark, raw = given.partition("=")
        if not mark or not name.strip() or len(raw) > MAX_VALUE:
            raise HomebodyError(
                f"{given[:60]!r} is not NAME=VALUE of at most {MAX_VALUE:,} characters",
                "for example: --model-arg stream=false",
            )
        try:
            depth = 0
            for event in yaml.parse(raw, Loader=yaml.SafeLoader):  # which does not recurse
                depth += isinstance(event, yaml.CollectionStartEvent)
                depth -= isinstance(event, yaml.CollectionEndEvent)
                if depth > 1:
                    raise ValueError("nested")
            value = yaml.safe_load(raw)
        except (yaml.YAMLError, ValueError):
            raise HomebodyError(
                f"the value of {given[:60]!r} cannot be read",
                "write a number, true, false, null, a list of these, or a string in quotes",
            ) from None
        if isinstance(value, str) and "," in value:
            value = value.split(",")
        args[name.strip().replace("-", "_")] = value
    return check_model_args(args)


def check_model_args(args: object) -> dict[str, Any]:
    """Return a model's arguments: scalars, or lists and objects of scalars.

    Raises:
        HomebodyError: An argument is invalid, or secret: everything in a run is logged.
    """
    if args is None:
        return {}
    if not isinstance(args, Mapping) or len(args) > MAX_ARGS:
        raise HomebodyError(f"model_args must be at most {MAX_ARGS} values by name")
    return {
        name: _check_arg(text("a name in model_args", name), args[name]) for name in sorted(args)
    }


def _check_arg(name: str, value: Any) -> Any:
    if not re.fullmatch(r"[A-Za-z_]\w{0,99}", name, re.ASCII):
        raise HomebodyError(f"{name[:60]!r} is not a valid name of a model argument")
    if _SECRET.fullmatch(name):
        raise HomebodyError(
            f"{name} would be written to the log of the run", "set it in the environment instead"
        )
    if name in _OURS:
        hint = "see --model-base-url" if name == "base_url" else ""
        raise HomebodyError(f"{name} is not a model argument", hint)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        value, parts = dict(value), [*value, *value.values()]
    elif isinstance(value, list | tuple):
        value = parts = list(value)
    else:
        parts = [value]
    if len(parts) <= MAX_VALUE and all(map(_is_scalar, parts)):
        return value
    raise HomebodyError(
        f"{name} must be a string of at most {MAX_VALUE:,} characters, a number, true, false, null"
        " or a list of these"
    )


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_VALUE
    if isinstance(value, int | float):
        return isinstance(value, bool) or abs(value) < 2**63
    return value is None


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and parts.hostname and url.isprintable()
        sound = sound and parts.port != 0 and len(url) <= MAX_VALUE and " " not in url
    except ValueError:
        sound = False
    if not sound:
        raise HomebodyError(
            f"{url[:60]!r} is not the address of a server", "for example: http://localhost:8000/v1"
        )
    if parts.username or parts.password or parts.query:
        raise HomebodyError(
            "an address with a user, a password or a query would be written to the log of the run",
            "set secrets in the environment, as the provider's key",
        )
