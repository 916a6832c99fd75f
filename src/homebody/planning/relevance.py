"""Relevant actions in a symbolic world, found backwards from a goal.

An action is relevant if it achieves an unmet literal of the goal, or a literal that another
relevant action still needs, such as a free hand or an open container. A search over these actions
stays small, although a scene has hundreds of objects and dozens of actions.

The effects of schemas show which actions achieve a literal (:func:`achievers`). A
:class:`Relevance` contains the specifics of a world.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, TypeVar

from homebody.core.action import Action, ActionSchema
from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Literal,
    Not,
    Or,
    Structure,
    atom_of,
    conjunction,
    ground,
    is_variable,
    substitute,
)
from homebody.core.truth import evaluate
from homebody.core.world import World
from homebody.planning.search import Effort

V = TypeVar("V", bound=Structure)

EACH_LITERAL = 20
"""The effort to find an unmet literal, in atoms (:class:`Effort`)."""
EACH_OPTION = 20
"""The effort of a candidate action, in atoms."""

_HOPE_DEPTH = 3
"""Maximum number of rewritings of a literal. After them, the literal counts as possible."""


# -- effects of schemas --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Achiever:
    """An effect of an action: one fact that it makes true or false.

    Attributes:
        schema: The action's schema.
        fact: The fact, over the schema's parameters and the effect's own variables.
        condition: The condition of the effect.
    """

    schema: ActionSchema
    fact: Atom
    condition: Formula

    def conditions(self) -> tuple[Formula, ...]:
        """Return the parts of the condition, all of which have to hold."""
        return self.condition.parts if isinstance(self.condition, And) else (self.condition,)

    def match(self, fact: Atom, agent: str) -> Binding | None:
        """Return the binding of parameters and variables for which the effect is ``fact``.
        Variables without a value are free. None if there is no such binding."""
        binding = {self.schema.parameters[0].name: agent}
        for term, name in zip(self.fact.args, fact.args, strict=True):
            bound = binding.setdefault(term, name) if is_variable(term) else term
            if bound != name:
                return None
        return binding


def achievers(
    schemas: Mapping[str, ActionSchema],
) -> Mapping[tuple[bool, str], tuple[Achiever, ...]]:
    """Return a mapping from (truth value, predicate) to the effects that give facts of the
    predicate this value, in the order of the schemas and of their effects."""
    table: dict[tuple[bool, str], list[Achiever]] = {}
    for schema in schemas.values():
        for effect in schema.effects:
            condition = conjunction(effect.when, effect.each)
            for true, facts in ((False, effect.delete), (True, effect.add)):
                for fact in facts:
                    effects = table.setdefault((true, fact.predicate), [])
                    effects.append(Achiever(schema, fact, condition))
    return {key: tuple(effects) for key, effects in table.items()}


def exclusive(
    table: Mapping[tuple[bool, str], tuple[Achiever, ...]], one: Literal, other: Literal, agent: str
) -> bool:
    """Return whether two literals that do not both hold can never hold together. They contradict
    each other, or they are states of one object and each effect that achieves one ends the other.

    Args:
        table: The :func:`achievers` of a world's schemas.
        one: A literal without variables.
        other: Another literal without variables.
        agent: The acting object.
    """
    first, second = atom_of(one), atom_of(other)
    if first == second:
        return one != other
    same = first.args == second.args and len(first.args) == 1
    return same and _ends(table, one, other, agent) and _ends(table, other, one, agent)


def _ends(
    table: Mapping[tuple[bool, str], tuple[Achiever, ...]], one: Literal, other: Literal, agent: str
) -> bool:
    """Return whether some effect achieves ``one``, and every such effect ends ``other`` at the same
    time. Literals that no effect achieves may be derived."""

    def effects(want: bool, atom: Atom) -> list[Achiever]:
        listed = table.get((want, atom.predicate), ())
        return [effect for effect in listed if effect.match(atom, agent) is not None]

    def ends_other(by: Achiever) -> bool:
        ends = (end for end in effects(isinstance(other, Not), atom_of(other)) if _alike(by, end))
        starts = effects(isinstance(other, Atom), atom_of(other))
        return any(ends) and not any(start.schema is by.schema for start in starts)

    bringing = effects(isinstance(one, Atom), atom_of(one))
    return bool(bringing) and all(map(ends_other, bringing))


def _alike(one: Achiever, other: Achiever) -> bool:
    """Return whether the second effect occurs whenever the first does, on the same objects."""
    return (
        other.schema is one.schema
        and other.fact.args == one.fact.args
        and other.condition in (TRUE, one.condition)
    )


# -- the search ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """An action that would achieve a literal.

    Attributes:
        action: The action.
        held: The object that has to be in the agent's hand, if the action needs one.
        also: Further conditions under which the action helps.
    """

    action: Action
    held: str | None = None
    also: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Focus:
    """Hints of a goal for the search.

    Attributes:
        either_hand: True to try both hands even if one would suffice.
        places: Object -> the places that the goal names or implies for it. The empty name maps to
            other places where objects can be put down.
    """

    either_hand: bool = False
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Relevance(Generic[V]):
    """The relevance of actions in one world.

    Attributes:
        world: The world.
        options: Truth value, atom, view and hints -> the options that give the atom this value, in
            a fixed order.
        instances: Quantified formula, structure, truth value, binding and view -> the objects to
            try for its variable, each with the truth value that its body should have.
        focus: Goal, view, and whether the search is wide -> the hints of the goal.
        seen: View -> the structure in which the preconditions of actions are evaluated.
        rewritten: Truth value, atom, view and whether to try either hand -> an equivalent formula
            over other atoms; None if actions change the atom directly.
        lasting: Affordance -> True if no action changes it.
        allows: Option and view -> False if something besides its affordances forbids it.
        first: Option and view -> the action that must come first because of the objects in the
            agent's hands; None if none must.
        max_literals: Maximum number of literals of one goal that are pursued in one state.
        max_options: Maximum number of options in one state.
        effort: The effort so far, with its limit.
    """

    world: World
    options: Callable[[bool, Atom, V, Focus], Iterable[Option]]
    instances: Callable[
        [Exists | Forall | Exactly, Structure, bool, Binding, V], Iterable[tuple[bool, str]]
    ]
    focus: Callable[[Formula, V, bool], Focus] = lambda goal, view, wide: Focus()
    seen: Callable[[V], Structure] = lambda view: view
    rewritten: Callable[[bool, Atom, V, bool], Formula | None] = lambda *literal: None
    lasting: Callable[[Formula], bool] = lambda affordance: True
    allows: Callable[[Option, V], bool] = lambda option, view: True
    first: Callable[[Option, V], Action | None] = lambda option, view: None
    max_literals: int = sys.maxsize
    max_options: int = sys.maxsize
    effort: Effort = field(default_factory=Effort, compare=False, repr=False)
    _conditions: dict[Action, tuple[tuple[Formula, ...], tuple[Formula, ...]]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def doable(
        self, goal: Formula, structure: Structure, view: V, *, wide: bool = False
    ) -> list[Action]:
        """Return the executable actions that lead towards ``goal``, each once. All methods raise
        TooMuchEffort if their effort exceeds its limit.

        Args:
            goal: The goal, without free variables.
            structure: The structure of the goal: the state as goals see it and, for action
                propositions, the past actions.
            view: The state as conditions of actions see it.
            wide: True to include actions for literals that already hold. Such literals may have to
                be undone and achieved again, or be kept true.
        """
        seen = self.seen(view)
        focus = self.focus(goal, view, wide)
        doable: dict[Action, None] = {}
        tried: set[Option] = set()
        pursued: set[Literal] = set()
        pending = self._first_literals(goal, structure, view, wide, True)
        at = 0
        while at < len(pending) and len(tried) < self.max_options:
            literal = pending[at]
            at += 1
            if literal in pursued:
                continue
            pursued.add(literal)
            want, atom = isinstance(literal, Atom), atom_of(literal)
            rewritten = self.rewritten(want, atom, view, focus.either_hand)
            if rewritten is not None:
                pending += self._first_literals(rewritten, seen, view, wide, want)
                continue
            for option in self.options(want, atom, view, focus):
                if option in tried:
                    continue
                tried.add(option)
                self.effort.options += 1
                if not self._possible(option, view):
                    continue
                needs = (*option.also, *self._split(option.action)[1])
                missing = [need for need in needs if not evaluate(need, seen)]
                if not missing:
                    doable[option.action] = None
                for need in needs if wide else missing:
                    if option.held is None or not isinstance(need, Exists):
                        pending += self._first_literals(need, seen, view, wide, True)
        return list(doable)

    def hopeless(self, goal: Formula, structure: Structure, view: V) -> Formula | None:
        """Return an unmet part of ``goal`` that no action can achieve, if there is one."""
        for part in goal.parts if isinstance(goal, And) else (goal,):
            literals = self.literals(part, structure, view)
            if literals and not any(self._hope(literal, view, _HOPE_DEPTH) for literal in literals):
                return part
        return None

    def ways(self, literal: Literal, view: V) -> Iterator[Action]:
        """Yield the actions that achieve a literal, whatever their preconditions, in a fixed order.
        If an object has to be in a hand first, yield the actions that take it."""
        want, atom = isinstance(literal, Atom), atom_of(literal)
        rewritten = self.rewritten(want, atom, view, False)
        if rewritten is None:
            for option in self.options(want, atom, view, Focus()):
                yield self.first(option, view) or option.action
            return
        for part in self._first_literals(rewritten, self.seen(view), view, False, want):
            direct = self.rewritten(isinstance(part, Atom), atom_of(part), view, False) is None
            if direct and part != literal:
                yield from self.ways(part, view)

    def literals(self, goal: Formula, structure: Structure, view: V) -> list[Literal]:
        """Return the first literals that prevent ``goal`` from being true."""
        return self._first_literals(goal, structure, view, False, True)

    def all_literals(self, goal: Formula, structure: Structure, view: V) -> list[Literal]:
        """Return the first literals of ``goal``, whether met or not."""
        return self._first_literals(goal, structure, view, True, True)

    def _hope(self, literal: Literal, view: V, depth: int) -> bool:
        """Return whether some action could achieve a literal."""
        want, atom = isinstance(literal, Atom), atom_of(literal)
        rewritten = self.rewritten(want, atom, view, True)
        if rewritten is None or depth == 0:
            options = self.options(want, atom, view, Focus(either_hand=True))
            return any(self._possible(option, view) for option in options)
        seen = self.seen(view)
        if evaluate(rewritten, seen) == want:
            return True
        parts = self._first_literals(rewritten, seen, view, False, want)
        return any(self._hope(part, view, depth - 1) for part in parts)

    def _possible(self, option: Option, view: V) -> bool:
        """Return whether the objects allow an option, whatever their state."""
        self.effort.spend(EACH_OPTION)
        if not all(evaluate(part, view) for part in self._split(option.action)[0]):
            return False
        if not self.allows(option, view):
            return False
        first = self.first(option, view)
        return first is None or all(evaluate(part, view) for part in self._split(first)[0])

    def _split(self, action: Action) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
        """Return the affordances of an action that no action changes, and its other conditions."""
        conditions = self._conditions.get(action)
        if conditions is None:
            schema = self.world.schemas[action.name]
            binding = schema.bind(self.world.agent, action)
            lasting = [part for part in schema.affordances if self.lasting(part)]
            passing = [part for part in schema.affordances if not self.lasting(part)]
            conditions = (
                tuple(substitute(part, binding) for part in lasting),
                tuple(substitute(part, binding) for part in (*passing, *schema.preconditions)),
            )
            self._conditions[action] = conditions
        return conditions

    def _first_literals(
        self, goal: Formula, structure: Structure, view: V, wide: bool, want: bool
    ) -> list[Literal]:
        literals = self._literals(goal, structure, view, wide, want, {})
        found: dict[Literal, None] = {}
        for literal in islice(literals, self.max_literals):
            self.effort.spend(EACH_LITERAL)
            found[literal] = None
        return list(found)

    def _literals(
        self,
        goal: Formula,
        structure: Structure,
        view: V,
        wide: bool,
        want: bool,
        binding: Binding,
    ) -> Iterator[Literal]:
        """Yield the literals that prevent ``goal`` from having the truth value ``want``. If
        ``wide``, yield all literals."""
        match goal:
            case Atom(predicate):
                if predicate == EQUALS:
                    return
                atom = ground(goal, binding)
                if wide or structure.holds(predicate, atom.args) != want:
                    yield atom if want else Not(atom)
            case Not(body):
                yield from self._literals(body, structure, view, wide, not want, binding)
            case Implies(left, right):
                either = Or((Not(left), right))
                yield from self._literals(either, structure, view, wide, want, binding)
            case And(parts) | Or(parts):
                every = isinstance(goal, And) == want
                if every or wide or evaluate(goal, structure, binding) != want:
                    for part in parts:
                        yield from self._literals(part, structure, view, wide, want, binding)
            case Exists(variable, body) | Forall(variable, body) | Exactly(_, variable, body):
                if wide or evaluate(goal, structure, binding) != want:
                    for true, name in self.instances(goal, structure, want, binding, view):
                        extended = {**binding, variable: name}
                        yield from self._literals(body, structure, view, wide, true, extended)
