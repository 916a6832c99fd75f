"""Planning tasks over bits: states are whole numbers, conditions are masks.

An atom has a bit only if a chosen action can change it and the goal or a condition depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.formula import EQUALS, And, Atom, Formula, Implies, Not, Or, Quantification
from homebody.planning.solver.execution import PlanStep
from homebody.planning.solver.ground_actions import (
    Binding,
    GroundAction,
    GroundEffect,
    Numbers,
    bind,
    choices,
    ground_effects,
)
from homebody.planning.solver.reachability import Relaxation, Sign, TooLargeError

Masks: TypeAlias = tuple[int, int]
"""Masks of bits that must be set and of bits that must be clear."""

Choice: TypeAlias = tuple[Masks, ...]
"""A condition as a list of alternatives. It holds if one of them holds; an empty list never
holds."""

MAX_EFFECTS = 200_000
"""Maximum number of literals of effects."""

MAX_WORK = 2_000_000
"""Maximum number of nodes of ground conditions and of pairs of alternatives."""

ALWAYS: Choice = ((0, 0),)
NEVER: Choice = ()


@dataclass(frozen=True, slots=True)
class BitAction:
    """An action over bits.

    Attributes:
        step: Its name and objects.
        condition: The precondition.
        add: The bits that it always sets.
        delete: The bits that it always clears, unless it sets them.
        conditional: (when, set, clear) for each conditional effect.
    """

    step: PlanStep
    condition: Choice
    add: int
    delete: int
    conditional: tuple[tuple[Choice, int, int], ...]


@dataclass(frozen=True, slots=True)
class BitTask:
    """A task over bits; ``size`` is the number of bits."""

    size: int
    initial: int
    goal: Choice
    actions: tuple[BitAction, ...]


def ground(relaxation: Relaxation, actions: Sequence[GroundAction]) -> BitTask:
    """Make the task of these actions only. Raises TooLargeError."""
    return _Grounding(relaxation, actions).task()


class _Grounding:
    def __init__(self, relaxation: Relaxation, actions: Sequence[GroundAction]) -> None:
        self.relaxation = relaxation
        self.actions = actions
        self.facts = {
            (atom.predicate, tuple([relaxation.index[arg] for arg in atom.args]))
            for atom in relaxation.problem.initial
        }
        self.effects: list[list[GroundEffect]] = []
        self.can_be: set[tuple[str, Sign, Numbers]] = set()
        self.bits: dict[tuple[str, Numbers], int] = {}
        self.work = 0
        total = 0
        for action in actions:
            effects: list[GroundEffect] = []
            for effect in ground_effects(action, relaxation):
                total += 1
                if total > MAX_EFFECTS:
                    raise TooLargeError
                effects.append(effect)
                self.can_be.add(effect.literal)
            self.effects.append(effects)

    def task(self) -> BitTask:
        goal = self.choice(self.relaxation.problem.goal, True, {})
        conditions = [
            self.choice(action.schema.operator.precondition, True, action.binding())
            for action in self.actions
        ]
        chosen: list[dict[int, tuple[Choice, int, bool]]] = [{} for _ in self.actions]
        pending = [list(enumerate(effects)) for effects in self.effects]
        seen = -1
        while seen != len(self.bits):  # conditions of effects bring new bits
            seen = len(self.bits)
            for number, effects in enumerate(pending):
                if conditions[number]:
                    later = []
                    for place, effect in effects:
                        predicate, sign, numbers = effect.literal
                        bit = self.bits.get((predicate, numbers))
                        if bit is None:
                            later.append((place, effect))
                        elif when := self.all_of(effect):
                            chosen[number][place] = (when, bit, sign)
                    pending[number] = later
        made = []
        for number, action in enumerate(self.actions):
            if chosen[number]:
                step = self.step(action)
                made.append(_bit_action(step, conditions[number], list(chosen[number].values())))
        initial = sum(bit for key, bit in self.bits.items() if key in self.facts)
        return BitTask(len(self.bits), initial, goal, tuple(made))

    def step(self, action: GroundAction) -> PlanStep:
        names = self.relaxation.names
        return action.schema.operator.name, tuple(names[number] for number in action.args)

    def all_of(self, effect: GroundEffect) -> Choice:
        value = ALWAYS
        for condition, binding in effect.conditions:
            value = self.both(value, self.choice(condition, True, binding))
        return value

    def choice(self, condition: Formula, sign: Sign, binding: Binding) -> Choice:
        """Return a ground condition over bits."""
        self.spend(1)
        match condition:
            case Atom():
                return self.literal(condition, sign, binding)
            case Not(body):
                return self.choice(body, not sign, binding)
            case Implies(left, right):
                if sign:
                    value = self.choice(left, False, binding)
                    return self.either(value, self.choice(right, True, binding))
                value = self.choice(left, True, binding)
                return self.both(value, self.choice(right, False, binding))
            case And(parts) | Or(parts):
                found = (self.choice(part, sign, binding) for part in parts)
                return self.combine(found, isinstance(condition, And) == sign)
            case Quantification(kind, variables, body):
                bindings = choices(variables, binding, self.relaxation)
                found = (self.choice(body, sign, inner) for inner in bindings)
                return self.combine(found, (kind == "forall") == sign)
        raise TypeError(f"not a condition: {type(condition).__name__}")

    def combine(self, parts: Iterable[Choice], every: bool) -> Choice:
        """Return the conjunction of the parts (``every``) or their disjunction, without constant
        parts."""
        value, decided = (ALWAYS, NEVER) if every else (NEVER, ALWAYS)
        for part in parts:
            value = self.both(value, part) if every else self.either(value, part)
            if value == decided:
                break
        return value

    def literal(self, atom: Atom, sign: Sign, binding: Binding) -> Choice:
        numbers = bind(atom, binding, self.relaxation)
        if atom.predicate == EQUALS:
            return ALWAYS if (numbers[0] == numbers[1]) == sign else NEVER
        now = (atom.predicate, numbers) in self.facts
        if (atom.predicate, not now, numbers) not in self.can_be:
            return ALWAYS if now == sign else NEVER
        bit = self.bits.setdefault((atom.predicate, numbers), 1 << len(self.bits))
        return ((bit, 0),) if sign else ((0, bit),)

    def spend(self, work: int) -> None:
        self.work += work
        if self.work > MAX_WORK:
            raise TooLargeError

    def both(self, left: Choice, right: Choice) -> Choice:
        if left == ALWAYS or not right:
            return right
        if right == ALWAYS or not left:
            return left
        self.spend(len(left) * len(right))
        alternatives: dict[Masks, None] = {}
        for true, false in left:
            for more_true, more_false in right:
                both_true, both_false = true | more_true, false | more_false
                if not both_true & both_false:
                    alternatives[both_true, both_false] = None
        return self.smallest(alternatives)

    def either(self, left: Choice, right: Choice) -> Choice:
        if not left or right == ALWAYS:
            return right
        if not right or left == ALWAYS:
            return left
        return self.smallest(dict.fromkeys(left + right))

    def smallest(self, alternatives: dict[Masks, None]) -> Choice:
        """Return the alternatives, without alternatives that imply another one."""
        terms = tuple(alternatives)
        self.spend(len(terms) ** 2)
        if len(terms) < 2:
            return terms
        return tuple(
            (true, false)
            for true, false in terms
            if not any(
                not t & ~true and not f & ~false and (t, f) != (true, false) for t, f in terms
            )
        )


def _bit_action(
    step: PlanStep, condition: Choice, effects: list[tuple[Choice, int, bool]]
) -> BitAction:
    add = delete = 0
    grouped: dict[Choice, tuple[int, int]] = {}
    for when, bit, sign in effects:
        if when == ALWAYS:
            add |= bit if sign else 0
            delete |= 0 if sign else bit
        else:
            adds, deletes = grouped.get(when, (0, 0))
            grouped[when] = (adds | bit, deletes) if sign else (adds, deletes | bit)
    conditional = tuple((when, adds, deletes) for when, (adds, deletes) in grouped.items())
    return BitAction(step, condition, add, delete, conditional)
