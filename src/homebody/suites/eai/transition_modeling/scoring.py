"""Transition modeling: preconditions and effects of operators, in PDDL.

Predicted operators are judged twice: by a comparison of their logic with the annotated operators,
and by a planner that solves the task's problem with them. :func:`make_suite` makes the suites of
both data sets.

Source: EAI paper, section 2.6 and appendix D.4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from homebody.core import (
    Prompting,
    Protocol,
    Reporting,
    Score,
    Scoring,
    Suite,
    Tasks,
    TextAgent,
)
from homebody.core.published import Published
from homebody.core.score import cut_text
from homebody.core.suite import Summary
from homebody.core.viewing import Ability, Viewing
from homebody.data.store import Store
from homebody.planning.pddl import check_types
from homebody.planning.solver import fast_downward
from homebody.planning.solver.solve import Limits
from homebody.suites.eai.measures import percent, percent_measures, precision_recall_f1
from homebody.suites.eai.plan_results import cut_list, sentence
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import OFF_FORMAT, Deviation, ParsingError, Reading
from homebody.suites.eai.solution import show_problem
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.transition_modeling import matching
from homebody.suites.eai.transition_modeling import published as published_transition
from homebody.suites.eai.transition_modeling.matching import Match
from homebody.suites.eai.transition_modeling.operators import (
    TASK_QUIRKS,
    TITLES,
    TOOLS,
    UNKNOWN,
    Prediction,
    Reference,
    TransitionTask,
    read_predictions,
)
from homebody.suites.eai.transition_modeling.planning import LIMITS, Attempt, attempt, problems

PARTS = ("precondition", "effect")
_EXTRA = (TOOLS, UNKNOWN)
MAX_LISTED = 6
"""Maximum number of predicates, problems or names of each kind in an explanation."""


class _PublishedCrash(Exception):
    """Raised where the published evaluation ends with an exception."""


@dataclass
class _Tally:
    """Counts of true positives, false positives and false negatives: predicates in clauses."""

    counts: dict[str, dict[str, list[int]]]
    operators: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    named: dict[str, list[str]] = field(default_factory=lambda: {"Missed": [], "Wrong": []})
    problems: dict[str, str] = field(default_factory=dict)
    hints: dict[str, str] = field(default_factory=dict)
    hallucinated: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    predicted: int = 0
    reading: Reading = field(default_factory=Reading)
    format_error: str = ""
    crash: str = ""
    attempt: Attempt = field(default_factory=lambda: Attempt(False, ""))


def score(task: TransitionTask, output: str, protocol: Protocol, limits: Limits = LIMITS) -> Score:
    """Match the operators in an output and plan with them; any text gets a score."""
    counted = task.reference.counted_categories
    tally = _Tally({part: {category: [0, 0, 0] for category in counted} for part in PARTS})
    reading = tally.reading = Reading.of(protocol, Deviation.LINE_BREAKS)  # as in the prompts
    try:
        predictions = read_predictions(task, output, protocol, reading)
    except ParsingError as error:
        tally.format_error = sentence(error)
        if protocol.keeps("unreadable_outputs_left_out"):
            return _make_score(task, tally).exclude("unreadable output")
        predictions = {}
    try:
        _compare(task, predictions, protocol, tally)
    except _PublishedCrash as crash:
        tally.crash = str(crash)
    else:
        if not tally.format_error:
            tally.attempt = attempt(task, predictions, protocol, limits)
            tally.crash = tally.attempt.crash
    return _make_score(task, tally)


def _compare(
    task: TransitionTask,
    predictions: Mapping[str, Prediction],
    protocol: Protocol,
    tally: _Tally,
) -> None:
    reference = task.reference
    tally.predicted = len(predictions)
    tally.hallucinated = [name for name in predictions if name not in task.to_define]
    for name, prediction in predictions.items():
        if name not in task.to_define:
            continue
        if prediction.operator is None:
            tally.problems[name] = prediction.problem
        elif wrong := problems(prediction.operator, reference):
            tally.problems[name] = wrong[0]
        elif odd := check_types(prediction.operator, reference.domain):
            tally.hints[name] = odd[0]
        for part, match in zip(
            PARTS, compare_operator(name, prediction, protocol, reference), strict=True
        ):
            _add(match, name, part, protocol, tally, reference)
            for title, found in (("Missed", match.missed), ("Wrong", match.wrong)):
                if found:
                    which = "all" if prediction.operator is None else ", ".join(found)
                    tally.named[title].append(f"{which} in the {part} of {name}")
    tally.missing = [name for name in task.to_define if name not in predictions]
    if not protocol.keeps("missing_operators_cost_nothing"):
        for name in tally.missing:
            missed = matching.missed_operator(reference.operators[name])
            for part, match in zip(PARTS, missed, strict=True):
                _add(match, name, part, protocol, tally, reference)


def compare_operator(
    name: str, prediction: Prediction, protocol: Protocol, reference: Reference
) -> tuple[Match, Match]:
    """Match precondition and effect of a predicted operator with the annotated ones."""
    if protocol.keeps("conditions_compared_as_text"):
        precondition, effect = _compare_as_text(prediction, protocol, reference.texts[name])
    else:
        gold = reference.operators[name]
        if prediction.operator is not None:
            precondition, effect = matching.match_operators(prediction.operator, gold)
        elif protocol.keeps("unreadable_conditions_cost_nothing"):
            precondition = effect = Match()
        else:
            precondition, effect = matching.missed_operator(gold)
    if protocol.keeps("predicates_counted_once"):
        return _count_once(precondition), _count_once(effect)
    return precondition, effect


def _count_once(match: Match) -> Match:
    return Match(
        right=dict.fromkeys(match.right, 1),
        wrong=dict.fromkeys(match.wrong, 1),
        missed=dict.fromkeys(match.missed, 1),
    )


def _compare_as_text(
    prediction: Prediction, protocol: Protocol, gold: published_transition.TextOperator
) -> tuple[Match, Match]:
    text = prediction.text
    matches = []
    for part in PARTS:
        annotated = getattr(gold, part)
        try:
            if text is None:
                raise published_transition.UnreadableLogic(prediction.problem)
            result = published_transition.compare(
                getattr(text, part),
                annotated,
                misread_rows=protocol.keeps("matched_rows_misread"),
                parts_suffice=protocol.keeps("parts_of_clauses_suffice"),
            )
        except published_transition.UnreadableLogic:
            missed = (
                []
                if protocol.keeps("unreadable_conditions_cost_nothing")
                else [published_transition.parse(annotated)]
            )
            result = published_transition.Comparison(missed=missed)
        matches.append(
            Match(
                right=Counter(published_transition.predicates(result.matched)),
                wrong=Counter(published_transition.predicates(result.wrong)),
                missed=Counter(published_transition.predicates(result.missed)),
            )
        )
    return matches[0], matches[1]


def _add(
    match: Match, name: str, part: str, protocol: Protocol, tally: _Tally, reference: Reference
) -> None:
    own = tally.operators.setdefault(name, {p: [0, 0, 0] for p in PARTS})
    categories = reference.category
    for at, counts in enumerate((match.right, match.wrong, match.missed)):
        for predicate, count in counts.items():
            category = categories.get(predicate, UNKNOWN)
            if category == UNKNOWN and protocol.keeps("unknown_predicates_cost_nothing"):
                if at == 0:
                    raise _PublishedCrash(f"KeyError: {predicate!r}")
                continue
            if category == TOOLS and not protocol.keeps("tools_apart"):
                category = "object_affordance"
            tally.counts[part][category][at] += count
            own[part][at] += count


def _overall(tally: _Tally) -> list[int]:
    return [
        sum(counts[at] for part in tally.counts.values() for counts in part.values())
        for at in range(3)
    ]


def _explain(tally: _Tally) -> str:
    if tally.format_error:
        return tally.format_error
    right, wrong, missed = _overall(tally)
    message = tally.attempt.message
    notes = [
        f"{message[:1].upper()}{message[1:]}",
        f"Predicates: {right} right, {wrong} wrong, {missed} missed",
    ]
    problems_named = (f"{name}: {problem}" for name, problem in tally.problems.items())
    listed = {
        **tally.named,
        "Not defined": tally.missing,
        "Not requested": tally.hallucinated,
        "Problems": [text for text in problems_named if not message.endswith(text)],
        # a planner ignores types of bound variables, but they may be the mistake
        "Hints": [f"{name}: {hint}" for name, hint in tally.hints.items()],
    }
    notes += [
        cut_list(f"{title}: ", items, MAX_LISTED, "; ") for title, items in listed.items() if items
    ]
    return ". ".join(filter(None, notes)) + "."


def _make_score(task: TransitionTask, tally: _Tally) -> Score:
    precision, recall, f1 = precision_recall_f1(_overall(tally))
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.name,
        "categories": list(task.categories),
        "valid": True,
        "success": tally.attempt.success,
        "undecided": tally.attempt.undecided,
        "plan": list(tally.attempt.plan),
        "counts": tally.counts,
        "operators": tally.operators,
        "predicted": tally.predicted,
        "hallucinated": tally.hallucinated,
        "missing": tally.missing,
        "problems": tally.problems,
        "hallucinations": len(tally.hallucinated),
        "format_errors": int(bool(tally.format_error)),
        "precision": round(precision, 6),
        "recall": round(recall, 6),
        "f1": round(f1, 6),
        "explanation": cut_text(_explain(tally)),
        **tally.reading.record,
    }
    if tally.crash:
        record["published_crash"] = tally.crash
    metrics = {
        "success": float(tally.attempt.success),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "format_error": float(bool(tally.format_error)),
        "hallucination": float(bool(tally.hallucinated)),
        "missing_operator": float(bool(tally.missing)),
        "invalid_operator": float(bool(tally.problems)),
    }
    return Score(task.id, metrics, record)


# -- numbers -------------------------------------------------------------------------------------


def count(score: Score) -> Counter[str]:
    """Count the right, wrong and missed predicates, and the solved and all tasks, by category."""
    if not score.valid:
        return Counter()
    record = score.record
    counted: Counter[str] = Counter()
    for part in PARTS:
        for category, counts in record["counts"][part].items():
            for at in range(3):
                counted[f"{category} {at}"] += counts[at]
    for category in record["categories"]:
        counted[f"{category} solved"] += record["success"]
        counted[f"{category} tried"] += 1
    return counted


def rates(
    categories: Sequence[str], sums: Mapping[str, float], *, exact: bool = False
) -> dict[str, Any]:
    """Compute percentages by category, in the schema of the published summary.json.

    The overall success rate counts a task once for each of its categories, as in appendix D.4; the
    official tasks all have two.
    """
    groups = {category: [category] for category in categories}
    groups["overall"] = [*categories, *_EXTRA]
    return {name: _rates_of(sums, group, exact) for name, group in groups.items()}


def _rates_of(
    sums: Mapping[str, float], categories: Sequence[str], exact: bool
) -> dict[str, float]:
    def total(number: object) -> float:
        return sum(sums.get(f"{category} {number}", 0) for category in categories)

    solved, tried = total("solved"), total("tried")
    undefined = math.nan if exact else 0.0
    precision, recall, f1 = percent_measures([total(at) for at in range(3)], exact=exact)
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "planner_success_rate": percent(solved / tried if tried else undefined, exact=exact),
    }


def _categories(task: TransitionTask) -> Sequence[str]:
    return tuple(category.replace("_", " ") for category in task.categories)


def _score_with_bounds(
    bounds: Mapping[str, float],
) -> Callable[[TransitionTask, str, Protocol], Score]:
    nodes, memory = int(bounds["nodes"]), int(bounds["memory_mb"])
    return partial(score, limits=Limits(nodes, bounds["seconds"], memory))


_METRICS = {"P": "precision", "R": "recall", "F1": "f1", "SR": "planner_success_rate"}


def make_suite(
    name: str,
    title: str,
    categories: Sequence[str],
    *,
    quirks: Set[str],
    store: Store,
    load: Callable[[Protocol], Sequence[TransitionTask]],
    describe: Callable[[TransitionTask], str],
    prompt: Callable[[TransitionTask], str],
    agents: Mapping[str, TextAgent[TransitionTask]],
) -> Suite[TransitionTask]:
    """Make the suite of transition modeling on one data set.

    ``categories`` are the categories of its tasks. The other parameters are the same as in
    :class:`homebody.core.Suite`.
    """
    titles = {category: TITLES[category] for category in categories}
    return Suite(
        name=name,
        title=title,
        tasks=Tasks(
            prepare=lambda progress: store.fetch({}, progress=progress),
            data=store.versions,
            load=load,
            identify=lambda task: task.id,
            describe=describe,
            categories=_categories,
            cluster=lambda task: task.name,
        ),
        scoring=Scoring(
            protocols=PROTOCOLS,
            score=score,
            bounds=asdict(LIMITS),
            score_within=_score_with_bounds,
            require=fast_downward.driver,
        ),
        reporting=Reporting(
            summary=Summary(
                count,
                partial(rates, tuple(categories)),
                {
                    f"{title} {short}": (category, metric)
                    for category, title in {**titles, "overall": "Overall"}.items()
                    for short, metric in _METRICS.items()
                },
            ),
            measures=OFF_FORMAT,
            tallies={
                "Format errors": "format_errors",
                "Halluc. operators": "hallucinations",
                "Undecided": "undecided",
            },
        ),
        published=Published(
            quirks,
            lambda task, protocol: (
                task.quirks == protocol.kept_quirks(TASK_QUIRKS.intersection(quirks))
            ),
            submission=submission_of(name),
        ),
        viewing=Viewing(
            abilities=(Ability("World modelling"),),
            faults={"format_error", "hallucination", "missing_operator", "invalid_operator"},
            solution=show_problem,
        ),
        prompting=Prompting(prompt),
        text_agents=agents,
    )
