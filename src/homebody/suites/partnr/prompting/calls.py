"""Tool calls as models write them: ``Pick[cup_0]``, ``Place[cup_0, on, table_1, None, None]``.

Source: the grammar of appendix A.8.2 of the PARTNR paper. An output is a thought, a call on its own
line, and ``Assigned!``. One planner for both agents writes a line ``Agent_0_Action: call`` for the
robot and ``Agent_1_Action: call`` for the human. Outputs may also be JSON in the form of
:mod:`.grammars`.

This world extends the paper's grammar: containers to place into, objects that open and shut, and
basins that are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from homebody.core import DONE, WAIT, Action, HomebodyError
from homebody.core.ground.nesting import check_depth
from homebody.suites.partnr.settings import HUMAN, ROBOT
from homebody.worlds.house.play.possible import ARGUMENTS
from homebody.worlds.house.simulation.text import format_action

MAX_ANSWER: Final = 20_000
"""Number of characters before ``Assigned!`` that are read."""
ASSIGNED: Final = "Assigned!"
NUMBERS: Final[Mapping[str, int]] = {ROBOT: 0, HUMAN: 1}
"""Role -> number in ``Agent_0``, the names that one planner for both uses."""

CALLS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    **ARGUMENTS,
    "FindAgentActionTool": (),
    "FindObjectTool": (("query", "text"),),
    "FindReceptacleTool": (("query", "text"),),
    "FindRoomTool": (("query", "text"),),
    "Done": (),
}
"""Call -> JSON name and kind of each argument.

:meth:`.action_space.ActionSpace.names` lists the valid names of a kind."""
TOOLS: Final = tuple(name for name in CALLS if name.endswith("Tool"))
"""The perception tools: queries that take no time."""
WHERE: Final = "where"
"""JSON field with the relation and name of a target: ``"on table_0"``."""
MAX_QUERY: Final = 120
QUERY_CHARACTERS: Final = "\"'.:,;!?a-zA-Z_0-9-"
"""The characters of a query except the space, written as the inside of a character class of a
regular expression."""
QUERY: Final = rf"[{QUERY_CHARACTERS}][ {QUERY_CHARACTERS}]{{0,{MAX_QUERY - 1}}}"
_NONE = ("none", "null", "")
_CANONICAL = {name.lower(): name for name in CALLS}
_CALL = re.compile(r"(?<![A-Za-z_])([A-Za-z]+)[ \t]*\[([^\[\]]*)\]")
_DECORATION = " \t\r-*•>#`'\"0123456789.)("
_LINE = re.compile(r"[ \t*>-]{0,9}Agent_([01])_Action[ \t:*]{0,9}(.*)", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(?:^|\])[ \t*`]{{0,5}}{ASSIGNED}", re.MULTILINE)


class CallError(HomebodyError):
    """An output without a valid call; the message tells a model what to write instead."""


# -- reading --------------------------------------------------------------------------------------


def parse_call(text: str, who: str = "") -> Action:
    """Return the call of an output.

    The text after the first ``Assigned!`` is ignored, because models often continue and invent
    results. If there are several calls before it, the last call on a line of its own counts; if
    none exists, the last call. Therefore calls in a thought do no harm.
    :func:`.action_space.check` checks whether the call is possible.

    Args:
        who: ``robot`` or ``human`` in an output for both; empty in an output for one agent.

    Raises:
        CallError: The text has no call, or the call has the wrong number of arguments.
    """
    raw = _parse_json(text)
    if raw is not None:
        return _from_json(raw.get(who or "action"), who or "action")
    text = _considered_part(text)
    if who:
        lines = [
            match[2]
            for line in text.split("\n")
            if (match := _LINE.match(line)) and int(match[1]) == NUMBERS[who]
        ]
        if not lines:
            raise CallError(
                f"there is no line for the {who}; write Agent_{NUMBERS[who]}_Action: and its call"
            )
        text = lines[-1]
    return _read(*_last_call(text))


def parse_calls(text: str, roles: Sequence[str]) -> dict[str, Action]:
    """Return the calls of an output for a team. A lone ``Done[]`` applies to everybody.

    Args:
        roles: The roles whose calls are needed; lines for others are ignored.

    Raises:
        CallError: A call is missing or cannot be read.
    """
    raw = _parse_json(text)
    if raw is None and not any(map(_LINE.match, _considered_part(text).split("\n"))):
        try:
            only = parse_call(text)
        except CallError:
            only = WAIT
        if only == DONE:
            return dict.fromkeys(roles, DONE)
    return {role: parse_call(text, role) for role in roles}


def format_call(action: Action) -> str:
    """Format an action by the grammar: ``Place`` and ``Rearrange`` with all five arguments."""
    if action.name in ("Place", "Rearrange") and len(action.args) == 3:
        action = Action(action.name, (*action.args, "None", "None"))
    return format_action(action)


# -- how ------------------------------------------------------------------------------------------


def _considered_part(text: str) -> str:
    end = _ASSIGNED.search(text)
    return (text if end is None else text[: end.start() + 1])[-MAX_ANSWER:]


def _last_call(text: str) -> tuple[str, str]:
    """Return name and bracket content of the call that counts. Raises CallError."""
    inline = None
    for line in reversed(text.split("\n")):
        calls = list(_CALL.finditer(line))
        if not calls:
            continue
        before_call = line[: calls[0].start()].strip(_DECORATION).removesuffix(":").strip(" *`")
        alone = len(calls) == 1 and not line[calls[0].end() :].strip(_DECORATION)
        if alone and before_call.lower() in ("", "action"):
            return calls[0][1], calls[0][2]
        if inline is None:
            inline = next((call for call in reversed(calls) if call[1].lower() in _CANONICAL), None)
    if inline is None:
        raise CallError(
            "there is no call in the answer; write one on a line of its own, such as "
            "Explore[name of a room], and then Assigned!"
        )
    return inline[1], inline[2]


def _read(name: str, inside: str) -> Action:
    kinds = CALLS.get(_CANONICAL.get(name.lower(), ""))
    if kinds is None:
        raise CallError(f"there is no {name[:40]}; the calls are {', '.join(CALLS)}")
    name = _CANONICAL[name.lower()]
    if kinds and kinds[0][1] == "text":
        return Action(name, (inside.strip(),) if inside.strip() else _raise_usage(name))
    args = [part.strip(" \t<>\"'`") for part in inside.split(",", 8)] if inside.strip() else []
    if name in ("Place", "Rearrange"):
        return Action(name, _read_placement(name, args))
    if name == "Say" and len(args) > len(kinds) and args[0]:  # commas divide the words
        return Action(name, tuple(filter(None, args)))
    if len(args) != len(kinds) or "" in args:
        _raise_usage(name)
    return Action(name, tuple(args))


def _read_placement(name: str, args: list[str]) -> tuple[str, ...]:
    """Return the arguments of Place or Rearrange: three, or five with ``next_to``."""
    if len(args) not in (3, 5) or "" in args[:3]:
        _raise_usage(name)
    beside = ["None" if argument.lower() in _NONE else argument for argument in args[3:]]
    if beside in ([], ["None", "None"]):
        return tuple(args[:3])
    if beside[0] != "next_to" or beside[1] == "None":
        raise CallError(
            f"the last two arguments of {name} are next_to and a name, or None and None"
        )
    return (*args[:3], *beside)


def _raise_usage(name: str) -> tuple[str, ...]:
    raise CallError(f"{name} is written {usage(name)}")


def usage(name: str) -> str:
    """Return the notation of a call, with names for its arguments."""
    if name in ("Place", "Rearrange"):
        return f"{name}[object, on or within, furniture, next_to or None, object or None]"
    words = {"target": "room, furniture or object", "thing": "object or furniture"}
    inside = ", ".join(words.get(kind, field) for field, kind in CALLS[name])
    return f"{name}[{inside}]"


def _parse_json(text: str) -> Mapping[str, Any] | None:
    """Return the JSON object of an output, fenced or not; None without one."""
    stripped = text.strip().removeprefix("```json").strip("`").strip()
    if not stripped.startswith("{") or len(stripped) > MAX_ANSWER:
        return None
    try:
        check_depth(stripped)
        raw = orjson.loads(stripped)
    except ValueError:
        return None
    return raw if isinstance(raw, dict) else None


def _from_json(raw: object, where: str) -> Action:
    """Return the action of ``{"call": "Pick", "object": "cup_0"}`` or ``"Pick[cup_0]"``."""
    if isinstance(raw, str):
        return _read(*_last_call(raw[-MAX_ANSWER:]))
    if not isinstance(raw, dict) or not isinstance(raw.get("call"), str):
        raise CallError(f'the JSON has no "{where}" with a "call" in it')
    name = _CANONICAL.get(raw["call"].lower())
    if name is None:
        raise CallError(f"there is no {raw['call'][:40]}; the calls are {', '.join(CALLS)}")
    args: list[str] = []
    for field, kind in CALLS[name]:
        value = raw.get(field)
        if kind in ("relation", "holder") and isinstance(raw.get(WHERE), str):
            value = raw[WHERE].strip().partition(" ")[0 if kind == "relation" else 2]
        if kind == "beside":
            if isinstance(value, str) and value.lower() not in _NONE:
                args += ["next_to", value.strip()]
            continue
        if not isinstance(value, str) or not value.strip():
            raise CallError(f'{name} needs a "{field}" that is text')
        parts = value.split(",") if name == "Say" else [value]
        args += [part.strip() for part in parts if part.strip()]
    return Action(name, tuple(args))
