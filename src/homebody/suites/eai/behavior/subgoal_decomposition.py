"""Subgoal decomposition on BEHAVIOR: from a goal to the states on the way to it.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from homebody.core import Action, ErrorType, Protocol, Score, State, Suite
from homebody.core.formula import Atom, Formula, Or, atoms, is_variable
from homebody.data import behavior as data
from homebody.goals.bddl import kind_of, parse_problem
from homebody.suites.eai.behavior import published_subgoals as published
from homebody.suites.eai.behavior.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.behavior.judging import (
    COLUMNS,
    KINDS,
    at_start,
    conditions_met,
    count_conditions,
    judge,
    rates,
)
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.prompts import (
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.behavior.protocol import PROTOCOLS
from homebody.suites.eai.behavior.subgoal_syntax import (
    Category,
    SubgoalError,
    grounded,
    parse,
    plain,
)
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted, load_tasks, shares
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    MAX_WEIGHT,
    Limits,
    Literal,
    Segment,
    Setting,
    Subgoal,
    limits_of,
    refine,
    weight,
)
from homebody.suites.eai.subgoal_decomposition.scoring import (
    Telling,
    bounded,
    followed,
    listed,
    searched,
)
from homebody.suites.eai.trajectory import GrammarError, Result, count, make_score, unreadable
from homebody.worlds.behavior import Behavior, action_schemas
from homebody.worlds.behavior.actions import HANDS, RELATIONS, STATES
from homebody.worlds.behavior.relevance import Relevance
from homebody.worlds.behavior.view import StateView

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.behavior.subgoal_decomposition"
OPTIONS_AN_ACTION = 5
"""How many options can be looked at in the time that one action takes."""

ACTIONS = frozenset(action_schemas())
_BURNT = "burnt"
"""In the official vocabulary; no action burns."""
ARITY: Mapping[str, int] = {
    **dict.fromkeys((*STATES, _BURNT, *HANDS.values()), 1),
    **dict.fromkeys(RELATIONS, 2),
}
"""States and relations of the official prompt -> number of objects."""
_ALIASES = {"toggledon": "toggled_on", "toggleon": "toggled_on"}
_BESIDE = ("nextto", "touching")


# -- reading -------------------------------------------------------------------------------------


def read_subgoals(task: BehaviorTask, output: str, protocol: Protocol) -> list[Subgoal]:
    """The subgoals of an output, over the objects of the scene.

    Raises:
        GrammarError: it is no list of formulas, or a predicate, a number of arguments or an
            object is wrong.
    """
    if protocol.keeps("subgoals_read_by_pattern"):
        return published.read(task, output)
    known = _categories(task)
    objects = {plain(name): name for name in task.task.initial.objects}
    kinds = dict.fromkeys(task.task.initial.objects, "")  # halves belong to no category
    kinds |= {thing.name: thing.category for thing in task.things}
    subgoals: list[Subgoal] = []
    for index, text in enumerate(listed(output)):
        try:
            parts = _parsed(text, tuple(known.items()))
        except SubgoalError as error:
            reason = f"{text[:60]!r} is not a formula: {error}"
            raise GrammarError(ErrorType.PARSING, reason, index, text[:60]) from None
        for part in parts:
            if weight(part, len(task.task.initial.objects)) > MAX_WEIGHT:
                reason = "the quantifiers of a subgoal are nested too deep"
                raise GrammarError(ErrorType.PARSING, reason, index, text[:60])
            checked = _Reader(known, objects, index, text).read(part)
            subgoals.append(Subgoal(text, grounded(checked, kinds)))
    return bounded(subgoals)


@lru_cache(maxsize=20_000)
def _parsed(text: str, known: tuple[tuple[str, Category], ...]) -> tuple[Formula, ...]:
    return parse(text, dict(known))


def _categories(task: BehaviorTask) -> dict[str, Category]:
    sizes: dict[str, int] = {}
    for thing in task.things:
        sizes[thing.category] = sizes.get(thing.category, 0) + 1
    return {plain(name): Category(name, size) for name, size in sizes.items()}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Checks the atoms of one subgoal and looks up its objects.

    Attributes:
        categories: Plain name -> category.
        objects: Plain name -> object.
        index: Of the subgoal in the output.
        text: The subgoal as written.
    """

    categories: Mapping[str, Category]
    objects: Mapping[str, str]
    index: int
    text: str

    def read(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return self._atom(formula)
        changes: dict[str, Any] = {
            name: self.read(getattr(formula, name))
            for name in ("body", "left", "right")
            if hasattr(formula, name)
        }
        if hasattr(formula, "parts"):
            changes["parts"] = tuple(self.read(part) for part in formula.parts)
        return replace(formula, **changes)

    def _atom(self, atom: Atom) -> Formula:
        if "." in atom.predicate or atom.predicate == "=":  # of a quantifier over a category
            return atom
        written = atom.predicate
        name = _ALIASES.get(written.lower(), written.lower())
        if written in self.categories:
            name, arity = self.categories[written].name, 1
        elif name in ARITY:
            arity = ARITY[name]
        elif name.upper() in ACTIONS:
            name = name.upper()
            arity = _action_arity()[name]
        else:
            reason = f"there is no state or action {written!r}"
            raise self._error(ErrorType.ACTION_HALLUCINATION, reason)
        if len(atom.args) != arity:
            plural = "object" if arity == 1 else "objects"
            reason = f"{written} takes {arity} {plural}, not {len(atom.args)}"
            raise self._error(ErrorType.ARGUMENT_NUMBER, reason)
        args = tuple(arg if is_variable(arg) else self._object(arg) for arg in atom.args)
        if name == "touching":  # the prompt: touching or next to
            return Or((Atom(name, args), Atom("nextto", args)))
        return Atom(name, args)

    def _object(self, name: str) -> str:
        if name not in self.objects:
            raise self._error(ErrorType.OBJECT_HALLUCINATION, f"there is no object {name!r}")
        return self.objects[name]

    def _error(self, kind: ErrorType, reason: str) -> GrammarError:
        return GrammarError(kind, reason, self.index, self.text[:60])


@cache
def _action_arity() -> Mapping[str, int]:
    """Action -> number of objects."""
    return {name: schema.arity for name, schema in action_schemas().items()}


# -- refining ------------------------------------------------------------------------------------


class _Truth:
    """A state as subgoals read it: as goals do, and with categories."""

    __slots__ = ("_goal", "_state")

    def __init__(self, world: Behavior, state: State) -> None:
        self._state = state
        self._goal = world.view(state)

    @property
    def names(self) -> Iterable[str]:
        return self._goal.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if "." not in predicate:
            return self._goal.holds(predicate, args)
        thing = self._state.objects.get(args[0])
        return thing is not None and thing.category == predicate and not self._half(args[0])

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        if "." not in predicate:
            return self._goal.match(predicate, args)
        names = self.names if args[0] is None else (args[0],)
        return [(name,) for name in names if self.holds(predicate, (name,))]

    def _half(self, name: str) -> bool:
        return self._state.holds("PART", (name,))


def _setting(task: BehaviorTask, subgoals: Sequence[Subgoal]) -> Setting[StateView]:
    """What is special about refining the subgoals of one output on BEHAVIOR."""
    world = task.task.world
    assert isinstance(world, Behavior)
    asked = [atom for goal in subgoals for atom in atoms(goal.formula)]
    objects = task.task.initial.objects
    named = dict.fromkeys(arg for atom in asked for arg in atom.args if arg in objects)
    relevance = Relevance(world, tuple(named), ACTIONS)
    return Setting(
        world,
        relevance,
        ACTIONS,
        view=world.conditions,
        truth=lambda view: _Truth(world, view.state),
        said_to_be_so=partial(_said_to_be_so, relevance),
        taken=lambda action: action.args[0] if action.name.endswith("_GRASP") else None,
        price=partial(_price, relevance),
    )


def _said_to_be_so(
    relevance: Relevance, goal: Formula, here: Segment[StateView], fillers: frozenset[str]
) -> Iterator[Literal]:
    for want, atom in relevance.all_literals(goal, here, here.view):
        held = atom.predicate in HANDS.values() and atom.args[0] in fillers
        side_effect = atom.predicate in _BESIDE or held
        if not side_effect and here.holds(atom.predicate, atom.args) == want:
            yield want, atom


def _price(relevance: Relevance) -> int:
    counter = relevance.work
    counter[0], done = 0, counter[0]
    return done // OPTIONS_AN_ACTION


# -- scoring -------------------------------------------------------------------------------------


def score(task: BehaviorTask, output: str, protocol: Protocol, limits: Limits = LIMITS) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    if not protocol.keeps("changed_goals_judged"):
        task = task.as_instructed
    extra: dict[str, Any] = {
        "subgoals": [],
        "failed_subgoal": None,
        "search_limit": False,
        **conditions_met(None, task),
    }
    try:
        subgoals = read_subgoals(task, output, protocol)
        extra["subgoals"] = [subgoal.text for subgoal in subgoals]
        if protocol.keeps("subgoals_refined_by_rules"):
            result = _follow_rules(task, subgoals, protocol, extra)
        else:
            result = _search(task, subgoals, protocol, limits, extra)
    except GrammarError as error:
        result = replace(unreadable(task, error, "Subgoal"), goals=_at_first(task, protocol))
    made = make_score(task, result, valid=True)
    return replace(made, record={**made.record, **extra})


def _at_first(task: BehaviorTask, protocol: Protocol) -> dict[str, tuple[float, float]]:
    """What an output that is not read has met: see the protocol."""
    if not protocol.keeps("unread_subgoals_meet_stored_verdicts"):
        return at_start(task, protocol)
    text = task.raw["original"] or task.raw["problem"]
    conditions = parse_problem(text).conditions
    weights = [shares(kind_of(condition)) for condition in conditions]
    flags = task.raw["at_first"]
    return {
        kind: (
            sum(share[kind] for share, met in zip(weights, flags, strict=True) if met),
            sum(share[kind] for share in weights),
        )
        for kind in KINDS
    }


def _search(
    task: BehaviorTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by search, and judge the best refinement like a plan."""
    outcome = refine(_setting(task, subgoals), task.task.initial, subgoals, limits)
    judging = partial(judge, task, protocol=protocol)
    result, verdict = searched(outcome, subgoals, judging, _TELLING, extra)
    extra |= conditions_met(verdict, task)
    return result


_TELLING = Telling(goals=count_conditions, line=str)


def _follow_rules(
    task: BehaviorTask, subgoals: Sequence[Subgoal], protocol: Protocol, extra: dict[str, Any]
) -> Result:
    """Refine by the published rules, and judge as the published evaluator does."""
    try:
        run = published.refine(task, subgoals, protocol)
    except published.Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    verdict = judge(task, run.trace, protocol)
    extra |= conditions_met(verdict, task)
    success = run.finished and verdict.success
    all_counted = not protocol.keeps("additional_steps_of_failed_plans_uncounted")
    return followed(run, verdict, _TELLING, extra, success=success, all_counted=all_counted)


# -- agents that need no model -------------------------------------------------------------------


def render(subgoals: Sequence[str]) -> str:
    """Subgoals as the prompt asks for them."""
    return json.dumps({"output": list(subgoals)})


_TOLD = {
    "OPEN": "open({})",
    "CLOSE": "not open({})",
    "TOGGLE_ON": "toggledon({})",
    "TOGGLE_OFF": "not toggledon({})",
    "SLICE": "sliced({})",
    "SOAK": "soaked({})",
    "DRY": "not soaked({})",
    "FREEZE": "frozen({})",
    "UNFREEZE": "not frozen({})",
    "COOK": "cooked({})",
}


def oracle(task: BehaviorTask, generator: np.random.Generator) -> str:
    """The annotated plan, told as the states that its actions bring about."""
    world, state = task.task.world, task.task.initial
    told: list[str] = []
    for action in task.task.reference:
        if action.name not in world.schemas:
            continue
        outcome = world.step(state, action)
        failure = outcome.failure
        if failure is None or failure.error is not ErrorType.ADDITIONAL_STEP:
            told += _told(action, state)
        state = outcome.state
    return render(told)


def _told(action: Action, before: State) -> list[str]:
    """An action as the subgoal it reaches."""
    names = [dotted(name) for name in action.args]
    if action.name in _TOLD:
        return [_TOLD[action.name].format(names[0])]
    if action.name == "CLEAN":  # one is enough: cleaning does both
        dirt = "stained" if before.holds("stained", action.args) else "dusty"
        return [f"not {dirt}({names[0]})"]
    side, _, what = action.name.partition("_")
    if side not in HANDS:
        return []
    hand = HANDS[side]
    if what in ("GRASP", "RELEASE"):
        return [f"{'not ' if what == 'RELEASE' else ''}{hand}({names[0]})"]
    held = [row[0] for row in before.match(hand, (None,))]
    if what.startswith("TRANSFER"):
        lying = [n for one in held for r in ("inside", "ontop") for n in before.sources(r, one)]
        relation = "inside" if what.endswith("INSIDE") else _resting(before, action.args[0])
        return [" and ".join(f"{relation}({dotted(n)}, {names[0]})" for n in sorted(lying))]
    moved = [dotted(name) for name in held]
    if not moved:
        return []
    if what == "PLACE_NEXTTO_ONTOP":
        relation = _resting(before, action.args[1])
        return [f"nextto({moved[0]}, {names[0]}) and {relation}({moved[0]}, {names[1]})"]
    relation = {
        "PLACE_INSIDE": "inside",
        "PLACE_ONTOP": _resting(before, action.args[0]),
        "PLACE_NEXTTO": "nextto",
        "PLACE_UNDER": "under",
    }[what]
    return [f"{relation}({moved[0]}, {names[0]})"]


def _resting(state: State, place: str) -> str:
    return "onfloor" if state.holds("FLOOR", (place,)) else "ontop"


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """As many random subgoals as the annotated plan has actions."""
    vocabulary = sorted(ARITY)
    objects = [thing.name for thing in task.things]
    told = []
    for _ in task.task.reference:
        name = vocabulary[generator.integers(len(vocabulary))]
        picked = generator.integers(len(objects), size=ARITY[name])
        told.append(f"{name}({', '.join(dotted(objects[i]) for i in picked)})")
    return render(told)


def empty(task: BehaviorTask, generator: np.random.Generator) -> str:
    """No subgoal at all."""
    return render([])


def _rebound(bounds: Mapping[str, float]) -> Callable[[BehaviorTask, str, Protocol], Score]:
    return partial(score, limits=limits_of(bounds))


SUITE: Suite[BehaviorTask] = Suite(
    name=NAME,
    title="Turn a goal into subgoals that lead to it (EAI, BEHAVIOR, 100 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.task.name}: {task.task.instruction}",
    prompt=subgoal_decomposition_prompt,
    system=subgoal_decomposition_system,
    score=score,
    count=count,
    rates=rates,
    columns=COLUMNS,
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    bounds=asdict(LIMITS),
    rebound=_rebound,
    pipeline=PIPELINE,
    demands=SUBGOAL_DEMANDS,
)
