"""Subgoal decomposition on VirtualHome: from a goal to the states on the way to it.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from homebody.core import Action, ErrorType, Protocol, Score, State, Suite, execute
from homebody.core.formula import And, Atom, Formula, Then, atoms, conjunction, is_variable
from homebody.data import eai as data
from homebody.goals import ltl
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    MAX_WEIGHT,
    Limits,
    Subgoal,
    limits_of,
    weight,
)
from homebody.suites.eai.subgoal_decomposition.scoring import (
    Telling,
    bounded,
    followed,
    listed,
    searched,
)
from homebody.suites.eai.trajectory import (
    GRAMMAR,
    KINDS,
    GrammarError,
    Result,
    columns,
    count,
    count_goals,
    make_score,
    unreadable,
)
from homebody.suites.eai.virtualhome import published_subgoals as published
from homebody.suites.eai.virtualhome.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.prompts import (
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.virtualhome.protocol import PROTOCOLS
from homebody.suites.eai.virtualhome.refinement import refine
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_PREDICATES,
    STATES,
    EaiTask,
    id_of,
    load_tasks,
    script_line,
    subgoal_vocabulary,
)

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.subgoal_decomposition"
_BETWEEN = "BETWEEN"
NEAR = "NEXT_TO"
"""Often so already, as a side effect of something else."""


# -- reading -------------------------------------------------------------------------------------


def read_subgoals(task: EaiTask, output: str, protocol: Protocol) -> list[Subgoal]:
    """The subgoals of an output, over the objects of the scene.

    Raises:
        GrammarError: it is no list of formulas, or a predicate, a number of arguments or an
            object is wrong.
    """
    if protocol.keeps("subgoals_read_by_pattern"):
        return published.read(task, output)
    subgoals: list[Subgoal] = []
    for index, text in enumerate(map(_plain, listed(output))):
        formula = _formula(text, index)
        parts = formula.parts if isinstance(formula, Then) else (formula,)
        for part in parts:
            if weight(part, len(task.task.initial.objects)) > MAX_WEIGHT:
                reason = "the quantifiers of a subgoal are nested too deep"
                raise GrammarError(ErrorType.PARSING, reason, index, text[:60])
            checked = _Reader(task, index, text).read(part, frozenset())
            subgoals.append(Subgoal(text if len(parts) == 1 else ltl.show(part), checked))
    return bounded(subgoals)


_CAPITALS = re.compile(r"\b(AND|OR|NOT|THEN)\b")


def _plain(item: str) -> str:
    """With connectives in lower case."""
    return _CAPITALS.sub(lambda found: found[0].lower(), item)


def _formula(text: str, index: int) -> Formula:
    try:
        return _parse(text)
    except ltl.LTLError as error:
        reason = f"{text[:60]!r} is not a formula: {error.problem}"
        raise GrammarError(ErrorType.PARSING, reason, index, text[:60]) from None


_OBJECT = r"[a-zA-Z_]\w*(?:\.[0-9]+)?"
_CALL = re.compile(rf"([a-zA-Z_]\w*)\(({_OBJECT}(?:, ?{_OBJECT})*)?\)")


@lru_cache(maxsize=20_000)
def _parse(text: str) -> Formula:
    """A formula; an action without objects may be written without parentheses."""
    if re.fullmatch(r"[A-Za-z_]+", text):
        return Atom(text)
    calls = []
    for part in text.split(" and "):  # nearly all subgoals are plain calls
        call = _CALL.fullmatch(part)
        if call is None or call[1] in ltl.KEYWORDS:
            break
        args = tuple(a.strip() for a in call[2].split(",")) if call[2] else ()
        if any(a in ltl.KEYWORDS for a in args):
            break
        calls.append(Atom(call[1], args))
    else:
        return conjunction(*calls)
    formula = ltl.parse(text)
    if ltl.has_then(formula) and not isinstance(formula, Then):
        raise ltl.LTLSyntaxError("'then' inside a state formula", text, 1, 1)
    if isinstance(formula, Then) and any(ltl.has_then(part) for part in formula.parts):
        raise ltl.LTLSyntaxError("'then' inside a state formula", text, 1, 1)
    return formula


class _Reader:
    """Checks the atoms of one subgoal and looks up its objects."""

    def __init__(self, task: EaiTask, index: int, text: str) -> None:
        self._task = task
        self._index = index
        self._text = text

    def read(self, formula: Formula, bound: frozenset[str]) -> Formula:
        match formula:
            case Atom():
                return self._atom(formula, bound)
        changes: dict[str, Any] = {}
        for name in ("body", "left", "right"):
            if hasattr(formula, name):
                inner = bound | {formula.variable} if hasattr(formula, "variable") else bound
                changes[name] = self.read(getattr(formula, name), inner)
        if hasattr(formula, "parts"):
            changes["parts"] = tuple(self.read(part, bound) for part in formula.parts)
        return replace(formula, **changes)

    def _atom(self, atom: Atom, bound: frozenset[str]) -> Formula:
        name = atom.predicate.upper()
        arity = self._arity_of(name)
        if arity is None:
            raise self._error(
                ErrorType.ACTION_HALLUCINATION, f"there is no state or action {atom.predicate!r}"
            )
        if len(atom.args) != arity and not (name == _BETWEEN and len(atom.args) == 3):
            plural = "object" if arity == 1 else "objects"
            reason = f"{name} takes {arity} {plural}, not {len(atom.args)}"
            raise self._error(ErrorType.ARGUMENT_NUMBER, reason)
        args = tuple(a if is_variable(a) else self._object(a) for a in atom.args)
        if name == _BETWEEN and len(args) == 3:  # between the second and the third
            return And((Atom(name, args[:2]), Atom(name, (args[0], args[2]))))
        return Atom(name, args)

    def _arity_of(self, name: str) -> int | None:
        asked = {choice for goal in self._task.action_goals for choice in goal.split("|")}
        if name in asked and name not in subgoal_vocabulary():  # the prompt asks for it
            return self._task.task.world.schemas[name].arity
        return subgoal_vocabulary().get(name)

    def _object(self, name: str) -> str:
        objects = self._task.task.initial.objects
        if name in objects:
            return name
        if "." not in name:  # as in action sequencing: a listed object of the class, or any
            for pool in (self._task.relevant, tuple(objects)):
                same = [other for other in pool if objects[other].category == name]
                if same:
                    return min(same, key=id_of)
        raise self._error(ErrorType.OBJECT_HALLUCINATION, f"there is no object {name!r}")

    def _error(self, kind: ErrorType, reason: str) -> GrammarError:
        return GrammarError(kind, reason, self._index, self._text[:60])


# -- scoring -------------------------------------------------------------------------------------


def score(task: EaiTask, output: str, protocol: Protocol, limits: Limits = LIMITS) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    extra: dict[str, Any] = {"subgoals": [], "failed_subgoal": None, "search_limit": False}
    try:
        subgoals = read_subgoals(task, output, protocol)
        extra["subgoals"] = [subgoal.text for subgoal in subgoals]
        if protocol.keeps("subgoals_refined_by_rules"):
            result = _follow_rules(task, subgoals, protocol, limits, extra)
        else:
            result = _search(task, subgoals, protocol, limits, extra)
    except GrammarError as error:
        result = unreadable(task, error, "Subgoal")
    valid = task.has_goal or protocol.keeps("goalless_tasks_counted")
    made = make_score(task, result, valid)
    totals = {kind: [met, total] for kind, (met, total) in _totals(task, result, protocol).items()}
    return replace(made, record={**made.record, "goals_met": totals, **extra})


def _totals(task: EaiTask, result: Result, protocol: Protocol) -> dict[str, tuple[float, float]]:
    goals = dict(result.goals)
    if result.grammar_errors and protocol.keeps("repeated_goals_of_unread_outputs"):
        met, total = goals["relation"]
        goals["relation"] = (met, total + task.repeated_goals)
    return goals


def _search(
    task: EaiTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by search, and judge the best refinement like a plan."""
    outcome = refine(task, subgoals, limits)
    return searched(outcome, subgoals, task.task.goal.judge, _TELLING, extra)[0]


def _notable(subgoal: Subgoal) -> bool:
    """Whether it asks for more than being near, which is often so as a side effect."""
    return any(atom.predicate != NEAR for atom in atoms(subgoal.formula))


_TELLING = Telling(
    goals=lambda verdict: count_goals(verdict.parts),
    line=lambda action: script_line(action.name, action.args),
    notable=_notable,
)


def _follow_rules(
    task: EaiTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by the published rules, and choose and judge as the published evaluator does."""
    if protocol.keeps("goals_outside_subgoal_vocabulary") and not published.goal_is_read(task):
        raise GrammarError(ErrorType.PARSING, "the task's goal cannot be read")
    if not task.has_goal:
        raise GrammarError(ErrorType.PARSING, "the task has no goal")
    goal = task.task.goal
    try:
        runs, extra["search_limit"] = published.refine(task, subgoals, limits)
        formula: Formula = goal.formula  # type: ignore[attr-defined]
        if protocol.keeps("goals_met_along_the_way"):
            reached = [run.finished and published.was_true(formula, run) for run in runs]
        else:
            reached = [run.finished and goal.judge(run.trace).success for run in runs]
    except published.Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    chosen = published.best(runs, reached)
    run, success = runs[chosen], reached[chosen]
    verdict = goal.judge(run.trace)
    all_counted = not protocol.keeps("additional_steps_of_failed_plans_uncounted")
    result = followed(run, verdict, _TELLING, extra, success=success, all_counted=all_counted)
    if protocol.keeps("action_goals_by_name"):
        return replace(result, goals=published.goals_met(task, run))
    return result


# -- summary -------------------------------------------------------------------------------------


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """The published summary: shares of 1, rounded; if ``exact``, percentages as they are."""

    def rate(part: float, whole: float) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(part / whole if whole else 0.0, 4)

    def share(name: str) -> float:
        return rate(sums[name], sums["tasks"])

    met, goals = (sum(sums[f"{kind} {what}"] for kind in KINDS) for what in ("met", "goals"))
    return {
        "trajectory_evaluation": {
            "execution_success_rate": share("executable"),
            "grammar_error": {name: share(name) for name in GRAMMAR},
            "runtime_error": {
                "wrong_order": share("wrong_order"),
                "missing_step": share("missing_step"),
                "additional_step": share("additional_step"),
                "affordance": share("affordance_error"),
            },
        },
        "goal_evaluation": {
            "task_success_rate": share("success"),
            **{f"{k}_goal": rate(sums[f"{k} met"], sums[f"{k} goals"]) for k in KINDS},
            "overall_goal": rate(met, goals),
        },
    }


# -- agents that need no model -------------------------------------------------------------------


def render(subgoals: Sequence[str], actions: Sequence[str] = ()) -> str:
    """Subgoals as the prompt asks for them."""
    answer = {
        "necessity_to_use_action": "yes" if actions else "no",
        "actions_to_include": list(actions),
        "output": list(subgoals),
    }
    return json.dumps(answer)


_STATE_AFTER = {
    "OPEN": "OPEN",
    "CLOSE": "CLOSED",
    "SWITCHON": "ON",
    "SWITCHOFF": "OFF",
    "PLUGIN": "PLUGGED_IN",
    "PLUGOUT": "PLUGGED_OUT",
}
_RESTS = {"SIT": "SITTING", "LIE": "LYING"}


def oracle(task: EaiTask, generator: np.random.Generator) -> str:
    """The ground-truth plan, told as the states it goes through (and its actions that change no
    state, where the vocabulary has them)."""
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    asked = {choice for goal in task.action_goals for choice in goal.split("|")}
    told: list[str] = []
    for action, after in zip(trace.actions, trace.states[1:], strict=True):
        text = _told(action, after, task.task.world.agent, asked)
        if text and (not told or told[-1] != text):
            told.append(text)
    return render(told, sorted({a.name for a in trace.actions if a.name in asked}))


def _told(action: Action, after: State, agent: str, asked: set[str]) -> str:
    """An action as the subgoal it reaches; empty for one that no subgoal can tell."""
    name, args = action.name, action.args
    if name in subgoal_vocabulary() and name not in {*STATES, "GRAB", "SWITCHOFF"}:
        return f"{name}({', '.join(args)})"
    if name in asked and name not in STATES:
        return f"{name}({', '.join(args)})"
    match name, args:
        case _, (thing,) if name in _STATE_AFTER:
            return f"{_STATE_AFTER[name]}({thing})"
        case _, (place,) if name in _RESTS:
            return f"{_RESTS[name]}({agent}) and ONTOP({agent}, {place})"
        case "STANDUP", ():
            return f"not SITTING({agent}) and not LYING({agent})"
        case (("WALK" | "RUN" | "FIND"), (thing,)):
            in_it = after.holds("ROOM", (thing,))
            return f"INSIDE({agent}, {thing})" if in_it else f"NEXT_TO({agent}, {thing})"
        case "TURNTO", (thing,):
            return f"FACING({agent}, {thing})"
        case "GRAB", (thing,):
            hand = "HOLDS_RH" if after.holds("HOLDS_RH", (agent, thing)) else "HOLDS_LH"
            return f"{hand}({agent}, {thing})"
        case (("DROP" | "RELEASE"), (thing,)):
            return f"not HOLDS_RH({agent}, {thing}) and not HOLDS_LH({agent}, {thing})"
        case "PUTBACK", (thing, place):
            return f"ONTOP({thing}, {place})"
        case (("PUTIN" | "POUR"), (thing, place)):
            return f"INSIDE({thing}, {place})"
        case "PUTOBJBACK", (thing,):
            places = [
                f"{relation}({thing}, {place})"
                for relation in ("ONTOP", "INSIDE")
                for place in sorted(after.targets(relation, thing))
                if not after.holds("ROOM", (place,))
            ]
            return places[0] if places else ""
        case "PUTON", (thing,):
            return f"ONTOP({thing}, {agent})"
        case "PUTOFF", (thing,):
            return f"not ONTOP({thing}, {agent})"
        case "WIPE", (thing,):
            return f"CLEAN({thing})"
    return ""


def random(task: EaiTask, generator: np.random.Generator) -> str:
    """As many random subgoals over listed objects as the ground truth has actions."""
    vocabulary = sorted(set(SCENE_STATES) | set(subgoal_vocabulary()) & ACTION_PREDICATES)
    objects = list(task.relevant) or list(task.task.initial.objects)
    told = []
    for _ in task.task.reference:
        name = vocabulary[generator.integers(len(vocabulary))]
        picked = generator.integers(len(objects), size=subgoal_vocabulary()[name])
        told.append(f"{name}({', '.join(objects[i] for i in picked)})")
    return render(told)


SCENE_STATES = (*STATES, "ONTOP", "INSIDE", "NEXT_TO", "FACING", "HOLDS_RH", "HOLDS_LH")
"""What a random subgoal asks for, besides actions."""


def empty(task: EaiTask, generator: np.random.Generator) -> str:
    """No subgoal at all."""
    return render([])


def _rebound(bounds: Mapping[str, float]) -> Callable[[EaiTask, str, Protocol], Score]:
    return partial(score, limits=limits_of(bounds))


SUITE: Suite[EaiTask] = Suite(
    name=NAME,
    title="Turn a goal into subgoals that lead to it (EAI, VirtualHome, 338 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.id:<7} {task.task.name}: {task.task.instruction}",
    prompt=subgoal_decomposition_prompt,
    system=subgoal_decomposition_system,
    score=score,
    count=count,
    rates=rates,
    columns=columns(total="overall_goal", affordance="affordance"),
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    output_id=lambda task: f"scene_1_{task.id}",
    bounds=asdict(LIMITS),
    rebound=_rebound,
    pipeline=PIPELINE,
    demands=SUBGOAL_DEMANDS,
)
