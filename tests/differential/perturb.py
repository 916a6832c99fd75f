"""Model outputs that go wrong in many ways, made from gold plans and gold goals with a seed.

Nothing here reads files. A plan is a list of :data:`Step`, an action's name and its arguments as
outputs write them: ``[name, id, name, id]``. :func:`plan_outputs` and :func:`goal_outputs` draw
whole batches; each output says under ``kind`` how it was made.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from numpy.random import Generator

T = TypeVar("T")
#: A list of arguments, but for outputs that have something else in its place.
Step = tuple[str, Any]
Plan = list[Step]
Goals = dict[str, Any]


def _words(text: str) -> list[str]:
    return text.split()


#: All action names there are, with how many objects they take. The published checks do not know
#: the last three, which its prompts and its simulator have.
ARITY = {
    **dict.fromkeys(("SLEEP", "STANDUP", "WAKEUP"), 0),
    **dict.fromkeys(
        _words("""
            CLOSE CUT DRINK DROP EAT FIND GRAB GREET LIE LOOKAT LOOKAT_LONG LOOKAT_MEDIUM
            LOOKAT_SHORT MOVE OPEN POINTAT PULL PUSH PUTOBJBACK PUTOFF PUTON READ RINSE RUN SCRUB
            SIT SQUEEZE SWITCHOFF SWITCHON TOUCH TURNTO TYPE WALK WASH WATCH WIPE
        """),
        1,
    ),
    **dict.fromkeys(("POUR", "PUTBACK", "PUTIN"), 2),
    **dict.fromkeys(("PLUGIN", "PLUGOUT", "RELEASE"), 1),
}
STATES = _words("CLOSED OPEN ON OFF SITTING DIRTY CLEAN LYING PLUGGED_IN PLUGGED_OUT")
ROOMS = _words(
    "bathroom bedroom dining_room entrance_hall home_office kids_bedroom kitchen living_room"
)
RELATIONS = _words("ON INSIDE BETWEEN CLOSE FACING HOLDS_RH HOLDS_LH")


@dataclass(frozen=True)
class Thing:
    """An object of a scene, as far as a plan can tell."""

    name: str
    id: str
    properties: frozenset[str] = frozenset()

    @property
    def args(self) -> list[Any]:
        return [self.name, self.id]


@dataclass(frozen=True)
class PlanTask:
    """A task of action sequencing: its gold plan and its relevant objects."""

    identifier: str
    plan: Plan
    relevant: tuple[Thing, ...]


@dataclass(frozen=True)
class GoalTask:
    """A task of goal interpretation: its gold goals and the names of its relevant objects."""

    identifier: str
    goals: Goals
    relevant: tuple[str, ...]


def pick(rng: Generator, items: Sequence[T]) -> T:
    return items[int(rng.integers(len(items)))]


def weighted(rng: Generator, weights: Mapping[str, float]) -> str:
    total = sum(weights.values())
    return str(rng.choice(list(weights), p=[weight / total for weight in weights.values()]))


# Plans -----------------------------------------------------------------------------------------


def render(plan: Sequence[Step], empty: str = "[]") -> str:
    """The JSON object that stands for a plan, with a repeated key for a repeated action.

    ``empty`` is how a step without arguments writes its list. The published parser does not see
    a step with ``[]``, but it does see one with ``[ ]``.
    """
    steps = (f"{json.dumps(a)}: {json.dumps(x) if x != [] else empty}" for a, x in plan)
    return "{" + ", ".join(steps) + "}"


def random_step(rng: Generator, things: Sequence[Thing]) -> Step:
    """Any action on any objects, with the right number of them."""
    action = pick(rng, list(ARITY))
    return action, [arg for _ in range(ARITY[action]) for arg in pick(rng, things).args]


def swap(rng: Generator, plan: Plan) -> Plan:
    """Exchanges two neighbours."""
    if len(plan) < 2:
        return plan
    at = int(rng.integers(len(plan) - 1))
    return [*plan[:at], plan[at + 1], plan[at], *plan[at + 2 :]]


def drop(rng: Generator, plan: Plan) -> Plan:
    at = int(rng.integers(len(plan)))
    return plan[:at] + plan[at + 1 :]


def duplicate(rng: Generator, plan: Plan) -> Plan:
    at = int(rng.integers(len(plan)))
    return [*plan[: at + 1], *plan[at:]]


def cut_tail(rng: Generator, plan: Plan) -> Plan:
    return plan[: int(rng.integers(len(plan)))]


def change_argument(rng: Generator, plan: Plan, things: Sequence[Thing]) -> Plan:
    """Puts one of ``things`` in the place of one argument."""
    places = [at for at, (_, args) in enumerate(plan) if args]
    if not places:
        return plan
    at = pick(rng, places)
    action, args = plan[at]
    first = 2 * int(rng.integers(max(len(args) // 2, 1)))
    return [
        *plan[:at],
        (action, [*args[:first], *pick(rng, things).args, *args[first + 2 :]]),
        *plan[at + 1 :],
    ]


def change_action(rng: Generator, plan: Plan, same_arity: bool) -> Plan:
    """Gives one step another action, that takes as many objects or another number."""
    at = int(rng.integers(len(plan)))
    action, args = plan[at]
    others = [a for a in ARITY if a != action and (ARITY[a] == len(args) // 2) == same_arity]
    return [*plan[:at], (pick(rng, others), args), *plan[at + 1 :]]


def insert(rng: Generator, plan: Plan, things: Sequence[Thing]) -> Plan:
    """Puts in one to three random steps."""
    plan = list(plan)
    for _ in range(int(rng.integers(1, 4))):
        plan.insert(int(rng.integers(len(plan) + 1)), random_step(rng, things))
    return plan


def random_walk(rng: Generator, things: Sequence[Thing], length: int, noise: float = 0.02) -> Plan:
    """``length`` steps most of which the simulator takes, and some it should refuse."""
    objects = [thing for thing in things if thing.name != "character"] or list(things)
    plan: Plan = []
    while len(plan) < length:
        postures = [action for action, _ in plan if action in ("SIT", "LIE", "STANDUP")]
        if postures and postures[-1] != "STANDUP" and rng.random() < 0.8:
            plan.append(("STANDUP", []))
        if rng.random() < noise:
            plan.append(random_step(rng, things))
        else:
            plan += _episode(rng, objects)
    return plan[:length]


def _episode(rng: Generator, things: Sequence[Thing]) -> Plan:
    """A few steps that belong together, around one object and what can be done with it."""
    thing, other = pick(rng, things), pick(rng, things)
    one, two = thing.args, thing.args + other.args
    if thing.name in ROOMS and rng.random() < 0.95:  # nobody is ever close to a room
        return [(pick(rng, ("WALK", "RUN", "FIND", "TURNTO")), one)]
    general: list[Plan] = [
        [(pick(rng, ("TOUCH", "WASH", "RINSE", "SCRUB", "FIND", "RUN")), one)],
        [("TURNTO", one), (pick(rng, ("LOOKAT", "LOOKAT_MEDIUM", "POINTAT", "TURNTO")), one)],
    ]
    special = list(_special_episodes(rng, thing, other, one, two))
    episode = pick(rng, special if special and rng.random() < 0.7 else general)
    return episode if rng.random() < 0.05 else [("WALK", one), *episode]


def _special_episodes(
    rng: Generator, thing: Thing, other: Thing, one: list[Any], two: list[Any]
) -> Iterator[Plan]:
    """The episodes that the properties of ``thing`` allow."""
    has = thing.properties
    grab: Step = ("GRAB", one)
    walk: Step = ("WALK", other.args)
    if "GRABBABLE" in has:
        yield [grab, walk, ("PUTBACK", two)]
        yield [grab, walk, ("PUTIN", two)]
        yield [grab, walk, ("WIPE", other.args), ("DROP", one)]
        yield [grab, (pick(rng, ("DROP", "PUTOBJBACK", "WALK", "SQUEEZE")), one)]
        if "GRABBABLE" in other.properties:
            yield [grab, walk, ("GRAB", other.args)]
        if "CAN_OPEN" in other.properties:
            yield [grab, walk, ("OPEN", other.args), ("PUTIN", two)]
            yield [walk, ("OPEN", other.args), ("WALK", one), grab]
        if has & {"POURABLE", "DRINKABLE"}:
            yield [grab, walk, ("POUR", two), ("PUTBACK", two)]
        if has & {"DRINKABLE", "RECIPIENT"}:
            yield [grab, ("DRINK", one)]
        if "READABLE" in has:
            yield [grab, ("READ", one), ("PUTOBJBACK", one)]
        if "CLOTHES" in has:
            yield [grab, ("PUTON", one)]
            yield [grab, ("PUTON", one), ("PUTOFF", one)]
        if "knife" in thing.name:
            yield [grab, walk, ("CUT", other.args)]
    if "CAN_OPEN" in has:
        yield [(pick(rng, ("OPEN", "CLOSE")), one)]
        yield [("OPEN", one), ("CLOSE", one)]
    if "HAS_SWITCH" in has:
        yield [(pick(rng, ("SWITCHON", "SWITCHOFF")), one)]
        yield [("SWITCHON", one), ("TYPE", one)]
    if "SITTABLE" in has:
        yield [("SIT", one), ("TOUCH", other.args), ("STANDUP", [])]
        yield [("SIT", one)]
        yield [("SIT", one), (pick(rng, ("SLEEP", "WAKEUP", "STANDUP")), []), ("LIE", one)]
    if "LIEABLE" in has:
        yield [("LIE", one), ("SLEEP", []), ("WAKEUP", []), ("STANDUP", [])]
    if "LOOKABLE" in has:
        yield [("TURNTO", one), ("WATCH", one)]
    if "EATABLE" in has:
        yield [("EAT", one)]
    if "MOVABLE" in has:
        yield [(pick(rng, ("PUSH", "PULL", "MOVE")), one)]
    if "PERSON" in has:
        yield [("GREET", one)]


PLAN_CHANGES: dict[str, Callable[[Generator, Plan, Sequence[Thing], Sequence[Thing]], Plan]] = {
    "swap": lambda rng, plan, relevant, scene: swap(rng, plan),
    "drop": lambda rng, plan, relevant, scene: drop(rng, plan),
    "duplicate": lambda rng, plan, relevant, scene: duplicate(rng, plan),
    "cut_tail": lambda rng, plan, relevant, scene: cut_tail(rng, plan),
    "argument": lambda rng, plan, relevant, scene: change_argument(rng, plan, relevant),
    "hallucination": lambda rng, plan, relevant, scene: change_argument(rng, plan, scene),
    "action": lambda rng, plan, relevant, scene: change_action(rng, plan, same_arity=True),
    "arity": lambda rng, plan, relevant, scene: change_action(rng, plan, same_arity=False),
    "insert": lambda rng, plan, relevant, scene: insert(rng, plan, relevant),
}


#: The kinds of change that leave a plan within the vocabulary of its task.
QUIET_CHANGES = ("swap", "drop", "duplicate", "argument", "action", "insert")


def several(
    rng: Generator,
    plan: Plan,
    relevant: Sequence[Thing],
    scene: Sequence[Thing],
    kinds: Sequence[str] = QUIET_CHANGES,
) -> Plan:
    """Makes two to five changes of the given kinds."""
    for _ in range(int(rng.integers(2, 6))):
        if plan:
            plan = PLAN_CHANGES[pick(rng, kinds)](rng, plan, relevant, scene)
    return plan


def _change_step(rng: Generator, plan: Plan, change: Callable[[str, Any], Step]) -> Plan:
    """Puts what ``change`` makes of one step in its place."""
    at = int(rng.integers(len(plan)))
    return [*plan[:at], change(plan[at][0], list(plan[at][1])), *plan[at + 1 :]]


def _split_elsewhere(name: str = "", id: str = "") -> list[str]:
    """Moves the border between a name and its id to the name's first underscore."""
    first, _, rest = name.partition("_")
    return [first, f"{rest}_{id}"] if rest else [name, id]


#: Steps written in a way the prompt does not ask for.
STEP_FORMATS: dict[str, Callable[[str, Any], Step]] = {
    "one_argument_more": lambda action, args: (action, [*args, "sink"]),
    "one_argument_less": lambda action, args: (action, args[:-1]),
    "name_only": lambda action, args: (action, args[::2]),
    "name_twice": lambda action, args: (action, [*args[:1], *args[:1], *args[2:]]),
    "joined": lambda action, args: (action, ["_".join(str(a) for a in args[:2])]),
    "split_elsewhere": lambda action, args: (action, [*_split_elsewhere(*args[:2]), *args[2:]]),
    "id_first": lambda action, args: (action, args[::-1]),
    "lower_case": lambda action, args: (action.lower(), args),
    "title_case": lambda action, args: (action.title(), args),
    "with_space": lambda action, args: (f"{action} TO", args),
    "with_hyphen": lambda action, args: (f"{action[:4]}-{action[4:]}", args),
    "in_brackets": lambda action, args: (f"[{action}]", args),
    "unknown_action": lambda action, args: ("JUMP", args),
    "no_action": lambda action, args: ("", args),
    "float_id": lambda action, args: (action, [*args[:1], 65.0, *args[2:]]),
    "null_id": lambda action, args: (action, [*args[:1], None, *args[2:]]),
    "spaced_id": lambda action, args: (action, [*args[:1], " 65 ", *args[2:]]),
    "true_id": lambda action, args: (action, [*args[:1], True, *args[2:]]),
    "upper_case_name": lambda action, args: (action, [a.upper() for a in map(str, args)]),
    "bracket_in_name": lambda action, args: (action, ["a]b", *args[1:]]),
    "quote_in_name": lambda action, args: (action, ['a"b', *args[1:]]),
    "nested_list": lambda action, args: (action, [args]),
    "nested_dict": lambda action, args: (action, [{"object": args}]),
    "string": lambda action, args: (action, args[0] if args else ""),
    "empty_strings": lambda action, args: (action, ["", ""]),
    "padded": lambda action, args: (action, [*args, "", ""]),
    "one_empty_string": lambda action, args: (action, [*args, ""]),
    "no_arguments": lambda action, args: (action, []),
}


def _int_ids(plan: Plan) -> Plan:
    return [(a, [int(x) if str(x).isdigit() else x for x in args]) for a, args in plan]


#: Whole plans written in a way the prompt does not ask for.
PLAN_FORMATS: dict[str, Callable[[Plan], str]] = {
    "int_ids": lambda plan: render(_int_ids(plan)),
    "all_lower_case": lambda plan: render([(action.lower(), args) for action, args in plan]),
    "unique_keys": lambda plan: json.dumps(dict(plan)),
    "lists_by_action": lambda plan: json.dumps(
        {action: [args for other, args in plan if other == action] for action, _ in plan}
    ),
    "list_of_dicts": lambda plan: json.dumps([{action: args} for action, args in plan]),
    "under_a_key": lambda plan: f'{{"actions": {render(plan)}}}',
    "list_under_a_key": lambda plan: json.dumps({"plan": [{a: args} for a, args in plan]}),
    "key_and_list": lambda plan: f'{{"objects": ["sink", "42"], "actions": {render(plan)}}}',
    "blank_lists": lambda plan: render(plan, "[ ]"),
    "script": lambda plan: "\n".join(
        f"[{action}] "
        + " ".join(f"<{name}> ({id})" for name, id in zip(x[::2], x[1::2], strict=False))
        for action, x in plan
    ),
    "twice": lambda plan: render(plan) * 2,
}


# Text ------------------------------------------------------------------------------------------


def _remove_one(rng: Generator, text: str, characters: str) -> str:
    places = [at for at, character in enumerate(text) if character in characters]
    if not places:
        return text
    at = pick(rng, places)
    return text[:at] + text[at + 1 :]


def _insert_at(rng: Generator, text: str, what: str) -> str:
    at = int(rng.integers(len(text) + 1))
    return text[:at] + what + text[at:]


#: Ways to write any JSON text that are not just that text.
TEXT_FORMATS: dict[str, Callable[[Generator, str], str]] = {
    "json_fence": lambda rng, text: f"```json\n{text}\n```",
    "json_fence_open": lambda rng, text: f"```json\n{text}",
    "json_fence_indented": lambda rng, text: f"  ```json\n{text}\n```",
    "json_fence_upper_case": lambda rng, text: f"```JSON\n{text}\n```",
    "fence": lambda rng, text: f"```\n{text}\n```",
    "end_token": lambda rng, text: f"{text}<|eot_id|>",
    "single_quotes": lambda rng, text: text.replace('"', "'"),
    "curly_quotes": lambda rng, text: re.sub('"([^"]*)"', "\u201c\\1\u201d", text),
    "no_quotes": lambda rng, text: text.replace('"', ""),
    "missing_bracket": lambda rng, text: _remove_one(rng, text, "[]"),
    "missing_brace": lambda rng, text: _remove_one(rng, text, "{}"),
    "missing_quote": lambda rng, text: _remove_one(rng, text, '"'),
    "missing_comma": lambda rng, text: _remove_one(rng, text, ","),
    "missing_colon": lambda rng, text: _remove_one(rng, text, ":"),
    "trailing_comma": lambda rng, text: text[:-1] + ",}",
    "trailing_comma_in_list": lambda rng, text: text.replace("]", ",]", 1),
    "truncated": lambda rng, text: text[: int(rng.integers(len(text) + 1))],
    "prose": lambda rng, text: f"Here is the answer:\n{text}\nThis should do.",
    "prose_with_quote": lambda rng, text: f"Here's the answer:\n{text}\nThat's it.",
    "prose_with_list": lambda rng, text: f'I use "actions": ["sink", "42"].\n{text}',
    "comment": lambda rng, text: text.replace(",", ", // next\n", 1),
    "newlines": lambda rng, text: re.sub("([,:{\\[])", "\\1\n    ", text),
    "newline_anywhere": lambda rng, text: _insert_at(rng, text, "\n"),
    "tab_anywhere": lambda rng, text: _insert_at(rng, text, "\t"),
    "escape_anywhere": lambda rng, text: _insert_at(rng, text, "\\"),
    "carriage_returns": lambda rng, text: text.replace(", ", ",\r\n"),
    "escaped_newlines": lambda rng, text: text.replace(", ", ",\\n"),
    "no_spaces": lambda rng, text: text.replace(" ", ""),
    "quoted": lambda rng, text: json.dumps(text),
    "in_a_list": lambda rng, text: f"[{text}]",
    "empty": lambda rng, text: "",
    "blank": lambda rng, text: " \n",
    "empty_dict": lambda rng, text: "{}",
    "empty_list": lambda rng, text: "[]",
    "null": lambda rng, text: "null",
    "number": lambda rng, text: "42",
    "refusal": lambda rng, text: "I cannot do that, as I do not see the object.",
}


# Batches of plans ------------------------------------------------------------------------------

#: How often each way to make an output of action sequencing is drawn.
PLAN_KINDS: dict[str, float] = {
    **dict.fromkeys(PLAN_CHANGES, 1.0),
    "several": 4.0,
    "several_loud": 1.0,
    "walk": 8.0,
    "step_format": 3.0,
    "plan_format": 2.0,
    "text_format": 3.0,
}


def perturbed_plan(rng: Generator, task: PlanTask, scene: Sequence[Thing]) -> dict[str, str]:
    """One output for a task; ``scene`` holds objects that may be none of the task's."""
    kind = weighted(rng, PLAN_KINDS)
    plan, relevant = task.plan, task.relevant
    empty = "[ ]" if rng.random() < (0.9 if kind == "walk" else 0.5) else "[]"
    if kind == "several":
        text = render(several(rng, plan, relevant, scene), empty)
    elif kind == "several_loud":
        text = render(several(rng, plan, relevant, scene, tuple(PLAN_CHANGES)), empty)
    elif kind == "walk":
        text = render(random_walk(rng, relevant, int(rng.integers(5, 31))), empty)
    elif kind == "step_format":
        detail = pick(rng, list(STEP_FORMATS))
        kind = f"{kind}:{detail}"
        text = render(_change_step(rng, plan, STEP_FORMATS[detail]))
    elif kind == "plan_format":
        detail = pick(rng, list(PLAN_FORMATS))
        kind = f"{kind}:{detail}"
        text = PLAN_FORMATS[detail](plan)
    elif kind == "text_format":
        detail = pick(rng, list(TEXT_FORMATS))
        kind = f"{kind}:{detail}"
        text = TEXT_FORMATS[detail](rng, render(plan))
    else:
        text = render(PLAN_CHANGES[kind](rng, plan, relevant, scene), empty)
    return {"identifier": task.identifier, "llm_output": text, "kind": kind}


def plan_outputs(
    rng: Generator, tasks: Sequence[PlanTask], scene: Sequence[Thing], count: int
) -> list[dict[str, str]]:
    """``count`` perturbed outputs for tasks drawn at random."""
    return [perturbed_plan(rng, pick(rng, tasks), scene) for _ in range(count)]


# Goals -----------------------------------------------------------------------------------------

SECTIONS = ("node goals", "edge goals", "action goals")


def gold_goals(annotation: Mapping[str, Any], names: Mapping[int, str]) -> Goals:
    """An annotation's goals as an output writes them; ``names`` gives each id its class name.

    Of an action goal with alternatives it takes the first.
    """
    goals = annotation["goal"]
    return {
        "node goals": [
            {"name": goal["class_name"], "state": goal["state"]}
            for goal in goals
            if "state" in goal
        ],
        "edge goals": [
            {
                "from_name": names[goal["from_id"]],
                "relation": goal["relation_type"],
                "to_name": names[goal["to_id"]],
            }
            for goal in goals
            if "relation_type" in goal
        ],
        "action goals": [
            {"action": action.split("|")[0], "description": "as annotated"}
            for action in annotation["actions"]
        ],
    }


def _random_goal(rng: Generator, section: str, names: Sequence[str]) -> dict[str, Any]:
    if section == "node goals":
        return {"name": pick(rng, names), "state": pick(rng, STATES)}
    if section == "edge goals":
        relation = pick(rng, RELATIONS)
        return {"from_name": pick(rng, names), "relation": relation, "to_name": pick(rng, names)}
    return {"action": pick(rng, list(ARITY)), "description": "at random"}


def _any_goal(rng: Generator, goals: Goals, section: str | None = None) -> tuple[list[Any], int]:
    """A random goal, as a list and a place in it; where there is none, a new empty one."""
    places = [
        (goals[key], at)
        for key in ([section] if section else SECTIONS)
        if isinstance(goals.get(key), list)
        for at in range(len(goals[key]))
        if isinstance(goals[key][at], dict)
    ]
    return pick(rng, places) if places else ([{}], 0)


def _drop_goal(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    del section[at]


def _add_goal(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section = pick(rng, SECTIONS)
    if isinstance(goals.get(section), list):
        goals[section].append(_random_goal(rng, section, names))


def _duplicate_goal(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    section.insert(int(rng.integers(len(section) + 1)), copy.deepcopy(section[at]))


def _rename(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    key = pick(rng, ("name", "from_name", "to_name"))
    section, at = _any_goal(rng, goals, "node goals" if key == "name" else "edge goals")
    section[at][key] = pick(rng, names)


def _hallucinate(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    _rename(rng, goals, ("unicorn", "Character", "", "sink_42", "walls"))


def _other_state(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals, "node goals")
    section[at]["state"] = pick(rng, [*STATES, "on", "GRABBED", ""])


def _other_relation(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals, "edge goals")
    section[at]["relation"] = pick(rng, [*RELATIONS, "on", "NEAR", ""])


def _turn_edge(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals, "edge goals")
    edge = section[at]
    if "from_name" in edge and "to_name" in edge:
        edge["from_name"], edge["to_name"] = edge["to_name"], edge["from_name"]


def _other_action(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals, "action goals")
    action = str(section[at].get("action", "GRAB"))
    choices = [
        action.lower(),
        action.title(),
        f"{action} ",
        f"{action}|TOUCH",
        pick(rng, list(ARITY)),
    ]
    section[at]["action"] = pick(rng, choices)


def _describe_again(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    """The same action once more, in other words."""
    section, at = _any_goal(rng, goals, "action goals")
    again = pick(rng, ("once more", "", None, ["a", "list"], {"a": "dict"}))
    section.append({**section[at], "description": again})


def _missing_key(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    if section[at]:
        del section[at][pick(rng, list(section[at]))]


def _extra_key(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    section[at]["id"] = pick(rng, (1000, "1000", [1000], None))


def _empty_goal(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section = goals.get(pick(rng, SECTIONS))
    if isinstance(section, list):
        section.insert(int(rng.integers(len(section) + 1)), pick(rng, ({}, "", [])))


#: Values of a type that the goals should not have where they stand.
ODD_VALUES: tuple[Any, ...] = (
    "ON",
    "name state",
    "",
    42,
    0,
    1.5,
    True,
    None,
    [],
    ["ON"],
    {},
    {"a": 1},
)


def _odd_value(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    if section[at]:
        section[at][pick(rng, list(section[at]))] = copy.deepcopy(pick(rng, ODD_VALUES))


def _odd_goal(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section, at = _any_goal(rng, goals)
    words = " ".join(section[at]) if section[at] else "name state"
    section[at] = copy.deepcopy(pick(rng, (*ODD_VALUES, words, words.split())))


def _odd_section(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section = pick(rng, SECTIONS)
    first = goals[section][:1] if isinstance(goals.get(section), list) else []
    goals[section] = copy.deepcopy(pick(rng, (*ODD_VALUES, *first)))


def _missing_section(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    goals.pop(pick(rng, SECTIONS), None)


def _other_section(rng: Generator, goals: Goals, names: Sequence[str]) -> None:
    section = pick(rng, SECTIONS)
    other = pick(rng, (section.replace(" ", "_"), section.title(), section[:-1], *SECTIONS))
    if section in goals:
        goals[other] = goals.pop(section)


GoalChange = Callable[[Generator, Goals, Sequence[str]], None]

#: Changes after which the goals are still of the form the prompt asks for, and others.
QUIET_GOAL_CHANGES: dict[str, GoalChange] = {
    "drop": _drop_goal,
    "add": _add_goal,
    "duplicate": _duplicate_goal,
    "rename": _rename,
    "hallucination": _hallucinate,
    "state": _other_state,
    "relation": _other_relation,
    "turned_edge": _turn_edge,
    "action": _other_action,
    "described_again": _describe_again,
}
GOAL_CHANGES: dict[str, GoalChange] = {
    **QUIET_GOAL_CHANGES,
    "missing_key": _missing_key,
    "extra_key": _extra_key,
    "empty_goal": _empty_goal,
    "odd_value": _odd_value,
    "odd_goal": _odd_goal,
    "odd_section": _odd_section,
    "missing_section": _missing_section,
    "other_section": _other_section,
}

#: How often each way to make an output of goal interpretation is drawn.
GOAL_KINDS: dict[str, float] = {
    **dict.fromkeys(GOAL_CHANGES, 1.0),
    "gold": 1.0,
    "several": 6.0,
    "several_loud": 3.0,
    "text_format": 4.0,
}


def perturbed_goals(rng: Generator, task: GoalTask) -> dict[str, str]:
    """One output for a task."""
    kind = weighted(rng, GOAL_KINDS)
    goals = copy.deepcopy(task.goals)
    if kind == "text_format":
        detail = pick(rng, list(TEXT_FORMATS))
        kind = f"{kind}:{detail}"
        text = TEXT_FORMATS[detail](rng, json.dumps(goals))
    else:
        kinds = {
            "gold": [],
            "several": list(QUIET_GOAL_CHANGES),
            "several_loud": list(GOAL_CHANGES),
        }
        changes = [kind]
        if kind in kinds:
            count = int(rng.integers(2, 6)) if kinds[kind] else 0
            changes = [pick(rng, kinds[kind]) for _ in range(count)]
        for change in changes:
            GOAL_CHANGES[change](rng, goals, task.relevant)
        text = json.dumps(goals)
    return {"identifier": task.identifier, "llm_output": text, "kind": kind}


def goal_outputs(rng: Generator, tasks: Sequence[GoalTask], count: int) -> list[dict[str, str]]:
    """``count`` perturbed outputs for tasks drawn at random."""
    return [perturbed_goals(rng, pick(rng, tasks)) for _ in range(count)]
