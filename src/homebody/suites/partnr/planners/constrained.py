"""What an agent can say now: which calls are valid, and grammars for whoever samples tokens.

As in appendix A.8.2 of the PARTNR paper, an answer is a bounded thought and a valid call that
names only what the agent knows to exist; calls that need an object are left out while none is
known. The same language three times: as a JSON schema, as a grammar in the notation of llama.cpp
(GBNF), and as a regular expression in the common subset of engines (no look-around, no captures).
:func:`check` says the same of one call, for models whose output nobody constrains.

Grammars take the :class:`Known` of one agent, or of two whose calls one planner gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.planners.calls import (
    ASSIGNED,
    CALLS,
    MOST_TEXT,
    NUMBERS,
    QUERY,
    RELATIONS,
    TEXT,
    TOOLS,
    CallError,
    usage,
)
from homebody.worlds.house.simulation.simulation import Simulation

MOST_THOUGHT: Final = 600
"""Characters of a thought."""


@dataclass(frozen=True, slots=True)
class Known:
    """What an agent can name in its calls at some moment.

    Attributes:
        agent: Whose calls.
        calls: Names of the calls that it can make, in the order of :data:`CALLS`.
        rooms: All rooms; the layout is known from the start.
        furniture: Floors and furniture, by room.
        objects: Those that it has seen (all, where everything is known).
        containers: Objects that others can be put on or in.
    """

    agent: str
    calls: tuple[str, ...]
    rooms: tuple[str, ...]
    furniture: tuple[str, ...]
    objects: tuple[str, ...]
    containers: tuple[str, ...] = ()

    def names(self, kind: str) -> tuple[str, ...]:
        """What may stand for an argument of a kind; for ``text`` nothing is listed, for
        ``beside`` None may stand too."""
        return {
            "target": self.rooms + self.furniture + self.objects,
            "room": self.rooms,
            "object": self.objects,
            "thing": self.furniture + self.objects,
            "beside": self.furniture + self.objects,
            "holder": self.furniture + self.containers,
            "relation": RELATIONS,
            "text": (),
        }[kind]

    def possible(self) -> tuple[str, ...]:
        """The calls for which there is something to name: without a known object, no Pick."""
        return tuple(
            name
            for name in self.calls
            if all(kind == "text" or self.names(kind) for _, kind in CALLS[name])
        )


def known(simulation: Simulation, agent: str, perception: bool = False) -> Known:
    """What an agent can name now.

    Args:
        perception: Whether it has the perception tools; who is alone needs none to ask for
            another's actions.
    """
    house, graph = simulation.state.house, simulation.graphs[agent]
    skills = simulation.agents[agent].skills
    tools = TOOLS if len(simulation.agents) > 1 else set(TOOLS) - {"FindAgentActionTool"}
    calls = {*skills, "Done", *(tools if perception else ())}
    objects = tuple(node.name for node in graph.of_kind("object"))
    return Known(
        agent,
        tuple(name for name in CALLS if name in calls),
        tuple(house.room),
        tuple(
            name
            for room in house.rooms
            for name in (
                room.floor_name,
                *(node.name for node in graph.of_kind("furniture", room.name)),
            )
        ),
        objects,
        tuple(name for name in objects if house.thing[name].receptacles),
    )


def check(action: Action, of: Known) -> Action:
    """The action, if it is a call that the agent can make and names what it knows.

    Raises:
        CallError: it is not; the message tells what to write.
    """
    if action.name not in of.calls:
        if action.name in CALLS and action.name not in TOOLS:
            raise CallError(
                f"the {of.agent} cannot do {action.name}; it can do {', '.join(of.calls)}"
            )
        raise CallError(f"there is no {action.name} here; use one of {', '.join(of.calls)}")
    given = list(action.args)
    if action.name in ("Place", "Rearrange"):
        given[3:] = [given[4]] if given[3:4] == ["next_to"] else []
    for (_, kind), name in zip(CALLS[action.name], given, strict=False):
        if kind == "text":
            if re.fullmatch(QUERY, name) is None:
                raise CallError(
                    f"a query has 1 to {MOST_TEXT} plain characters; write "
                    f"{action.name}[a few words]"
                )
        elif name not in of.names(kind):
            raise CallError(_unknown(action, kind, name, of))
    return action


def random_call(of: Known, rng: np.random.Generator) -> Action:
    """A valid call, drawn at random; never Done or a perception tool."""
    name = str(rng.choice([one for one in of.possible() if one != "Done" and one not in TOOLS]))
    args: list[str] = []
    for _, kind in CALLS[name]:
        if kind == "beside" and rng.random() < 0.5:
            continue
        names = of.names(kind)
        drawn = names[int(rng.integers(len(names)))]
        args += ["next_to", drawn] if kind == "beside" else [drawn]
    return Action(name, tuple(args))


# -- grammars ------------------------------------------------------------------------------------


def schema(of: Sequence[Known]) -> dict[str, Any]:
    """The JSON schema (2020-12) of ``{"thought": ..., "action": {"call": "Pick", ...}}``; for two
    agents ``robot`` and ``human`` take the place of ``action``.

    Every property is required, and no other allowed, as providers' strict modes ask.
    """
    lists: dict[str, Any] = {}
    actions = {
        one.agent if len(of) > 1 else "action": {"anyOf": [_call(one, n, lists) for n in _of(one)]}
        for one in of
    }
    thought = {"type": "string", "maxLength": MOST_THOUGHT}
    return {**_strict({"thought": thought, **actions}), "$defs": lists}


def gbnf(of: Sequence[Known], bare: bool = False) -> str:
    """The grammar of a thought, a call or a line for each agent, and ``Assigned!``.

    Args:
        bare: Of calls only.
    """
    rules = {} if bare else {"thought": rf'"Thought: " [^\[\]\n\r]{{0,{MOST_THOUGHT}}} "\n"'}
    lines = []
    for one in of:
        lines.append(f"{_prefixed(of, one)}{one.agent}-call")
        rules[f"{one.agent}-call"] = " | ".join(
            f"{one.agent}-{name}" for name in _of(one)
        )  # rules of their own for each agent: what they can do and name differs
        for name in _of(one):
            rules[f"{one.agent}-{name}"] = _gbnf_call(one, name)
        for kind in ("target", "room", "object", "thing", "holder"):
            names = " | ".join(_quoted(name) for name in one.names(kind))
            if names:
                rules[f"{one.agent}-{kind}"] = names
        rules[f"{one.agent}-beside"] = (
            f'"None, None" | "next_to, " {one.agent}-thing'
            if one.names("beside")
            else '"None, None"'
        )
    rules["relation"] = '"on" | "within"'
    rules["text"] = f"[{TEXT}] [ {TEXT}]{{0,{MOST_TEXT - 1}}}"
    calls = ' "\\n" '.join(lines)
    if len(of) > 1:
        calls = f'( {calls} | "Done[]" )'
    root = f"root ::= {calls}" if bare else f'root ::= thought {calls} "\\n{ASSIGNED}"'
    return "\n".join([root, *(f"{name} ::= {rule}" for name, rule in rules.items())]) + "\n"


def regex(of: Sequence[Known], bare: bool = False) -> str:
    """The regular expression of the same; a whole answer matches it."""
    lines = [f"{_label(of, one)}{_regex_calls(one)}" for one in of]
    calls = r"\n".join(lines)
    if len(of) > 1:
        calls = rf"(?:{calls}|Done\[\])"
    if bare:
        return calls
    return rf"Thought: [^\[\]\n\r]{{0,{MOST_THOUGHT}}}\n{calls}\n{ASSIGNED}"


# -- how ------------------------------------------------------------------------------------------


def _of(one: Known) -> tuple[str, ...]:
    return one.possible()


def _label(of: Sequence[Known], one: Known) -> str:
    return f"Agent_{NUMBERS[one.agent]}_Action: " if len(of) > 1 else ""


def _prefixed(of: Sequence[Known], one: Known) -> str:
    label = _label(of, one)
    return f'"{label}" ' if label else ""


def _strict(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _call(one: Known, name: str, lists: dict[str, Any]) -> dict[str, Any]:
    """The schema of one call; lists of names go to ``lists``, once for each agent and kind."""
    fields: dict[str, Any] = {"call": {"type": "string", "enum": [name]}}
    for field, kind in CALLS[name]:
        if kind == "text":
            fields[field] = {"type": "string", "pattern": rf"^{QUERY}$"}
            continue
        listed = f"{one.agent}_{'thing' if kind == 'beside' else kind}"
        names = one.names(kind)
        if names:
            lists.setdefault(listed, {"type": "string", "enum": list(names)})
        fields[field] = {"$ref": f"#/$defs/{listed}"}
        if kind == "beside":
            fields[field] = {"anyOf": [{"type": "null"}, fields[field]]}
    return _strict(fields)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _gbnf_call(one: Known, name: str) -> str:
    kinds = [kind for _, kind in CALLS[name]]
    shared = ("relation", "text")
    inside = ' ", " '.join(kind if kind in shared else f"{one.agent}-{kind}" for kind in kinds)
    return f'"{name}[" {inside} "]"' if inside else f'"{name}[]"'


def _regex_calls(one: Known) -> str:
    """Calls that take the same share one list of names."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in _of(one):
        groups.setdefault(tuple(kind for _, kind in CALLS[name]), []).append(name)
    return _either(
        rf"{_either(names)}\[{', '.join(_regex_argument(one, kind) for kind in kinds)}\]"
        for kinds, names in groups.items()
    )


def _regex_argument(one: Known, kind: str) -> str:
    if kind == "text":
        return QUERY
    names = _either(_escaped(name) for name in one.names(kind))
    return f"(?:None, None|next_to, {names})" if kind == "beside" else names


def _escaped(name: str) -> str:
    return re.sub(r"([^\w \"'<>=,;:!@#%&/~`-])", r"\\\1", name, flags=re.ASCII)


def _either(parts: Iterable[str]) -> str:
    return f"(?:{'|'.join(parts)})"


def _unknown(action: Action, kind: str, name: str, of: Known) -> str:
    name = name[:60]
    if kind == "relation":
        return f'the relation of {action.name} must be "on" or "within", not "{name}"'
    if kind == "room":
        return f"there is no room {name}; the rooms are {', '.join(of.rooms)}"
    if name in of.rooms:
        return f"{name} is a room; {action.name} is written {usage(action.name)}"
    if kind == "holder" and name in of.objects:
        return f"nothing can be placed on or in {name}; name a piece of furniture or a floor"
    if kind == "object" and name in of.furniture:
        return f"{name} stays where it is; {action.name} takes an object"
    return (
        f"nothing named {name} is known so far; use exact names that you were told, or explore "
        f"rooms to find more: Explore[name of a room]"
    )
