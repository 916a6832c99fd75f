"""A problem in BDDL, scenes of it, and how far they meet its goal."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from homebody.core import Verdict
from homebody.core.formula import Atom
from homebody.core.state import State
from homebody.core.world import Trace
from homebody.goals.bddl import BDDLGoal, Universe, parse_problem, universe

PROBLEM = parse_problem("""
(define (problem packing_0) (:domain igibson)
  (:objects apple.n.01_1 apple.n.01_2 apple.n.01_3 - apple.n.01
            hot_pot.n.01_1 hot_pot.n.01_2 - hot_pot.n.01 lamp.n.02_1 - lamp.n.02)
  (:init)
  (:goal (and
    (forpairs (?apple.n.01 - apple.n.01) (?hot_pot.n.01 - hot_pot.n.01)
        (inside ?apple.n.01 ?hot_pot.n.01))
    (forall (?hot_pot.n.01 - hot_pot.n.01) (not (open ?hot_pot.n.01)))
    (toggled_on ?lamp.n.02_1))))
""")


@dataclass(frozen=True)
class Scene:
    """Facts about the objects of a universe, categories among them."""

    over: Universe
    true: frozenset[Atom]

    @property
    def names(self) -> Iterable[str]:
        return self.over.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if len(args) == 1 and self.over.is_a(args[0], predicate):
            return True
        return Atom(predicate, args) in self.true

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        for row in product(self.names, repeat=len(args)):
            if self.holds(predicate, row) and all(
                a in (None, n) for a, n in zip(args, row, strict=True)
            ):
                yield row


def judge(*facts: str) -> Verdict:
    """Of a scene with some facts: ``"inside apple.n.01_1 hot_pot.n.01_1"``."""
    true = frozenset(Atom(w[0], tuple(w[1:])) for w in (fact.split() for fact in facts))
    over = universe(PROBLEM)
    goal = BDDLGoal.of(PROBLEM, lambda state: Scene(over, true))
    trace = Trace((State({}, {}, {}),))
    verdict = goal.judge(trace)
    assert goal.progress(trace) == verdict.progress
    return verdict
