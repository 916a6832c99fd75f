"""Checks of a model before a run, and one-line messages about its failures."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from homebody.core import HomebodyError
from homebody.core.score import MAX_REASON

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

_LOADS_WEIGHTS = frozenset(["hf", "nnterp", "sglang", "transformer_lens", "vllm"])


def need_inspect() -> None:
    """Raise HomebodyError, with how to install it, if Inspect AI cannot be imported."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise HomebodyError(
            f"running models needs Inspect AI, which cannot be imported: {error}",
            "pip install 'homebody[models]'",
        ) from error


def check_model(name: str, **arguments: Any) -> None:
    """Check, before any work, for a wrong name, a missing key and a server that is not running.

    Args:
        name: Inspect model name.
        arguments: Arguments for Inspect's ``get_model``.

    Raises:
        HomebodyError: The model cannot be used.
    """
    try:
        name.encode()  # every request contains it
    except UnicodeEncodeError as error:
        raise HomebodyError(f"the name of the model {name!r} is not UTF-8") from error
    from dotenv import find_dotenv, load_dotenv
    from inspect_ai.model import get_model

    load_dotenv(find_dotenv(usecwd=True))  # Inspect does so only when a run starts
    if name.partition("/")[0].removesuffix("-completions") in _LOADS_WEIGHTS:
        return  # loading the weights twice would take too long
    try:
        model = get_model(name, memoize=False, **arguments)
    except Exception as error:
        known = isinstance(error, ValueError | ImportError) or is_prerequisite(error)
        if not (known or arguments):  # clients raise any exception for bad arguments
            raise
        raise HomebodyError(
            f"cannot use the model {name!r}: {message_of(error)}",
            "see https://inspect.aisi.org.uk/providers.html",
        ) from error
    _check_server(base_url_of(model.api))


def base_url_of(api: object) -> str:
    """Return the address of a provider; empty if unknown."""
    client = getattr(api, "client", None)
    return str(getattr(api, "base_url", None) or getattr(client, "base_url", None) or "")


def _check_server(base_url: str) -> None:
    """Raise HomebodyError if no server responds; Inspect would retry for minutes.

    Behind a proxy this cannot be checked.
    """
    url = urlsplit(base_url)
    if not url.hostname or (getproxies() and not proxy_bypass(url.hostname)):
        return
    try:
        port = url.port or (443 if url.scheme == "https" else 80)
        socket.create_connection((url.hostname, port), timeout=10).close()
    except (OSError, ValueError) as error:
        raise HomebodyError(
            f"no server answers at {base_url}: {error}",
            "check the network, and the base URL if you have set one",
        ) from error


def reason_of(log: EvalLog) -> str:
    """Return why a run failed, in one short line."""
    if log.error is None:
        return f"the run ended with status {log.status}"
    line = _one_line(log.error.message)
    return (
        line if len(line) <= MAX_REASON else f"...{line[-MAX_REASON:]}"
    )  # the end is most informative


def _one_line(text: str) -> str:
    return " ".join(text.split())


def is_prerequisite(error: BaseException) -> bool:
    """Return whether an exception of Inspect tells a user what to fix.

    Its class is not public, so it is recognised by name.
    """
    return type(error).__name__ == "PrerequisiteError"


def message_of(error: BaseException) -> str:
    """Return the message of an Inspect exception without terminal markup."""
    from rich.errors import MarkupError
    from rich.markup import render

    text = str(getattr(error, "message", error))
    if hasattr(error, "message"):
        with suppress(MarkupError):
            text = render(text).plain
    return _one_line(text).removeprefix("ERROR: ")
