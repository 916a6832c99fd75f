"""Goal interpretation on VirtualHome: from an instruction to symbolic goals.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core import CORRECTED, Protocol, Score, Suite
from homebody.data import eai as data
from homebody.suites.eai import parsing
from homebody.suites.eai.measures import precision_recall_f1
from homebody.suites.eai.trajectory import KINDS
from homebody.suites.eai.virtualhome.demands import DEMANDS
from homebody.suites.eai.virtualhome.prompts import goal_interpretation_prompt
from homebody.suites.eai.virtualhome.protocol import PROTOCOLS
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_NAMES,
    SCENE_NAMES,
    STATES,
    EaiTask,
    class_of,
    load_tasks,
)

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.goal_interpretation"
SCENE_RELATIONS = frozenset(["ON", "INSIDE", "BETWEEN", "CLOSE", "FACING", "HOLDS_RH", "HOLDS_LH"])
LISTS = {"state": "node goals", "relation": "edge goals", "action": "action goals"}
KEYS = {
    "state": ("name", "state"),
    "relation": ("from_name", "relation", "to_name"),
    "action": ("action",),
}
_PUBLISHED_KIND = {"state": "node", "relation": "edge", "action": "action"}

VOCABULARY = {
    "state": frozenset(STATES),
    "relation": SCENE_RELATIONS,
    "action": ACTION_NAMES,
}
Goal: TypeAlias = tuple[Any, ...]
Counts: TypeAlias = list[int]
"""True positives, false positives, false negatives."""


@dataclass
class _Tally:
    counts: dict[str, Counts] = field(default_factory=lambda: {k: [0, 0, 0] for k in KINDS})
    format_errors: int = 0
    hallucinations: int = 0
    predicted: int = 0
    explanation: str = ""
    crash: str = ""


def gold_goals(task: EaiTask) -> dict[str, list[Goal]]:
    """The annotated goals by kind, over objects: ``(object, state)``, ``(from, relation, to)``
    and ``(alternatives,)``, with relations named as the output format names them."""
    return {
        "state": [(thing, state) for state, thing in task.state_goals],
        "relation": [(a, SCENE_NAMES.get(r, r), b) for r, a, b in task.relation_goals],
        "action": [(goal.upper(),) for goal in task.action_goals],
    }


def _by_class(goals: Mapping[str, list[Goal]]) -> dict[str, list[Goal]]:
    """Annotated goals with classes in place of objects, each once."""
    return {
        "state": list(dict.fromkeys((class_of(thing), state) for thing, state in goals["state"])),
        "relation": list(
            dict.fromkeys((class_of(a), r, class_of(b)) for a, r, b in goals["relation"])
        ),
        "action": goals["action"],
    }


def score(task: EaiTask, output: str, protocol: Protocol) -> Score:
    """Compare the predicted goals with the annotated ones; any text gives a score."""
    tally = _Tally()
    gold = gold_goals(task)
    if protocol.keeps("one_object_per_class"):
        # of several objects of a class, the one with the highest id stands for all
        stands_for = {class_of(name): name for name in task.relevant}
    else:
        gold = _by_class(gold)
        stands_for = {class_of(n): class_of(n) for n in (*task.relevant, task.task.world.agent)}
    try:
        written = _read(output, protocol)
    except parsing.ParsingError as error:
        tally.format_errors = 1
        tally.explanation = f"{error}."
        if not protocol.keeps("unreadable_outputs_cost_nothing"):
            for kind in KINDS:
                tally.counts[kind][2] = len(gold[kind])
    else:
        _compare(written, gold, stands_for, protocol, tally)
        tally.explanation = _explain(tally)
    return _score(task, tally, task.has_goal or protocol.keeps("goalless_tasks_counted"))


def _read(output: str, protocol: Protocol) -> Any:
    if protocol.keeps("apostrophes_replaced"):
        return parsing.published_goals(output)
    return parsing.plain(parsing.parse_object(output))


@dataclass(frozen=True, slots=True)
class ReadGoals:
    """The goals of an output, for whoever plans for them.

    Attributes:
        goals: Kind -> goals as :func:`gold_goals` has them, each once, in the order of the output.
        readable: False if the output holds no goals because it is not in the format.
        dropped: Malformed goals and goals with names that do not exist.
    """

    goals: Mapping[str, Sequence[tuple[str, ...]]]
    readable: bool
    dropped: int


def read_goals(output: str, stands_for: Mapping[str, str]) -> ReadGoals:
    """The predicted goals, as ``corrected`` reads them; never raises.

    Args:
        output: Any text.
        stands_for: Class -> what is put in its place; other classes do not exist.
    """
    tally = _Tally()
    try:
        written = _read(output, CORRECTED)
    except parsing.ParsingError:
        return ReadGoals({kind: [] for kind in KINDS}, False, 0)
    goals = {
        kind: list(
            dict.fromkeys(
                goal
                for item in _items(written, LISTS[kind], CORRECTED, tally)
                for goal in _goal(kind, item, stands_for, CORRECTED, tally)
            )
        )
        for kind in KINDS
    }
    return ReadGoals(goals, True, tally.hallucinations + tally.format_errors)


def _compare(
    written: Any,
    gold: Mapping[str, list[Goal]],
    stands_for: Mapping[str, str],
    protocol: Protocol,
    tally: _Tally,
) -> None:
    for kind in KINDS:
        tally.counts[kind][2] = len(gold[kind])
    try:
        for kind in KINDS:
            predicted = [
                goal
                for item in _items(written, LISTS[kind], protocol, tally)
                for goal in _goal(kind, item, stands_for, protocol, tally)
            ]
            if not protocol.keeps("repeated_goals_counted"):
                predicted = list(dict.fromkeys(predicted))
            if kind != "action":
                met = sum(goal in gold[kind] for goal in predicted)
            elif protocol.keeps("repeated_goals_counted"):
                options = [goal[0].split("|") for goal in gold[kind]]
                met = sum(any(goal[0] in names for names in options) for goal in predicted)
            else:
                met = _match_alternatives(predicted, gold[kind])
            tally.counts[kind] = [met, len(predicted) - met, len(gold[kind]) - met]
    except (TypeError, AttributeError) as error:
        if not protocol.keeps("value_types_unchecked"):
            raise
        tally.crash = f"{type(error).__name__}: {error}"


def _items(written: Any, name: str, protocol: Protocol, tally: _Tally) -> list[Any]:
    """The entries of one list of goals, without exact repetitions."""
    if protocol.keeps("value_types_unchecked"):
        return [item for item in _unique(written.get(name, [])) if len(item) > 0]
    items = written.get(name) if isinstance(written, dict) else None
    if not isinstance(items, list):
        tally.format_errors += 1
        return []
    return [item for item in _unique(items) if item != {}]


def _unique(items: Any) -> list[Any]:
    def key(item: Any) -> Hashable:
        if isinstance(item, dict):
            return frozenset((name, key(value)) for name, value in item.items())
        if isinstance(item, list):
            return tuple(key(element) for element in item)
        hashable: Hashable = item
        return hashable

    return list({key(item): item for item in items}.values())


def _goal(
    kind: str, item: Any, stands_for: Mapping[str, str], protocol: Protocol, tally: _Tally
) -> list[Goal]:
    """The goal that an entry says, or none if it is malformed or names what does not exist."""
    tally.predicted += 1
    keys = KEYS[kind]
    unchecked = protocol.keeps("value_types_unchecked")
    if unchecked:
        well_formed = all(key in item for key in keys)
    else:
        well_formed = isinstance(item, dict) and all(isinstance(item.get(k), str) for k in keys)
    if not well_formed:
        tally.format_errors += 1
        return []
    words = [item[key] for key in keys]
    if not unchecked:
        words = [word.strip() for word in words]
    if kind == "action":
        words = [words[0].upper()]
    literal = protocol.keeps("vocabulary_unchecked")
    named = {"state": (0,), "relation": (0, 2), "action": ()}[kind]
    exists = all(words[at] in stands_for for at in named)
    if exists and not literal:
        if kind != "action":
            words[1] = words[1].upper()
        exists = words[0 if kind == "action" else 1] in VOCABULARY[kind]
    if not exists:
        tally.hallucinations += 1
        return []
    return [tuple(stands_for[w] if at in named else w for at, w in enumerate(words))]


def _match_alternatives(predicted: Sequence[Goal], gold: Sequence[Goal]) -> int:
    """Largest number of predicted actions that can each meet an annotated goal of their own."""
    options = [set(goal[0].replace(" ", "").split("|")) for goal in gold]
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for at, alternatives in enumerate(options):
            if at not in tried and predicted[index][0] in alternatives:
                tried.add(at)
                if at not in taken or place(taken[at], tried):
                    taken[at] = index
                    return True
        return False

    return sum(place(index, set()) for index in range(len(predicted)))


def _explain(tally: _Tally) -> str:
    right, wrong, missed = (sum(c[i] for c in tally.counts.values()) for i in range(3))
    said = f"{right} right, {wrong} wrong, {missed} missed"
    if tally.hallucinations:
        said += f", {tally.hallucinations} with names that do not exist"
    if tally.format_errors:
        said += f", {tally.format_errors} malformed"
    return said + "."


# -- numbers -------------------------------------------------------------------------------------


def _score(task: EaiTask, tally: _Tally, valid: bool) -> Score:
    overall = [sum(counts[i] for counts in tally.counts.values()) for i in range(3)]
    precision, recall, f1 = precision_recall_f1(overall)
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        "valid": valid,
        "counts": {kind: list(counts) for kind, counts in tally.counts.items()},
        "predicted": tally.predicted,
        "format_errors": tally.format_errors,
        "hallucinations": tally.hallucinations,
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(f1, 6),
        "explanation": tally.explanation,
    }
    if tally.crash:
        record["published_crash"] = tally.crash
    metrics = {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "format_error": float(tally.format_errors > 0),
        "hallucination": float(tally.hallucinations > 0),
    }
    return Score(task.id, metrics, record, valid)


def count(score: Score) -> Counter[str]:
    """What one output adds to the true and false positives and the false negatives."""
    if not score.valid:
        return Counter()
    counts = score.record["counts"]
    return Counter({f"{kind} {at}": counts[kind][at] for kind in KINDS for at in range(3)})


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Micro-averaged percentages, in the schema of the published summary.json.

    They are rounded as the published ones are, and 0 of 0 is 0, unless ``exact``.
    """
    undefined = (math.nan if exact else 0.0,) * 3
    totals = {_PUBLISHED_KIND[kind]: [sums[f"{kind} {at}"] for at in range(3)] for kind in KINDS}
    totals["all"] = [sum(counts[at] for counts in totals.values()) for at in range(3)]
    return {
        f"{name}_{metric}": 100 * value if exact else round(100 * value, 4)
        for name, counts in totals.items()
        for metric, value in zip(
            ("precision", "recall", "f1"),
            precision_recall_f1(counts) if any(counts) else undefined,
            strict=True,
        )
    }


# -- agents that need no model -------------------------------------------------------------------


def _render(goals: Mapping[str, Sequence[tuple[str, ...]]]) -> str:
    return json.dumps(
        {
            LISTS[kind]: [
                dict(zip(KEYS[kind], goal, strict=True))
                | ({"description": ""} if kind == "action" else {})
                for goal in goals[kind]
            ]
            for kind in KINDS
        }
    )


def oracle(task: EaiTask, generator: np.random.Generator) -> str:
    """The annotated goals; of alternative actions, the first."""
    goals = _by_class(gold_goals(task))
    goals["action"] = [(goal[0].split("|")[0],) for goal in goals["action"]]
    return _render(goals)


def random(task: EaiTask, generator: np.random.Generator) -> str:
    """As many random goals of each kind as are annotated, over the listed objects."""
    names = sorted({class_of(name) for name in task.relevant}) or ["character"]

    def pick(options: Sequence[str]) -> str:
        return options[int(generator.integers(len(options)))]

    states, relations, actions = map(sorted, (STATES, SCENE_RELATIONS, ACTION_NAMES))
    return _render(
        {
            "state": [(pick(names), pick(states)) for _ in task.state_goals],
            "relation": [(pick(names), pick(relations), pick(names)) for _ in task.relation_goals],
            "action": [(pick(actions),) for _ in task.action_goals],
        }
    )


def empty(task: EaiTask, generator: np.random.Generator) -> str:
    """No goals at all."""
    return _render({kind: [] for kind in KINDS})


SUITE: Suite[EaiTask] = Suite(
    name=NAME,
    title="Turn an instruction into symbolic goals (EAI, VirtualHome, 342 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.id:<7} {task.task.name}: {task.task.instruction}",
    prompt=goal_interpretation_prompt,
    score=score,
    count=count,
    rates=rates,
    columns={
        f"{title} {short}": (f"{name}_{metric}",)
        for title, name in (
            ("State", "node"),
            ("Relation", "edge"),
            ("Action", "action"),
            ("Overall", "all"),
        )
        for short, metric in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
    },
    tallies={"Format errors": "format_errors", "Halluc. goals": "hallucinations"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    demands=DEMANDS,
)
