"""Which abilities a task asks for most: the task categories of transition modeling.

A task's operators are those of its published plan, and its predicates those of the operators'
preconditions and effects. A predicate weighs log(tasks / tasks that have it); a category weighs
what its predicates weigh together, and the heaviest two are the task's.

Appendix L.5 sums over the *set* of a task's predicates. The published categories come of counting
a predicate once for each operator that has it: :func:`report` shows both.

That gives all published categories of VirtualHome, and those of 94 of BEHAVIOR's 100 tasks. Of the
others, four have only predicates that all tasks have, so that every category weighs nothing; and
two had theirs computed without the operator ``slice-carvingknife``.

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
        name: Of the data set.
        pddl: Its ``operators``, ``task_plans`` and ``predicate_categories``.
        official: Task -> its published categories.
        paper: Tasks in each category as table 25 prints them.
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
    """The ``k`` heaviest categories of each task, heaviest first.

    Args:
        task_predicates: Task -> its predicates; one that is there twice weighs twice.
        predicate_categories: Predicate -> category. Predicates of no category count for nothing.
        k: Categories for a task. It gets fewer if its predicates are of fewer, none if it has
            no predicates.

    Returns:
        Task -> categories. Equal weights are in the order of the names.
    """
    weights = predicate_weights(task_predicates)
    return {
        task: heaviest(predicates, weights, predicate_categories, k)
        for task, predicates in task_predicates.items()
    }


def predicate_weights(task_predicates: Mapping[str, Collection[str]]) -> dict[str, float]:
    """Predicate -> log(tasks / tasks that have it): 0 for one that all tasks have."""
    having = Counter(name for predicates in task_predicates.values() for name in set(predicates))
    return {name: math.log(len(task_predicates) / having[name]) for name in sorted(having)}


def heaviest(
    predicates: Collection[str],
    weights: Mapping[str, float],
    predicate_categories: Mapping[str, str],
    k: int = TOP,
) -> tuple[str, ...]:
    """The categories of one task, also of one that the weights are not from.

    Predicates without a weight count for nothing.
    """
    parts: dict[str, list[float]] = {}
    for name in predicates:
        if name in predicate_categories and name in weights:
            parts.setdefault(predicate_categories[name], []).append(weights[name])
    # fsum: exact, so that equal weights are equal in whatever order they are added
    sums = {category: math.fsum(values) for category, values in parts.items()}
    return tuple(sorted(sums, key=lambda category: (-sums[category], category))[:k])


def predicates_of(formula: Formula) -> frozenset[str]:
    """The predicates in a condition or effect; equality is none."""
    return frozenset(atom.predicate for atom in atoms(formula)) - {EQUALS}


@cache
def operator_predicates(corpus: Corpus = VIRTUALHOME) -> Mapping[str, frozenset[str]]:
    """Official operator -> the predicates of its preconditions and effects.

    Raises HomebodyError if the data is not there and cannot be fetched, as the functions below do.
    """
    return MappingProxyType(
        {
            name: predicates_of(parse_expression(body["action_preconditions"]))
            | predicates_of(parse_expression(body["action_effects"]))
            for name, body in corpus.pddl()["operators"].items()
        }
    )


def plan_predicates(operators: Collection[str], corpus: Corpus = VIRTUALHOME) -> tuple[str, ...]:
    """The predicates of a plan's operators: each once for each operator that has it, however
    often the plan uses the operator. Raises KeyError for one that is not official."""
    predicates = operator_predicates(corpus)
    return tuple(
        name for operator in sorted(set(operators)) for name in sorted(predicates[operator])
    )


def task_predicates(corpus: Corpus = VIRTUALHOME) -> dict[str, tuple[str, ...]]:
    """The tasks with a published PDDL plan, 296 of VirtualHome and 100 of BEHAVIOR ->
    :func:`plan_predicates`."""
    plans = corpus.pddl()["task_plans"]
    return {
        task: plan_predicates([step.split()[0] for step in plan], corpus)
        for task, plan in plans.items()
    }


def predicate_categories(corpus: Corpus = VIRTUALHOME) -> dict[str, str]:
    """Official predicate -> category, as prompts and tables name it ("object states")."""
    return {
        name: _words(category) for name, category in corpus.pddl()["predicate_categories"].items()
    }


@cache
def task_categories(corpus: Corpus = VIRTUALHOME) -> Mapping[str, tuple[str, ...]]:
    """The tasks with a published PDDL plan -> their two categories, heaviest first.

    Computed; see above for how far they are the published ones. VirtualHome's other tasks have no
    plan to take predicates from: 32 of the 42 other PDDL problems have an empty goal, and so an
    empty plan. Of a plan for another task, ``heaviest(plan_predicates(plan),
    predicate_weights(task_predicates()), predicate_categories())`` gives the categories.
    """
    return MappingProxyType(categorise(task_predicates(corpus), predicate_categories(corpus)))


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """Tasks in a category.

    Attributes:
        category: Its name.
        ours: As :func:`task_categories` has it.
        official: As the published file has it.
        paper: As table 25 has it.
        once: With each predicate counted once for a task, as appendix L.5 has it.
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
    """Our categories beside the published ones.

    Attributes:
        counts: One for each category of table 25, in its order.
        tasks: Tasks that have published categories.
        agreeing: Of these, those with the same categories in the same order.
        differing: Those that differ.
        differing_once: Those that would differ with each predicate counted once for a task.
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
    """The counts as records to print: see :class:`CategoryCount`."""
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
