"""Translates action schemas to PDDL operators, with the predicates of a given domain.

A schema uses a world's own predicates, including derived ones. A domain may have other names for
them, or lack them. :class:`Wording` translates schemas and lists the predicates without
translation. Conditions without translation are omitted from preconditions; effects that depend on
one are omitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from homebody.core.action import Effect
from homebody.core.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
    atoms,
    conjunction,
)
from homebody.planning.pddl.domain import Operator


@dataclass
class Wording:
    """A translation of schemas to the predicates of a domain.

    Attributes:
        say: Atom -> its translation. None if there is no translation, ``TRUE`` if the atom always
            holds.
        unsaid: The predicates without a translation, in order.
    """

    say: Callable[[Atom], Formula | None]
    unsaid: list[str] = field(default_factory=list)

    def operator(
        self,
        name: str,
        parameters: Iterable[Parameter],
        conditions: Iterable[Formula],
        effects: Iterable[Effect],
    ) -> Operator:
        """Translate the conditions and effects of a schema to an operator."""
        worded = [words for part in conditions if (words := self.condition(part))]
        flat = conjunction(*worded)
        preconditions = flat.parts if isinstance(flat, And) else (flat,)
        results = [literal for effect in effects for literal in self.effects(effect)]
        return Operator(name, tuple(parameters), _all(preconditions), _all(results))

    def condition(self, formula: Formula, strict: bool = False) -> Formula | None:
        """Translate a condition; None if that is impossible. Parts of a conjunction without a
        translation are omitted unless ``strict``. Alternatives without a translation are always
        omitted."""
        match formula:
            case Atom():
                words = self.say(formula)
                if words is None:
                    self.unsaid.append(formula.predicate)
                return words
            case Not(body):
                inner = self.condition(body, strict=True)
                return (
                    None if inner is None else inner.body if isinstance(inner, Not) else Not(inner)
                )
            case And(parts):
                worded = [self.condition(part, strict) for part in parts]
                if (strict and None in worded) or (parts and not any(worded)):
                    return None
                return _all(worded)
            case Or(parts):
                worded = [self.condition(part, True) for part in parts]
                return _any(worded)
            case Exists(variable, body) | Forall(variable, body):
                inner = self.condition(body, strict)
                return None if inner is None else type(formula)(variable, inner)
        self.unsaid.extend(atom.predicate for atom in atoms(formula))
        return None

    def effects(self, effect: Effect) -> Iterator[Formula]:
        """Translate each deleted or added fact, if it and its conditions have translations."""
        condition = conjunction(effect.when, effect.each)
        if condition == FALSE:
            return
        when = self.condition(condition, strict=True)
        if when is None:
            return
        for fact, added in (
            *((fact, False) for fact in effect.delete),
            *((fact, True) for fact in effect.add),
        ):
            words = self.condition(fact)
            if words is None or words == TRUE:
                continue
            result = words if added else Not(words)
            # deleting a fact on the condition that it holds is deleting it
            if words != when and when != TRUE:
                result = When(when, result)
            if effect.variables:
                result = Quantification("forall", tuple(map(Parameter, effect.variables)), result)
            yield result


def _all(parts: Iterable[Formula | None]) -> Formula:
    """Return the conjunction of the translated parts, each once."""
    distinct = tuple(dict.fromkeys(part for part in parts if part not in (None, TRUE)))
    return distinct[0] if len(distinct) == 1 else And(distinct)


def _any(parts: Iterable[Formula | None]) -> Formula | None:
    """Return the disjunction of the translated parts; None if all lack one."""
    distinct = tuple(dict.fromkeys(part for part in parts if part is not None))
    if not distinct:
        return None
    return distinct[0] if len(distinct) == 1 else Or(distinct)


def simplify(formula: Formula, replace: Callable[[Formula], Formula]) -> Formula:
    """Replace nodes of a formula, bottom up, and remove constants; ``imply`` becomes ``or``.

    ``replace`` is called on atoms and on quantifiers over simplified bodies.
    """
    match formula:
        case Not(body):
            match simplify(body, replace):
                case And(()):
                    return FALSE
                case Or(()):
                    return TRUE
                case Not(inner):
                    return inner
                case And(parts) if all(isinstance(part, Not) for part in parts):
                    return Or(tuple(part.body for part in parts if isinstance(part, Not)))
                case inner:
                    return Not(inner)
        case And(parts):
            left = [p for part in parts if (p := simplify(part, replace)) != TRUE]
            return FALSE if FALSE in left else conjunction(*left)
        case Or(parts):
            left = [p for part in parts if (p := simplify(part, replace)) != FALSE]
            if TRUE in left:
                return TRUE
            return left[0] if len(left) == 1 else Or(tuple(left))
        case Implies(before, after):
            return simplify(Or((Not(before), after)), replace)
        case Exists(variable, body) | Forall(variable, body):
            return replace(type(formula)(variable, simplify(body, replace)))
    return replace(formula)
