"""The VirtualHome world: a transition model over scene-graph facts.

A :class:`VirtualHome` defines a household: its character, and the quirks of the published simulator
that are kept. It stores no state: ``step`` is a function of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from homebody.core.action import (
    Action,
    ActionSchema,
    Diagnosis,
    ErrorType,
    apply_effects,
    diagnose,
    explain,
)
from homebody.core.formula import Atom, Binding, Formula, Structure
from homebody.core.state import State
from homebody.core.world import Outcome, attempt
from homebody.worlds.virtualhome import published
from homebody.worlds.virtualhome.actions import action_schemas
from homebody.worlds.virtualhome.phrases import phrase
from homebody.worlds.virtualhome.python_set_order import Order
from homebody.worlds.virtualhome.view import StateView


@dataclass(frozen=True)
class VirtualHome:
    """A household with one acting character.

    Attributes:
        agent: The character's object name.
        quirks: Published behaviours to keep (see :mod:`homebody.suites.eai.virtualhome.protocol`).
        order: The scene file's order of facts; only the published behaviour depends on it.
    """

    agent: str
    quirks: frozenset[str] = frozenset()
    order: Order = field(default_factory=dict, repr=False)

    @property
    def schemas(self) -> Mapping[str, ActionSchema]:
        """Action name -> schema, with the quirks that concern effects."""
        return action_schemas(self.quirks & published.EFFECT_QUIRKS)

    def view(self, state: State) -> StateView:
        """Return the state as goals and conditions of actions see it."""
        return StateView(state, self.agent, self.quirks, self.order)

    def conditions(self, state: State) -> StateView:
        """Return the state as conditions of actions see it."""
        return self.view(state)

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action; see :meth:`homebody.core.world.World.step`."""
        return attempt(self, state, action, history)

    def diagnose(
        self, schema: ActionSchema, binding: Binding, now: Structure, past: Iterable[Structure]
    ) -> Diagnosis | None:
        """Return the reason why an action cannot be executed, or None."""
        if self.quirks & published.CHECK_QUIRKS:
            return published.diagnose(schema, binding, now, past, self.quirks)
        return diagnose(schema, binding, now, past)

    def explain(
        self, action: Action, error: ErrorType, unmet: tuple[Formula, ...], now: Structure
    ) -> str:
        """Return a sentence on why an action could not be executed."""
        return explain(error, tuple(_as_inside(formula, now) for formula in unmet), phrase)

    def after(self, state: State, schema: ActionSchema, binding: Binding, now: Structure) -> State:
        """Return the state after an executable action."""
        if published.is_without_effect(schema, binding, now, self.quirks):
            return state
        return state.change(*apply_effects(schema.effects, binding, now))


def _as_inside(formula: Formula, now: Structure) -> Formula:
    """Replace ``AT`` a room by ``INSIDE`` it, for explanations."""
    match formula:
        case Atom("AT", (char, place)) if now.holds("ROOM", (place,)):
            return Atom("INSIDE", (char, place))
    return formula
