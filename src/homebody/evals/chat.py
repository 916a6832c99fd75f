"""Conversion between homebody's queries and replies and Inspect's messages and tools."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any, Final

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import JSONSchema

from homebody.core import Message, Question, Reply, Tool, ToolCall
from homebody.core.play.conversation import Image, StopReason
from homebody.evals.requests import is_generated

MAX_URLS: Final = 100
"""Maximum number of pictures in a conversation whose data URLs are cached."""


def as_chat(message: Message, url_of: Callable[[Image], str] | None = None) -> ChatMessage:
    """Convert a message; ``url_of`` makes pictures' data URLs."""
    url_of = url_of or data_url
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            if not message.images and not message.videos:
                return ChatMessageUser(content=message.text)
            parts: list[Content] = [ContentText(text=message.text)]
            for image in message.images:
                parts += [
                    ContentText(text=f"{image.name}:"),
                    ContentImage(image=url_of(image)),
                ]
            for video in message.videos:
                url = f"data:video/mp4;base64,{b64encode(video.mp4).decode()}"
                parts += [ContentText(text=f"{video.name}:"), ContentVideo(video=url, format="mp4")]
            return ChatMessageUser(content=parts)
        case "assistant":
            calls = [
                InspectCall(id=call.id, function=call.name, arguments=dict(call.arguments))
                for call in message.calls
            ]
            return ChatMessageAssistant(content=message.text, tool_calls=calls or None)
        case "tool":
            return ChatMessageTool(content=message.text, tool_call_id=message.call_id)


def join_user_turns(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Join consecutive user messages, because many servers refuse two of one role.

    System and assistant messages stay as they are.
    """
    said: list[ChatMessage] = []
    for message in messages:
        before = said[-1] if said else None
        if isinstance(message, ChatMessageUser) and isinstance(before, ChatMessageUser):
            said[-1] = ChatMessageUser(content=[*_parts(before), *_parts(message)])
        else:
            said.append(message)
    return said


def _parts(message: ChatMessage) -> list[Content]:
    content = message.content
    return [ContentText(text=content)] if isinstance(content, str) else content


def data_url(image: Image) -> str:
    """Return a picture as the data URL of a PNG."""
    return f"data:image/png;base64,{b64encode(image.png()).decode()}"


class DataUrls:
    """A cache of the last :data:`MAX_URLS` pictures' data URLs: conversations repeat pictures."""

    def __init__(self) -> None:
        self._made: dict[
            int, tuple[Image, str]
        ] = {}  # keeps the image, so that its id stays unique

    def __call__(self, image: Image) -> str:
        """Return the picture's :func:`data_url`."""
        key = id(image.rgb)
        made = self._made.pop(key, None) or (image, data_url(image))
        self._made[key] = made
        while len(self._made) > MAX_URLS:
            del self._made[next(iter(self._made))]
        return made[1]


def as_tool(tool: Tool) -> ToolInfo:
    """Convert a tool; optional arguments become required ones that may be null.

    Providers with strict schemas refuse a tool that does not require all arguments.
    """
    properties = tool.parameters["properties"]
    required = tool.parameters.get("required", ())
    parameters = ToolParams.model_validate(
        {
            **tool.parameters,
            "properties": {
                name: schema if name in required else {"anyOf": [schema, {"type": "null"}]}
                for name, schema in properties.items()
            },
            "required": list(properties),
        }
    )
    return ToolInfo(name=tool.name, description=tool.description, parameters=parameters)


def read_reply(output: ModelOutput) -> Reply:
    """Convert a model's output to a reply.

    Arguments that cannot be parsed are missing from the call. If the provider refused the request
    with an error, the reply is empty, because its text would be the provider's.
    """
    calls = output.message.tool_calls or ()
    is_error = output.stop_reason == "content_filter" and not is_generated(output)
    return Reply(
        "" if is_error else output.completion,
        tuple(ToolCall(call.function, call.arguments, call.id) for call in calls),
        _stop_reason(output),
        output.time or 0.0,
    )


def _stop_reason(output: ModelOutput) -> StopReason:
    content = output.message.content
    parts = content if isinstance(content, list) else ()
    if any(isinstance(part, ContentText) and part.refusal for part in parts):
        return "refused"
    match output.stop_reason:
        case "content_filter":
            return "refused"
        case "max_tokens" | "model_length":
            return "max_tokens"
        case reason if output.completion.strip() or output.message.tool_calls:
            return reason
        case _:
            return "empty"


def config_of(question: Question) -> GenerateConfig:
    """Return the settings that constrain a reply to the question's format.

    Inspect sends schemas. Grammars have no standard parameter, so they are sent under the names of
    all local servers: ``grammar`` (llama.cpp), ``structured_outputs`` (vLLM), ``guided_grammar``
    and ``guided_regex`` (vLLM before 0.12), ``ebnf`` and ``regex`` (SGLang).
    """
    body: dict[str, Any] = {}
    if question.gbnf:
        body |= dict.fromkeys(("grammar", "guided_grammar", "ebnf"), question.gbnf)
        body["structured_outputs"] = {"grammar": question.gbnf}
    if question.regex:
        body |= dict.fromkeys(("guided_regex", "regex"), question.regex)
        body["structured_outputs"] = {"regex": question.regex}
    if question.schema is None:
        return GenerateConfig(extra_body=body or None)
    schema = JSONSchema.model_validate(question.schema)
    return GenerateConfig(
        response_schema=ResponseSchema(name="action", json_schema=schema, strict=True),
        extra_body=body or None,
    )
