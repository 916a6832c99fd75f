"""EAI tasks as goals: some actions in order, and everything else in the final state.

Appendix C.3 calls a formula true once it has been true. A task is stricter (EAI paper, sections
2.3, 2.5 and D.2): its formula stands for *simple goals*

    a1 then ... then ak then (p1 and ... and pl)

of which one must be met: the actions are a subsequence of what was done, and the propositions
hold in the final state. Two readings follow from this:

- ``and`` between actions asks for all of them, in any order;
- a state before a ``then`` and an action that must not be done are no part of a simple goal
  (:class:`~homebody.goals.ltl.simple_goals.NotSimpleError`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Literal,
    Not,
    Or,
    Structure,
    Then,
    atoms,
    free_variables,
    has_then,
    is_variable,
    normalise,
    substitute,
)
from homebody.core.formula import evaluate as evaluate_state
from homebody.core.goal import Part, Verdict
from homebody.core.state import State
from homebody.core.world import Trace
from homebody.goals.ltl import View, needs_action, parse, show
from homebody.goals.ltl.simple_goals import (
    SimpleGoal,
    check_simple,
    count_simple_goals,
    inward,
    is_subsequence,
    simple_goals,
)


def kind_of(atom: Atom) -> str:
    """``"state"`` for a property of one object, ``"relation"`` for several objects."""
    return "relation" if len(atom.args) > 1 else "state"


def _as_it_is(state: State) -> Structure:
    return state


@dataclass(frozen=True)
class LTLGoal:
    """A task's formula, judged as the module says.

    ``success``: some simple goal is met. ``progress``: the best PartialSucc of its simple goals.
    ``parts`` are those of the best simple goal: one for each action, satisfied if it and all
    before it were done in order, and one for each proposition. An action that was not done is
    shown as the formula writes it, e.g. ``exists x0. (WASH(x0) or RINSE(x0))``. A ``forall`` over
    actions, or an ``or`` with several actions on one side, is a single part.

    Judging does not list the simple goals of a formula whose final conditions are atoms or
    negated atoms and whose actions share no ``or`` and no quantifier with them, as in all
    published goals. Others are listed, up to ``limit``; if there are more, progress is the share
    of the formula's conjuncts that are true as a whole (the actions count as one, as always).
    Success is exact in every case.

    Attributes:
        formula: A closed formula.
        actions: The predicates that are actions; see :func:`ltl.action_predicates`.
        view: How to look at a state, usually ``World.view``.
        text: The formula as it was written.
        kind: State proposition -> the kind of its part. Actions are of kind ``"action"``.
        limit: Most simple goals to list.

    Raises:
        NotSimpleError: The formula is not made of simple goals.
        ValueError: The formula has a variable that nothing binds.
    """

    formula: Formula
    actions: frozenset[str]
    view: View = field(default=_as_it_is, compare=False)
    text: str = field(default="", compare=False)
    kind: Callable[[Atom], str] = field(default=kind_of, compare=False)
    limit: int = field(default=10_000, compare=False)

    def __post_init__(self) -> None:
        check_simple(self.formula, self.actions)
        for variable in sorted(free_variables(self.formula)):
            raise ValueError(f"nothing binds the variable {variable} of {show(self.formula)}")

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        actions: Collection[str],
        view: View = _as_it_is,
        predicates: Mapping[str, int] | None = None,
        objects: Collection[str] | None = None,
    ) -> LTLGoal:
        """Read a goal; raises like :func:`ltl.parse` and the class."""
        formula = parse(text, predicates=predicates, objects=objects)
        return cls(formula, frozenset(actions), view, text)

    def judge(self, trace: Trace) -> Verdict:
        final = self.view(trace.final)
        run = _Run(trace.actions, self.actions, final)
        plan = self._plan
        if plan is None:
            sequence, propositions = self._best_coupled(run)
        else:
            sequence = _follow(plan.actions, run) if plan.actions is not None else []
            propositions = self._propositions(plan, sequence, run)
        met = [p.holds(final) for p in propositions]
        done = all(step.end is not None for step in sequence)
        views = cache(lambda index: self.view(trace.states[index]))
        total = bool(sequence) + len(met)
        progress = (bool(sequence and done) + sum(met)) / total if total else 1.0
        parts = [Part(step.text, "action", step.end is not None) for step in sequence]
        parts += [Part(p.text, p.kind, ok) for p, ok in zip(propositions, met, strict=True)]
        problems = [_action_problem(step, trace) for step in sequence if step.end is None] + [
            _state_problem(p, trace, views)
            for p, ok in zip(propositions, met, strict=True)
            if not ok
        ]
        return Verdict(not problems, progress, tuple(parts), _explanation(len(parts), problems))

    @cached_property
    def _plan(self) -> _Plan | None:
        """The formula taken apart, or None if its actions and states cannot be separated."""
        formula = normalise(inward(self.formula, True))
        pieces = _separate(formula, self.actions)
        if pieces is None:
            return None
        actions, states = pieces
        literal = all(map(_is_literal, states))
        return _Plan(actions, tuple(map(self._proposition, dict.fromkeys(states))), literal)

    def _proposition(self, formula: Formula) -> _Proposition:
        kinds = sorted({self.kind(atom) for atom in atoms(formula)})
        return _Proposition(formula, show(formula), kinds[0] if len(kinds) == 1 else "relation")

    def _propositions(
        self, plan: _Plan, sequence: Sequence[_Done], run: _Run
    ) -> Sequence[_Proposition]:
        """The final conditions to count: those of the best simple goal, if they can be listed."""
        if plan.is_literal:
            return plan.propositions
        states = And(tuple(p.formula for p in plan.propositions))
        bonus = bool(sequence) and all(step.end is not None for step in sequence)
        best = self._best(states, run, lambda goal: (bonus, bool(sequence)))
        return plan.propositions if best is None else self._literals(best)

    def _best_coupled(self, run: _Run) -> tuple[list[_Done], Sequence[_Proposition]]:
        best = self._best(
            self.formula,
            run,
            lambda goal: (is_subsequence(goal.actions, run.done), bool(goal.actions)),
        )
        if best is not None:
            return _follow(Then(best.actions), run), self._literals(best)
        formula = normalise(inward(self.formula, True))
        return [_Done(show(formula), _end(formula, 0, run, {}), None, None)], ()

    def _literals(self, goal: SimpleGoal) -> Sequence[_Proposition]:
        return [self._proposition(literal) for literal in goal.propositions]

    def _best(
        self,
        formula: Formula,
        run: _Run,
        action_score: Callable[[SimpleGoal], tuple[bool, bool]],
    ) -> SimpleGoal | None:
        """The first of the simple goals with the best PartialSucc; None if there are too many.

        ``action_score`` says whether the actions are done and whether there are any.
        """
        names = tuple(run.final.names)
        if count_simple_goals(formula, len(names), self.limit + 1) > self.limit:
            return None
        truths: dict[Literal, bool] = {}
        best, best_score = None, -1.0
        for seen, goal in enumerate(simple_goals(formula, names, self.actions)):
            if seen == self.limit:
                return None
            for literal in goal.propositions:
                if literal not in truths:
                    truths[literal] = evaluate_state(literal, run.final)
            met, counts = action_score(goal)
            total = counts + len(goal.propositions)
            met_total = (met and counts) + sum(truths[p] for p in goal.propositions)
            score = met_total / total if total else 1.0
            if score > best_score:
                best, best_score = goal, score
            if score == 1.0:
                break
        return best


@dataclass(frozen=True, slots=True)
class _Proposition:
    """A final condition."""

    formula: Formula
    text: str
    kind: str

    def holds(self, structure: Structure) -> bool:
        match self.formula:
            case Atom(predicate, args) if predicate != EQUALS:
                return structure.holds(predicate, args)
        return evaluate_state(self.formula, structure)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A formula as actions (None if it has none) and then final conditions.

    ``is_literal``: all conditions are atoms or negated atoms.
    """

    actions: Formula | None
    propositions: tuple[_Proposition, ...]
    is_literal: bool


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.body if isinstance(formula, Not) else formula, Atom)


def _separate(
    formula: Formula, actions: Collection[str]
) -> tuple[Formula | None, tuple[Formula, ...]] | None:
    """Split a simple formula into what must be done and what must hold at the end.

    None if an ``or`` or a quantifier spans both.
    """
    kinds = {atom.predicate in actions for atom in atoms(formula)}
    if kinds == {True}:
        return formula, ()
    if True not in kinds and not has_then(formula):
        return None, formula.parts if isinstance(formula, And) else (formula,)
    if not isinstance(formula, And | Then):
        return None
    wanted: list[Formula] = []
    states: list[Formula] = []
    for part in formula.parts:
        pieces = _separate(part, actions)
        if pieces is None:
            return None
        wanted += [] if pieces[0] is None else [pieces[0]]
        states += pieces[1]
    joined = And(tuple(wanted)) if isinstance(formula, And) else Then(tuple(wanted))
    return normalise(joined) if wanted else None, tuple(states)


# --- Following actions along a trace ------------------------------------------------------------

_Binding: TypeAlias = Mapping[str, str | None]
"""Variable -> object, or None for any object."""

_Before: TypeAlias = tuple[Formula, _Binding] | None
"""What a wanted action has to come after."""


@dataclass(frozen=True)
class _Run:
    """The trace as matching sees it."""

    done: tuple[Action, ...]
    actions: Collection[str]
    final: Structure

    @cached_property
    def acted(self) -> list[str]:
        """Objects that occur in actions, in order."""
        known = frozenset(self.final.names)
        found = dict.fromkeys(name for action in self.done for name in action.args)
        return [name for name in found if name in known]


@dataclass(frozen=True, slots=True)
class _Done:
    """How one wanted action fared.

    Attributes:
        text: The action done if there is one, else what was wanted.
        end: How many actions had been done when it was, counting only in order; or None.
        elsewhere: The same, wherever it was done first; or None.
        after: What had to be done before, or None; only kept where it explains a failure.
    """

    text: str
    end: int | None
    elsewhere: int | None
    after: str | None


def _follow(formula: Formula, run: _Run) -> list[_Done]:
    steps: list[_Done] = []
    _walk(formula, 0, None, run, {}, steps)
    return steps


def _walk(
    formula: Formula,
    start: int | None,
    after: _Before,
    run: _Run,
    binding: _Binding,
    steps: list[_Done],
) -> int | None:
    """Match ``formula`` as early as possible from ``start`` (None: what comes before failed).

    Appends one entry for each wanted action and returns where the match ends. The earliest end
    is the best start for what comes after, because more actions remain.
    """
    match formula:
        case Then(parts):
            for part in parts:
                start = _walk(part, start, after, run, binding, steps)
                after = (part, binding)
            return start
        case And(parts):
            ends = [_walk(part, start, after, run, binding, steps) for part in parts]
            reached = [end for end in ends if end is not None]
            return max(reached, default=start) if len(reached) == len(ends) else None
        case Exists(variable, body) if _spans(body):
            return _walk_shared(variable, body, start, after, run, binding, steps)
    end = None if start is None else _end(formula, start, run, binding)
    if end is None:
        elsewhere = _end(formula, 0, run, binding)
        steps.append(_Done(_text(formula, binding), None, elsewhere, after and _text(*after)))
    elif _is_one_step(formula, run.actions):
        steps.append(_Done(str(run.done[end - 1]), end, end, None))
    else:
        steps.append(_Done(_text(formula, binding), end, end, None))
    return end


def _walk_shared(
    variable: str,
    body: Formula,
    start: int | None,
    after: _Before,
    run: _Run,
    binding: _Binding,
    steps: list[_Done],
) -> int | None:
    """Several actions on one object that the goal leaves open: try each object acted on."""
    best: tuple[int, int] | None = None
    chosen: list[_Done] = []
    reached: int | None = None
    for name in run.acted if start is not None else ():
        trial: list[_Done] = []
        end = _walk(body, start, after, run, {**binding, variable: name}, trial)
        count = sum(step.end is not None for step in trial)
        score = (count, 0 if end is None else -end)
        if count and (best is None or score > best):
            best, chosen, reached = score, trial, end
    if best is None:
        return _walk(body, None, after, run, {**binding, variable: None}, steps)
    steps.extend(chosen)
    return reached


def _spans(formula: Formula) -> bool:
    """Whether an ``exists`` over ``formula`` is shared by several wanted actions."""
    while isinstance(formula, Exists):
        formula = formula.body
    return isinstance(formula, And | Then)


def _is_one_step(formula: Formula, actions: Collection[str]) -> bool:
    """Whether a single action makes ``formula`` true, whatever the objects."""
    match formula:
        case Atom(predicate, _):
            return predicate in actions
        case Or(parts):
            return all(_is_one_step(part, actions) for part in parts)
        case Exists(_, body):
            return _is_one_step(body, actions)
        case _:
            return False


def _end(formula: Formula, start: int, run: _Run, binding: _Binding) -> int | None:
    """The least ``end`` such that ``run.done[start:end]`` does what ``formula`` asks, or None.

    State conditions are read in the final state and take no action. ``formula`` has the form of
    :func:`inward`.
    """
    match formula:
        case Atom(predicate, args) if predicate in run.actions:
            for i in range(start, len(run.done)):
                done = run.done[i]
                if done.name == predicate and _agree(args, done.args, binding):
                    return i + 1
            return None
        case And(parts):
            return _latest(start, (_end(part, start, run, binding) for part in parts))
        case Or(parts):
            return _earliest(_end(part, start, run, binding) for part in parts)
        case Then(parts):
            for part in parts:
                end = _end(part, start, run, binding)
                if end is None:
                    return None
                start = end
            return start
        case Exists(variable, body):
            if _is_one_step(body, run.actions):
                return _end(body, start, run, {**binding, variable: None})
            names = run.acted if needs_action(body, variable, run.actions) else run.final.names
            return _earliest(_end(body, start, run, {**binding, variable: n}) for n in names)
        case Forall(variable, body):
            names = run.final.names
            return _latest(start, (_end(body, start, run, {**binding, variable: n}) for n in names))
        case _:
            bound = {k: v for k, v in binding.items() if v is not None}
            return start if evaluate_state(formula, run.final, bound) else None


def _latest(start: int, ends: Iterable[int | None]) -> int | None:
    latest = start
    for end in ends:
        if end is None:
            return None
        latest = max(latest, end)
    return latest


def _earliest(ends: Iterable[int | None]) -> int | None:
    return min((end for end in ends if end is not None), default=None)


def _agree(wanted: tuple[str, ...], done: tuple[str, ...], binding: _Binding) -> bool:
    if len(wanted) != len(done):
        return False
    free: dict[str, str] = {}
    for term, name in zip(wanted, done, strict=True):
        value = binding[term] if is_variable(term) else term
        if value is None:
            value = free.setdefault(term, name)
        if value != name:
            return False
    return True


# --- Words --------------------------------------------------------------------------------------


def _text(formula: Formula, binding: _Binding) -> str:
    """``formula`` with known objects put in and open variables closed by ``exists``."""
    formula = substitute(formula, {k: v for k, v in binding.items() if v is not None})
    for variable in sorted(free_variables(formula), reverse=True):
        formula = Exists(variable, formula)
    return show(formula)


def _explanation(total: int, problems: Sequence[str], most: int = 12) -> str:
    if not total:
        return "The goal asks for nothing."
    if not problems:
        return "The goal condition holds." if total == 1 else f"All {total} goal conditions hold."
    head = "The goal condition is" if total == 1 else f"{len(problems)} of {total} goal conditions"
    verb = "" if total == 1 else " is" if len(problems) == 1 else " are"
    listed = list(islice(problems, most))
    if len(problems) > most:
        listed.append(f"and {len(problems) - most} more")
    return f"{head}{verb} unmet: {'; '.join(listed)}."


def _number(trace: Trace, index: int) -> int:
    """The step number, from 1, that the plan's author knows the ``index``-th action by."""
    return (trace.indices[index] if trace.indices else index) + 1


def _action_problem(step: _Done, trace: Trace) -> str:
    if step.elsewhere is None or step.after is None:
        return f"{step.text} was not done"
    number = _number(trace, step.elsewhere - 1)
    return f"{step.text} was done in step {number}, but it only counts after {step.after}"


def _state_problem(
    proposition: _Proposition, trace: Trace, views: Callable[[int], Structure]
) -> str:
    """What is wrong with a final condition: never true, or undone, and by which action."""
    text = proposition.text
    last = len(trace.actions) - 1
    while last >= 0 and not proposition.holds(views(last)):
        last -= 1
    if last < 0:
        return f"{text} does not hold"
    first = last
    while first > 0 and proposition.holds(views(first - 1)):
        first -= 1
    since = f"after step {_number(trace, first - 1)}" if first else "at the start"
    undone = _number(trace, last)
    return f"{text} was true {since}, but {trace.actions[last]} undid it in step {undone}"
