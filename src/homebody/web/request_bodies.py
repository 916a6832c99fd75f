"""Bodies of requests, and the tokens of their senders."""

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
"""The bearer token of a request; empty without one."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Call(_Body):
    """A call of a tool."""

    name: Annotated[str, Field(max_length=100)]
    arguments: dict[Annotated[str, Field(max_length=100)], str | None] = {}


class Act(_Body):
    """An action. A repeated id does nothing and gives the same reply."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    said: Annotated[str, Field(max_length=MAX_SAID)] | int | Call = Field(
        description="an action, Name[argument, ...]; index of an option, from 0; or a tool call"
    )
    revision: int | None = Field(
        None, description="revision on which the decision was based; refused if it is out of date"
    )

    def action_input(self) -> ActionInput:
        """Return the action as sessions accept it."""
        call = self.said
        return ToolCall(call.name, call.arguments) if isinstance(call, Call) else call


class Written(_Body):
    """A message to the other players. A repeated id does nothing."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    text: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE)]


class Meshes(_Body):
    """Names of requested meshes."""

    names: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MAX_MESHES)]


class NewSession(_Body):
    """A game to create."""

    suite: Annotated[str, Field(max_length=100)]
    task: Annotated[str, Field(max_length=300)] | None = None
    settings: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=300)]] = (
        Field(default={}, max_length=50)
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    seats: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=200)]] = (
        Field(max_length=10, description="role -> person, expert, random, idle, or a model's name")
    )
    chat: bool = Field(False, description="true if persons can write to each other")
    driver: Annotated[str, Field(max_length=20)] = Field(
        "", description="driver of models: react, tools or options; empty for the suite's own"
    )

    partners_view: bool = Field(
        False, description="true if persons see what their partners see and do"
    )

    def setup(self) -> Setup:
        """Return the setup of the game."""
        return Setup(**dict(self))


class Made(_Body):
    """A created game: its name, and the tokens of the roles that persons play."""

    session: str
    seats: dict[str, str]
