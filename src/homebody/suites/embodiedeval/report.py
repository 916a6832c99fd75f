"""The display of a run in reports: pictures, options, predicates and feedback."""

from __future__ import annotations

from functools import partial
from typing import Any

from homebody.core.play.conversation import Image
from homebody.core.play.transcript import write_call
from homebody.core.viewing import Snapshot
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.worlds.house.play.filming import HouseFilm


def snapshot(session: Any) -> Snapshot:
    """Return the current display of a session: the model's pictures, if it receives any."""
    game, observation = session.game, session.observe(AGENT)
    options = session.options(AGENT) if session.ready() else ()
    images = observation.images if observation.shows_images else ()
    is_set = "pictures" in session.transcript().settings
    return Snapshot(
        {image.name: partial(_rgb_of, image) for image in images},
        {write_call(option): game.text(option) for option in options},
        tuple(zip(game.task.predicates, game.judge.met, strict=True)),
        "; ".join(event.message for event in observation.news),
        (f"picture: {game.source or 'drawn'}" if is_set and images else ""),
    )


def _rgb_of(image: Image) -> Any:
    return image.rgb


def film(session: Any) -> HouseFilm:
    """Return the recorder of a new session; an action takes one step of the clock."""
    return HouseFilm(session.game.state, lambda: session.clock, rate=1)
