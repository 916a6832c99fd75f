"""Finds facts that cannot hold together in any household. Advice excludes options that require such
facts.

Progress ignores this. It is the share of an option's literals that hold (EAI paper, section 2.5),
which is also defined for an option that cannot be met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeGuard

from homebody.core.formula import Atom, Formula, Literal, negation

ITSELF = "no thing is in a relation to itself"
ONE_PLACE = "no thing lies on two others at once"
CIRCLE = "things do not lie in or on each other in a circle"
RING = "an action puts a thing next to or under one other only, which closes no ring"
CONTRADICTION = "the same cannot hold and not hold"
NOTHING = "there is not enough of what it is about"

_ONE_PLACE = frozenset(("ontop", "onfloor"))
_SUPPORTS = frozenset(("inside", "ontop"))
_BESIDE = frozenset(("nextto", "under"))

Clash = tuple[tuple[Literal, ...], str]
"""Literals that cannot hold together, and the reason. There are no literals if all can hold
together."""


def find_contradiction(option: Sequence[Literal]) -> Clash:
    """Return a literal and its negation if both are in an option."""
    present = set(option)
    for literal in option:
        if (other := negation(literal)) in present:
            return (literal, other), CONTRADICTION
    return (), ""


def find_impossibility(option: Sequence[Literal], holds: Callable[[Atom], bool]) -> Clash:
    """Return literals of an option that cannot be made true together.

    There are three kinds: an object that is related to itself; an object that lies on two others,
    or in or on an object that lies in or on it; and objects that are next to or under each other in
    a ring. Two objects that must be both next to and under each other are a ring, too. A ring is
    impossible because the object that is put down last is only next to or under one other object:
    grasping it ended all its relations. Rings that exist already are possible, and so are objects
    that can be sliced, whose halves can be in two places.

    Args:
        option: Its literals.
        holds: Returns whether an atom is true now, affordances included.
    """
    place: dict[tuple[str, str], Atom] = {}
    below: dict[str, list[Atom]] = {}
    beside: list[Atom] = []
    for atom in option:
        if not isinstance(atom, Atom) or len(atom.args) != 2:
            continue
        if is_to_itself(atom):
            return (atom,), ITSELF
        if atom.predicate in _ONE_PLACE:
            other = place.setdefault((atom.predicate, atom.args[0]), atom)
            if other != atom:
                return (other, atom), ONE_PLACE
        if atom.predicate in _SUPPORTS:
            below.setdefault(atom.args[0], []).append(atom)
        if atom.predicate in _BESIDE and not any(holds(Atom("sliceable", (n,))) for n in atom.args):
            beside.append(atom)
    if circle := _find_circle(below):
        return circle, CIRCLE
    ring = _find_ring(sorted(beside, key=holds, reverse=True), holds)
    return (ring, RING) if ring else ((), "")


def is_to_itself(literal: Formula) -> TypeGuard[Atom]:
    """Return whether a literal requires a relation of an object to itself."""
    return isinstance(literal, Atom) and len(literal.args) == 2 and len(set(literal.args)) == 1


def _find_circle(below: dict[str, list[Atom]]) -> tuple[Atom, ...]:
    """Return a chain of supports that leads from an object back to itself, in order; empty if the
    option has no such chain."""
    done: set[str] = set()
    for start in below:
        way: list[Atom] = []
        on_way = [start]
        waiting = [iter(below[start])]
        while waiting:
            atom = next(waiting[-1], None)
            if atom is None:
                waiting.pop()
                done.add(on_way.pop())
                del way[-1:]
                continue
            thing = atom.args[1]
            if thing in on_way:
                return (*way[on_way.index(thing) :], atom)
            if thing not in done and thing in below:
                way.append(atom)
                on_way.append(thing)
                waiting.append(iter(below[thing]))
    return ()


def _find_ring(beside: Sequence[Atom], holds: Callable[[Atom], bool]) -> tuple[Atom, ...]:
    """Return a ring of relations that do not all hold; the relations that hold come first. Empty if
    there is no such ring."""
    links: dict[str, dict[str, Atom]] = {}
    for atom in beside:
        start, end = atom.args
        link = links.get(start, {}).get(end)
        if link is not None and (link == atom or link.predicate == atom.predicate == "nextto"):
            continue  # nearness goes both ways
        ways: dict[str, tuple[Atom, ...]] = {start: ()}
        waiting = [start]
        for thing in waiting:
            for other, link in links.get(thing, {}).items():
                if other not in ways:
                    ways[other] = (*ways[thing], link)
                    waiting.append(other)
        if end not in ways:
            links.setdefault(start, {})[end] = links.setdefault(end, {})[start] = atom
        elif not holds(atom):
            return (*ways[end], atom)
    return ()


def reasons_text(reasons: Iterable[str]) -> str:
    """Return reasons as the end of a sentence: ``", as no thing ..., and things ..."``."""
    return f", as {', and '.join(reasons)}"
