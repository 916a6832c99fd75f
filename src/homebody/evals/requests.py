"""Requests to models: what of it that comes back is an answer, and what an error of the provider.

Inspect gives some errors as if they were answers: of a conversation that is too long, the output is
what the provider said of it, and so it is of a request that was refused for its content. The first
is an error here, the second an answer without a word.

An error that is about one request costs one sample. Where nothing can be asked (no right to ask;
or several requests in a row that failed after all tries, while others wait to be asked) it is an
outage: what is being asked then is given up, and nothing is asked any more.
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
"""What a status says of all requests that are like this one."""
Tell: TypeAlias = Callable[[str], None]
MAX_GIVEN_UP: Final = 3
"""Requests in a row that failed after all tries, with nobody answered in between, after which no
other is tried."""
SILENCE: Final = 60.0
"""Seconds without an answer after which it is told that there is none."""
CALM: Final = 100
"""Answers after the last retry that was told, after which the next is told from the first try."""
TOO_LONG: Final = "context too long"
_TOO_LONG: Final = re.compile(
    r"context_length|context (length|window|limit)|maximum context|max_model_len"
    r"|(prompt|input|request)( length)? (is |are )?(too long|too large|exceeds)"
    r"|too many (input )?tokens|maximum number of tokens|reduce the length",
    re.IGNORECASE,
)
_NO_VIDEOS: Final = re.compile(r"video.{0,40}support|support.{0,40}video", re.IGNORECASE)


class ProviderError(Exception):
    """A model could not be asked.

    Attributes:
        reason: One line: what it is in a few words, the same for all samples, then after a colon
            what the provider says.
    """

    def __init__(self, what: str, details: object = "") -> None:
        text = escape(" ".join(str(details).split()), MAX_REASON)
        self.reason = f"{what}: {text}" if text else what
        super().__init__(self.reason)


class ContextTooLong(ProviderError):
    """What was asked is more than the model can read."""


class GivenUp(ProviderError):
    """A request failed after all tries, for want of a server, a quota or time."""


class Outage(ProviderError):
    """No model can be asked."""


class Requests:
    """What is asked in one run.

    Args:
        tell: Told, in one line, what a run waits for.
        max_retries: How often a request is repeated.
        samples: How many samples are to be begun, as :class:`Stopping` tells.

    Attributes:
        outage: Why nothing can be asked any more; None while it can.
    """

    def __init__(self, tell: Tell | None = None, max_retries: int = 0, samples: int = 0) -> None:
        self.outage: Outage | None = None
        self._tell = tell or (lambda line: None)
        self._max_retries = max_retries
        self._to_begin = samples
        self._given_up = 0  # in a row
        self._calm = 0
        self._waiting: set[anyio.CancelScope] = set()
        self._heard_at = self._tell_at = 0.0
        self._tries: dict[tuple[str, str], int] = {}  # told of, by model and error

    async def ask(
        self,
        model: Model,
        messages: list[ChatMessage],
        tools: Sequence[ToolInfo] = (),
        config: GenerateConfig | None = None,
    ) -> ModelOutput:
        """What a model answers, after as many tries as the run has.

        Raises:
            ProviderError: it does not.
        """
        if self.outage is not None:
            raise Outage(self.outage.reason)
        if not self._waiting:
            self._hear()
        output: ModelOutput | Exception | None = None
        async with anyio.create_task_group() as group:
            group.start_soon(self._tell_of_silence)
            self._waiting.add(group.cancel_scope)
            try:
                output = await model.generate(
                    messages, tools=list(tools), config=config or GenerateConfig()
                )
            except Exception as error:  # clients of providers raise all sorts
                output = error
            finally:
                self._waiting.discard(group.cancel_scope)
            group.cancel_scope.cancel()
        if isinstance(output, LimitExceededError):  # one that the run has set
            raise output
        if isinstance(output, Exception):
            raise self._noted(_error(output, _spelling(model))) from output
        if output is None:
            raise Outage(self.outage.reason if self.outage is not None else "given up")
        self._given_up = 0
        self._calm += 1
        if self._calm == CALM:
            self._tries.clear()
        self._hear()
        return _checked(output)

    def retried(self, retry: ModelRetry) -> None:
        """Tell that a request failed and is repeated: of those that fail at the same time, once
        for each try."""
        status = retry.status_code
        error = f"HTTP {status}" if status else _without_status(str(retry.exception_type))
        key = retry.model_name, error
        if retry.attempt <= self._tries.get(key, 0):
            return
        self._tries[key] = retry.attempt
        self._hear()
        self._calm = 0
        left = range(retry.attempt, self._max_retries)
        longest = retry.wait_time + sum(min(3 * 2**number, 1800) for number in left)
        self._tell(
            f"{retry.model_name}: {error}; try {retry.attempt + 1} of {self._max_retries + 1} in"
            f" {_lasting(retry.wait_time)}; given up in about {_lasting(longest)}"
        )

    def _noted(self, error: ProviderError) -> ProviderError:
        """The error; an outage is one for all. That requests fail one after the other is one where
        others would follow: with none left, each costs its own sample alone."""
        self._given_up += isinstance(error, GivenUp)
        if self._given_up >= MAX_GIVEN_UP and self._to_begin > 0:
            error = Outage(error.reason)
        if isinstance(error, Outage) and self.outage is None:
            self.outage = error
            for scope in self._waiting:
                scope.cancel()
        return error

    def begun(self) -> None:
        """One sample less is still to be begun."""
        self._to_begin -= 1

    def _hear(self) -> None:
        """Something has come: silence begins anew."""
        self._heard_at = anyio.current_time()
        self._tell_at = self._heard_at + SILENCE

    async def _tell_of_silence(self) -> None:
        """Tell that nothing comes; then again whenever that has gone on for twice as long."""
        while True:
            await anyio.sleep_until(self._tell_at)
            now = anyio.current_time()
            if now >= self._tell_at:  # else somebody was answered meanwhile, or has told of it
                silence = now - self._heard_at
                self._tell_at = now + silence
                waiting = len(self._waiting)
                self._tell(f"no answer for {_lasting(silence)}; requests that wait: {waiting}")


def _lasting(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


requests_of_run: ContextVar[Requests | None] = ContextVar("requests of a run", default=None)
"""Those of the run that :func:`homebody.evals.run` makes; none in ``inspect eval``."""


@cache
def hear_of_retries() -> None:
    """Have Inspect tell the requests of a run what is repeated. Only runs ask for it: where there
    are hooks, Inspect prints so, even for those who do other things with it."""

    @hooks(name="homebody_retries", description="Tells a run of homebody what is repeated")
    class Retries(Hooks):
        def enabled(self) -> bool:
            return requests_of_run.get() is not None

        async def on_model_retry(self, data: ModelRetry) -> None:
            requests = requests_of_run.get()
            if requests is not None:
                requests.retried(data)


class Stopping:
    """What keeps Inspect from beginning samples once nothing can be asked any more. It has the
    methods of :class:`inspect_ai.util.EarlyStopping`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        """Who it is, for the log."""
        return "homebody"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:
        """Whether a sample is not begun, and why."""
        outage = self._requests.outage
        if outage is None:
            self._requests.begun()
            return None
        return EarlyStop(id=id, epoch=epoch, reason=outage.reason)

    async def complete_sample(
        self, id: str | int, epoch: int, scores: dict[str, SampleScore]
    ) -> None:
        """Nothing follows from scores."""

    async def complete_task(self) -> dict[str, JsonValue]:
        """There is nothing to add to the log."""
        return {}


def is_generated(output: ModelOutput) -> bool:
    """Whether a model has written it. What Inspect makes of an error has neither a number nor
    tokens."""
    return output.usage is not None or output.response_id is not None


def _checked(output: ModelOutput) -> ModelOutput:
    if not output.choices:
        raise ProviderError("a response without an answer")
    if output.stop_reason == "model_length" and not is_generated(output):
        raise ContextTooLong(TOO_LONG, output.completion)
    return output


def _spelling(model: Model) -> str:
    """How a model may have to be named where its server does not know what it is asked: models of
    OpenAI's provider are asked for "responses", which other servers seldom have."""
    base_url = base_url_of(model.api)
    if not str(model).startswith("openai/") or "api.openai.com" in base_url:
        return ""
    name = str(model).removeprefix("openai/")
    return (
        f"if the server has chat completions only, give --model openai-api/local/{name} with"
        " LOCAL_BASE_URL and LOCAL_API_KEY; "
    )


def _error(error: Exception, spelling: str) -> ProviderError:
    """What an exception of Inspect's or of a client says.

    Args:
        error: The exception.
        spelling: What is said first where the server may not know what it is asked.
    """
    last = getattr(error, "last_attempt", None)  # of tenacity's RetryError
    cause = (last.exception() if last is not None else error.__cause__) or error
    status, said = _status(cause), _said(cause)
    if is_prerequisite(cause):
        return Outage("cannot use the model", message_of(cause))
    if status is None and last is None and _NO_VIDEOS.search(said):
        return Outage("its provider takes no videos", said)
    if status in NOBODY_MAY:
        said = spelling + said if status in (404, 405) else said
        return Outage(f"HTTP {status}, {NOBODY_MAY[status]}", said)
    if last is not None:
        tries = last.attempt_number
        what = f"HTTP {status}" if status else _without_status(type(cause).__name__)
        what += f" after {tries} tries" if tries > 1 else ""
        return GivenUp(what, said)
    if status is not None:
        too_long = status in (400, 413, 422) and _TOO_LONG.search(said)
        kind, what = (ContextTooLong, TOO_LONG) if too_long else (ProviderError, f"HTTP {status}")
        return kind(what, said)
    said = f"{spelling}{type(cause).__name__}: {said}"
    return ProviderError("a response that cannot be read", said)


def _without_status(name: str) -> str:
    """What an exception of this name is about, if it is not about a status of HTTP."""
    is_silence = re.search("connect|timeout", name, re.IGNORECASE)
    return f"no answer ({name})" if is_silence else f"a response that cannot be read ({name})"


def _status(error: BaseException) -> int | None:
    """The status of HTTP that an exception is about."""
    response = getattr(error, "response", None)
    for value in (
        getattr(error, "status_code", None),
        getattr(response, "status_code", None),
        getattr(error, "code", None),
    ):
        if isinstance(value, int):
            return value
    return None


def _said(error: BaseException) -> str:
    """What a provider says in an error: the message in the response, if there is one."""
    body: Any = getattr(error, "body", None)
    while isinstance(body, dict):
        body = body.get("error") or body.get("message")
    return str(body or error)
