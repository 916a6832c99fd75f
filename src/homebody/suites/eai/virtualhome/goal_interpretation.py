"""Goal interpretation on VirtualHome (EAI paper, section 2.3 and appendix D.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core import Prompting, Protocol, Score
from homebody.core.ground.seeds import choose
from homebody.suites.eai.agents import majority
from homebody.suites.eai.goal_interpretation import (
    MicroAverages,
    compared_text,
    goals_score,
    make_suite,
    odd_keys,
)
from homebody.suites.eai.plan_results import KINDS, sentence
from homebody.suites.eai.reading import Deviation, ParsingError, Reading
from homebody.suites.eai.virtualhome.goals import (
    LISTS,
    SCENE_RELATIONS,
    GoalReading,
    GoalWords,
    by_class,
    gold_goals,
    known_classes,
    predicted_goals,
    read_object,
    render,
    text_of,
)
from homebody.suites.eai.virtualhome.prompts import (
    goal_interpretation_prompt,
    possible_states,
)
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_NAMES,
    STATES,
    VirtualHomeTask,
    class_of,
    load_tasks,
)
from homebody.suites.eai.virtualhome.world import WORLD, no_goal_reason

if TYPE_CHECKING:
    import numpy as np

Counts: TypeAlias = list[int]
"""True positives, false positives, false negatives."""


@dataclass
class _Tally:
    reading: GoalReading
    counts: dict[str, Counts] = field(default_factory=lambda: {k: [0, 0, 0] for k in KINDS})
    named: dict[str, list[str]] = field(default_factory=lambda: {"Missed": [], "Wrong": []})
    explanation: str = ""
    crash: str = ""


def score(task: VirtualHomeTask, output: str, protocol: Protocol) -> Score:
    """Compare the predicted goals with the annotated ones; any text gets a score."""
    answer = Reading.of(protocol, Deviation.PYTHON)  # the prompt has single quotes
    tally = _Tally(GoalReading(answer))
    gold = gold_goals(task)
    if protocol.keeps("one_object_per_class"):
        # the object with the highest id represents its class
        stands_for = {class_of(name): name for name in task.relevant}
    else:
        gold = by_class(gold)
        tally.reading.known = known_classes((*task.relevant, task.task.world.agent))
        stands_for = {class_of(n): class_of(n) for n in (*task.relevant, task.task.world.agent)}
    try:
        written = read_object(output, protocol, answer)
        _compare(written, gold, stands_for, protocol, tally)
    except ParsingError as error:
        tally.reading.format_errors = 1
        tally.explanation = sentence(error)
        costly = not protocol.keeps("unreadable_outputs_cost_nothing")
        for kind in KINDS:
            tally.counts[kind] = [0, 0, len(gold[kind]) if costly else 0]
    else:
        tally.explanation = _explain(tally, written)
    return _make_score(task, tally).exclude(no_goal_reason(task, protocol))


def _compare(
    written: Any,
    gold: Mapping[str, list[GoalWords]],
    stands_for: Mapping[str, str],
    protocol: Protocol,
    tally: _Tally,
) -> None:
    for kind in KINDS:
        tally.counts[kind][2] = len(gold[kind])
    try:
        for kind in KINDS:
            predicted = predicted_goals(written, kind, stands_for, protocol, tally.reading)
            if not protocol.keeps("repeated_goals_counted"):
                predicted = list(dict.fromkeys(predicted))
            if kind != "action":
                right = {at: goal for at, goal in enumerate(predicted) if goal in gold[kind]}
                missed = [goal for goal in gold[kind] if goal not in predicted]
            elif protocol.keeps("repeated_goals_counted"):
                options = [goal[0].split("|") for goal in gold[kind]]
                right = {
                    at: goal
                    for at, goal in enumerate(predicted)
                    if any(goal[0] in names for names in options)
                }
                names = {goal[0] for goal in predicted}
                either = zip(gold[kind], options, strict=True)
                missed = [goal for goal, options in either if names.isdisjoint(options)]
            else:
                met = _match_alternatives(predicted, gold[kind])
                right = {at: predicted[at] for at in met.values()}
                missed = [goal for at, goal in enumerate(gold[kind]) if at not in met]
            tally.counts[kind] = [
                len(right),
                len(predicted) - len(right),
                len(gold[kind]) - len(right),
            ]
            wrong = [goal for at, goal in enumerate(predicted) if at not in right]
            for title, goals in (("Missed", missed), ("Wrong", wrong)):
                tally.named[title] += [text_of(kind, goal) for goal in goals]
    except (TypeError, AttributeError, RecursionError) as error:
        if not protocol.keeps("value_types_unchecked"):
            raise
        tally.crash = f"{type(error).__name__}: {error}"


def _match_alternatives(
    predicted: Sequence[GoalWords], gold: Sequence[GoalWords]
) -> dict[int, int]:
    """Match annotated action goals with different predicted action goals. Return a mapping between
    their indices."""
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

    for index in range(len(predicted)):
        place(index, set())
    return taken


def _make_score(task: VirtualHomeTask, tally: _Tally) -> Score:
    reading = tally.reading
    return goals_score(
        task,
        _overall(tally),
        {
            "valid": True,
            "counts": {kind: list(counts) for kind, counts in tally.counts.items()},
            "predicted": reading.predicted,
            **reading.answer.record,
        },
        format_errors=reading.format_errors,
        hallucinations=reading.hallucinations,
        explanation=tally.explanation,
        crash=tally.crash,
    )


def _overall(tally: _Tally) -> Counts:
    return [sum(counts[at] for counts in tally.counts.values()) for at in range(3)]


def _explain(tally: _Tally, written: Any) -> str:
    reading = tally.reading
    return compared_text(
        _overall(tally),
        {
            **tally.named,
            "Names that do not exist": reading.unknown,
            "Malformed": reading.malformed,
            **odd_keys(LISTS.values(), written if isinstance(written, dict) else ()),
        },
    )


# -- agents that need no model -------------------------------------------------------------------


def oracle(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return the annotated goals. Of alternative actions, return only the first."""
    goals = by_class(gold_goals(task))
    goals["action"] = [(goal[0].split("|")[0],) for goal in goals["action"]]
    return render(goals)


def random(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return random goals over the listed objects, the same number of each kind as in the
    annotation."""
    names = sorted({class_of(name) for name in task.relevant}) or ["character"]
    states, relations, actions = map(sorted, (STATES, SCENE_RELATIONS, ACTION_NAMES))
    choices = {
        "state": (names, states),
        "relation": (names, relations, names),
        "action": (actions,),
    }
    return render(
        {
            kind: [
                tuple(choose(generator, options) for options in choices[kind])
                for _ in range(task.goal_totals[kind])
            ]
            for kind in KINDS
        }
    )


EXAMPLE = ("PLUGGED_IN", "CLOSED", "ON")
"""The goal states in the prompt's example."""


def copycat(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return the goals in the prompt's example, for all listed objects that can have these
    states."""
    names = dict.fromkeys(class_of(name) for name in task.relevant)
    states = [
        (name, state) for name in names for state in EXAMPLE if state in possible_states(name)
    ]
    return render({"state": states, "relation": [], "action": []})


def frequent(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return the goals that more than half of the other tasks with the same goal name have."""
    others = [
        by_class(gold_goals(other))
        for other in load_tasks()
        if other.title == task.title and other.id != task.id
    ]
    goals = {kind: majority([other[kind] for other in others]) for kind in KINDS}
    goals["action"] = [(goal[0].split("|")[0],) for goal in goals["action"]]
    return render(goals)


SUITE = make_suite(
    WORLD,
    342,
    score=score,
    summary=MicroAverages(
        {"state": "node", "relation": "edge", "action": "action"},
        {"node": "State", "edge": "Relation", "action": "Action", "all": "Overall"},
    ).summary(),
    prompting=Prompting(goal_interpretation_prompt),
    agents={"oracle": oracle, "random": random, "copycat": copycat, "frequent": frequent},
    empty=render({kind: [] for kind in KINDS}),
)
