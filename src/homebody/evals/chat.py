"""Questions and replies as Inspect has them: messages, tools, and what keeps answers to a form."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from io import BytesIO
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
"""Pictures whose data URLs are kept in a conversation."""


def as_chat(message: Message, url_of: Callable[[Image], str] | None = None) -> ChatMessage:
    """A message as Inspect has it; data URLs of pictures by ``url_of``, if it is given."""
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
    """Messages in which what the user says in several turns is one: many servers refuse two of one
    role in a row."""
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
    """A picture as a data URL of PNG."""
    from PIL import Image as Pictures

    data = BytesIO()
    Pictures.fromarray(image.rgb).save(data, "PNG")
    return f"data:image/png;base64,{b64encode(data.getvalue()).decode()}"


class DataUrls:
    """Data URLs of pictures, of the last :data:`MAX_URLS` that were asked for: in a conversation
    the same pictures are shown again and again."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[Image, str]] = {}  # with the image its pixels' id stays its own

    def __call__(self, image: Image) -> str:
        """As :func:`data_url`."""
        key = id(image.rgb)
        made = self._made.pop(key, None) or (image, data_url(image))
        self._made[key] = made
        while len(self._made) > MAX_URLS:
            del self._made[next(iter(self._made))]
        return made[1]


def as_tool(tool: Tool) -> ToolInfo:
    """A tool as Inspect has it. Providers that keep answers to schemas refuse one that does not
    require all arguments: those that may be left out may be null instead."""
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
    """What a model answered. Arguments that could not be read are none: the call lacks them. Of a
    request that was refused with an error, the text is the provider's, and not an answer."""
    calls = output.message.tool_calls or ()
    is_error = output.stop_reason == "content_filter" and not is_generated(output)
    return Reply(
        "" if is_error else output.completion,
        tuple(ToolCall(call.function, call.arguments, call.id) for call in calls),
        _stop_reason(output),
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
    """What sees to it that an answer keeps to its form.

    A schema goes the way that Inspect has for it. Grammars have no common way: they are sent
    under the names by which servers of local models take them: ``grammar`` (llama.cpp),
    ``structured_outputs`` (vLLM) or ``guided_grammar`` and ``guided_regex`` (vLLM before 0.12),
    ``ebnf`` and ``regex`` (SGLang).
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
