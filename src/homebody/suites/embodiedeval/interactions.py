"""Interactions with objects and people, as data, and their execution.

``interactions.toml`` has the names, preconditions and effects; it can be extended without code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from homebody.core import HomebodyError
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Thing
from homebody.worlds.house.model.state import HouseState, Reaction
from homebody.worlds.house.simulation.conditions import Refused, SkillContext, TooFar, bearer
from homebody.worlds.house.simulation.relations import is_inside, is_on_top
from homebody.worlds.house.simulation.skills import SKILLS, apply

AGENT: Final = "agent"
"""Name of the agent."""
REACH: Final = 1.3
"""Maximum horizontal distance in metres from the agent's centre to an object that it can touch."""
NOT_SEEN: Final = "you do not see it from here"
"""The feedback if an object is not in the picture."""
BODY: Final = Agent(frozenset(SKILLS), reach=REACH, size=(0.5, 0.5, 1.65))
_ADVICE: Final = re.compile(r"(; |: (?=\w+\[)).*", re.DOTALL)
_NUMBERS = Annotated[tuple[Annotated[int, Meta(ge=0, le=7)], ...], Meta(max_length=8)]


class Interaction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name, preconditions and effects of an interaction; see ``interactions.toml``."""

    words: str
    objects: int = 1
    sees: _NUMBERS = ()
    near: _NUMBERS = ()
    needs: tuple[str, ...] = ()
    skill: tuple[int | str, ...] = ()
    sets: tuple[str, ...] = ()
    reacts: Literal["", "look", "wave", "reach"] = ""
    rests: Literal["", "sitting", "lying"] = ""
    done: str = "done"

    def __post_init__(self) -> None:
        for need in self.needs:
            if need.split()[0] not in _NEEDS:
                raise ValueError(f"unknown requirement: {need!r}")
        if self.skill and self.skill[0] not in SKILLS:
            raise ValueError(f"unknown skill: {self.skill[0]!r}")


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation in which an interaction is tried.

    Attributes:
        state: State of the house; changed on success.
        sees: Returns whether something is in the agent's current picture.
    """

    state: HouseState
    sees: Callable[[str], bool]

    @property
    def context(self) -> SkillContext:
        """The input for skills: state, agent body and affordances."""
        return SkillContext(self.state, {AGENT: BODY}, catalogue().affordances)

    def reaches(self, name: str) -> bool:
        """Return whether an object, or its bearer, is within reach."""
        state = self.state
        return self.context.is_in_reach(
            AGENT, bearer(state, name), state.can_hold(bearer(state, name))
        )


def carry_out(interaction: Interaction, objects: Sequence[str], situation: Situation) -> None:
    """Execute an interaction. Raises HomebodyError with the feedback if it is impossible."""
    if not all(situation.reaches(objects[number]) for number in interaction.near):
        raise HomebodyError("you are too far away")
    if not all(situation.sees(objects[number]) for number in interaction.sees):
        raise HomebodyError(NOT_SEEN)
    for need in interaction.needs:
        name, *arguments = need.split()
        if problem := _NEEDS[name](situation, objects, *arguments):
            raise HomebodyError(problem)
    if interaction.skill:
        skill, *named = interaction.skill
        arguments = [objects[each] if isinstance(each, int) else each for each in named]
        try:
            changes = SKILLS[str(skill)].effect(situation.context, AGENT, *arguments)
        except TooFar as refusal:
            raise HomebodyError("you are too far away") from refusal
        except Refused as refusal:
            raise HomebodyError(simplify_refusal(situation.state.house, str(refusal))) from refusal
        apply(situation.state, changes)
    for change in interaction.sets:
        number, state, value = change.split()
        situation.state.set(objects[int(number)], state, value == "yes")
    if interaction.reacts and objects[-1] in situation.state.house.person:
        situation.state.reactions[objects[-1]] = Reaction(AGENT, interaction.reacts)


def simplify_refusal(house: House, refusal: str) -> str:
    """Remove the advice from a refusal, and replace names by categories ("the cup")."""
    text = _ADVICE.sub("", refusal)
    names = re.compile(r"\b[a-z][a-z_]*_\d+\b")
    known: dict[str, Thing | Furniture] = {**house.thing, **house.piece}

    def words(match: re.Match[str]) -> str:
        if match[0] in known:
            return f"the {known[match[0]].category.replace('_', ' ')}"
        return "somebody" if match[0] in house.person else "it"

    return names.sub(words, text)


def _check_holds(situation: Situation, objects: Sequence[str], number: str) -> str:
    held = situation.state.held_by(AGENT).values()
    return "" if objects[int(number)] in held else "you do not hold it"


def _check_empty_handed(situation: Situation, objects: Sequence[str]) -> str:
    return "your hand is full" if situation.state.held_by(AGENT) else ""


def _check_holds_for(situation: Situation, objects: Sequence[str], words: str) -> str:
    kinds, house = catalogue().things, situation.state.house
    for name in situation.state.held_by(AGENT).values():
        kind = kinds.get(house.thing[name].category)
        if kind is not None and any(
            word.replace("_", " ") in kind.function for word in words.split("|")
        ):
            return ""
    return "you hold nothing to do it with"


def _check_beside(situation: Situation, objects: Sequence[str], word: str) -> str:
    affords = catalogue().affordances
    beside = any(
        (word == piece.category or word in affords.get(piece.category, ()))
        and situation.reaches(piece.name)
        for piece in situation.state.house.furniture
    )
    place = "sink" if word == "faucet" else word.replace("_", " ")
    return "" if beside else f"there is no {place} within reach"


def _check_is(situation: Situation, objects: Sequence[str], number: str, state: str) -> str:
    is_so = situation.state.is_in_state(objects[int(number)], state)
    return "" if is_so else f"it is not {state.replace('_', ' ')}"


def _check_not(situation: Situation, objects: Sequence[str], number: str, state: str) -> str:
    is_so = situation.state.is_in_state(objects[int(number)], state)
    return f"it is {state.replace('_', ' ')}" if is_so else ""


def _check_on(situation: Situation, objects: Sequence[str], number: str, other: str) -> str:
    state, name, place = situation.state, objects[int(number)], objects[int(other)]
    return (
        "" if is_on_top(state, name, place) or is_inside(state, name, place) else "it is not there"
    )


_NEEDS: Final[dict[str, Callable[..., str]]] = {
    "holds": _check_holds,
    "empty-handed": _check_empty_handed,
    "holds-for": _check_holds_for,
    "beside": _check_beside,
    "is": _check_is,
    "not": _check_not,
    "on": _check_on,
}
"""Precondition -> its check. If the precondition does not hold, the check returns feedback,
otherwise None."""


@cache
def interactions() -> dict[str, Interaction]:
    """Return all interactions by name. Raises HomebodyError if the file has a mistake."""
    text = (resources.files(__package__) / "interactions.toml").read_text(encoding="utf-8")
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Interaction])
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise HomebodyError(f"interactions.toml: {error}") from error
