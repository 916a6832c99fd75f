"""An agent for a person at the keyboard, in any suite that is played.

The person receives the same observations as a model. The pictures are in a file; use a viewer that
reloads changed files. A typing mistake does not use up an action.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homebody.cli.printing import is_conversation, remark_text
from homebody.core import Action, HomebodyError, Observation
from homebody.core.play.session import read_action
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import write_call

if TYPE_CHECKING:
    from homebody.core import Suite
    from homebody.core.play.conversation import Image

PERSON: Final = "person"
"""Name of this agent."""
MAX_LISTED: Final = 40
"""Options listed at a time."""
MAX_LINES: Final = 20
"""Maximum number of lines of an observation that is printed in full. Of a longer observation, only
the news is printed."""
_HELP: Final = (
    "the number of an option; an action such as Name[argument]; part of a name, to list"
    " the options that contain it; k for everything you know; q to stop (the same command resumes)"
)
_GAP: Final = 8


class Person:
    """An agent as :func:`homebody.evals.run` takes it: observation -> action.

    Args:
        picture: The PNG of the current pictures, side by side.
        ask: Returns a line that the person types, with its end; empty at the end of input.
        tell: Shows a string.

    Attributes:
        can_resume: True, so that the same command resumes an interrupted run.
    """

    can_resume: Final = True

    def __init__(
        self,
        picture: Path,
        ask: Callable[[], str] = lambda: sys.stdin.readline(),
        tell: Callable[[str], None] = remark_text,
    ) -> None:
        self.__qualname__ = PERSON  # the name of the run
        self._picture = picture
        self._ask = ask
        self._tell = tell
        self._told: dict[str, Any] = {}  # role -> the view whose task was printed

    def __call__(self, observation: Observation) -> Action:
        """Return the person's action. Raises KeyboardInterrupt if they stop."""
        options = list(observation.options)
        self._show(observation)
        found = range(len(options))
        while True:
            self._list(options, found)
            found = range(0)
            said = self._line()
            if said in ("", "?"):
                self._tell(f"Type {_HELP}.")
            elif said == "k":
                self._tell(observation.text)
            elif said.isascii() and said.isdigit():
                if 1 <= int(said[:6]) <= len(options):
                    return options[int(said[:6]) - 1]
                self._tell(f"There is no option {said[:6]}; the last is {len(options)}.")
            elif "[" in said:
                try:
                    return read_action(observation, said)
                except HomebodyError as error:
                    self._tell(error.advice)
            else:
                named = [
                    at for at, each in enumerate(options) if said in _write_option(each).lower()
                ]
                if not named:
                    self._tell(f"No option contains that; type {_HELP}.")
                found = named  # type: ignore[assignment]

    def _line(self) -> str:
        self._tell("Your choice (? for help, q to stop):")
        line = self._ask()
        if not line or line.strip().lower() == "q":
            raise KeyboardInterrupt
        return line.strip().lower() if "[" not in line else line.strip()

    def _show(self, observation: Observation) -> None:
        """Print events and knowledge, and write the pictures."""
        role, lines = observation.role, []
        if self._told.get(role) is not observation.view:
            self._told[role] = observation.view
            lines += ["", f"=== You are {role}. {observation.instruction}"]
        lines += [f"- {sentence(event, role)}" for event in observation.news]
        known = observation.text
        lines.append(known if known.count("\n") < MAX_LINES else observation.changes)
        if observation.actions_left is not None:
            lines.append(f"Actions left: {observation.actions_left}.")
        if observation.shows_images:
            images = observation.images
            _write(self._picture, images)
            names = ", ".join(image.name for image in images)
            lines.append(f"Your view is in {self._picture} ({names}).")
        self._tell("\n".join(line for line in lines if line.strip()))

    def _list(self, options: Sequence[Action], chosen: Sequence[int]) -> None:
        lines = [f"[{at + 1}] {_write_option(options[at])}" for at in chosen[:MAX_LISTED]]
        if len(chosen) > MAX_LISTED:
            more = len(chosen) - MAX_LISTED
            lines.append(
                f"and {more} more: type part of a name to list the options that contain it"
            )
        if lines:
            self._tell("\n".join(lines))


def require_person(suite: Suite[Any]) -> None:
    """Raise HomebodyError if a suite is not played, or there is no terminal."""
    if suite.playing is None:
        raise HomebodyError(
            f"{suite.name} is not played", "choose a suite that is played: homebody list"
        )
    if not is_conversation():
        raise HomebodyError("--agent person needs a terminal", "run it without pipes")


def _write_option(option: Action) -> str:
    return write_call(option).removesuffix("[]")


def _write(path: Path, images: Sequence[Image]) -> None:
    """Write pictures side by side, the first on the left."""
    from PIL import Image as Pictures

    from homebody.core.ground.files import replace_whole

    height = max(image.rgb.shape[0] for image in images)
    width = sum(image.rgb.shape[1] + _GAP for image in images) - _GAP
    whole = Pictures.new("RGB", (width, height), "white")
    left = 0
    for image in images:
        whole.paste(Pictures.fromarray(image.rgb), (left, 0))
        left += image.rgb.shape[1] + _GAP
    with replace_whole(path) as half:
        whole.save(half, "PNG")
