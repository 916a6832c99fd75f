"""Query a model outside a run, to make tasks or to play with people."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from homebody.core import HomebodyError, Question, Reply
from homebody.core.play.conversation import Ask
from homebody.evals.checks import check_model, need_inspect


@contextmanager
def open_text_model(
    model: str,
    temperature: float = 0.7,
    max_tokens: int = 4096,
    connections: int | None = None,
) -> Iterator[Ask]:
    """Yield a function that queries a model for a string; see :func:`open_model`."""
    with open_model(model, temperature, max_tokens, connections) as answer:
        yield lambda messages: answer(Question("", tuple(messages))).text


@contextmanager
def open_model(
    model: str,
    temperature: float = 0.0,
    max_tokens: int | None = None,
    connections: int | None = None,
) -> Iterator[Callable[[Question], Reply]]:
    """Yield a function that queries a model; any thread may call it.

    Args:
        model: Inspect model name such as ``openai/gpt-4o``.
        temperature: Sampling temperature.
        max_tokens: Maximum tokens of a reply; the provider's default if None.
        connections: Maximum number of concurrent requests; Inspect's default if None.

    Raises:
        HomebodyError: Inspect is not installed, or the model or its key is missing. The yielded
            function raises it if the provider reports an error.
    """
    need_inspect()
    check_model(model)
    from anyio.from_thread import start_blocking_portal
    from inspect_ai.model import GenerateConfig, get_model

    from homebody.evals.endpoints import MAX_REQUEST_RETRIES
    from homebody.evals.requests import ProviderError, Requests
    from homebody.evals.solvers import Conversations

    requests = Requests()
    config = GenerateConfig(
        temperature=temperature,
        max_tokens=max_tokens,
        max_retries=MAX_REQUEST_RETRIES,  # otherwise Inspect retries forever
        max_connections=connections,
    )

    async def answer(question: Question) -> Reply:
        conversations = Conversations(
            requests, model_of=lambda role: get_model(model, config=config)
        )
        try:
            (reply,) = await conversations.ask((question,))
        except ProviderError as error:
            raise HomebodyError(
                f"the model could not be queried: {error.reason}",
                "finished work is kept; run the same command to resume",
            ) from error
        return reply

    with start_blocking_portal() as portal:
        yield lambda question: portal.call(answer, question)
