"""Subgoals on BEHAVIOR that go right and wrong in many ways, made from the oracle's with a seed.

Nothing here reads files. Each output says under ``kind`` how it was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Items: TypeAlias = list[Any]
"""Subgoals as the list in an output has them; what is not a text is there to be refused."""

UNARY = (
    *("frozen", "dusty", "soaked", "toggledon", "sliced", "burnt", "cooked", "stained", "open"),
    *("holds_rh", "holds_lh"),
)
BINARY = ("inside", "nextto", "touching", "under", "ontop", "onfloor")
UNRULED = (
    *("isInKitchen", "inHandOfRobot", "inReachOfRobot", "inSameRoomAsRobot"),
    *("left_grasp", "right_release", "close", "clean", "navigate_to", "left_place_inside"),
)
"""Known names for which there is no rule."""
STRANGE = ("toggled_on", "OPEN", "burn", "stain", "holding", "Inside", "slice", "toggled.on", "on")


@dataclass(frozen=True)
class SubgoalTask:
    """What outputs can be made of.

    Attributes:
        subgoals: The oracle's.
        things: Names of all objects, as subgoals write them.
        tools: Of these, sinks, knives, cloths and containers.
        categories: As the published code writes them.
    """

    id: str
    subgoals: tuple[str, ...]
    things: tuple[str, ...]
    tools: tuple[str, ...]
    categories: tuple[str, ...]


def outputs(
    generator: np.random.Generator, tasks: Sequence[SubgoalTask], count: int
) -> list[dict[str, str]]:
    """``count`` outputs, dealt out over the tasks."""
    found = []
    for number in range(count):
        task = tasks[number % len(tasks)]
        items: Items = list(task.subgoals)
        kinds = []
        if generator.random() < 0.2:
            items, kinds = made_up(task, generator), ["made up"]
        names = list(CHANGES)
        weights = np.array([CHANGES[name][0] for name in names], dtype=float)
        for _ in range(int(generator.integers(1, 4))):
            name = names[int(generator.choice(len(names), p=weights / weights.sum()))]
            items = CHANGES[name][1](items, task, generator)
            kinds.append(name)
        text = json.dumps({"output": items})
        if generator.random() < 0.12:
            wrapper = sorted(WRAPPERS)[int(generator.integers(len(WRAPPERS)))]
            text = WRAPPERS[wrapper](text)
            kinds.append(wrapper)
        found.append({"identifier": task.id, "llm_output": text, "kind": ", ".join(kinds)})
    return found


def pick(items: Sequence[str], generator: np.random.Generator) -> str:
    return items[int(generator.integers(len(items)))]


def thing(task: SubgoalTask, generator: np.random.Generator) -> str:
    tools = task.tools and generator.random() < 0.4
    return pick(task.tools if tools else task.things, generator)


def literal(task: SubgoalTask, generator: np.random.Generator) -> str:
    negated = "not " if generator.random() < 0.25 else ""
    if generator.random() < 0.5:
        return f"{negated}{pick(UNARY, generator)}({thing(task, generator)})"
    pair = f"{thing(task, generator)}, {thing(task, generator)}"
    return f"{negated}{pick(BINARY, generator)}({pair})"


def phrase(task: SubgoalTask, generator: np.random.Generator) -> list[str]:
    """A few subgoals that belong together, or one at random."""
    x, y, z = (thing(task, generator) for _ in range(3))
    hand = pick(("holds_rh", "holds_lh"), generator)
    phrases = (
        [f"holds_rh({x})", f"holds_lh({y})", literal(task, generator)],
        [f"{hand}({x})", f"inside({x}, {y})"],
        [f"{hand}({x})", f"not {hand}({x})"],
        [f"open({y})", f"inside({x}, {y})", f"not open({y})"],
        [f"nextto({x}, {y})", f"ontop({x}, {z})"],
        [f"onfloor({x}, {z}) and touching({y}, {x})"],
        [f"ontop({x}, {y}) and nextto({x}, {y})"],
        [f"inside({x}, {y})", f"toggledon({y})", f"soaked({x})", f"holds_rh({x})"],
        [f"{hand}({x})", f"not stained({y})", f"not dusty({y})"],
        [f"{hand}({x})", f"sliced({y})", f"cooked({y})"],
        [f"not inside({x}, {y})"],
        [literal(task, generator)],
    )
    return phrases[int(generator.integers(len(phrases)))]


def made_up(task: SubgoalTask, generator: np.random.Generator) -> Items:
    found: Items = []
    for _ in range(int(generator.integers(1, 8))):
        found += phrase(task, generator)
    return found


# -- changes of the list -------------------------------------------------------------------------

Change: TypeAlias = Callable[[Items, SubgoalTask, np.random.Generator], Items]


def _at(items: Items, generator: np.random.Generator) -> int:
    return int(generator.integers(len(items)))


def swapped(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    if items:
        i, j = _at(items, generator), _at(items, generator)
        items[i], items[j] = items[j], items[i]
    return items


def dropped(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    if items:
        del items[_at(items, generator)]
    return items


def cut_off(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    return items[: int(generator.integers(len(items) + 1))]


def repeated(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    if items:
        items.insert(_at(items, generator), items[_at(items, generator)])
    return items


def inserted(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    at = int(generator.integers(len(items) + 1))
    return [*items[:at], *phrase(task, generator), *items[at:]]


def unruled(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    negated = "not " if generator.random() < 0.3 else ""
    items.insert(
        int(generator.integers(len(items) + 1)),
        f"{negated}{pick(UNRULED, generator)}({thing(task, generator)})",
    )
    return items


def joined(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    """Two or all texts as one, in one of the ways to write it."""
    texts = [item for item in items if isinstance(item, str)]
    ways = (" and ", " then ", "and", " and\n", "\tthen\t", ") and (")
    way = pick(ways, generator)
    if len(texts) < 2:
        return items
    if generator.random() < 0.2:
        whole = way.join(texts)
        return [f"({whole})" if way.startswith(")") else whole]
    at = int(generator.integers(len(texts) - 1))
    whole = way.join(texts[at : at + 2])
    return [*texts[:at], f"({whole})" if way.startswith(")") else whole, *texts[at + 2 :]]


def other_hand(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    start = int(generator.integers(len(items) + 1))
    swaps = {"holds_rh": "holds_lh", "holds_lh": "holds_rh"}
    for at in range(start, len(items)):
        for one, other in swaps.items():
            if isinstance(items[at], str) and one in items[at]:
                items[at] = items[at].replace(one, other)
                break
    return items


def other_thing(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    texts = [at for at, item in enumerate(items) if isinstance(item, str) and "(" in item]
    if not texts:
        return items
    at = texts[int(generator.integers(len(texts)))]
    head, _, rest = items[at].rpartition("(")
    args = rest.rstrip(")").split(", ")
    args[int(generator.integers(len(args)))] = thing(task, generator)
    items[at] = f"{head}({', '.join(args)})"
    return items


def mistaken(items: Items, task: SubgoalTask, generator: np.random.Generator) -> Items:
    """One text that is wrong, or looks wrong, in one of many ways."""
    x, y = thing(task, generator), thing(task, generator)
    category, word = pick(task.categories, generator), pick(STRANGE, generator)
    one, other = literal(task, generator), literal(task, generator)
    head = x.rpartition(".")[0]
    choices: tuple[Any, ...] = (
        f"{word}({x})",
        f"open({x}, {y})",
        f"inside({x})",
        f"open({head}.777)",
        f"open({head})",
        f"open({x.replace('.', '_')})",
        f"sliced({x}_part_0)",
        f"open({x}) or open({y})",
        f"({one} or {other})",
        f"{one}\tor {other}",
        f"{one}or {other}",
        f"not not {one}",
        f"not not not open({x})",
        f"not ({one})",
        f"not ({one} and {other})",
        f"notopen({x})",
        f"not(open({x}))",
        f"({one})",
        f"(({one} then {other}))",
        f"({one} then {other}) and {one}",
        f"exists({category}, open({category}))",
        f"forall x. ({category}(x))",
        f"{category}({x})",
        f"{category}({x}, {y})",
        "open()",
        "open( )",
        "inside(, )",
        f"open({x}",
        f"{one} and",
        f"{one} {other}",
        f"{one};",
        f"1. {one}",
        f"{one}.",
        f"onfloor(agent_n_01.1, {y})",
        "",
        "   ",
        "Unknown primitive",
        f"open (  {x}  )",
        f"open({x},)",
        f"inside({x},{y})",
        f"-open({x})",
        "toggled.on(sink.0)",
        "open(t-shirt.0)",
        "inside(jar.0, {})",
        7,
        None,
        ["open(jar.0)"],
        "[not_read]",
        f"inside({x}, {y}) implies open({y})",
        f"isInKitchen({x}, {y}) and open({head}.777)",
        f"left_place_nextto_ontop({x}, {y})",
    )
    at = int(generator.integers(len(items) + 1))
    return [*items[:at], choices[int(generator.integers(len(choices)))], *items[at:]]


CHANGES: dict[str, tuple[int, Change]] = {
    "swapped": (3, swapped),
    "dropped": (3, dropped),
    "cut off": (1, cut_off),
    "repeated": (3, repeated),
    "inserted": (5, inserted),
    "unruled": (2, unruled),
    "joined": (2, joined),
    "other hand": (2, other_hand),
    "other thing": (4, other_thing),
    "mistaken": (4, mistaken),
}

WRAPPERS: dict[str, Callable[[str], str]] = {
    "fenced": lambda text: f"```json\n{text}\n```",
    "prose": lambda text: f"Sure, here it is: {text} Good luck!",
    "braces before": lambda text: f"{{}} {text}",
    "twice": lambda text: f"{text}\n{text}",
    "nested": lambda text: f'{{"answer": {text}}}',
    "double braces": lambda text: text.replace("}", "}}"),
    "cut": lambda text: text[:-2],
    "single quotes": lambda text: text.replace('"', "'"),
    "thinking": lambda text: f"<think>{{a}}</think>{text}",
    "other key": lambda text: text.replace('"output"', '"plan"'),
    "more keys": lambda text: text[:-1] + ', "note": [1, NaN]}',
    "nothing": lambda text: "",
}
