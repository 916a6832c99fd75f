"""The BEHAVIOR world: a transition model over facts about a household.

A :class:`Behavior` defines one agent, and the quirks of the published simulator that are kept. It
stores no state: ``step`` is a function of the state. Conditions of actions and goals use different
vocabularies: :mod:`homebody.worlds.behavior.view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from homebody.core.action import (
    Action,
    ActionSchema,
    Diagnosis,
    ErrorType,
    apply_effects,
    diagnose,
    explain,
)
from homebody.core.formula import (
    And,
    Atom,
    Binding,
    Exists,
    Formula,
    Not,
    Or,
    Structure,
    substitute,
)
from homebody.core.state import State
from homebody.core.truth import evaluate
from homebody.core.world import Outcome, attempt, bind
from homebody.worlds.behavior import published
from homebody.worlds.behavior.actions import HANDS, action_schemas
from homebody.worlds.behavior.phrases import phrase
from homebody.worlds.behavior.view import GoalView, StateView


@dataclass(frozen=True)
class Behavior:
    """A household with one agent.

    Attributes:
        agent: The agent's object name.
        quirks: Published behaviours to keep (:data:`homebody.worlds.behavior.published.QUIRKS`).
    """

    agent: str = "agent.n.01_1"
    quirks: frozenset[str] = frozenset()

    @property
    def schemas(self) -> Mapping[str, ActionSchema]:
        """Action name -> schema, with the quirks."""
        return action_schemas(self.quirks & published.WORLD_QUIRKS)

    def view(self, state: State) -> GoalView:
        """Return the state as goals see it."""
        return GoalView(self.conditions(state))

    def conditions(self, state: State) -> StateView:
        """Return the state as conditions of actions see it."""
        return StateView(state, self.agent, self.quirks)

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action; see :meth:`homebody.core.world.World.step`."""
        return attempt(self, state, action, history)

    def diagnose(
        self, schema: ActionSchema, binding: Binding, now: Structure, past: Iterable[Structure]
    ) -> Diagnosis | None:
        """Return the reason why an action cannot be executed, or None."""
        if published.has_early_crash(schema, binding, now, self.quirks):
            return published.CRASH
        if self.quirks & published.CHECK_QUIRKS:
            diagnosis = published.diagnose(schema, binding, now, past, self.quirks)
        else:
            diagnosis = diagnose(schema, binding, now, past)
        if diagnosis is None and published.has_late_crash(schema, binding, now, self.quirks):
            return published.CRASH
        return diagnosis

    def errors(
        self, state: State, action: Action, history: Sequence[State] = ()
    ) -> tuple[ErrorType, ...]:
        """Return all error types that the published simulator prints for an action.

        Of these, action sequencing reports the first in the order additional step, affordance
        error, wrong order, missing step (as :meth:`step` does), subgoal decomposition in the order
        additional step, wrong order, missing step, affordance error. The result is
        empty if the action prints no error. Cleaning may succeed although it prints errors. Under a
        protocol that fixes ``check_order`` it is the one type that :meth:`step` returns.

        Raises:
            ValueError: The action or an object is unknown, or the number of objects is wrong.
        """
        failure = self.step(state, action, history).failure
        crashed = failure is not None and failure.error is ErrorType.EXECUTION_FAILURE
        if crashed or "check_order" not in self.quirks:
            return () if failure is None else (failure.error,)
        schema, binding = bind(self, state, action)
        past = [self.conditions(earlier) for earlier in history]
        return published.printed_errors(schema, binding, self.conditions(state), past, self.quirks)

    def goal_check_crashes(self, state: State) -> bool:
        """Return whether the published simulator raises an exception when it checks a goal."""
        return published.goal_check_crashes(state, self.agent, self.quirks)

    def explain(
        self, action: Action, error: ErrorType, unmet: tuple[Formula, ...], now: Structure
    ) -> str:
        """Return a sentence on why an action could not be executed."""
        if error is ErrorType.EXECUTION_FAILURE:
            return f"Not possible: the published simulator crashes at {action}."
        shown = [_keep_relevant(_name_held(formula, now), now) for formula in unmet]
        for enough in (_is_of_absence, lambda formula: not _is_of_contents(formula)):
            shown = [formula for formula in shown if enough(formula)] or shown
        return explain(error, shown, phrase)

    def after(self, state: State, schema: ActionSchema, binding: Binding, now: Structure) -> State:
        """Return the state after an executable action, with only the actual changes."""
        delete, add = apply_effects(schema.effects, binding, now)
        wanted = dict.fromkeys(add)
        gone = [f for f in dict.fromkeys(delete) if f not in wanted and state.holds(f[0], f[1:])]
        return state.change(gone, [f for f in wanted if not state.holds(f[0], f[1:])])


def _name_held(formula: Formula, now: Structure) -> Formula:
    """In a formula, replace "something in a hand" by the held object, and "in or on it" by the
    actual hand."""
    match formula:
        case Not(body):
            return Not(_name_held(body, now))
        case Exists(variable, (And((Atom(hand, _), *_)) | Atom(hand, _)) as body) if (
            hand in HANDS.values()
        ):
            for (held,) in now.match(hand, (None,)):
                return substitute(body, {variable: held})
        case Atom("CARRIED_LH" | "CARRIED_RH" as carried, args):
            hand = f"holds_{carried[-2:].lower()}"
            return Atom(hand, args) if now.holds(hand, args) else formula
        case Atom("HELD", args):
            hands = (hand for hand in HANDS.values() if now.holds(hand, args))
            return Atom(next(hands, "HELD"), args)
    return formula


def _is_of_absence(formula: Formula) -> bool:
    """Return whether a formula is about an object that does not exist, which explains any
    failure."""
    match formula:
        case Not(Atom("ABSENT")):
            return True
    return False


def _is_of_contents(formula: Formula) -> bool:
    """Return whether a formula is about the contents of a held object. With an empty hand there are
    no contents."""
    match formula:
        case Exists(_, And((Atom(hand, _), Exists(_, Atom("LIES"))))):
            return hand in HANDS.values()
    return False


def _keep_relevant(formula: Formula, now: Structure) -> Formula:
    """Return the disjuncts whose first fact holds (such as a stain), without this fact: the tools
    remain."""
    if not isinstance(formula, Or):
        return formula
    ways = [way for way in formula.parts if isinstance(way, And) and evaluate(way.parts[0], now)]
    left = tuple(part for way in ways for part in way.parts[1:])
    return formula if not left else left[0] if len(left) == 1 else Or(left)
