"""Goal interpretation on VirtualHome: from an instruction to symbolic goals.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from homebody.core import Protocol, Score, Suite
from homebody.data import eai as data
from homebody.suites.eai import parsing
from homebody.suites.eai.action_sequencing import KINDS
from homebody.suites.eai.prompts import goal_interpretation_prompt
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.tasks import ACTION_NAMES, RELATIONS, STATES, EaiTask, load_tasks

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
_SCENE_RELATION = {ours: theirs for theirs, ours in RELATIONS.items()}

Counts = list[int]
"""True positives, false positives, false negatives."""


@dataclass
class _Tally:
    counts: dict[str, Counts] = field(default_factory=lambda: {k: [0, 0, 0] for k in KINDS})
    format_errors: int = 0
    hallucinations: int = 0
    predicted: int = 0
    explanation: str = ""
    crash: str = ""


def score(task: EaiTask, output: str, protocol: Protocol) -> Score:
    """Compare the predicted goals with the annotated ones; any text gives a score."""
    judge = _published if protocol.keeps("one_object_per_class") else _corrected
    valid = task.has_goal or protocol.keeps("goalless_tasks_counted")
    return _score(task, judge(task, output, protocol), valid)


def _class(name: str) -> str:
    return name.rpartition(".")[0]


def gold_goals(task: EaiTask) -> dict[str, list[tuple[str, ...]]]:
    """The annotated goals by kind, by class: ``(name, state)``, ``(from, relation, to)``,
    ``(alternatives,)``; in the words of the output format."""
    return {
        "state": [(_class(o), s) for s, o in task.state_goals],
        "relation": [
            (_class(a), _SCENE_RELATION.get(r, r), _class(b)) for r, a, b in task.relation_goals
        ],
        "action": [(goal.upper(),) for goal in task.action_goals],
    }


# -- corrected -----------------------------------------------------------------------------------


def _corrected(task: EaiTask, output: str, protocol: Protocol) -> _Tally:
    tally = _Tally()
    gold = {kind: list(dict.fromkeys(goals)) for kind, goals in gold_goals(task).items()}
    try:
        written = dict(parsing.parse_object(output))
    except parsing.ParsingError as error:
        tally.format_errors = 1
        tally.explanation = f"{error}."
        if not protocol.keeps("unreadable_outputs_cost_nothing"):
            for kind in KINDS:
                tally.counts[kind][2] = len(gold[kind])
        return tally
    known = {_class(name) for name in (*task.relevant, task.task.world.agent)}
    for kind in KINDS:
        predicted = _read_goals(kind, written.get(LISTS[kind], []), known, tally)
        if kind == "action":
            met = _match_alternatives(predicted, gold[kind])
        else:
            met = len(set(predicted) & set(gold[kind]))
        tally.counts[kind] = [met, len(predicted) - met, len(gold[kind]) - met]
    tally.explanation = _explain(tally)
    return tally


def _read_goals(kind: str, value: Any, known: set[str], tally: _Tally) -> list[tuple[str, ...]]:
    """The well-formed goals of one list, each once; the others are counted."""
    items = parsing.plain(value)
    if not isinstance(items, list):
        tally.format_errors += 1
        return []
    found: dict[tuple[str, ...], None] = {}
    for item in items:
        if item == {}:
            continue
        tally.predicted += 1
        keys = KEYS[kind]
        if not isinstance(item, dict) or not all(isinstance(item.get(k), str) for k in keys):
            tally.format_errors += 1
            continue
        goal = tuple(item[k].strip() for k in keys)
        if kind == "state":
            goal = (goal[0], goal[1].upper())
            exists = goal[0] in known and goal[1] in STATES
        elif kind == "relation":
            goal = (goal[0], goal[1].upper(), goal[2])
            exists = goal[0] in known and goal[2] in known and goal[1] in SCENE_RELATIONS
        else:
            goal = (goal[0].upper(),)
            exists = goal[0] in ACTION_NAMES
        if exists:
            found[goal] = None
        else:
            tally.hallucinations += 1
    return list(found)


def _match_alternatives(
    predicted: Sequence[tuple[str, ...]], gold: Sequence[tuple[str, ...]]
) -> int:
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


# -- published -----------------------------------------------------------------------------------


def _published(task: EaiTask, output: str, protocol: Protocol) -> _Tally:
    """The counts of eai-eval 1.0.5, step by step.

    Where that evaluator would end with an exception, the sample is marked and scored up to
    there.
    """
    tally = _Tally()
    try:
        written = parsing.published_goals(output)
    except parsing.ParsingError as error:
        tally.format_errors = 1
        tally.explanation = f"{error}."
        if not protocol.keeps("unreadable_outputs_cost_nothing"):
            for kind, goals in gold_goals(task).items():
                tally.counts[kind][2] = len(goals)
        return tally
    try:
        _published_counts(task, written, tally)
    except (TypeError, AttributeError, KeyError, ValueError, RecursionError) as error:
        tally.crash = f"{type(error).__name__}: {error}"
    tally.explanation = _explain(tally)
    return tally


def _published_counts(task: EaiTask, written: Any, tally: _Tally) -> None:
    # of several objects of a class, the one with the highest id stands for all
    by_name = {
        _class(name): name
        for name in sorted(task.relevant, key=lambda n: (_class(n), int(n.rpartition(".")[2])))
    }
    lists = {kind: _unique(written.get(LISTS[kind], [])) for kind in KINDS}
    # lists, not sets: what models write may not be hashable
    states = list(task.state_goals)
    relations = [(_SCENE_RELATION.get(r, r), a, b) for r, a, b in task.relation_goals]

    def state_goal(item: Mapping[str, Any]) -> bool | None:
        if item["name"] not in by_name:
            return None
        return (item["state"], by_name[item["name"]]) in states

    def relation_goal(item: Mapping[str, Any]) -> bool | None:
        if item["from_name"] not in by_name or item["to_name"] not in by_name:
            return None
        ends = (by_name[item["from_name"]], by_name[item["to_name"]])
        return (item["relation"], *ends) in relations

    def action_goal(item: Mapping[str, Any]) -> bool | None:
        name = item["action"].upper()
        return any(name in goal.upper().split("|") for goal in task.action_goals)

    checks: dict[str, Callable[[Mapping[str, Any]], bool | None]] = {
        "state": state_goal,
        "relation": relation_goal,
        "action": action_goal,
    }
    total = {
        "state": len(task.state_goals),
        "relation": len(task.relation_goals),
        "action": len(task.action_goals),
    }
    for kind in KINDS:
        right = wrong = 0
        for item in lists[kind]:
            if len(item) == 0:
                continue
            if not all(key in item for key in KEYS[kind]):
                tally.format_errors += 1
                tally.predicted += 1
                continue
            met = checks[kind](item)
            if met is None:
                tally.hallucinations += 1
            elif met:
                right += 1
            else:
                wrong += 1
        tally.predicted += right + wrong
        tally.counts[kind] = [right, wrong, total[kind] - right]


def _unique(items: Any) -> list[Any]:
    """Items without duplicates, as eai-eval finds them; raises what it raises."""

    def key(item: Any) -> Hashable:
        if isinstance(item, dict):
            return frozenset((name, key(value)) for name, value in item.items())
        if isinstance(item, list):
            return tuple(key(element) for element in item)
        hash(item)
        return item  # type: ignore[no-any-return]

    return list({key(item): item for item in items}.values())


# -- numbers -------------------------------------------------------------------------------------


def precision_recall_f1(counts: Sequence[int]) -> tuple[float, float, float]:
    """From true positives, false positives and false negatives; 0 where undefined."""
    right, wrong, missed = counts
    precision = right / (right + wrong) if right + wrong else 0.0
    recall = right / (right + missed) if right + missed else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


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


def summarise(scores: Sequence[Score], protocol: Protocol) -> dict[str, Any]:
    """Micro-averaged percentages, in the schema of the published summary.json."""
    summary: dict[str, Any] = {}
    totals = {
        kind: [sum(s.record["counts"][kind][i] for s in scores if s.valid) for i in range(3)]
        for kind in KINDS
    }
    named = {_PUBLISHED_KIND[kind]: counts for kind, counts in totals.items()}
    named["all"] = [sum(counts[i] for counts in totals.values()) for i in range(3)]
    for name, counts in named.items():
        for metric, value in zip(
            ("precision", "recall", "f1"), precision_recall_f1(counts), strict=True
        ):
            summary[f"{name}_{metric}"] = round(100 * value, 4)
    return summary


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
    goals = gold_goals(task)
    goals["action"] = [(goal[0].split("|")[0],) for goal in goals["action"]]
    return _render(goals)


def random(task: EaiTask, generator: np.random.Generator) -> str:
    """As many random goals of each kind as are annotated, over the listed objects."""
    names = sorted({_class(name) for name in task.relevant}) or ["character"]

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
    summarise=summarise,
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
)
