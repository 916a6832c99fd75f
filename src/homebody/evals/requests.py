"""Requests to models, and the distinction between replies and provider errors.

Inspect returns some errors as outputs. A conversation that is too long is an error here; a request
refused for its content is an empty reply.

An error of one request costs one sample. If no request can succeed (no permission, or several
consecutive requests failed after all retries), it is an outage: pending requests are cancelled and
no more are sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any, Final, TypeAlias

import anyio
from inspect_ai.dataset import Sample
from inspect_ai.hooks import Hooks, ModelRetry, hooks
from inspect_ai.log import EvalSpec
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput
from inspect_ai.scorer import SampleScore
from inspect_ai.tool import ToolInfo
from inspect_ai.util import EarlyStop, LimitExceededError
from pydantic import JsonValue

from homebody.core.ground.escaping import escape
from homebody.core.score import MAX_REASON
from homebody.evals.checks import base_url_of, is_prerequisite, message_of

NOBODY_MAY: Final = {
    401: "the key is not accepted",
    403: "not allowed",
    404: "not found",
    405: "not offered",
}
"""HTTP statuses that apply to all similar requests."""
Tell: TypeAlias = Callable[[str], None]
MAX_GIVEN_UP: Final = 3
"""Consecutive requests that fail after all retries before the run is ended."""
SILENCE: Final = 60.0
"""Seconds without a reply after which the silence is reported."""
CALM: Final = 100
"""Number of replies without a retry after which the next retry counts as the first one in
reports."""
TOO_LONG: Final = "context too long"
_TOO_LONG: Final = re.compile(
    r"context_length|context (length|window|limit)|maximum context|max_model_len"
    r"|(prompt|input|request)( length)? (is |are )?(too long|too large|exceeds)"
    r"|too many (input )?tokens|maximum number of tokens|reduce the length",
    re.IGNORECASE,
)
_NO_VIDEOS: Final = re.compile(r"video.{0,40}support|support.{0,40}video", re.IGNORECASE)


class ProviderError(Exception):
    """Raised if a model could not be queried.

    Attributes:
        reason: One line: the kind of error, a colon, and the provider's message. The kind is the
            same for all samples.
    """

    def __init__(self, what: str, details: object = "") -> None:
        text = escape(" ".join(str(details).split()), MAX_REASON)
        self.reason = f"{what}: {text}" if text else what
        super().__init__(self.reason)


class ContextTooLong(ProviderError):
    """Raised if a conversation exceeds the model's context."""


class GivenUp(ProviderError):
    """Raised if a request failed after all retries: no server, no quota or a timeout."""


class Outage(ProviderError):
    """Raised if no model can be queried."""


class Requests:
    """The requests of one run.

    Args:
        tell: Receives a line about each wait.
        max_retries: Retries of one request.
        samples: Number of samples that :class:`Stopping` will start.

    Attributes:
        outage: Why no model can be queried any more; None while one can.
    """

    def __init__(self, tell: Tell | None = None, max_retries: int = 0, samples: int = 0) -> None:
        self.outage: Outage | None = None
        self._tell = tell or (lambda line: None)
        self._max_retries = max_retries
        self._to_begin = samples
        self._given_up = 0  # consecutive
        self._calm = 0
        self._waiting: set[anyio.CancelScope] = set()
        self._heard_at = self._tell_at = 0.0
        self._tries: dict[tuple[str, str], int] = {}  # reported, by model and error

    async def ask(
        self,
        model: Model,
        messages: list[ChatMessage],
        tools: Sequence[ToolInfo] = (),
        config: GenerateConfig | None = None,
    ) -> ModelOutput:
        """Query a model, with the run's number of retries.

        Raises:
            ProviderError: There is no reply.
        """
        if self.outage is not None:
            raise Outage(self.outage.reason)
        if not self._waiting:
            self._reset_silence()
        output: ModelOutput | Exception | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._report_silence)
            self._waiting.add(group.cancel_scope)
            try:
                output = await model.generate(
                    messages, tools=list(tools), config=config or GenerateConfig()
                )
            except Exception as error:  # clients raise any exception
                output = error
            finally:
                self._waiting.discard(group.cancel_scope)
            group.cancel_scope.cancel()
        if isinstance(output, LimitExceededError):  # a limit of the run itself
            raise output
        if isinstance(output, Exception):
            raise self._record_error(_classify_error(output, _api_hint(model))) from output
        if output is None:
            raise Outage(self.outage.reason if self.outage is not None else "given up")
        self._given_up = 0
        self._calm += 1
        if self._calm == CALM:
            self._tries.clear()
        self._reset_silence()
        return _check_output(output)

    def report_retry(self, retry: ModelRetry) -> None:
        """Report a retry; requests that fail together are reported once per try."""
        status = retry.status_code
        error = f"HTTP {status}" if status else _describe_exception(str(retry.exception_type))
        key = retry.model_name, error
        if retry.attempt <= self._tries.get(key, 0):
            return
        self._tries[key] = retry.attempt
        self._reset_silence()
        self._calm = 0
        left = range(retry.attempt, self._max_retries)
        longest = retry.wait_time + sum(min(3 * 2**number, 1800) for number in left)
        self._tell(
            f"{retry.model_name}: {error}; try {retry.attempt + 1} of {self._max_retries + 1} in"
            f" {_format_duration(retry.wait_time)}; given up in about {_format_duration(longest)}"
        )

    def _record_error(self, error: ProviderError) -> ProviderError:
        """Return the error, as an outage if it affects the rest of the run.

        Consecutive failures are an outage only if there are samples left to start.
        """
        self._given_up += isinstance(error, GivenUp)
        if self._given_up >= MAX_GIVEN_UP and self._to_begin > 0:
            error = Outage(error.reason)
        if isinstance(error, Outage) and self.outage is None:
            self.outage = error
            for scope in self._waiting:
                scope.cancel()
        return error

    def count_started(self) -> None:
        """Count a started sample."""
        self._to_begin -= 1

    def _reset_silence(self) -> None:
        """Restart the silence timer."""
        self._heard_at = anyio.current_time()
        self._tell_at = self._heard_at + SILENCE

    async def _report_silence(self) -> None:
        """Report a silence, then again each time it has lasted twice as long."""
        while True:
            await anyio.sleep_until(self._tell_at)
            now = anyio.current_time()
            if now >= self._tell_at:  # otherwise a reply came, or another task reported it
                silence = now - self._heard_at
                self._tell_at = now + silence
                waiting = len(self._waiting)
                self._tell(
                    f"no answer for {_format_duration(silence)}; requests waiting: {waiting}"
                )


def _format_duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


requests_of_run: ContextVar[Requests | None] = ContextVar("requests of a run", default=None)
"""Requests of the run that :func:`homebody.evals.run` makes; None under ``inspect eval``."""


@cache
def watch_retries() -> None:
    """Register a hook that reports Inspect's retries to the run's requests.

    Only runs register it, because Inspect prints a line about hooks.
    """

    @hooks(name="homebody_retries", description="Reports retries to a run of homebody")
    class Retries(Hooks):
        def enabled(self) -> bool:
            return requests_of_run.get() is not None

        async def on_model_retry(self, data: ModelRetry) -> None:
            requests = requests_of_run.get()
            if requests is not None:
                requests.report_retry(data)


class Stopping:
    """An :class:`inspect_ai.util.EarlyStopping` that starts no sample after an outage."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Return the name for the log."""
        return "homebody"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Return why a sample is not started; None if it is."""
        outage = self._requests.outage
        if outage is None:
            self._requests.count_started()
            return None
        return EarlyStop(id=id, epoch=epoch, reason=outage.reason)

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore]
    ) -> None:
        """Ignore scores."""

    async def complete_task(self) -> dict[str, JsonValue]:
        """Add nothing to the log."""
        return {}


def is_generated(output: ModelOutput) -> bool:
    """Return whether a model wrote an output; Inspect's errors have neither id nor usage."""
    return output.usage is not None or output.response_id is not None


def _check_output(output: ModelOutput) -> ModelOutput:
    if not output.choices:
        raise ProviderError("a response without a reply")
    if output.stop_reason == "model_length" and not is_generated(output):
        raise ContextTooLong(TOO_LONG, output.completion)
    return output


def _api_hint(model: Model) -> str:
    """Return a hint for servers without OpenAI's responses API, which ``openai/`` models use."""
    base_url = base_url_of(model.api)
    if not str(model).startswith("openai/") or "api.openai.com" in base_url:
        return ""
    name = str(model).removeprefix("openai/")
    return (
        f"if the server has chat completions only, give --model openai-api/local/{name} with"
        " LOCAL_BASE_URL and LOCAL_API_KEY; "
    )


def _classify_error(error: Exception, spelling: str) -> ProviderError:
    """Convert an exception of Inspect or of a client.

    Args:
        error: The exception.
        spelling: Hint that precedes the message if the server may not know the API.
    """
    last = getattr(error, "last_attempt", None)  # of tenacity's RetryError
    cause = (last.exception() if last is not None else error.__cause__) or error
    status, said = _read_status(cause), _provider_message(cause)
    if is_prerequisite(cause):
        return Outage("cannot use the model", message_of(cause))
    if status is None and last is None and _NO_VIDEOS.search(said):
        return Outage("its provider takes no videos", said)
    if status in NOBODY_MAY:
        said = spelling + said if status in (404, 405) else said
        return Outage(f"HTTP {status}, {NOBODY_MAY[status]}", said)
    if last is not None:
        tries = last.attempt_number
        what = f"HTTP {status}" if status else _describe_exception(type(cause).__name__)
        what += f" after {tries} tries" if tries > 1 else ""
        return GivenUp(what, said)
    if status is not None:
        too_long = status in (400, 413, 422) and _TOO_LONG.search(said)
        kind, what = (ContextTooLong, TOO_LONG) if too_long else (ProviderError, f"HTTP {status}")
        return kind(what, said)
    said = f"{spelling}{type(cause).__name__}: {said}"
    return ProviderError("a response that cannot be read", said)


def _describe_exception(name: str) -> str:
    """Describe an exception without HTTP status by its name."""
    is_silence = re.search("connect|timeout", name, re.IGNORECASE)
    return f"no answer ({name})" if is_silence else f"a response that cannot be read ({name})"


def _read_status(error: BaseException) -> int | None:
    """Return the HTTP status of an exception; None if it has none."""
    response = getattr(error, "response", None)
    for value in (
        getattr(error, "status_code", None),
        getattr(response, "status_code", None),
        getattr(error, "code", None),
    ):
        if isinstance(value, int):
            return value
    return None


def _provider_message(error: BaseException) -> str:
    """Return the provider's message in an error, if there is one."""
    body: Any = getattr(error, "body", None)
    while isinstance(body, dict):
        body = body.get("error") or body.get("message")
    return str(body or error)
