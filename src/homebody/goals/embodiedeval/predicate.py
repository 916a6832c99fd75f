"""Predicates as data and as text: ``agent_at p3``, ``choose in the kitchen``.

The predicates and their thresholds come from the published code, where ``agent_near`` is the
horizontal distance of agent and object in metres. homebody adds ``on``, ``inside`` and ``is``,
because objects in its houses lie on and in others and have states. It also adds ``again`` before a
predicate, because a condition that holds at the start would be met without doing anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from homebody.core.ground.user_errors import HomebodyError

AGENT: Final = "agent"
"""Name of the agent in distances."""
TEXT: Final = ("choose", "special_action_success")
"""Predicates whose argument is the text of an option. It is not parsed."""
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
"""Name -> number of arguments. A remark may follow a predicate with one argument."""
MAX_TEXT: Final = 1_000
"""Maximum number of characters of a predicate."""
AGAIN: Final = "again "
"""Beginning of the text of a predicate that must hold after it did not hold."""
_QUOTED: Final = re.compile(r'^answer "(.*)"$', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition that is true or false at each step of a run.

    Attributes:
        name: One of :data:`ARGUMENTS`.
        arguments: Names of objects or points, or a string; for ``is`` an object, a state, and yes
            or no.
        again: True if it must hold after a step at which it did not hold: a door that was opened
            and closed.
    """

    name: str
    arguments: tuple[str, ...]
    again: bool = False

    def __str__(self) -> str:
        return AGAIN * self.again + " ".join((self.name, *self.arguments))


def read_predicate(text: str) -> Predicate:
    """Read a predicate from a string. Raises HomebodyError if it is not one."""
    if len(text) > MAX_TEXT:
        raise HomebodyError(f"a predicate has at most {MAX_TEXT} characters")
    whole = text.strip()
    name, _, rest = whole.removeprefix(AGAIN).strip().partition(" ")
    if name not in ARGUMENTS:
        raise HomebodyError(
            f"unknown predicate: {name[:40]!r}", f"choose one of: {', '.join(ARGUMENTS)}"
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
    return Predicate(name, arguments, whole.startswith(AGAIN))
