"""Seeded variants of BEHAVIOR's ground-truth plans, right and wrong, for both simulators.

A plan is a list of ``(action, objects)``. The variants keep to known actions and objects with the
right number of them: what the text of an output may get wrong is a matter of its reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Step: TypeAlias = tuple[str, tuple[str, ...]]
Plan: TypeAlias = list[Step]

HANDED = (
    *("GRASP", "RELEASE", "PLACE_ONTOP", "PLACE_INSIDE", "PLACE_NEXTTO", "PLACE_UNDER"),
    *("TRANSFER_CONTENTS_INSIDE", "TRANSFER_CONTENTS_ONTOP"),
)
FREE = (
    *("OPEN", "CLOSE", "TOGGLE_ON", "TOGGLE_OFF", "SLICE", "CLEAN"),
    *("SOAK", "DRY", "FREEZE", "UNFREEZE", "COOK"),
)
SIDES = ("LEFT", "RIGHT")
NAMES = (*FREE, *(f"{side}_{name}" for side in SIDES for name in HANDED))
NO_FUNCTION = ("NAVIGATE_TO",)
"""Known to the published evaluator, and no function of its graph simulator."""


@dataclass(frozen=True)
class PlanTask:
    """What a plan can be made of.

    Attributes:
        plan: The ground truth, known actions only.
        objects: All names, parts and floors too.
        tools: Names of things that do something for others: knives, cloths, sinks, pans ...
    """

    plan: tuple[Step, ...]
    objects: tuple[str, ...]
    tools: tuple[str, ...]


def variants(task: PlanTask, generator: np.random.Generator, count: int) -> list[Plan]:
    """``count`` plans: ground truths changed in one to six places, and some made up."""
    found = []
    for _ in range(count):
        plan: Plan = list(task.plan)
        if generator.random() < 0.15:
            plan = _made_up(task, generator)
        for _ in range(int(generator.integers(1, 7))):
            change = _CHANGES[int(generator.integers(len(_CHANGES)))]
            plan = change(plan, task, generator)
        found.append(plan)
    return found


def _one(items: Sequence[str], generator: np.random.Generator) -> str:
    return items[int(generator.integers(len(items)))]


def _place(plan: Plan, generator: np.random.Generator) -> int:
    return int(generator.integers(len(plan)))


def _swapped(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    if plan:
        i, j = _place(plan, generator), _place(plan, generator)
        plan[i], plan[j] = plan[j], plan[i]
    return plan


def _dropped(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    if plan:
        del plan[_place(plan, generator)]
    return plan


def _repeated(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    if plan:
        plan.insert(_place(plan, generator), plan[_place(plan, generator)])
    return plan


def _other_hand(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    """Change the hand of one step, or of all from there on."""
    if not plan:
        return plan
    start = _place(plan, generator)
    end = start + 1 if generator.random() < 0.7 else len(plan)
    for i in range(start, end):
        plan[i] = (_mirrored(plan[i][0]), plan[i][1])
    return plan


def _mirrored(name: str) -> str:
    for side, other in (SIDES, SIDES[::-1]):
        if name.startswith(side + "_"):
            return other + name.removeprefix(side)
    return name


def _other_object(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    if plan:
        i = _place(plan, generator)
        name, args = plan[i]
        changed = list(args)
        changed[int(generator.integers(len(args)))] = _thing(task, generator)
        plan[i] = (name, tuple(changed))
    return plan


def _other_action(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    if plan:
        i = _place(plan, generator)
        plan[i] = (_one(NAMES, generator), plan[i][1][:1])
    return plan


def _inserted(plan: Plan, task: PlanTask, generator: np.random.Generator) -> Plan:
    at = int(generator.integers(len(plan) + 1))
    return [*plan[:at], *_phrase(task, generator), *plan[at:]]


def _made_up(task: PlanTask, generator: np.random.Generator) -> Plan:
    plan: Plan = []
    for _ in range(int(generator.integers(3, 15))):
        plan += _phrase(task, generator)
    return plan


def _thing(task: PlanTask, generator: np.random.Generator) -> str:
    """Any object; a tool more often than not, where there are some."""
    likes_tools = task.tools and generator.random() < 0.35
    return _one(task.tools if likes_tools else task.objects, generator)


def _phrase(task: PlanTask, generator: np.random.Generator) -> Plan:
    """A few steps that belong together, or one at random."""
    x, y, z = (_thing(task, generator) for _ in range(3))
    side = _one(SIDES, generator)
    kind = int(generator.integers(12))
    put = _one(("PLACE_ONTOP", "PLACE_INSIDE", "PLACE_NEXTTO", "PLACE_UNDER"), generator)
    pour = _one(("TRANSFER_CONTENTS_INSIDE", "TRANSFER_CONTENTS_ONTOP"), generator)
    if kind == 0:
        return [(f"{side}_PLACE_NEXTTO_ONTOP", (x, y))]
    if kind == 1:
        return [(f"{side}_GRASP", (x,)), (f"{side}_PLACE_NEXTTO_ONTOP", (y, z))]
    if kind <= 4:
        return [(f"{side}_GRASP", (x,)), (f"{side}_{put}", (y,))]
    if kind == 5:
        return [(f"{side}_GRASP", (x,)), (f"{side}_{pour}", (y,)), (f"{side}_RELEASE", (x,))]
    if kind == 6:
        made: Plan = [(f"{side}_GRASP", (x,)), ("SLICE", (y,)), (f"{side}_RELEASE", (x,))]
        return [*made, ("RIGHT_GRASP", (f"{y}_part_0",))] if f"{y}_part_0" in task.objects else made
    if kind == 7:
        wash = _one(("SOAK", "CLEAN", "COOK", "FREEZE"), generator)
        return [
            (f"{side}_GRASP", (x,)),
            (f"{side}_PLACE_INSIDE", (y,)),
            ("TOGGLE_ON", (y,)),
            (wash, (x,)),
        ]
    if kind == 8:
        return [(f"{side}_GRASP", (x,)), ("CLEAN", (y,))]
    if kind == 9 and generator.random() < 0.1:
        return [(_one(NO_FUNCTION, generator), (x,))]
    return [(_one(NAMES, generator), (x,))]


_CHANGES: tuple[Callable[[Plan, PlanTask, np.random.Generator], Plan], ...] = (
    _swapped,
    _dropped,
    _repeated,
    _other_hand,
    _other_object,
    _other_action,
    _inserted,
    _inserted,
)


# -- texts --------------------------------------------------------------------------------------


def text_of(plan: Sequence[Step]) -> str:
    """A plan as models are asked to write it."""
    return json.dumps([{"action": name, "object": ", ".join(args)} for name, args in plan])


def mangled(text: str, generator: np.random.Generator) -> str:
    """A plan's text with one thing wrong, or written otherwise."""
    at = int(generator.integers(len(text) + 1))
    ways = (
        f"Here it is:\n{text}\nThat is all.",
        text[:at],
        text[:at] + text[at + 1 :],
        text.replace('"', "'"),
        text.replace("}, {", "},  # so far\n{"),
        text[:-1] + ",]",
        text.replace("_", " ", 1),
        text.replace("OPEN", "open"),
        text.replace("GRASP", "PICK", 1),
        text.replace('"object": "', '"object": " ', 2),
        text.replace('", "object"', ' ", "object"', 1),
        text.replace("}]", '}, 3, "x", None]'),
        text.replace("}]", '}, {"action": "OPEN"}]'),
        text.replace('"object": "', '"object": ["x"], "other": "', 1),
        "[]" + text,
        text.replace("}]", ', "why": [1]}]'),
        text.replace('"object": "', '"object": "nothing_0, ', 1),
        text.replace(", ", " , "),
        text.replace('", "object": "', '", "object": ", ', 1),
        _doubled(text),
        "{" + text + "}",
        text.replace('"action": "', '"action": "" "', 1),
        text.replace('"action": "', '"action": 3, "other": "', 1),
        text.replace("SLICE", "BURN").replace("OPEN", "BURN", 1),
        text + "]",
        text.replace("[", "(").replace("]", ")"),
    )
    return ways[int(generator.integers(len(ways)))]


def _doubled(text: str) -> str:
    """The first object is named twice."""
    _, key, rest = text.partition('"object": "')
    name = rest.partition('"')[0]
    return text.replace(key + name, f"{key}{name}, {name}", 1)
