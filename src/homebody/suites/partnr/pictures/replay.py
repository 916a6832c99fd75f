"""A run as a film: the plan with all agents, each agent's view, and actions as subtitles.

The transcript is replayed and the clock is stopped for each picture, which does not change the run.
Pictures are drawn after the replay."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from homebody.core import HomebodyError, Progress
from homebody.core.ground.escaping import escape
from homebody.core.play.replay import retrace
from homebody.core.play.session import Event
from homebody.core.play.transcript import decode
from homebody.suites.partnr.session import LIMITS, start_session
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.model.house import Point
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.filming import HouseFilm, look_on
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND
from homebody.worlds.house.simulation.text import format_action

if TYPE_CHECKING:  # require the extra ``house``
    from PIL.Image import Image as Picture

    from homebody.worlds.house.rendering.render import Renderer
    from homebody.worlds.house.rendering.video import Frame

MAX_FRAMES: Final = 2_000
"""Maximum number of frames of a film. Longer runs have fewer frames per second."""
VIEW: Final = 320
"""Height and width of an agent's view, pixels."""
PLAN: Final = 2 * VIEW
"""Height of the plan in pixels. Its width is at most 1.5 times its height."""
TRAIL: Final = 12
"""Number of pictures for which an agent's path stays on the plan."""
LINE: Final = 22
"""Height of a line of text, pixels."""
Tone: TypeAlias = tuple[int, int, int]
TONES: Final[tuple[Tone, ...]] = ((200, 60, 45), (40, 90, 190), (30, 130, 70))
"""Colours of agents, in the order of their roles."""
BACK: Final[Tone] = (250, 250, 248)
INK: Final[Tone] = (25, 27, 32)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a run.

    Attributes:
        clock: Steps since the start.
        at: Index of the film's state: see :meth:`.filming.HouseFilm.states`.
        told: Role -> its current action, or the end of its last one.
    """

    clock: int
    at: int
    told: Mapping[str, str]


def film_run(task: PartnrTask, transcript: str, every: int) -> tuple[HouseFilm, list[Moment]]:
    """Replay a run.

    Args:
        task: The task of the transcript.
        transcript: As saved by a run.
        every: Steps between moments.

    Raises:
        HomebodyError: It is no transcript, or the episode is not possible.
    """
    written = decode(transcript, LIMITS.entries)
    written.check_version(task.version)
    session = start_session(task, written.settings, written.seed)
    simulation = session.simulation
    film = HouseFilm(simulation.state, lambda: simulation.clock, STEPS_PER_SECOND)
    told: dict[str, str] = {}
    moments: list[Moment] = []

    def take() -> None:
        film.take()
        acts = {role: simulation.busy(role) for role in simulation.agents}
        doing = {role: format_action(act) for role, act in acts.items() if act is not None}
        moments.append(Moment(simulation.clock, film.position, told | doing))

    look_on(simulation, every, take)
    for step in retrace(session, written.entries):
        if isinstance(step, Event):
            ended = "" if step.ok else f" failed: {step.message}"
            told[step.role] = f"({format_action(step.action)}{ended})"
    take()
    return film, moments


def frames(
    task: PartnrTask,
    film: HouseFilm,
    moments: Sequence[Moment],
    progress: Progress | None = None,
) -> Iterator[Frame]:
    """Yield the pictures of a film, all of one even size. Needs the extra ``house``."""
    from homebody.worlds.house.rendering.render import Renderer

    if not moments:
        raise HomebodyError("there is nothing to show")
    start = next(film.states([moments[0].at]))
    renderer = Renderer.of(start.house, start)
    trails: dict[str, list[Point]] = {role: [] for role in start.bodies}
    states = film.states(moment.at for moment in moments)
    for number, (moment, state) in enumerate(zip(moments, states, strict=True), 1):
        for role, body in state.bodies.items():
            trails[role] = [*trails[role][-TRAIL:], body.pose.position[:2]]
        yield _frame(task, moment, state, renderer, trails)
        if progress:
            progress("drawing", number, len(moments))


def _frame(
    task: PartnrTask,
    moment: Moment,
    state: HouseState,
    renderer: Renderer,
    trails: Mapping[str, Sequence[Point]],
) -> Frame:
    from PIL import Image

    from homebody.worlds.house.play.views import eye_picture

    renderer.update(state)
    plan = _plan(renderer, trails)
    views = {role: eye_picture(renderer, state, role, (VIEW, VIEW)).rgb for role in trails}
    width = plan.width + VIEW
    instruction = textwrap.wrap(
        escape(task.episode.instruction), width // 8, max_lines=3, placeholder=" ..."
    )
    seconds = moment.clock // STEPS_PER_SECOND
    above, below = LINE * len(instruction) + 8, LINE * (1 + len(views)) + 8
    height = above + max(plan.height, VIEW * len(views)) + below
    page = Image.new("RGB", (width + width % 2, height + height % 2), BACK)
    page.paste(plan, (0, above))
    _write(page, instruction, 4, INK)
    _write(page, [f"{seconds // 60}:{seconds % 60:02d}"], height - below + 4, INK)
    for at, (role, view) in enumerate(views.items()):
        page.paste(Image.fromarray(view), (plan.width, above + at * VIEW))
        held = " and ".join(state.held_by(role).values())
        holds = f" with {held}" if held else ""
        told = escape(f"{role}{holds}: {moment.told.get(role, '')}", width // 8)
        _write(page, [told], height - below + 4 + LINE * (at + 1), _tone(at))
        _write(page, [role], above + at * VIEW + 4, _tone(at), plan.width)
    return np.asarray(page)


def _tone(at: int) -> Tone:
    return TONES[at % len(TONES)]


def _plan(renderer: Renderer, trails: Mapping[str, Sequence[Point]]) -> Picture:
    """Return the plan with each agent and its recent path."""
    from PIL import Image, ImageDraw

    from homebody.worlds.house.rendering.map_picture import extent, map_picture

    x0, y0, x1, y1 = extent(renderer.scene.house)
    scale = min(PLAN / (y1 - y0), 1.5 * PLAN / (x1 - x0))
    plan = Image.fromarray(map_picture(renderer, scale))
    draw = ImageDraw.Draw(plan)
    for at, trail in enumerate(trails.values()):
        points = [((x - x0) * scale, (y1 - y) * scale) for x, y in trail]
        if len(points) > 1:
            draw.line(points, _tone(at), 3)
        x, y = points[-1]
        draw.ellipse((x - 6, y - 6, x + 6, y + 6), _tone(at), BACK)
    return plan


def _write(page: Picture, lines: Sequence[str], top: int, tone: Tone, left: int = 0) -> None:
    from PIL import ImageDraw

    from homebody.worlds.house.rendering.map_picture import font_of

    draw = ImageDraw.Draw(page)
    for at, line in enumerate(lines):
        rim = 2 if left else 0  # text on a picture needs a rim
        where = left + 8, top + at * LINE
        draw.text(where, line, tone, font_of(15.0), stroke_width=rim, stroke_fill=BACK)
