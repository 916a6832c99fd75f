"""Goals of EAI's tasks: some actions in order, and all other conditions in the final state.

In appendix C.3, a formula stays true once it has been true. A task is stricter (EAI paper, sections
2.3, 2.5 and D.2). Its formula stands for *simple goals*

    a1 then ... then ak then (p1 and ... and pl)

and one of them must be met: the actions are a subsequence of the executed actions, and the
propositions hold in the final state. Two rules follow:

- ``and`` between actions requires all of them, in any order;
- simple goals cannot contain a state before a ``then``, or an action that must not be done
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
    is_subsequence,
    simple_goals,
    to_nnf,
)
from homebody.goals.ltl.wanted_actions import DoneActions, WantedAction, end_of, follow


def kind_of(atom: Atom) -> str:
    """Return ``"state"`` for a property of one object, ``"relation"`` for several objects."""
    return "relation" if len(atom.args) > 1 else "state"


def _identity(state: State) -> Structure:
    return state


@dataclass(frozen=True)
class LTLGoal:
    """A task's formula as a goal.

    ``success``: some simple goal is met. ``progress``: the best PartialSucc of its simple goals.
    ``parts`` are the parts of the best simple goal. There is one for each action, which is
    satisfied if this action and all earlier actions were done in order, and one for each
    proposition. An action that was not done is shown as the formula writes it, e.g. ``exists x0.
    (WASH(x0) or RINSE(x0))``; the explanation says ``WASH or RINSE``. A ``forall`` over actions, or
    an ``or`` with several actions on one side, is a single part.

    If the final conditions are atoms or negated atoms and share no ``or`` and no quantifier with
    actions, as in all published goals, simple goals need not be enumerated. Otherwise they are
    enumerated, up to ``limit``. If there are more, progress is the share of the formula's conjuncts
    that are true; the actions count as one conjunct. Success is exact in every case.

    Attributes:
        formula: A closed formula.
        actions: The predicates that are actions; see :func:`ltl.action_predicates`.
        view: Maps a state to a structure, usually ``World.view``.
        text: The formula's original text.
        kind: State proposition -> the kind of its part. Actions are of kind ``"action"``.
        limit: Maximum number of simple goals to enumerate.

    Raises:
        NotSimpleError: The formula is not made of simple goals.
        ValueError: The formula has an unbound variable.
    """

    formula: Formula
    actions: frozenset[str]
    view: View = field(default=_identity, compare=False)
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
        view: View = _identity,
        predicates: Mapping[str, int] | None = None,
        objects: Collection[str] | None = None,
    ) -> LTLGoal:
        """Read a goal; raises like :func:`ltl.parse` and the class."""
        formula = parse(text, predicates=predicates, objects=objects)
        return cls(formula, frozenset(actions), view, text)

    def progress(self, trace: Trace) -> float:
        """Return the PartialSucc of the best simple goal, as :meth:`judge` does."""
        final = self.view(trace.final)
        sequence, propositions = self._find_nearest(trace, final)
        return _partial_success(sequence, [p.holds(final) for p in propositions])

    def judge(self, trace: Trace) -> Verdict:
        """Judge a trace by its best simple goal, and explain what is unmet."""
        final = self.view(trace.final)
        sequence, propositions = self._find_nearest(trace, final)
        met = [p.holds(final) for p in propositions]
        views = cache(lambda index: self.view(trace.states[index]))
        parts = [Part(step.text, "action", step.end is not None) for step in sequence]
        parts += [Part(p.text, p.kind, ok) for p, ok in zip(propositions, met, strict=True)]
        problems = [_action_problem(step, trace) for step in sequence if step.end is None] + [
            _state_problem(p, trace, views)
            for p, ok in zip(propositions, met, strict=True)
            if not ok
        ]
        explanation = _explain(len(parts), problems)
        return Verdict(not problems, _partial_success(sequence, met), tuple(parts), explanation)

    def nearest(self, trace: Trace) -> tuple[Literal, ...]:
        """Return the final literals of the best simple goal, as :meth:`judge` chooses it.
        Conditions that are not literals are omitted."""
        _, propositions = self._find_nearest(trace, self.view(trace.final))
        return tuple(filter(is_literal, (p.formula for p in propositions)))

    def _find_nearest(
        self, trace: Trace, final: Structure
    ) -> tuple[Sequence[WantedAction], Sequence[_Proposition]]:
        """Return the actions of the best simple goal, each with the time when it was done, and its
        conditions."""
        run = DoneActions(trace.actions, self.actions, final)
        pieces = self._pieces
        if pieces is None:
            return self._best_coupled(run)
        sequence = follow(pieces.actions, run) if pieces.actions is not None else []
        return sequence, self._propositions(pieces, sequence, run)

    @cached_property
    def _pieces(self) -> _Pieces | None:
        """The formula's actions and final conditions, or None if they cannot be separated."""
        formula = normalise(to_nnf(self.formula, True))
        pieces = _separate(formula, self.actions)
        if pieces is None:
            return None
        actions, states = pieces
        propositions = tuple(map(self._proposition, dict.fromkeys(states)))
        if all(map(is_literal, states)):
            return _Pieces(actions, propositions)
        return _Pieces(actions, propositions, And(states))  # equal parts may be met differently

    def _proposition(self, formula: Formula) -> _Proposition:
        kinds = sorted({self.kind(atom) for atom in atoms(formula)})
        return _Proposition(formula, show(formula), kinds[0] if len(kinds) == 1 else "relation")

    def _propositions(
        self, pieces: _Pieces, sequence: Sequence[WantedAction], run: DoneActions
    ) -> Sequence[_Proposition]:
        """Return the final conditions that count: the conditions of the best simple goal, unless
        there are too many simple goals."""
        if pieces.states is None:
            return pieces.propositions
        bonus = bool(sequence) and all(step.end is not None for step in sequence)
        best = self._find_best(pieces.states, run, lambda goal: (bonus, bool(sequence)))
        return pieces.propositions if best is None else self._literals(best)

    def _best_coupled(self, run: DoneActions) -> tuple[list[WantedAction], Sequence[_Proposition]]:
        best = self._find_best(
            self.formula,
            run,
            lambda goal: (is_subsequence(goal.actions, run.done), bool(goal.actions)),
        )
        if best is not None:
            return follow(Then(best.actions), run), self._literals(best)
        formula = normalise(to_nnf(self.formula, True))
        text = show(formula)
        return [WantedAction(text, text, end_of(formula, 0, run, {}), None, None)], ()

    def _literals(self, goal: SimpleGoal) -> Sequence[_Proposition]:
        return [self._proposition(literal) for literal in goal.propositions]

    def _find_best(
        self,
        formula: Formula,
        run: DoneActions,
        action_score: Callable[[SimpleGoal], tuple[bool, bool]],
    ) -> SimpleGoal | None:
        """Return the first simple goal with the best PartialSucc; None if there are too many.

        ``action_score`` returns whether the actions are done and whether there are any.
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
class _Pieces:
    """A formula as actions (None if it has none) and then final conditions.

    ``states``: the conditions whose simple goals must be enumerated; None if all are literals.
    """

    actions: Formula | None
    propositions: tuple[_Proposition, ...]
    states: Formula | None = None


def _separate(
    formula: Formula, actions: Collection[str]
) -> tuple[Formula | None, tuple[Formula, ...]] | None:
    """Split a simple formula into the actions to do and the conditions to hold at the end.

    Return None if an ``or`` or a quantifier spans both.
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


def _partial_success(sequence: Sequence[WantedAction], met: Sequence[bool]) -> float:
    """Return PartialSucc: the share of the final conditions that are met. All actions together
    count as one condition."""
    done = bool(sequence) and all(step.end is not None for step in sequence)
    total = bool(sequence) + len(met)
    return (done + sum(met)) / total if total else 1.0


# --- Words --------------------------------------------------------------------------------------


def _explain(total: int, problems: Sequence[str], most: int = 12) -> str:
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
    """Return the label of the ``index``-th action for the author of the plan."""
    if trace.labels:
        return trace.labels[index]
    return f"step {(trace.indices[index] if trace.indices else index) + 1}"


def _action_problem(step: WantedAction, trace: Trace) -> str:
    if step.elsewhere is None or step.after is None:
        return f"{step.words} was not done"
    label = _label(trace, step.elsewhere - 1)
    return f"{step.words} was done in {label}, but it only counts after {step.after}"


def _state_problem(
    proposition: _Proposition, trace: Trace, views: Callable[[int], Structure]
) -> str:
    """Explain an unmet final condition: it was never true, or an action has undone it."""
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
