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

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice

from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Formula,
    Literal,
    Not,
    Structure,
    Then,
    atoms,
    free_variables,
    has_then,
    is_literal,
    normalise,
)
from homebody.core.goal import Part, Verdict
from homebody.core.ground.escaping import count_listed
from homebody.core.state import State
from homebody.core.truth import evaluate as evaluate_state
from homebody.core.world import Trace
from homebody.goals.ltl import View, parse, show
from homebody.goals.ltl.simple_goals import (
    SimpleGoal,
    check_simple,
    count_simple_goals,
    inward,
    is_subsequence,
    simple_goals,
)
from homebody.goals.ltl.wanted_actions import DoneActions, WantedAction, end_of, follow


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
    shown as the formula writes it, e.g. ``exists x0. (WASH(x0) or RINSE(x0))``; the explanation
    says ``WASH or RINSE``. A ``forall`` over
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

    def progress(self, trace: Trace) -> float:
        """The PartialSucc of the best simple goal, as :meth:`judge` has it."""
        final = self.view(trace.final)
        sequence, propositions = self._nearest(trace, final)
        return _share(sequence, [p.holds(final) for p in propositions])

    def judge(self, trace: Trace) -> Verdict:
        """Judge a trace by its best simple goal, and say what is unmet and why."""
        final = self.view(trace.final)
        sequence, propositions = self._nearest(trace, final)
        met = [p.holds(final) for p in propositions]
        views = cache(lambda index: self.view(trace.states[index]))
        parts = [Part(step.text, "action", step.end is not None) for step in sequence]
        parts += [Part(p.text, p.kind, ok) for p, ok in zip(propositions, met, strict=True)]
        problems = [_action_problem(step, trace) for step in sequence if step.end is None] + [
            _state_problem(p, trace, views)
            for p, ok in zip(propositions, met, strict=True)
            if not ok
        ]
        explanation = _explanation(len(parts), problems)
        return Verdict(not problems, _share(sequence, met), tuple(parts), explanation)

    def _nearest(
        self, trace: Trace, final: Structure
    ) -> tuple[Sequence[WantedAction], Sequence[_Proposition]]:
        """The best simple goal: its actions, with where they were done, and final conditions."""
        run = DoneActions(trace.actions, self.actions, final)
        pieces = self._separated
        if pieces is None:
            return self._best_coupled(run)
        sequence = follow(pieces.actions, run) if pieces.actions is not None else []
        return sequence, self._propositions(pieces, sequence, run)

    @cached_property
    def _separated(self) -> _Separated | None:
        """The formula taken apart, or None if its actions and states cannot be separated."""
        formula = normalise(inward(self.formula, True))
        pieces = _separate(formula, self.actions)
        if pieces is None:
            return None
        actions, states = pieces
        propositions = tuple(map(self._proposition, dict.fromkeys(states)))
        if all(map(is_literal, states)):
            return _Separated(actions, propositions)
        return _Separated(actions, propositions, And(states))  # equal ones may be met differently

    def _proposition(self, formula: Formula) -> _Proposition:
        kinds = sorted({self.kind(atom) for atom in atoms(formula)})
        return _Proposition(formula, show(formula), kinds[0] if len(kinds) == 1 else "relation")

    def _propositions(
        self, pieces: _Separated, sequence: Sequence[WantedAction], run: DoneActions
    ) -> Sequence[_Proposition]:
        """The final conditions to count: those of the best simple goal, if they can be listed."""
        if pieces.states is None:
            return pieces.propositions
        bonus = bool(sequence) and all(step.end is not None for step in sequence)
        best = self._best(pieces.states, run, lambda goal: (bonus, bool(sequence)))
        return pieces.propositions if best is None else self._literals(best)

    def _best_coupled(self, run: DoneActions) -> tuple[list[WantedAction], Sequence[_Proposition]]:
        best = self._best(
            self.formula,
            run,
            lambda goal: (is_subsequence(goal.actions, run.done), bool(goal.actions)),
        )
        if best is not None:
            return follow(Then(best.actions), run), self._literals(best)
        formula = normalise(inward(self.formula, True))
        text = show(formula)
        return [WantedAction(text, text, end_of(formula, 0, run, {}), None, None)], ()

    def _literals(self, goal: SimpleGoal) -> Sequence[_Proposition]:
        return [self._proposition(literal) for literal in goal.propositions]

    def _best(
        self,
        formula: Formula,
        run: DoneActions,
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
class _Separated:
    """A formula as actions (None if it has none) and then final conditions.

    ``states``: the conditions whose simple goals are to be listed; None if all are literals.
    """

    actions: Formula | None
    propositions: tuple[_Proposition, ...]
    states: Formula | None = None


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


def _share(sequence: Sequence[WantedAction], met: Sequence[bool]) -> float:
    """PartialSucc: the share of the final conditions, and of the actions as one, that is met."""
    done = bool(sequence) and all(step.end is not None for step in sequence)
    total = bool(sequence) + len(met)
    return (done + sum(met)) / total if total else 1.0


# --- Words --------------------------------------------------------------------------------------


def _explanation(total: int, problems: Sequence[str], most: int = 12) -> str:
    if not total:
        return "The goal asks for nothing."
    if not problems:
        return "The goal condition holds." if total == 1 else f"All {total} goal conditions hold."
    head = "The goal condition is" if total == 1 else f"{len(problems)} of {total} goal conditions"
    verb = "" if total == 1 else " is" if len(problems) == 1 else " are"
    most = count_listed(len(problems), most)
    listed = list(islice(problems, most))
    if len(problems) > most:
        listed.append(f"and {len(problems) - most} more")
    return f"{head}{verb} unmet: {'; '.join(listed)}."


def _label(trace: Trace, index: int) -> str:
    """What the plan's author knows the ``index``-th action by."""
    if trace.labels:
        return trace.labels[index]
    return f"step {(trace.indices[index] if trace.indices else index) + 1}"


def _action_problem(step: WantedAction, trace: Trace) -> str:
    if step.elsewhere is None or step.after is None:
        return f"{step.said} was not done"
    label = _label(trace, step.elsewhere - 1)
    return f"{step.said} was done in {label}, but it only counts after {step.after}"


def _state_problem(
    proposition: _Proposition, trace: Trace, views: Callable[[int], Structure]
) -> str:
    """What is wrong with a final condition: never true, or undone, and by which action."""
    text = proposition.text
    last = len(trace.actions) - 1
    while last >= 0 and not proposition.holds(views(last)):
        last -= 1
    if last < 0:
        negated = isinstance(proposition.formula, Not)
        return f"{text.removeprefix('not ')} {'holds' if negated else 'does not hold'}"
    first = last
    while first > 0 and proposition.holds(views(first - 1)):
        first -= 1
    since = f"after {_label(trace, first - 1)}" if first else "at the start"
    undone = _label(trace, last)
    return f"{text} was true {since}, but {trace.actions[last]} undid it in {undone}"
