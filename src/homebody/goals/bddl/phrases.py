"""BDDL conditions in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    Parameter,
    atoms,
    bound_by,
    is_variable,
)

_VERBS = {
    "attached": "is attached to",
    "contains": "contains",
    "covered": "is covered with",
    "draped": "is draped over",
    "filled": "is filled with",
    "insource": "is a source of",
    "nextto": "is next to",
    "onfloor": "is on",
    "ontop": "is on top of",
    "overlaid": "is laid over",
    "real": "exists",
    "saturated": "is saturated with",
    "toggled_on": "is switched on",
}
"""Predicates whose phrase is not "is ..."."""

_NEGATED = {"contains": "does not contain", "exists": "does not exist"}

_OBJECT = re.compile(r"(?P<noun>[^.]+)\.[a-z]\.[0-9]+(_(?P<number>.+))?")

_Nouns = Mapping[str, str]


def sentence(conditions: Iterable[Formula]) -> str:
    """Return a goal as one sentence; semicolons separate its conditions."""
    text = "; ".join(phrase(condition) for condition in conditions)
    return f"{text[:1].upper()}{text[1:]}." if text else "Nothing is required."


def phrase(condition: Formula) -> str:
    """Return one condition in words, without capital and full stop."""
    return _phrase(condition, {})


def noun(name: str) -> str:
    """Return a name in words: ``pot_plant.n.01_2`` -> ``pot plant 2``; ``pot_plant_2`` stays."""
    match = _OBJECT.fullmatch(name)
    if match is None:
        return name if name[-1:].isdigit() else name.replace("_", " ")
    words = " ".join(match["noun"].replace("_", " ").split())
    return f"{words} {match['number']}" if match["number"] else words


def _phrase(c: Formula, nouns: _Nouns) -> str:
    match c:
        case Atom():
            return _phrase_fact(c, nouns, True)
        case Not(Atom() as atom):
            return _phrase_fact(atom, nouns, False)
        case Not(body):
            return f"it is not so that {_phrase(body, nouns)}"
        case And(parts):
            return _join_phrases(parts, "and", nouns)
        case Or(parts):
            return _join_phrases(parts, "or", nouns)
        case Implies(left, right):
            return f"if {_phrase(left, nouns)}, then {_phrase(right, nouns)}"
        case Forall() | Exists():
            return _phrase_quantified(c, nouns)
        case Exactly(count, x, body, category):
            inner = _add_noun(nouns, Parameter(x, category))
            things = noun(category) if count == 1 else _pluralise(noun(category))
            return f"for exactly {count} {things}, {_phrase(body, inner)}"
        case ForPairs(x, y, body, count):
            inner = _add_noun(_add_noun(nouns, x), y)
            number = "as many as there can be" if count is None else f"at least {count} of them"
            first, second = (_with_article(noun(side.type)) for side in (x, y))
            return f"in pairs of {first} and {second}, {number}, {_phrase(body, inner)}"
    raise ValueError(f"not BDDL: {type(c).__name__}")


def _phrase_quantified(c: Forall | Exists, nouns: _Nouns) -> str:
    """Phrase ``forall`` and ``exists``, briefly if the body is one fact about the object."""
    every, (x,), body = isinstance(c, Forall), bound_by(c), c.body
    word = "every" if every else "some"
    fact = body.body if isinstance(body, Not) else body
    if isinstance(fact, Atom) and fact.args[:1] == (x.name,) and x.name not in fact.args[1:]:
        if every and fact is not body:
            return _phrase_fact(fact, {**nouns, x.name: f"no {noun(x.type)}"}, True)
        return _phrase_fact(fact, {**nouns, x.name: f"{word} {noun(x.type)}"}, fact is body)
    inner = _phrase(body, _add_noun(nouns, x))
    if every:
        return f"for every {noun(x.type)}, {inner}"
    return f"there is {_with_article(noun(x.type))} such that {inner}"


def _with_article(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def _add_noun(nouns: _Nouns, x: Parameter) -> dict[str, str]:
    """Add the phrase for a bound object: "the cup", "the other cup", "the third cup"."""
    name = noun(x.type)
    for article in ("the", "the other", "the third", "the fourth"):
        if f"{article} {name}" not in nouns.values():
            return {**nouns, x.name: f"{article} {name}"}
    return {**nouns, x.name: f"the {name} {x.name}"}


def _phrase_fact(atom: Atom, nouns: _Nouns, positive: bool) -> str:
    verb = _VERBS.get(atom.predicate, f"is {atom.predicate.replace('_', ' ')}")
    if not positive:
        verb = _NEGATED.get(verb, verb.replace("is", "is not", 1))
    terms = [nouns.get(a, a) if is_variable(a) else _phrase_object(a) for a in atom.args]
    if not terms:
        return f"it {verb}"
    return " ".join((terms[0], verb, *terms[1:]))


def _phrase_object(name: str) -> str:
    return f"the {noun(name)}" if noun(name)[-1:].isalpha() else noun(name)


def _join_phrases(parts: Sequence[Formula], link: str, nouns: _Nouns) -> str:
    if not parts:
        return "nothing is required" if link == "and" else "something impossible is required"
    phrases = [_phrase(part, nouns) for part in parts]
    if len(phrases) == 1:
        return phrases[0]
    start = (
        "both" if link == "and" and len(phrases) == 2 else "all of" if link == "and" else "either"
    )
    nested = any(isinstance(part, And | Or | Implies) for part in parts)
    if nested or link == "or":
        return f"{start} {f', {link} '.join(phrases)}"
    return f" {link} ".join(phrases)


def _pluralise(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def kind_of(condition: Formula) -> str:
    """Return ``"state"`` for facts of one object, ``"relation"`` of several, else ``"mixed"``."""
    sizes = {len(atom.args) > 1 for atom in atoms(condition)}
    return "mixed" if len(sizes) == 2 else "relation" if True in sizes else "state"
