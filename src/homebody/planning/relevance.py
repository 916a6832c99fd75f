"""Which actions can help in a symbolic world: from a goal back to what can be done now.

An action is worth trying if it brings about a literal that is wanted and not so, or one that
another such action still needs: a hand to be free, a container to be open. A search over these
actions alone stays small, although a scene has hundreds of objects and dozens of actions.

Which actions bring a literal about is read from the effects of their schemas
(:func:`achievers`). What is peculiar to a world besides is in :class:`Relevance`.
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
"""What it costs to find a literal that is wanted, in atoms that are looked at (:class:`Effort`)."""
EACH_OPTION = 20
"""The same of an action that might bring it about."""

_HOPE_DEPTH = 3
"""How often a literal is put in other terms before it is taken to be possible."""


# -- what the schemas say ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Achiever:
    """An effect of an action: one fact that it makes true, or false.

    Attributes:
        schema: Of the action.
        fact: Over the schema's parameters and the effect's own variables.
        condition: Under which the action has this effect.
    """

    schema: ActionSchema
    fact: Atom
    condition: Formula

    def conditions(self) -> tuple[Formula, ...]:
        """The parts of the condition, all of which have to hold."""
        return self.condition.parts if isinstance(self.condition, And) else (self.condition,)

    def matched(self, fact: Atom, agent: str) -> Binding | None:
        """What the parameters and variables stand for if the effect is ``fact``; what is left out
        is free. ``None`` if it never is."""
        binding = {self.schema.parameters[0].name: agent}
        for term, name in zip(self.fact.args, fact.args, strict=True):
            bound = binding.setdefault(term, name) if is_variable(term) else term
            if bound != name:
                return None
        return binding


def achievers(
    schemas: Mapping[str, ActionSchema],
) -> Mapping[tuple[bool, str], tuple[Achiever, ...]]:
    """Whether to be true and predicate -> the effects that make such facts so, in the order of
    the schemas and of their effects."""
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
    """Whether two literals that do not both hold never will: they contradict each other, or are
    states of one thing, and whatever brings one about ends the other.

    Args:
        table: The :func:`achievers` of a world's schemas.
        one: A literal without variables.
        other: Another.
        agent: Who acts.
    """
    first, second = atom_of(one), atom_of(other)
    if first == second:
        return one != other
    same = first.args == second.args and len(first.args) == 1
    return same and _ends(table, one, other, agent) and _ends(table, other, one, agent)


def _ends(
    table: Mapping[tuple[bool, str], tuple[Achiever, ...]], one: Literal, other: Literal, agent: str
) -> bool:
    """Whether some effect brings ``one`` about, and each that does ends ``other`` at the same
    time. What no effect brings about may be derived."""

    def effects(want: bool, atom: Atom) -> list[Achiever]:
        listed = table.get((want, atom.predicate), ())
        return [effect for effect in listed if effect.matched(atom, agent) is not None]

    def ended(by: Achiever) -> bool:
        ends = (end for end in effects(isinstance(other, Not), atom_of(other)) if _alike(by, end))
        starts = effects(isinstance(other, Atom), atom_of(other))
        return any(ends) and not any(start.schema is by.schema for start in starts)

    bringing = effects(isinstance(one, Atom), atom_of(one))
    return bool(bringing) and all(map(ended, bringing))


def _alike(one: Achiever, other: Achiever) -> bool:
    """Whether the second effect comes about wherever the first does, and of the same things."""
    return (
        other.schema is one.schema
        and other.fact.args == one.fact.args
        and other.condition in (TRUE, one.condition)
    )


# -- the search ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """An action that would bring a literal about.

    Attributes:
        action: The action.
        held: What has to be in its hand, if it is about what is held.
        also: What has to hold besides its conditions for it to help.
    """

    action: Action
    held: str | None = None
    also: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Focus:
    """What a goal tells of the ways to it.

    Attributes:
        either_hand: Try both hands where one would do.
        places: Thing -> places that the goal names, or means, for it; and under an empty name what
            else things can be put down on.
    """

    either_hand: bool = False
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Relevance(Generic[V]):
    """What can be done about a goal, in one world: its schemas, and what is peculiar to it.

    Attributes:
        world: The world.
        options: Whether an atom should be true, the atom, a view and a focus -> what makes it so,
            in a fixed order.
        instances: A quantified formula, what it is about, whether it should be true, what its
            variables stand for and a view -> objects to try for its variable, each with whether
            the body should be true of it.
        focus: A goal, a view and whether to search widely -> what the goal tells of the ways to
            it.
        seen: A view -> the state as the needs of actions are checked.
        rewritten: As ``options``, but with whether to try either hand -> what the atom comes to in
            terms of other atoms; ``None`` if actions change it directly.
        lasting: Whether no action changes an affordance.
        allows: Whether nothing speaks against an option that its affordances do not tell.
        first: What has to be done before an option because of what it holds, if anything.
        max_literals: Most literals of one goal that are pursued in one state.
        max_options: Most options that are looked at in one state.
        effort: What was looked at, for who bounds the work.
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
        """Actions whose conditions hold and which lead towards ``goal``; each once. This and the
        other methods raise TooMuchEffort where their effort is bounded.

        Args:
            goal: What is wanted, without free variables.
            structure: What the goal is about: the state as goals see it and, for action
                propositions, what was done.
            view: The state as conditions of actions see it.
            wide: Also try what brings about what is so already, for it may have to be undone
                and done again, or made to last: who has to be next to two things carries one.
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
        """The part of ``goal`` that is not so and that no action can bring about, if any."""
        for part in goal.parts if isinstance(goal, And) else (goal,):
            literals = self.literals(part, structure, view)
            if literals and not any(self._hope(literal, view, _HOPE_DEPTH) for literal in literals):
                return part
        return None

    def ways(self, literal: Literal, view: V) -> Iterator[Action]:
        """Actions that bring a literal about, whatever they need, in a fixed order; where
        something has to be in a hand first, those that take it."""
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
        """The literals of ``goal`` that keep it from being true; the first of them."""
        return self._first_literals(goal, structure, view, False, True)

    def all_literals(self, goal: Formula, structure: Structure, view: V) -> list[Literal]:
        """All literals of ``goal``; the first of them."""
        return self._first_literals(goal, structure, view, True, True)

    def _hope(self, literal: Literal, view: V, depth: int) -> bool:
        """Whether some action could bring a literal about."""
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
        """Whether the objects allow an option, whatever their state."""
        self.effort.spend(EACH_OPTION)
        if not all(evaluate(part, view) for part in self._split(option.action)[0]):
            return False
        if not self.allows(option, view):
            return False
        first = self.first(option, view)
        return first is None or all(evaluate(part, view) for part in self._split(first)[0])

    def _split(self, action: Action) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
        """What the objects of an action must be, and what must be so."""
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
        """The literals that keep ``goal`` from being ``want``; if ``wide``, all of them."""
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
