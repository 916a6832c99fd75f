"""Predicates as data, and how they are written: ``agent_at p3``, ``choose in the kitchen``.

Those of the published code are here, with its thresholds (its ``agent_near`` is metres from the
agent to a thing, on the plan). Three are homebody's own, since in its houses things lie on and in
others and have states: ``on``, ``inside`` and ``is``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from homebody.core.ground.user_errors import HomebodyError

AGENT: Final = "agent"
"""Who is played, where a distance is asked for."""
TEXT: Final = ("choose", "special_action_success")
"""Predicates whose argument is the text of an option, whatever is in it."""
ARGUMENTS: Final = {
    "choose": 1,
    "agent_at": 1,
    "agent_pass": 1,
    "agent_near": 1,
    "at": 2,
    "near": 2,
    "not_near": 2,
    "not_at": 2,
    "closer": 2,
    "further": 2,
    "grab": 1,
    "grab_once": 1,
    "special_action_success": 1,
    "on": 2,
    "inside": 2,
    "is": 3,
}
"""Name -> how many arguments it has; those of one may be followed by a remark."""
MAX_TEXT: Final = 1_000
"""Most characters of a predicate."""
_QUOTED: Final = re.compile(r'^answer "(.*)"$', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Predicate:
    """Something that is so or not, at each step of a run.

    Attributes:
        name: One of :data:`ARGUMENTS`.
        arguments: Names of things or points, or a text; of ``is`` a thing, a state, and yes or no.
    """

    name: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.name, *self.arguments))


def read_predicate(text: str) -> Predicate:
    """A predicate of a text. Raises HomebodyError."""
    if len(text) > MAX_TEXT:
        raise HomebodyError(f"a predicate has at most {MAX_TEXT} characters")
    name, _, rest = text.strip().partition(" ")
    if name not in ARGUMENTS:
        raise HomebodyError(
            f"there is no predicate {name[:40]!r}", f"there are: {', '.join(ARGUMENTS)}"
        )
    if name in TEXT:
        rest = rest.strip()
        quoted = _QUOTED.match(rest)
        arguments: tuple[str, ...] = (quoted[1] if quoted else rest,) if rest else ()
    else:
        arguments = tuple(rest.split())
        if ARGUMENTS[name] == 1:
            arguments = arguments[:1]
    if len(arguments) != ARGUMENTS[name]:
        raise HomebodyError(f"{name} needs {ARGUMENTS[name]} arguments: {text[:80]!r}")
    if name == "is" and arguments[2] not in ("yes", "no"):
        raise HomebodyError(f"{arguments[2][:40]!r} is neither yes nor no: {text[:80]!r}")
    return Predicate(name, arguments)
