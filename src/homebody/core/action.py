"""Actions as data: schemas with affordances, preconditions and effects, and how they fail.

An :class:`ActionSchema` defines an action of a symbolic world completely. Execution, explanation of
failures and their classification are therefore written once for all worlds.

Source: EAI paper, appendix D.2 and figure 19.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from homebody.core.formula import TRUE, Atom, Binding, Formula, Parameter, Structure
from homebody.core.ground.sharing import never_changes
from homebody.core.state import Fact
from homebody.core.truth import PLAIN, Solutions, meaning, solutions, variables_of


@never_changes
@dataclass(frozen=True, slots=True)
class Action:
    """One call of an action: its name and the objects it acts on, without the agent.

    Sessions write it as ``Name[object, object]``; names have no commas and brackets.
    """

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


@never_changes
@dataclass(frozen=True)
class Effect:
    """Facts that an action deletes and adds.

    ``when`` is a condition on the parameters. If it is true in the state before the action, the
    effect applies once for each binding of ``variables`` that makes ``each`` true in that state
    (PDDL ``when`` and ``forall``).
    """

    add: tuple[Atom, ...] = ()
    delete: tuple[Atom, ...] = ()
    when: Formula = TRUE
    variables: tuple[str, ...] = ()
    each: Formula = TRUE

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "bindings"}

    @cached_property
    def bindings(self) -> Solutions:
        """The bindings of parameters and variables for which the effect applies."""
        each = solutions(self.variables, self.each)
        if self.when == TRUE:
            return each
        when = meaning(self.when)
        return lambda now, binding: each(now, binding) if when(now, binding, PLAIN) else ()


@never_changes
@dataclass(frozen=True, slots=True)
class ActionSchema:
    """The preconditions and effects of an action.

    Attributes:
        name: The action's name in plans.
        parameters: The agent first, then the objects in the order of plans.
        affordances: Conditions on the objects in any state (appendix D.2, "affordance").
        intended: The effect that makes the action redundant if it already holds; None for actions
            that are never redundant. Redundant actions are skipped, so they must have no other
            relevant effect then.
        preconditions: Conditions on the state before.
        effects: Effects, applied together: all conditions are read in the state before, then all
            deletes apply, then all adds.
    """

    name: str
    parameters: tuple[Parameter, ...]
    affordances: tuple[Formula, ...] = ()
    intended: Formula | None = None
    preconditions: tuple[Formula, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def arity(self) -> int:
        """The number of objects, without the agent."""
        return len(self.parameters) - 1

    def bind(self, agent: str, action: Action) -> Binding:
        """Return parameter -> object. Raises ValueError on a wrong number of objects."""
        if len(action.args) != self.arity:
            raise ValueError(f"{self.name} takes {self.arity} objects, got {len(action.args)}")
        names = [p.name for p in self.parameters]
        return dict(zip(names, (agent, *action.args), strict=True))


class ErrorType(StrEnum):
    """The types of errors of plans (EAI paper, appendix D.2)."""

    PARSING = "parsing"
    ACTION_HALLUCINATION = "action_hallucination"
    OBJECT_HALLUCINATION = "object_hallucination"
    ARGUMENT_NUMBER = "argument_number"
    AFFORDANCE = "affordance_error"
    ADDITIONAL_STEP = "additional_step"
    MISSING_STEP = "missing_step"
    WRONG_ORDER = "wrong_order"
    EXECUTION_FAILURE = "execution_failure"  # by chance (appendix H.4)


@never_changes
@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why an action could not be executed.

    ``unmet`` has the ground formulas at fault: unmet affordances or preconditions or, for an
    additional step, the effect that already holds.
    """

    action: Action
    error: ErrorType
    unmet: tuple[Formula, ...]
    message: str


Diagnosis: TypeAlias = tuple[ErrorType, tuple[Formula, ...]]
"""The error type, and the schema's formulas at fault (not ground)."""


class Past:
    """The states before a state, oldest first, as conditions see them.

    ``cache`` stores evaluated conditions, so that each is evaluated once per state in a whole run.
    """

    def __init__(
        self,
        states: Sequence[Any],
        look: Callable[[Any], Structure],
        cache: dict[tuple[object, ...], tuple[int, int]] | None = None,
    ) -> None:
        self._states = states
        self._look = look
        self._cache = {} if cache is None else cache

    @classmethod
    def of(cls, history: Iterable[Structure]) -> Past:
        """Return structures as a past."""
        return history if isinstance(history, Past) else cls(tuple(history), lambda state: state)

    def __iter__(self) -> Iterator[Structure]:
        return map(self._look, self._states)

    def held_together(self, conditions: Iterable[Formula], binding: Binding) -> bool:
        """Return whether all conditions, parts of schemas, held together in some state."""
        together = -1  # a bit for each state
        for condition in conditions:
            key = (id(condition), *[binding[variable] for variable in variables_of(condition)])
            known, held = self._cache.get(key, (0, 0))
            if known < len(self._states):
                truth = meaning(condition)
                for at in range(known, len(self._states)):
                    if truth(self._look(self._states[at]), binding, PLAIN):
                        held |= 1 << at
                self._cache[key] = (len(self._states), held)
            together &= held
            if not together:
                return False
        return bool(self._states)


def diagnose(
    schema: ActionSchema, binding: Binding, now: Structure, history: Iterable[Structure]
) -> Diagnosis | None:
    """Classify the reason why an action cannot be executed, in the order of figure 19.

    Args:
        schema: The action's schema.
        binding: Its parameters -> objects.
        now: The state in which it is tried.
        history: The states before, oldest first.

    Returns:
        The diagnosis; None if the action can be executed.
    """
    unmet = _find_false(schema.affordances, now, binding)
    if unmet:
        return ErrorType.AFFORDANCE, unmet
    if schema.intended is not None and meaning(schema.intended)(now, binding, PLAIN):
        return ErrorType.ADDITIONAL_STEP, (schema.intended,)
    unmet = _find_false(schema.preconditions, now, binding)
    if not unmet:
        return None
    # unmet conditions first: few past states meet them, which ends the search early
    if Past.of(history).held_together((*unmet, *schema.preconditions), binding):
        return ErrorType.WRONG_ORDER, unmet
    return ErrorType.MISSING_STEP, unmet


def _find_false(
    conditions: tuple[Formula, ...], now: Structure, binding: Binding
) -> tuple[Formula, ...]:
    return tuple([f for f in conditions if not meaning(f)(now, binding, PLAIN)])


def explain(
    error: ErrorType, unmet: Sequence[Formula], phrase: Callable[[Formula, bool], str]
) -> str:
    """Return a sentence on why an action could not be executed.

    Args:
        error: The error type.
        unmet: The ground formulas at fault, as in :class:`Failure`.
        phrase: A formula and whether to negate it -> a clause.
    """
    if error is ErrorType.ADDITIONAL_STEP:
        effect = join_clauses([phrase(part, False) for part in unmet], "and")
        return f"Not needed: {effect} {'anyway' if ' not ' in effect else 'already'}."
    return f"Not possible: {join_clauses([phrase(part, True) for part in unmet], 'and')}."


_HEAD = re.compile(r"\S+ (is not|is|cannot be|can be) ")
_NO_NAMES = frozenset(("a", "it", "no", "nothing", "some", "something", "the", "there", "what"))


def join_clauses(clauses: Iterable[str], word: str) -> str:
    """Join clauses into one, without repeating a common beginning.

    "x is not a drink", "x is not food" and "and" make "x is not a drink or food"; "x is a floor",
    "x cannot be cut" make "x is a floor and cannot be cut".
    """
    clauses = list(dict.fromkeys(clauses))
    heads = {match[0] if (match := _HEAD.match(clause)) else "" for clause in clauses}
    subjects = {clause.partition(" ")[0] for clause in clauses}
    head = heads.pop() if len(heads) == 1 else ""
    negative = head.endswith((" not ", " cannot be "))
    if negative and word == "or":
        head = ""
    if not head and len(subjects) == 1 and not subjects <= _NO_NAMES:
        head, negative = f"{subjects.pop()} ", False
    if len(clauses) < 2 or not head or head.partition(" ")[0] in _NO_NAMES:
        return f" {word} ".join(clauses)
    ends = [clause.removeprefix(head) for clause in clauses]
    return f"{head}{', '.join(ends[:-1])} {'or' if negative else word} {ends[-1]}"


def apply_effects(
    effects: Sequence[Effect], binding: Binding, now: Structure
) -> tuple[list[Fact], list[Fact]]:
    """Return the ground ``(delete, add)`` facts of effects in a state."""
    delete: list[Fact] = []
    add: list[Fact] = []
    for effect in effects:
        for extended in effect.bindings(now, binding):
            delete += [_fact(atom, extended) for atom in effect.delete]
            add += [_fact(atom, extended) for atom in effect.add]
    return delete, add


def _fact(atom: Atom, binding: Mapping[str, str]) -> Fact:
    return (atom.predicate, *[binding.get(a, a) for a in atom.args])
