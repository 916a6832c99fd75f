"""Ground actions of operators: all reachable ones (:func:`reachable_actions`), or the actions of a
relaxed plan, plus actions that restore facts which the plan deletes (:func:`likely_actions`).

A failed search with the likely actions proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
)
from homebody.planning.solver.reachability import (
    NEVER,
    Leaf,
    Relaxation,
    Schema,
    Scope,
    Sign,
    TooLargeError,
)

Numbers: TypeAlias = tuple[int, ...]
GroundLiteral: TypeAlias = tuple[str, Sign, Numbers]
Binding: TypeAlias = dict[str, int]

MAX_WORK = 50_000
"""Maximum number of conditions and effects that are followed backwards."""


@dataclass(frozen=True, slots=True)
class GroundAction:
    """An operator with the indices of its argument objects."""

    schema: Schema
    args: Numbers

    def binding(self) -> Binding:
        """Return parameter -> the index of its object."""
        names = (p.name for p in self.schema.operator.parameters)
        return dict(zip(names, self.args, strict=True))


@dataclass(frozen=True, slots=True)
class GroundEffect:
    """One literal that an action may achieve, with its conditions."""

    literal: GroundLiteral
    conditions: tuple[tuple[Formula, Binding], ...]


def bind(atom: Atom, binding: Scope | Binding, relaxation: Relaxation) -> Numbers:
    """Return the index of each argument of an atom; ``binding`` has one for each variable."""
    return tuple(
        int(binding[arg]) if arg in binding else relaxation.index[arg] for arg in atom.args
    )


def ground_effects(action: GroundAction, relaxation: Relaxation) -> Iterator[GroundEffect]:
    """Yield the literals of an action's effect, in textual order."""
    for leaf in action.schema.leaves:
        yield from _expand(leaf, 0, action.binding(), (), relaxation)


def _expand(
    leaf: Leaf,
    position: int,
    binding: Binding,
    conditions: tuple[tuple[Formula, Binding], ...],
    relaxation: Relaxation,
) -> Iterator[GroundEffect]:
    if position == len(leaf.around):
        numbers = bind(leaf.atom, binding, relaxation)
        yield GroundEffect((leaf.atom.predicate, leaf.sign, numbers), conditions)
        return
    item = leaf.around[position]
    if not isinstance(item, tuple):
        more = (*conditions, (item, binding))
        yield from _expand(leaf, position + 1, binding, more, relaxation)
        return
    for inner in choices(item, binding, relaxation):
        yield from _expand(leaf, position + 1, inner, conditions, relaxation)


def choices(
    variables: Sequence[Parameter], binding: Binding, relaxation: Relaxation
) -> Iterator[Binding]:
    """Yield all extensions of a binding to ``variables``."""
    tables = [relaxation.members.get(v.type, ()) for v in variables]
    for row in product(*tables):
        yield {**binding, **{v.name: number for v, number in zip(variables, row, strict=True)}}


def reachable_actions(relaxation: Relaxation, most: int) -> list[GroundAction] | None:
    """Return all actions with reachable preconditions; None if there are more than ``most``."""
    actions: list[GroundAction] = []
    for schema in relaxation.schemas:
        parameters = schema.operator.parameters
        scope, depth = relaxation.inside(parameters, {}, 0)
        value = relaxation.array(schema.operator.precondition, True, scope, depth)
        full = tuple(int(np.size(scope[p.name])) for p in reversed(parameters))
        able = np.broadcast_to(value < NEVER, full)
        if len(actions) + int(np.count_nonzero(able)) > most:
            return None
        members = [relaxation.members[p.type] for p in parameters]
        for row in np.argwhere(able).tolist():
            numbers = zip(members, reversed(row), strict=True)
            actions.append(GroundAction(schema, tuple(table[i] for table, i in numbers)))
    return actions


def likely_actions(relaxation: Relaxation) -> list[GroundAction]:
    """Return the actions of a relaxed plan, and actions that restore facts which they delete."""
    return _Backwards(relaxation).run()


class _Backwards:
    """A backward search from required literals to actions that achieve them."""

    def __init__(self, relaxation: Relaxation) -> None:
        self.relaxation = relaxation
        self.actions: dict[tuple[str, Numbers], GroundAction] = {}
        self.needed: dict[GroundLiteral, None] = {}
        self.waiting: list[GroundLiteral] = []
        self.achieved: set[GroundLiteral] = set()
        self.touched: set[GroundLiteral] = set()
        self.work = 0

    def run(self) -> list[GroundAction]:
        self.need(self.relaxation.problem.goal, True, {})
        while True:
            while self.waiting:
                self.achieve(self.waiting.pop(), restore=False)
            threatened = [
                literal
                for literal in self.needed
                if literal not in self.achieved
                and (literal[0], not literal[1], literal[2]) in self.touched
            ]
            if not threatened:
                return list(self.actions.values())
            for literal in threatened:
                self.achieve(literal, restore=True)

    def need(self, condition: Formula, sign: Sign, binding: Binding) -> None:
        """Choose the easiest way to give a condition a truth value, and add its literals to the
        required ones."""
        self.spend()
        relaxation = self.relaxation
        match condition:
            case Atom(predicate, _):
                if predicate != EQUALS:
                    self.note((predicate, sign, bind(condition, binding, relaxation)))
            case Not(body):
                self.need(body, not sign, binding)
            case Implies(left, right):
                self.need(Or((Not(left), right)), sign, binding)
            case And(parts) | Or(parts):
                if isinstance(condition, And) == sign:
                    for part in parts:
                        self.need(part, sign, binding)
                elif parts:
                    levels = [relaxation.level(part, sign, dict(binding)) for part in parts]
                    self.need(parts[levels.index(min(levels))], sign, binding)
            case Quantification(kind, variables, body):
                if (kind == "exists") == sign:
                    self.need(body, sign, self.easiest(variables, body, sign, binding))
                elif relaxation.level(condition, sign, dict(binding)) > 0:
                    for inner in choices(variables, binding, relaxation):
                        self.need(body, sign, inner)

    def spend(self) -> None:
        self.work += 1
        if self.work > MAX_WORK:
            raise TooLargeError

    def easiest(
        self, variables: Sequence[Parameter], body: Formula, sign: Sign, binding: Binding
    ) -> Binding:
        relaxation = self.relaxation
        scope, depth = relaxation.inside(variables, dict(binding), 0)
        value = relaxation.array(body, sign, scope, depth)
        place = np.unravel_index(int(value.argmin()), value.shape)
        inner = dict(binding)
        for number, variable in enumerate(variables):
            at = int(place[-1 - number]) if number < len(place) else 0
            inner[variable.name] = relaxation.members[variable.type][at]
        return inner

    def note(self, literal: GroundLiteral) -> None:
        if literal in self.needed:
            return
        self.needed[literal] = None
        predicate, sign, numbers = literal
        if self.relaxation.levels[predicate, sign][numbers] > 0:
            self.waiting.append(literal)

    def achieve(self, literal: GroundLiteral, *, restore: bool) -> None:
        """Add the easiest action that achieves a literal."""
        self.achieved.add(literal)
        predicate, sign, numbers = literal
        limit = NEVER if restore else int(self.relaxation.levels[predicate, sign][numbers])
        best: tuple[Schema, Leaf, list[Binding]] | None = None
        for schema in self.relaxation.schemas:
            for leaf in schema.leaves:
                if (leaf.atom.predicate, leaf.sign) == (predicate, sign):
                    easiest = self.way(schema, leaf, numbers)
                    if easiest is not None and easiest[0] < limit:
                        limit, best = easiest[0], (schema, leaf, easiest[1])
                        if limit == 0:
                            break
            if limit == 0 and best is not None:
                break
        if best is None:
            return
        schema, leaf, bindings = best
        args = tuple(bindings[0][p.name] for p in schema.operator.parameters)
        action = GroundAction(schema, args)
        if (schema.operator.name, args) not in self.actions:
            self.actions[schema.operator.name, args] = action
            self.need(schema.operator.precondition, True, bindings[0])
            for effect in ground_effects(action, self.relaxation):
                self.spend()
                self.touched.add(effect.literal)
        for item, binding in zip(leaf.around, bindings[1:], strict=True):
            if not isinstance(item, tuple):
                self.need(item, True, binding)

    def way(self, schema: Schema, leaf: Leaf, numbers: Numbers) -> tuple[int, list[Binding]] | None:
        """Return how an operator achieves an effect for the objects ``numbers``; None if it cannot.

        Args:
            schema: The operator.
            leaf: One literal of its effect.
            numbers: Index of the object for each argument of the literal.

        Returns:
            The lowest level of the relaxation at which the preconditions and the conditions around
            the literal can hold, and the bindings at that level: one for the parameters, then one
            for each condition or quantifier around the literal.
        """
        relaxation = self.relaxation
        lists = [schema.operator.parameters]
        lists += [item if isinstance(item, tuple) else () for item in leaf.around]
        fixed: dict[tuple[int, str], int] = {}
        for arg, number in zip(leaf.atom.args, numbers, strict=True):
            place = next(
                (i for i in reversed(range(len(lists))) if any(v.name == arg for v in lists[i])),
                None,
            )
            if place is None:
                if relaxation.index[arg] != number:
                    return None
            elif fixed.setdefault((place, arg), number) != number:
                return None
        axes: dict[tuple[int, str], int] = {}
        scope: Scope = {}
        depth = 0
        value = np.asarray(0, dtype=np.int16)
        for place, variables in enumerate(lists):
            for variable in variables:
                given = fixed.get((place, variable.name))
                members = relaxation.members.get(variable.type, ())
                if given is None:
                    if not members:
                        return None
                    axes[place, variable.name] = depth
                    scope, depth = relaxation.inside((variable,), scope, depth)
                elif given not in members:
                    return None
                else:
                    scope = {**scope, variable.name: given}
            around = None if place == 0 else leaf.around[place - 1]
            condition = schema.operator.precondition if place == 0 else around
            if condition is not None and not isinstance(condition, tuple):
                value = np.maximum(value, relaxation.array(condition, True, scope, depth))
                if int(value.min()) >= NEVER:
                    return None
        chosen = np.unravel_index(int(value.argmin()), value.shape)
        bindings: list[Binding] = []
        binding: Binding = {}
        for place, variables in enumerate(lists):
            binding = dict(binding)
            for variable in variables:
                key = (place, variable.name)
                if key in fixed:
                    binding[variable.name] = fixed[key]
                else:
                    at = int(chosen[-1 - axes[key]]) if axes[key] < len(chosen) else 0
                    binding[variable.name] = relaxation.members[variable.type][at]
            bindings.append(binding)
        return int(value.min()), bindings
