"""Observations of the roles of a game, computed once for each revision."""

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
    """The state of a game.

    Attributes:
        revision: Counter that grows whenever something happens.
        awaited: Roles of persons who have not joined yet.
        ending: The reason why the game is over; None while it runs.
        thinking: Role whose model is being queried -> seconds so far.
        messages: Messages of the chat; None without a chat.
    """

    revision: int
    awaited: Set[str]
    ending: str | None
    thinking: Mapping[str, float]
    messages: Sequence[Mapping[str, str]] | None


@dataclass(frozen=True, slots=True)
class _CachedSeat:
    """The observation of a role at a revision."""

    revision: int
    seat: Mapping[str, Any]
    images: Sequence[Image]


class SeatView:
    """Computes the observations of the roles of a session.

    Args:
        header: The task and the players.
        session: The session; never changed.
    """

    def __init__(self, header: Header, session: Session) -> None:
        self._header, self._session = header, session
        self._cache: dict[str, _CachedSeat] = {}
        self._chosen_from: dict[str, tuple[object, Sequence[Mapping[str, str]]]] = {}
        self._draws: dict[str, dict[str, Draw]] = {}  # by role, of meshes it may see

    def seat(self, role: str, now: Now) -> dict[str, Any]:
        """Return the observation of a role."""
        cached = self._now(role, now).seat
        others = [
            {**other, "thinking": now.thinking.get(other["role"])} for other in cached["others"]
        ]
        return {**cached, "others": others}

    def image(self, role: str, number: int, now: Now) -> Image | None:
        """Return a picture of a role's view; None if there is no such picture."""
        images = self._now(role, now).images
        return images[number] if 0 <= number < len(images) else None

    def scene(self, role: str, of: str, now: Now) -> dict[str, Any] | None:
        """Return the 3D knowledge of ``of``, which is the role or a partner. None if the role may
        not see it."""
        if of != role and not (self._header.partners_view and of in self._session.roles):
            return None
        known = self._session.observe(of).scene
        if known is None:
            return None
        self._draws.setdefault(role, {}).update(mesh_makers(known))
        return {"revision": now.revision, **scene_json(known)}

    def meshes(self, role: str, names: Sequence[str]) -> list[Callable[[], bytes]] | None:
        """Return a maker of each mesh, for any thread; None if the role may not see one."""
        draws = self._draws.get(role, {})
        if not all(name in draws for name in names):
            return None
        return [partial(_encode_mesh, draws[name], name) for name in names]

    def find(self, role: str, words: Sequence[str]) -> Sequence[Mapping[str, str]]:
        """Return the options of a role that contain all words, also unlisted ones."""
        ready = role in self._session.ready()
        return find_options(self._session.observe(role).options, words) if ready else []

    def _now(self, role: str, now: Now) -> _CachedSeat:
        cached = self._cache.get(role)
        if cached is None or cached.revision != now.revision:
            if now.ending is not None:
                self._chosen_from.clear()  # nobody chooses any more
            observation = self._session.observe(role)
            images = images_of(observation)
            names = [image.name for image in images]
            seat = self._seat(role, now, observation, names)
            cached = self._cache[role] = _CachedSeat(now.revision, seat, images)
        return cached

    def _options(self, role: str, observation: Observation) -> Sequence[Mapping[str, str]]:
        """Return the options of a ready role. They are cached, because there can be thousands and
        they rarely change."""
        options = observation.options
        known = self._chosen_from.get(role)
        if known is None or known[0] is not options:
            known = self._chosen_from[role] = options, options_json(options)
        return known[1]

    def _visible_actions(self, role: str, observation: Observation) -> Mapping[str, Action]:
        """Return the actions of others that a role may see."""
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
