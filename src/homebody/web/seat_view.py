"""What the roles of a game are told: made once for each revision, whoever asks and how often."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Any

from homebody.core import Action, Observation, Session
from homebody.core.play.conversation import Image
from homebody.core.play.known_scene import ShowsScene
from homebody.web.game_journal import Header
from homebody.web.observation_json import (
    action_json,
    find_options,
    images_of,
    observation_json,
    options_json,
    tools_json,
    unlisted_options,
)
from homebody.web.partners import shown_kind
from homebody.web.scene_json import Draw, mesh_bytes, mesh_makers, scene_json


@dataclass(frozen=True, slots=True)
class Now:
    """How far a game is.

    Attributes:
        revision: Grows whenever something happens.
        awaited: The roles of persons who have not come yet.
        ending: Why it is over; None while it goes on.
        thinking: Role whose model is being asked -> for how many seconds.
        messages: What persons have written to each other; None if they cannot.
    """

    revision: int
    awaited: Set[str]
    ending: str | None
    thinking: Mapping[str, float]
    messages: Sequence[Mapping[str, str]] | None


@dataclass(frozen=True, slots=True)
class _CachedSeat:
    """What a role was told at a revision."""

    revision: int
    seat: Mapping[str, Any]
    images: Sequence[Image]


class SeatView:
    """What is told of a session.

    Args:
        header: What is played, and by whom.
        session: That is being played; only looked at.
    """

    def __init__(self, header: Header, session: Session) -> None:
        self._header, self._session = header, session
        self._told: dict[str, _CachedSeat] = {}
        self._chosen_from: dict[str, tuple[object, Sequence[Mapping[str, str]]]] = {}
        self._draws: dict[str, dict[str, Draw]] = {}  # of meshes that a role was told of

    def seat(self, role: str, now: Now) -> dict[str, Any]:
        """What a role is told."""
        told = self._now(role, now).seat
        others = [
            {**other, "thinking": now.thinking.get(other["role"])} for other in told["others"]
        ]
        return {**told, "others": others}

    def image(self, role: str, number: int, now: Now) -> Image | None:
        """A picture of what a role sees; None if there is none of that number."""
        images = self._now(role, now).images
        return images[number] if 0 <= number < len(images) else None

    def scene(self, role: str, of: str, now: Now) -> dict[str, Any] | None:
        """What a role is told of what one, it or a partner, knows of a world with geometry; None
        if there is nothing that it may see."""
        if of != role and not (self._header.partners_view and of in self._session.roles):
            return None
        known = self._session.observe(of).scene
        if known is None:
            return None
        self._draws.setdefault(role, {}).update(mesh_makers(known))
        return {"revision": now.revision, **scene_json(known)}

    def meshes(self, role: str, names: Sequence[str]) -> list[Callable[[], bytes]] | None:
        """What makes each of some meshes, in any thread; None if this role was not told of one."""
        told = self._draws.get(role, {})
        if not all(name in told for name in names):
            return None
        return [partial(_encode_mesh, told[name], name) for name in names]

    def find(self, role: str, words: Sequence[str]) -> Sequence[Mapping[str, str]]:
        """Options of a role that have some words in them, also of those that are not told."""
        ready = role in self._session.ready()
        return find_options(self._session.observe(role).options, words) if ready else []

    def _now(self, role: str, now: Now) -> _CachedSeat:
        told = self._told.get(role)
        if told is None or told.revision != now.revision:
            if now.ending is not None:
                self._chosen_from.clear()  # nobody chooses any more
            observation = self._session.observe(role)
            images = images_of(observation)
            names = [image.name for image in images]
            seat = self._seat(role, now, observation, names)
            told = self._told[role] = _CachedSeat(now.revision, seat, images)
        return told

    def _options(self, role: str, observation: Observation) -> Sequence[Mapping[str, str]]:
        """The options of who is ready to choose one: thousands, which are the same for long."""
        options = observation.options
        known = self._chosen_from.get(role)
        if known is None or known[0] is not options:
            known = self._chosen_from[role] = options, options_json(options)
        return known[1]

    def _visible_actions(self, role: str, observation: Observation) -> Mapping[str, Action]:
        """What others do, as far as a role may see it."""
        if not self._header.partners_view:
            return observation.doing
        acting = {other: self._session.busy(other) for other in self._session.roles}
        return {other: action for other, action in acting.items() if action and other != role}

    def _seat(
        self, role: str, now: Now, observation: Observation, images: Sequence[str]
    ) -> dict[str, Any]:
        session, header = self._session, self._header
        busy, doing = session.busy(role), self._visible_actions(role, observation)
        there = session.ready()
        ready = not now.awaited and now.ending is None and role in there
        return {
            "revision": now.revision,
            "suite": header.suite,
            "task": header.task,
            **observation_json(observation, self._options(role, observation) if ready else ()),
            "untold": unlisted_options(observation.options) if ready else {},
            "tools": tools_json(observation),
            "seconds": round(observation.clock / session.rate, 1) if session.rate else None,
            "ready": ready,
            "busy": None if busy is None else action_json(busy),
            "ending": now.ending,
            "messages": now.messages,
            "images": [
                {"name": name, "url": f"/api/v1/seat/image/{at}?revision={now.revision}"}
                for at, name in enumerate(images)
            ],
            "scene": isinstance(observation.view, ShowsScene),
            "partners_view": header.partners_view,
            "others": [
                {
                    "role": other,
                    "kind": shown_kind(header.seats[other]),
                    "here": other not in now.awaited,
                    "done": not now.awaited and not session.busy(other) and other not in there,
                    "doing": action_json(doing[other]) if other in doing else None,
                }
                for other in session.roles
                if other != role
            ],
        }


def _encode_mesh(draw: Draw, name: str) -> bytes:
    return mesh_bytes(draw(name))
