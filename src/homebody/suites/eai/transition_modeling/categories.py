"""The task categories of transition modeling: the abilities that a task demands most.

The predicates of a task are the predicates in the preconditions and effects of the operators of its
published plan. The weight of a predicate is log(tasks / tasks that have it). The weight of a
category is the sum over its predicates. A task has the two categories with the highest weights.

Appendix L.5 sums over the *set* of a task's predicates. The published categories, however, count a
predicate once for each operator that has it. :func:`report` shows both. The second way reproduces
all published categories of VirtualHome, and the categories of 94 of BEHAVIOR's 100 tasks. Four of
the other tasks have only predicates that all tasks have, so the weight of every category is 0. The
categories of the last two were computed without the operator ``slice-carvingknife``.

Source: EAI paper, appendix L.5 and table 25.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from homebody.core.formula import (
    EQUALS,
    Formula,
    atoms,
)
from homebody.data import behavior, eai
from homebody.planning.pddl import parse_expression

TOP = 2


@dataclass(frozen=True, eq=False)
class Corpus:
    """Tasks with published plans and categories; compared by identity.

    Attributes:
        name: Name of the data set.
        pddl: Its ``operators``, ``task_plans`` and ``predicate_categories``.
        official: Task -> its published categories.
        paper: Category -> number of tasks printed in table 25.
    """

    name: str
    pddl: Callable[[], Mapping[str, Any]]
    official: Callable[[], Mapping[str, Collection[str]]]
    paper: Mapping[str, int]


VIRTUALHOME = Corpus(
    "virtualhome",
    pddl=lambda: eai.load()["pddl"],
    official=lambda: eai.load()["vocabulary"]["task_categories"],
    # orientation and affordance are swapped: only 32 tasks have a predicate of orientation at all
    paper=MappingProxyType(
        {
            "object states": 178,
            "object orientation": 167,
            "object affordance": 28,
            "spatial relations": 145,
            "non-spatial relations": 74,
        }
    ),
)
BEHAVIOR = Corpus(
    "behavior",
    pddl=lambda: behavior.load("pddl"),
    official=lambda: behavior.load("pddl")["task_categories"],
    paper=MappingProxyType(
        {"object states": 45, "spatial relations": 94, "non-spatial relations": 61}
    ),
)
CORPORA: Mapping[str, Corpus] = MappingProxyType(
    {corpus.name: corpus for corpus in (VIRTUALHOME, BEHAVIOR)}
)


def categorise(
    task_predicates: Mapping[str, Collection[str]],
    predicate_categories: Mapping[str, str],
    k: int = TOP,
) -> dict[str, tuple[str, ...]]:
    """Return the ``k`` heaviest categories of each task, heaviest first.

    Args:
        task_predicates: Task -> its predicates; repeated predicates count repeatedly.
        predicate_categories: Predicate -> category. Predicates without a category are ignored.
        k: Number of categories per task; a task gets fewer if its predicates have fewer.

    Returns:
        Task -> categories. Equal weights are in alphabetical order.
    """
    weights = predicate_weights(task_predicates)
    return {
        task: heaviest_categories(predicates, weights, predicate_categories, k)
        for task, predicates in task_predicates.items()
    }


def predicate_weights(task_predicates: Mapping[str, Collection[str]]) -> dict[str, float]:
    """Map each predicate to log(tasks / tasks that have it), which is 0 if all tasks have it."""
    having = Counter(name for predicates in task_predicates.values() for name in set(predicates))
    return {name: math.log(len(task_predicates) / having[name]) for name in sorted(having)}


def heaviest_categories(
    predicates: Collection[str],
    weights: Mapping[str, float],
    predicate_categories: Mapping[str, str],
    k: int = TOP,
) -> tuple[str, ...]:
    """Return the heaviest categories of one task; predicates without a weight are ignored."""
    parts: dict[str, list[float]] = {}
    for name in predicates:
        if name in predicate_categories and name in weights:
            parts.setdefault(predicate_categories[name], []).append(weights[name])
    # fsum: exact, so that equal weights are equal in whatever order they are added
    sums = {category: math.fsum(values) for category, values in parts.items()}
    return tuple(sorted(sums, key=lambda category: (-sums[category], category))[:k])


def predicates_of(formula: Formula) -> frozenset[str]:
    """Return the predicates in a condition or effect, without equality."""
    return frozenset(atom.predicate for atom in atoms(formula)) - {EQUALS}


@cache
def operator_predicates(corpus: Corpus = VIRTUALHOME) -> Mapping[str, frozenset[str]]:
    """Map each official operator to the predicates of its preconditions and effects.

    Raises:
        HomebodyError: The data is missing and cannot be fetched. The functions below raise it, too.
    """
    return MappingProxyType(
        {
            name: predicates_of(parse_expression(body["action_preconditions"]))
            | predicates_of(parse_expression(body["action_effects"]))
            for name, body in corpus.pddl()["operators"].items()
        }
    )


def plan_predicates(operators: Collection[str], corpus: Corpus = VIRTUALHOME) -> tuple[str, ...]:
    """Return the predicates of a plan's official operators, each once for each operator."""
    predicates = operator_predicates(corpus)
    return tuple(
        name for operator in sorted(set(operators)) for name in sorted(predicates[operator])
    )


def task_predicates(corpus: Corpus = VIRTUALHOME) -> dict[str, tuple[str, ...]]:
    """Map each task with a published PDDL plan to its :func:`plan_predicates`."""
    plans = corpus.pddl()["task_plans"]
    return {
        task: plan_predicates([step.split()[0] for step in plan], corpus)
        for task, plan in plans.items()
    }


def predicate_categories(corpus: Corpus = VIRTUALHOME) -> dict[str, str]:
    """Map each official predicate to its category, named as in prompts ("object states")."""
    return {
        name: _words(category) for name, category in corpus.pddl()["predicate_categories"].items()
    }


@cache
def task_categories(corpus: Corpus = VIRTUALHOME) -> Mapping[str, tuple[str, ...]]:
    """Map each task with a published PDDL plan to its two categories, heaviest first.

    The other tasks of VirtualHome have no published plan: 32 of the 42 other PDDL problems have an
    empty goal and therefore an empty plan. For a plan of another task, use
    ``heaviest_categories(plan_predicates(plan), predicate_weights(task_predicates()),
    predicate_categories())``.
    """
    return MappingProxyType(categorise(task_predicates(corpus), predicate_categories(corpus)))


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """Numbers of tasks in a category.

    Attributes:
        category: Name of the category.
        ours: Number according to :func:`task_categories`.
        official: Number according to the published file.
        paper: Number according to table 25.
        once: Number if each predicate is counted once for a task, as in appendix L.5.
        possible: Tasks with any predicate of the category.
    """

    category: str
    ours: int
    official: int
    paper: int
    once: int
    possible: int


@dataclass(frozen=True, slots=True)
class CategoryReport:
    """Our categories compared with the published ones.

    Attributes:
        counts: One for each category of table 25, in its order.
        tasks: Number of tasks with published categories.
        agreeing: Number of tasks with the same categories in the same order.
        differing: The tasks that differ.
        differing_once: The tasks that would differ with each predicate counted once for a task.
    """

    counts: tuple[CategoryCount, ...]
    tasks: int
    agreeing: int
    differing: tuple[str, ...]
    differing_once: tuple[str, ...]


def report(corpus: Corpus = VIRTUALHOME) -> CategoryReport:
    """Compare computed categories with the published ones and with table 25."""
    predicates, kinds = task_predicates(corpus), predicate_categories(corpus)
    ours = task_categories(corpus)
    once = categorise({task: sorted(set(names)) for task, names in predicates.items()}, kinds)
    official = {task: tuple(map(_words, names)) for task, names in corpus.official().items()}
    possible = {
        task: tuple({kinds[name] for name in names if name in kinds})
        for task, names in predicates.items()
    }
    tables = [
        Counter(category for names in table.values() for category in names)
        for table in (ours, official, once, possible)
    ]
    counts = tuple(
        CategoryCount(
            category,
            ours=tables[0][category],
            official=tables[1][category],
            paper=printed,
            once=tables[2][category],
            possible=tables[3][category],
        )
        for category, printed in corpus.paper.items()
    )
    differing = tuple(task for task, names in official.items() if ours.get(task) != names)
    return CategoryReport(
        counts,
        tasks=len(official),
        agreeing=len(official) - len(differing),
        differing=differing,
        differing_once=tuple(task for task, names in official.items() if once.get(task) != names),
    )


def report_records(comparison: CategoryReport) -> list[dict[str, str | int]]:
    """Return the counts as records to print; see :class:`CategoryCount`."""
    return [
        {
            "category": row.category,
            "ours": row.ours,
            "official": row.official,
            "paper": row.paper,
            "each predicate once": row.once,
            "at most": row.possible,
        }
        for row in comparison.counts
    ]


def _words(category: str) -> str:
    return category.replace("_", " ")
