"""What can be wrong with a model, found before the run or told after it, in one line."""

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
    """Raises HomebodyError, with how to install it, if Inspect AI cannot be imported."""
    try:
        import inspect_ai  # noqa: F401
    except ImportError as error:
        raise HomebodyError(
            f"running needs Inspect AI, which cannot be imported: {error}",
            "pip install 'homebody[models]'",
        ) from error


def check_model(name: str, **arguments: Any) -> None:
    """Find a wrong name, a missing key or a server that is not running before any work.

    Args:
        name: Inspect model name.
        arguments: What Inspect's ``get_model`` is told of it.
    """
    try:
        name.encode()  # it stands in every request
    except UnicodeEncodeError as error:
        raise HomebodyError(f"the name of the model {name!r} is not UTF-8") from error
    from dotenv import find_dotenv, load_dotenv
    from inspect_ai.model import get_model

    load_dotenv(find_dotenv(usecwd=True))  # as Inspect does, but not before a run has begun
    if name.partition("/")[0].removesuffix("-completions") in _LOADS_WEIGHTS:
        return  # making the model twice would take too long
    try:
        model = get_model(name, memoize=False, **arguments)
    except Exception as error:
        known = isinstance(error, ValueError | ImportError) or is_prerequisite(error)
        if not (known or arguments):  # clients of providers raise all sorts of their arguments
            raise
        raise HomebodyError(
            f"cannot use the model {name!r}: {message_of(error)}",
            "see https://inspect.aisi.org.uk/providers.html",
        ) from error
    _check_server(base_url_of(model.api))


def base_url_of(api: object) -> str:
    """Where a provider is asked; empty where that cannot be told."""
    client = getattr(api, "client", None)
    return str(getattr(api, "base_url", None) or getattr(client, "base_url", None) or "")


def _check_server(base_url: str) -> None:
    """Inspect would go on trying for minutes. Behind a proxy nothing can be told."""
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
    """Why a run failed, in one short line: the rest is in the log."""
    if log.error is None:
        return f"the run ended with status {log.status}"
    line = _one_line(log.error.message)
    return line if len(line) <= MAX_REASON else f"...{line[-MAX_REASON:]}"  # its end says most


def _one_line(text: str) -> str:
    return " ".join(text.split())


def is_prerequisite(error: BaseException) -> bool:
    """Whether an exception of Inspect's tells a user what to mend. Its class is not public, and is
    known by its name."""
    return type(error).__name__ == "PrerequisiteError"


def message_of(error: BaseException) -> str:
    """What an exception of Inspect's says, without its terminal markup, if it is any: a name in it
    may look like markup."""
    from rich.errors import MarkupError
    from rich.markup import render

    text = str(getattr(error, "message", error))
    if hasattr(error, "message"):
        with suppress(MarkupError):
            text = render(text).plain
    return _one_line(text).removeprefix("ERROR: ")
