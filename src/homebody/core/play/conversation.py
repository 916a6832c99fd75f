"""What is asked of models, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that a model can call.

    Attributes:
        name: Of the action that a call is: at most 50 letters, digits and underscores.
        description: What it does, for the model.
        parameters: JSON schema of an object. Its properties, in their order, are the arguments of
            the action; those that are not required may be left out, or be null, from the end.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]

    @classmethod
    def of(cls, name: str, description: str, *arguments: str) -> Tool:
        """A tool that needs all of its arguments, which are names."""
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
    """A picture of what a role sees: (height, width, 3) bytes."""

    name: str
    rgb: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Video:
    """A video of what a role has seen.

    Attributes:
        name: What it shows.
        mp4: The file.
        frames: How many pictures it is made of.
    """

    name: str
    mp4: bytes
    frames: int


@dataclass(frozen=True, slots=True)
class Message:
    """A turn of a conversation with a model.

    Attributes:
        calls: What the assistant called in this turn.
        call_id: Of the call whose result a turn of the role ``tool`` tells.
        images: What the user shows with the text, after it, each with its name.
        videos: Likewise, after the images.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    images: tuple[Image, ...] = field(default=(), compare=False)
    videos: tuple[Video, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model while something is being played.

    Attributes:
        role: Who it plays: names what is asked when several models play together.
        messages: The conversation so far; the last is what is asked.
        schema: JSON schema that the answer must keep to, for providers that can see to it; None
            if any text will do.
        gbnf: The same as a grammar in the notation of llama.cpp; empty for none.
        regex: The same as a regular expression; empty for none.
        tools: What can be called.
    """

    role: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    gbnf: str = ""
    regex: str = ""
    tools: tuple[Tool, ...] = ()


StopReason: TypeAlias = Literal["stop", "tool_calls", "max_tokens", "refused", "empty", "unknown"]
"""Why an answer ended: the model was done (``stop``) or waits for what its calls give
(``tool_calls``); it was cut off, as it was as long as allowed or the model's context was full
(``max_tokens``); the model declined, or its provider withheld the answer (``refused``); it was done
without having said or called anything (``empty``); or its provider did not say."""
STOP_REASON: Final = "stop_reason"
"""Key in the record of a task that is asked: why the answer ended."""
STOP_REASONS: Final = "stop_reasons"
"""Key in the record of a task that is played: reason -> how many of the answers ended so."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answers: a text, what it calls, and why it ended there."""

    text: str
    calls: tuple[ToolCall, ...] = field(default=())
    stop_reason: StopReason = "stop"


def transcript_text(text: str, stop_reason: StopReason) -> str:
    """What a transcript has of an answer without an action: that it was refused, or empty, if it
    was."""
    if stop_reason == "refused":
        return f"(refused) {text}".rstrip()
    return text if text.strip() else "(empty)"


Ask: TypeAlias = Callable[[Sequence[Message]], str]
"""Asks a model: a conversation -> what it says next; may be called by several threads at once."""
Dialogue: TypeAlias = Generator[tuple[Question, ...], tuple[Reply, ...], None]
"""Models driving a session: yields questions that can be asked at the same time, and is sent the
replies in their order. What came of it is in the session."""


class Player(Protocol):
    """A model that plays a role, and its conversation, for whoever lets time pass."""

    def resume(self) -> bool:
        """Have the role, which is ready, do what is decided already; whether there was
        something."""
        ...

    def question(self) -> Question:
        """What the model is asked now; the same if it is asked again."""
        ...

    def answer(self, reply: Reply) -> None:
        """Have the role do what the model answers."""
        ...
