"""Grammars of outputs for constrained sampling: a bounded thought and a valid call.

The language has three equivalent forms: a JSON schema, a grammar in the notation of llama.cpp
(GBNF), and a regular expression in the common subset of engines (no look-around, no captures). Each
takes the :class:`.action_space.ActionSpace` of one agent, or of two if one planner decides for both
(PARTNR paper, appendix A.8.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from homebody.suites.partnr.prompting.action_space import STATES, ActionSpace
from homebody.suites.partnr.prompting.calls import (
    ASSIGNED,
    CALLS,
    MAX_QUERY,
    NUMBERS,
    QUERY,
    QUERY_CHARACTERS,
    WHERE,
)
from homebody.worlds.house.play.possible import AHEAD

MAX_THOUGHT: Final = 600
MAX_LISTED: Final = 1_000
"""Maximum number of names in all lists of a schema in OpenAI's strict mode."""
_LONGEST: Final = (250, 120, 60, 30)
"""Limits of the number of names in one list, tried in turn.

OpenAI limits the characters of lists with more than 250 names. With a limit of 30, the lists of two
agents with full knowledge have fewer than :data:`MAX_LISTED` names."""
_Kinds: TypeAlias = tuple[tuple[str, str], ...]
"""Name and kind of each argument of a call."""


def schema(spaces: Sequence[ActionSpace]) -> dict[str, Any]:
    """Return the JSON schema (2020-12) of ``{"thought": ..., "action": {"call": "Pick", ...}}``.

    For two agents ``robot`` and ``human`` replace ``action``. A target is one string, ``"where":
    "on table_0"``.

    The schema meets OpenAI's strict mode: all properties are required, no others are allowed, there
    are no references, alternatives start with a distinguishing property, and lists have at most
    :data:`MAX_LISTED` names in total. If there were more, the longest lists become patterns of the
    same names. No pattern matches a quote or a backslash: servers that insert patterns between
    quotes would let a model end the string with one."""
    for longest in _LONGEST:
        written = _schema(spaces, longest)
        if _count_listed(written) <= MAX_LISTED:
            break
    return written


def gbnf(spaces: Sequence[ActionSpace], bare: bool = False) -> str:
    """Return the grammar of a thought, a call or a line for each agent, and ``Assigned!``.

    Args:
        bare: True for a grammar of calls only.
    """
    rules = {} if bare else {"thought": rf'"Thought: " [^\[\]\n\r]{{0,{MAX_THOUGHT}}} "\n"'}
    lines = []
    for space in spaces:
        lines.append(f"{_quote_label(spaces, space)}{space.role}-call")
        rules[f"{space.role}-call"] = " | ".join(
            f"{space.role}-{name}" for name in space.possible_calls()
        )  # agents have their own rules, as their calls and names differ
        for name in space.possible_calls():
            rules[f"{space.role}-{name}"] = _gbnf_call(space, name)
        lists = {kind: space.names(kind) for kind in ("target", "room", "object", "agent", *STATES)}
        lists |= {kind: space.names(kind) for kind in _aimed_kinds(space)}
        lists |= {"thing": space.names("beside"), **space.holders}
        for kind, names in lists.items():
            if names:
                rules[f"{space.role}-{_rule(kind)}"] = " | ".join(map(_quote, names))
        if {"Place", "Rearrange"}.intersection(space.possible_calls()):
            rules[f"{space.role}-where"] = " | ".join(
                f'"{relation}, " {space.role}-{relation}' for relation in _relations(space)
            )
            rules[f"{space.role}-beside"] = f'"None, None" | "next_to, " {space.role}-thing'
    rules["text"] = f"[{QUERY_CHARACTERS}] [ {QUERY_CHARACTERS}]{{0,{MAX_QUERY - 1}}}"
    calls = ' "\\n" '.join(lines)
    if len(spaces) > 1:
        calls = f'( {calls} | "Done[]" )'
    root = f"root ::= {calls}" if bare else f'root ::= thought {calls} "\\n{ASSIGNED}"'
    return "\n".join([root, *(f"{name} ::= {rule}" for name, rule in rules.items())]) + "\n"


def regex(spaces: Sequence[ActionSpace], bare: bool = False) -> str:
    """Return the regular expression of the same language; a whole output matches it."""
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


def _quote_label(spaces: Sequence[ActionSpace], space: ActionSpace) -> str:
    label = _label(spaces, space)
    return f'"{label}" ' if label else ""


def _strict(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema(spaces: Sequence[ActionSpace], longest: int) -> dict[str, Any]:
    """Return the schema with lists of at most ``longest`` names; longer ones become patterns."""
    thought = _pattern(rf'[^"\\\x00-\x1f]{{0,{MAX_THOUGHT}}}')
    actions = {
        space.role if len(spaces) > 1 else "action": {
            "anyOf": [_call(space, name, longest) for name in space.possible_calls()]
        }
        for space in spaces
    }
    return _strict({"thought": thought, **actions})


def _call(space: ActionSpace, name: str, longest: int) -> dict[str, Any]:
    fields = {"call": _one_of([name])}
    for field, kind in CALLS[name]:
        match kind:
            case "text":
                fields[field] = _pattern(QUERY.replace('"', ""))
            case "relation":
                pass
            case "holder":
                places = [
                    f"{relation} {holder}"
                    for relation, holders in space.holders.items()
                    for holder in holders
                ]
                fields[WHERE] = _one_of(places, longest)
            case "beside":
                named = _one_of(space.names(kind), longest)
                fields[field] = {"anyOf": [named, {"type": "null"}]}
            case _:
                fields[field] = _one_of(space.names(kind), longest)
    return _strict(fields)


def _one_of(names: Sequence[str], longest: int = 1) -> dict[str, Any]:
    if len(names) > longest:
        return _pattern(_listing(names))
    return {"type": "string", "enum": list(names)}


def _pattern(pattern: str) -> dict[str, Any]:
    return {"type": "string", "pattern": f"^{pattern}$"}


def _count_listed(schema: Any) -> int:
    """Return the number of names in the lists of a schema."""
    if isinstance(schema, list):
        return sum(map(_count_listed, schema))
    if not isinstance(schema, dict):
        return 0
    return len(schema.get("enum", ())) + sum(map(_count_listed, schema.values()))


def _group_alike(space: ActionSpace) -> list[tuple[_Kinds, list[str]]]:
    """Return the possible calls, grouped by their arguments."""
    groups: dict[_Kinds, list[str]] = {}
    for name in space.possible_calls():
        groups.setdefault(CALLS[name], []).append(name)
    return list(groups.items())


def _relations(space: ActionSpace) -> list[str]:
    """Return the relations in which something can be placed."""
    return [relation for relation, holders in space.holders.items() if holders]


def _aimed_kinds(space: ActionSpace) -> Iterable[str]:
    """Yield the argument kinds of possible calls on targets in the middle of the picture."""
    kinds = (kind for name in space.possible_calls() for _, kind in CALLS[name])
    return (kind for kind in kinds if kind.startswith(AHEAD))


def _rule(kind: str) -> str:
    """Return the rule of a kind of argument.

    Names of rules have no underscores in llama.cpp, and some readers of its notation ignore case.
    """
    if kind in STATES or kind.startswith(AHEAD):
        return f"state-{kind.replace('_', '-')}"
    return "where" if kind == "holder" else kind


def _quote(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _gbnf_call(space: ActionSpace, name: str) -> str:
    inside = ' ", " '.join(
        "text" if kind == "text" else f"{space.role}-{_rule(kind)}"
        for _, kind in CALLS[name]
        if kind != "relation"
    )
    return f'"{name}[" {inside} "]"' if inside else f'"{name}[]"'


def _regex_calls(space: ActionSpace) -> str:
    """Return the pattern of all calls; calls with the same arguments share one list of names."""
    return _either(
        rf"{_either(names)}\[{', '.join(_regex_arguments(space, kinds))}\]"
        for kinds, names in _group_alike(space)
    )


def _regex_arguments(space: ActionSpace, kinds: _Kinds) -> Iterator[str]:
    for _, kind in kinds:
        match kind:
            case "text":
                yield QUERY
            case "relation":
                pass
            case "holder":
                yield _either(
                    f"{relation}, {_listing(space.holders[relation])}"
                    for relation in _relations(space)
                )
            case "beside":
                yield f"(?:None, None|next_to, {_listing(space.names(kind))})"
            case _:
                yield _listing(space.names(kind))


def _listing(names: Iterable[str]) -> str:
    return _either(_escape(name) for name in names)


def _escape(name: str) -> str:
    return re.sub(r"([^\w \"'<>=,;:!@#%&/~`-])", r"\\\1", name, flags=re.ASCII)


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join(parts)})"
