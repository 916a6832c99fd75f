"""The VirtualHome world: a transition model over scene-graph facts.

One :class:`VirtualHome` is one household: which object is the character, and by which quirks of
the published simulator it behaves. It holds no state; ``step`` is a function of the state.
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
        """What goals are judged by, and conditions of actions too."""
        return StateView(state, self.agent, self.quirks, self.order)

    def conditions(self, state: State) -> StateView:
        """What conditions of actions are evaluated against."""
        return self.view(state)

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action; see :meth:`homebody.core.world.World.step`."""
        return attempt(self, state, action, history)

    def diagnose(
        self, schema: ActionSchema, binding: Binding, now: Structure, past: Iterable[Structure]
    ) -> Diagnosis | None:
        """Why an action cannot be executed."""
        if self.quirks & published.CHECK_QUIRKS:
            return published.diagnose(schema, binding, now, past, self.quirks)
        return diagnose(schema, binding, now, past)

    def explain(
        self, action: Action, error: ErrorType, unmet: tuple[Formula, ...], now: Structure
    ) -> str:
        """A sentence on why an action could not be executed."""
        return explain(error, tuple(_as_inside(formula, now) for formula in unmet), phrase)

    def after(self, state: State, schema: ActionSchema, binding: Binding, now: Structure) -> State:
        """The state after an action that can be executed."""
        if published.is_without_effect(schema, binding, now, self.quirks):
            return state
        return state.change(*apply_effects(schema.effects, binding, now))


def _as_inside(formula: Formula, now: Structure) -> Formula:
    """Where somebody is, as it is said: at a thing, but in a room."""
    match formula:
        case Atom("AT", (char, place)) if now.holds("ROOM", (place,)):
            return Atom("INSIDE", (char, place))
    return formula
