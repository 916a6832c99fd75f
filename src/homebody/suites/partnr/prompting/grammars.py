"""Grammars of answers, for whoever samples tokens: a bounded thought and a valid call.

The same language three times: as a JSON schema, as a grammar in the notation of llama.cpp (GBNF),
and as a regular expression in the common subset of engines (no look-around, no captures). Each
takes the :class:`.action_space.ActionSpace` of one agent, or of two whose calls one planner gives
(PARTNR paper, appendix A.8.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from homebody.suites.partnr.prompting.action_space import ActionSpace
from homebody.suites.partnr.prompting.calls import (
    ASSIGNED,
    CALLS,
    MAX_QUERY,
    NUMBERS,
    QUERY,
    QUERY_CHARACTERS,
)

MAX_THOUGHT: Final = 600
"""Characters of a thought."""


def schema(spaces: Sequence[ActionSpace]) -> dict[str, Any]:
    """The JSON schema (2020-12) of ``{"thought": ..., "action": {"call": "Pick", ...}}``; for two
    agents ``robot`` and ``human`` take the place of ``action``.

    Every property is required, and no other allowed, as providers' strict modes ask.
    """
    lists: dict[str, Any] = {}
    actions = {
        space.role if len(spaces) > 1 else "action": {
            "anyOf": [_call(space, name, lists) for name in space.possible()]
        }
        for space in spaces
    }
    thought = {"type": "string", "maxLength": MAX_THOUGHT}
    return {**_strict({"thought": thought, **actions}), "$defs": lists}


def gbnf(spaces: Sequence[ActionSpace], bare: bool = False) -> str:
    """The grammar of a thought, a call or a line for each agent, and ``Assigned!``.

    Args:
        bare: Of calls only.
    """
    rules = {} if bare else {"thought": rf'"Thought: " [^\[\]\n\r]{{0,{MAX_THOUGHT}}} "\n"'}
    lines = []
    for space in spaces:
        lines.append(f"{_prefixed(spaces, space)}{space.role}-call")
        rules[f"{space.role}-call"] = " | ".join(
            f"{space.role}-{name}" for name in space.possible()
        )  # rules of their own for each agent: what they can do and name differs
        for name in space.possible():
            rules[f"{space.role}-{name}"] = _gbnf_call(space, name)
        for kind in ("target", "room", "object", "thing", "holder"):
            names = " | ".join(_quoted(name) for name in space.names(kind))
            if names:
                rules[f"{space.role}-{kind}"] = names
        rules[f"{space.role}-beside"] = (
            f'"None, None" | "next_to, " {space.role}-thing'
            if space.names("beside")
            else '"None, None"'
        )
    rules["relation"] = '"on" | "within"'
    rules["text"] = f"[{QUERY_CHARACTERS}] [ {QUERY_CHARACTERS}]{{0,{MAX_QUERY - 1}}}"
    calls = ' "\\n" '.join(lines)
    if len(spaces) > 1:
        calls = f'( {calls} | "Done[]" )'
    root = f"root ::= {calls}" if bare else f'root ::= thought {calls} "\\n{ASSIGNED}"'
    return "\n".join([root, *(f"{name} ::= {rule}" for name, rule in rules.items())]) + "\n"


def regex(spaces: Sequence[ActionSpace], bare: bool = False) -> str:
    """The regular expression of the same; a whole answer matches it."""
    lines = [f"{_label(spaces, space)}{_regex_calls(space)}" for space in spaces]
    calls = r"\n".join(lines)
    if len(spaces) > 1:
        calls = rf"(?:{calls}|Done\[\])"
    if bare:
        return calls
    return rf"Thought: [^\[\]\n\r]{{0,{MAX_THOUGHT}}}\n{calls}\n{ASSIGNED}"


# -- how ------------------------------------------------------------------------------------------


def _label(spaces: Sequence[ActionSpace], space: ActionSpace) -> str:
    return f"Agent_{NUMBERS[space.role]}_Action: " if len(spaces) > 1 else ""


def _prefixed(spaces: Sequence[ActionSpace], space: ActionSpace) -> str:
    label = _label(spaces, space)
    return f'"{label}" ' if label else ""


def _strict(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _call(space: ActionSpace, name: str, lists: dict[str, Any]) -> dict[str, Any]:
    """The schema of one call; lists of names go to ``lists``, once for each agent and kind."""
    fields: dict[str, Any] = {"call": {"type": "string", "enum": [name]}}
    for field, kind in CALLS[name]:
        if kind == "text":
            fields[field] = {"type": "string", "pattern": rf"^{QUERY}$"}
            continue
        listed = f"{space.role}_{'thing' if kind == 'beside' else kind}"
        names = space.names(kind)
        if names:
            lists.setdefault(listed, {"type": "string", "enum": list(names)})
        fields[field] = {"$ref": f"#/$defs/{listed}"}
        if kind == "beside":
            fields[field] = {"anyOf": [{"type": "null"}, fields[field]]}
    return _strict(fields)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _gbnf_call(space: ActionSpace, name: str) -> str:
    kinds = [kind for _, kind in CALLS[name]]
    shared = ("relation", "text")
    inside = ' ", " '.join(kind if kind in shared else f"{space.role}-{kind}" for kind in kinds)
    return f'"{name}[" {inside} "]"' if inside else f'"{name}[]"'


def _regex_calls(space: ActionSpace) -> str:
    """Calls that take the same share one list of names."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in space.possible():
        groups.setdefault(tuple(kind for _, kind in CALLS[name]), []).append(name)
    return _either(
        rf"{_either(names)}\[{', '.join(_regex_argument(space, kind) for kind in kinds)}\]"
        for kinds, names in groups.items()
    )


def _regex_argument(space: ActionSpace, kind: str) -> str:
    if kind == "text":
        return QUERY
    names = _either(_escaped(name) for name in space.names(kind))
    return f"(?:None, None|next_to, {names})" if kind == "beside" else names


def _escaped(name: str) -> str:
    return re.sub(r"([^\w \"'<>=,;:!@#%&/~`-])", r"\\\1", name, flags=re.ASCII)


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join(parts)})"
