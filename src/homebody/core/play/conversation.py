"""Queries to models, and their replies."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from homebody.core.ground.user_errors import HomebodyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Tool:
    """A kind of action that a model can call.

    Attributes:
        name: The action's name: at most 50 letters, digits and underscores.
        description: Its meaning, for the model.
        parameters: JSON schema of an object. Its properties, in order, are the arguments of the
            action. Arguments that are not required may be omitted from the end, or be null.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, description: str, *arguments: str) -> Tool:
        """Return a tool whose arguments are all names and all required."""
        schema = {
            "type": "object",
            "properties": {argument: {"type": "string"} for argument in arguments},
            "required": list(arguments),
            "additionalProperties": False,
        }
        return cls(name, description, schema)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, as a model wrote it: its arguments may be anything."""

    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a role's view: (height, width, 3) bytes."""

    name: str
    rgb: NDArray[np.uint8]

    def png(self, *, fast: bool = False) -> bytes:
        """Return the picture as a PNG file; a ``fast`` one is larger."""
        from io import BytesIO

        from PIL import Image as Pictures

        data = BytesIO()
        Pictures.fromarray(self.rgb).save(data, "PNG", compress_level=1 if fast else 6)
        return data.getvalue()


@dataclass(frozen=True, slots=True)
class Video:
    """A video of a role's views.

    Attributes:
        name: The content, in words.
        mp4: The file.
        frames: Number of its pictures.
    """

    name: str
    mp4: bytes
    frames: int


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a conversation with a model.

    Attributes:
        calls: The tool calls of an assistant's turn.
        call_id: In a turn of the role ``tool``: the id of the call whose result the text is.
        images: The user's images, which follow the text, each with its name.
        videos: The user's videos, which follow the images.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    images: tuple[Image, ...] = field(default=(), compare=False)
    videos: tuple[Video, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """A query to a model that plays.

    Attributes:
        role: The role that the model plays. It distinguishes the queries if several models play.
        messages: The conversation so far, the query last.
        schema: JSON schema of the reply, for providers that can enforce one; None for any text.
        gbnf: The same format as a grammar in the notation of llama.cpp; empty for none.
        regex: The same format as a regular expression; empty for none.
        tools: The tools that can be called.
    """

    role: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    gbnf: str = ""
    regex: str = ""
    tools: tuple[Tool, ...] = ()


StopReason: TypeAlias = Literal["stop", "tool_calls", "max_tokens", "refused", "empty", "unknown"]
"""The reason why a reply ended.

``stop``: the model finished. ``tool_calls``: it waits for the results of its calls.
``max_tokens``: it was cut off at the allowed length, or its context was full. ``refused``:
the model declined, or its provider withheld the reply. ``empty``: it finished without text or
calls. ``unknown``: its provider did not report it."""
STOP_REASON: Final = "stop_reason"
"""Key in the record of a prompted task: the stop reason of the output."""
STOP_REASONS: Final = "stop_reasons"
"""Key in the record of a played task: stop reason -> number of replies."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply: a string, tool calls and the stop reason.

    Attributes:
        seconds: The time that the model took for it, without retries; 0 if unknown.
    """

    text: str
    calls: tuple[ToolCall, ...] = field(default=())
    stop_reason: StopReason = "stop"
    seconds: float = field(default=0.0, compare=False)


CUT_OFF: Final = "(cut off)"
"""Start of a transcript's text of a reply that was cut off."""


def check_complete(reply: Reply) -> None:
    """Raise HomebodyError if a reply was cut off at its maximum length. Its last action may be
    unfinished, or only considered."""
    if reply.stop_reason == "max_tokens":
        raise HomebodyError("your reply was cut off", "think less, and end with an action")


def transcript_text(text: str, stop_reason: StopReason) -> str:
    """Return the text that a transcript records for a reply without an action. It marks replies
    that were refused, cut off or empty."""
    if stop_reason == "refused":
        return f"(refused) {text}".rstrip()
    if stop_reason == "max_tokens":
        return f"{CUT_OFF} {text}".rstrip()
    return text if text.strip() else "(empty)"


Ask: TypeAlias = Callable[[Sequence[Message]], str]
"""Queries a model: conversation -> reply text. Several threads may call it at once."""
Dialogue: TypeAlias = Generator[tuple[Question, ...], tuple[Reply, ...], None]
"""A dialogue of models that play a session. The generator yields queries that can run concurrently,
and the caller sends it the replies in the same order. The result is in the session."""


class Player(Protocol):
    """A model that plays one role, with its conversation. The caller lets time pass."""

    def resume(self) -> bool:
        """Let the role, which is ready, do an action that is already decided. Return whether there
        was such an action."""
        ...

    def question(self) -> Question:
        """Return the next query. It stays the same until it is answered."""
        ...

    def answer(self, reply: Reply) -> None:
        """Let the role do the action in the model's reply."""
        ...
