"""Asking a model outside a run: what makes tasks rather than solves them, or plays with people."""

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
    """A function that asks a model for a text; see :func:`answering`."""
    with open_model(model, temperature, max_tokens, connections) as answer:
        yield lambda messages: answer(Question("", tuple(messages))).text


@contextmanager
def open_model(
    model: str,
    temperature: float = 0.0,
    max_tokens: int | None = None,
    connections: int | None = None,
) -> Iterator[Callable[[Question], Reply]]:
    """A function that asks a model, in the form that a question wants; any thread may call it.

    Args:
        model: Inspect model name such as ``openai/gpt-4o``.
        temperature: Sampling temperature.
        max_tokens: Of an answer; as the provider does if left out.
        connections: How often it may be asked at once; as Inspect does if left out.

    Raises:
        HomebodyError: Inspect is not installed, there is no such model, or no key for it; and by
            the function, if the provider tells an error, which is never an answer.
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
        max_retries=MAX_REQUEST_RETRIES,  # without a number there is no end to them
        max_connections=connections,
    )

    async def answer(question: Question) -> Reply:
        asked = Conversations(requests, model_of=lambda role: get_model(model, config=config))
        try:
            (reply,) = await asked.ask((question,))
        except ProviderError as error:
            raise HomebodyError(
                f"the model could not be asked: {error.reason}",
                "what is done is kept; the same command goes on",
            ) from error
        return reply

    with start_blocking_portal() as portal:
        yield lambda question: portal.call(answer, question)
