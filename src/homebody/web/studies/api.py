"""The HTTP API of a study: the participant's next step, and finishing it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from homebody.web.access import RateLimits
from homebody.web.game_thread import Stage
from homebody.web.request_bodies import Token
from homebody.web.studies.running import RunningStudy
from homebody.web.studies.study import MAX_TEXT_ANSWER

Answer = Annotated[str, Field(max_length=MAX_TEXT_ANSWER)] | int | None


class StepDone(BaseModel):
    """A finished step with its answers, by name of the question."""

    model_config = ConfigDict(extra="forbid", strict=True)
    step: Annotated[str, Field(max_length=40)]
    answers: dict[Annotated[str, Field(max_length=100)], Answer] = Field(default={}, max_length=100)


def study_api(stage: Stage, study: RunningStudy) -> APIRouter:
    """Return the routes of a study."""
    api = APIRouter(prefix="/api/v1/study")
    rates = RateLimits()

    def number_of(token: str) -> int:
        number = study.number(token)
        if number is None:
            raise HTTPException(404)
        if not rates.allow(str(number)):
            raise HTTPException(429, "too many requests: wait a second")
        return number

    @api.get("")
    async def step(token: Token) -> dict[str, Any]:
        """Return the participant's current step."""
        number = number_of(token)
        return await stage.work(lambda games: study.step(number))

    @api.post("")
    async def finish_step(done: StepDone, token: Token) -> dict[str, Any]:
        """Finish a step and return the next one. Repeating it does nothing."""
        number = number_of(token)

        def work(_: object) -> dict[str, Any]:
            study.finish_step(number, done.step, done.answers)
            return study.step(number)

        return await stage.work(work)

    return api
