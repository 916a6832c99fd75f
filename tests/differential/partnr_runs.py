"""Random evaluation functions and runs for PARTNR."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from homebody.goals.partnr import (
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    write_evaluation,
)

DRIVER = Path(__file__).with_name("_driver_partnr.py")
OBJECTS = ("ab", "cd", "ef", "ag")
PLACES = ("hi", "hj", "kl")
ROOMS = ("mn", "op")
NAMES = (*OBJECTS, *PLACES, *ROOMS)
NEGATIONS = {"is_dirty": "is_clean", "is_empty": "is_filled", "is_powered_off": "is_powered_on"}
STATES = (*NEGATIONS, *NEGATIONS.values())

Step = list[tuple[tuple[str, ...], bool]]
"""Facts that change, and what they change to."""


def holds_in(facts: set[tuple[str, ...]]) -> Callable[[str, tuple[str | float, ...]], bool]:
    """Truth from a set of facts, which may change."""

    def holds(predicate: str, arguments: tuple[str | float, ...]) -> bool:
        names = tuple(str(one) for one in arguments if isinstance(one, str))
        if predicate in NEGATIONS:
            return (NEGATIONS[predicate], *names) not in facts
        return (predicate, *names) in facts

    return holds


def random_evaluation(random: Random) -> Evaluation:
    """Small, of all kinds, but for what the published code stops at: no argument constraint names
    an argument of ``is_clustered``."""
    propositions = tuple(_proposition(random) for _ in range(random.randint(1, 5)))
    count = len(propositions)

    def some(least: int = 1) -> tuple[int, ...]:
        return tuple(random.sample(range(count), random.randint(min(least, count), count)))

    relations = ("while_satisfied", "after_satisfied", "after_unsatisfied", "before_satisfied")
    dependencies = tuple(
        Dependency(some(), some(), random.choice(relations), random.choice(("all", "any")))
        for _ in range(random.choice((0, 0, 1, 1, 2)))
    )
    constraints: list[Constraint] = []
    if random.random() < 0.6:
        order = random.sample(range(count), count)
        edges = [(order[i], order[j]) for j in range(count) for i in range(j)]
        kept = tuple(edge for edge in edges if random.random() < 0.4)
        constraints.append(TemporalConstraint(kept))
    for _ in range(random.choice((0, 1, 1, 2))):
        members = [i for i in some(2) if propositions[i].predicate != "is_clustered"]
        names = tuple(random.choice(propositions[i].argument_names) for i in members)
        kind = random.choice((SameArgConstraint, DifferentArgConstraint))
        constraints.append(kind(tuple(members), names))
    if random.random() < 0.5:
        constraints.append(TerminalSatisfactionConstraint(some()))
    random.shuffle(constraints)
    return Evaluation(propositions, dependencies, tuple(constraints))


def random_run(random: Random, evaluation: Evaluation, length: int) -> list[Step]:
    """Changes of facts that the evaluation asks for, all false at first."""
    facts = sorted({fact for one in evaluation.propositions for fact in _facts(one)})
    likely = random.choice((0.1, 0.5, 0.8))
    steps: list[Step] = []
    for _ in range(length):
        step: Step = []
        for fact in random.sample(facts, min(len(facts), random.choice((0, 1, 1, 2, 3)))):
            value = random.random() < likely
            step.append((fact, value))
            if fact[0] == "is_next_to":  # nearness is mutual
                step.append(((fact[0], fact[2], fact[1]), value))
        steps.append(step)
    return steps


def job(evaluation: Evaluation, steps: Sequence[Step], **more: Any) -> dict[str, Any]:
    return {
        "episode": write_evaluation(evaluation),
        "names": sorted(
            {n for one in evaluation.propositions for names in one.lists for n in names}
        ),
        "steps": steps,
        **more,
    }


def _proposition(random: Random) -> Proposition:
    def some(names: Sequence[str], least: int = 1) -> tuple[str, ...]:
        return tuple(random.sample(names, random.randint(least, len(names))))

    predicate = random.choice(
        ("is_on_top", "is_inside", "is_in_room", "is_on_floor", "is_next_to", "is_clustered", "")
    ) or random.choice(STATES)
    number = random.choice((1, 1, 1, 2, 3))
    if predicate == "is_clustered":
        lists = tuple(some(OBJECTS) for _ in range(random.randint(1, 3)))
        numbers = tuple(random.choice((1, 1, 2)) for _ in lists)
        return Proposition(predicate, lists, numbers)
    if predicate == "is_on_floor" or predicate in STATES:
        return Proposition(predicate, (some(OBJECTS),), (number,))
    second = {"is_in_room": ROOMS, "is_next_to": (*PLACES, *OBJECTS)}.get(predicate, PLACES)
    return Proposition(predicate, (some(OBJECTS), some(second)), (number,), random.random() < 0.3)


def _facts(one: Proposition) -> list[tuple[str, ...]]:
    if one.predicate == "is_clustered":
        names = sorted({name for names in one.lists for name in names})
        return [("is_next_to", a, b) for a in names for b in names if a < b]
    if len(one.lists) == 1:
        return [(NEGATIONS.get(one.predicate, one.predicate), name) for name in one.lists[0]]
    return [(one.predicate, a, b) for a in one.lists[0] for b in one.lists[1]]
