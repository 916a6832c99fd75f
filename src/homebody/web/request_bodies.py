"""What clients send: bodies of requests, and whose they are."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header
from pydantic import BaseModel, ConfigDict, Field

from homebody.core import ToolCall
from homebody.core.play.session import ActionInput
from homebody.web.access import bearer
from homebody.web.chat import MAX_MESSAGE
from homebody.web.game_journal import MAX_SAID
from homebody.web.game_setup import Setup
from homebody.web.scene_json import MAX_MESHES


def _token(authorization: Annotated[str, Header()] = "") -> str:
    return bearer(authorization)


Token = Annotated[str, Depends(_token)]
"""What a request says whose it is; empty if it says nothing."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Call(_Body):
    """A call of a tool."""

    name: Annotated[str, Field(max_length=100)]
    arguments: dict[Annotated[str, Field(max_length=100)], str | None] = {}


class Act(_Body):
    """Something to be done. The same id again does nothing, and gives the same reply."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    said: Annotated[str, Field(max_length=MAX_SAID)] | int | Call = Field(
        description="an action as it is written, Name[argument, ...]; the number of an option, from"
        " 0; or a call of a tool"
    )
    revision: int | None = Field(
        None, description="what was known when this was decided: refused if it is so no more"
    )

    def action_input(self) -> ActionInput:
        """What is said, as sessions take it."""
        said = self.said
        return ToolCall(said.name, said.arguments) if isinstance(said, Call) else said


class Written(_Body):
    """Something that is written to the others. The same id again does nothing."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    text: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE)]


class Meshes(_Body):
    """Meshes that are asked for."""

    names: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MAX_MESHES)]


class NewSession(_Body):
    """A game to be made."""

    suite: Annotated[str, Field(max_length=100)]
    task: Annotated[str, Field(max_length=300)] | None = None
    settings: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=300)]] = (
        Field(default={}, max_length=50)
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    seats: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=200)]] = (
        Field(max_length=10, description="role -> person, expert, random, idle, or a model's name")
    )
    chat: bool = Field(False, description="whether persons can write to each other")
    driver: Annotated[str, Field(max_length=20)] = Field(
        "", description="how models are asked: react, tools or options; as the suite has it if not"
    )

    partners_view: bool = Field(
        False, description="whether persons see what their partners see and do"
    )

    def setup(self) -> Setup:
        """What is to be played."""
        return Setup(**dict(self))


class Made(_Body):
    """A game that was made: its name, and the tokens of the roles that persons play."""

    session: str
    seats: dict[str, str]
