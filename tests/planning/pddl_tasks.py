"""Random PDDL: expressions for round trips, and small tasks whose answers two planners compare."""

from __future__ import annotations

from itertools import count
from random import Random

from hypothesis import strategies as st

from homebody.core.formula import (
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
)
from homebody.planning.pddl import Domain, Operator, Problem

NAMES = st.sampled_from(["a", "b", "next_to", "obj-1", "7up", "#x", "a.b"])
VARIABLES = st.sampled_from(["?a", "?b", "?obj_2"])
PARAMETERS = st.lists(
    st.builds(Parameter, VARIABLES, NAMES), max_size=3, unique_by=lambda p: p.name
).map(tuple)
ATOMS = st.one_of(
    st.builds(Atom, NAMES, st.lists(NAMES | VARIABLES, max_size=3).map(tuple)),
    st.builds(Atom, st.just("="), st.tuples(VARIABLES, NAMES)),
)


def _compound(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, parts),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, parts, parts),
        st.builds(Quantification, st.sampled_from(["forall", "exists"]), PARAMETERS, parts),
        st.builds(When, parts, parts),
    )


EXPRESSIONS: st.SearchStrategy[Formula] = st.recursive(ATOMS, _compound, max_leaves=12)
OPERATORS = st.builds(Operator, NAMES, PARAMETERS, EXPRESSIONS, EXPRESSIONS)
DOMAINS = st.builds(
    Domain,
    NAMES,
    st.dictionaries(NAMES, NAMES, max_size=3),
    st.dictionaries(NAMES, PARAMETERS, max_size=3),
    st.lists(OPERATORS, max_size=3, unique_by=lambda o: o.name).map(
        lambda operators: {o.name: o for o in operators}
    ),
)
PROBLEMS = st.builds(
    Problem,
    NAMES,
    NAMES,
    st.dictionaries(NAMES, NAMES, max_size=4),
    st.frozensets(st.builds(Atom, NAMES, st.lists(NAMES, max_size=2).map(tuple)), max_size=5),
    EXPRESSIONS,
)

ARITY = {"p": 1, "q": 1, "r": 2, "z": 0}
TYPES = {"thing": "object", "toy": "thing", "who": "object"}
KINDS = ["object", "thing", "toy", "who"]


class RandomTasks:
    """Small typed tasks with every connective; variables are seldom named alike."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.numbers = count()

    def task(self) -> tuple[Domain, Problem]:
        rng = self.rng
        operators = {}
        for number in range(rng.randint(1, 4)):
            names = ["?a", "?b"][: rng.randint(0, 2)]
            operators[f"o{number}"] = Operator(
                f"o{number}",
                tuple(Parameter(name, rng.choice(KINDS)) for name in names),
                self.expression(rng.randint(0, 2), names, condition=True),
                self.expression(rng.randint(0, 3), names, condition=False),
            )
        predicates = {
            name: tuple(Parameter(f"?x{i}") for i in range(arity)) for name, arity in ARITY.items()
        }
        objects = {name: rng.choice(KINDS) for name in ["m", "n", "o"][: rng.randint(1, 3)]}
        atoms = [Atom("z"), *(Atom(p, (a,)) for p in "pq" for a in objects)]
        atoms += [Atom("r", (a, b)) for a in objects for b in objects]
        goal = self.expression(rng.randint(1, 2), list(objects), condition=True)
        goal = And((goal, *rng.sample(atoms, rng.randint(1, 3))))
        initial = frozenset(atom for atom in atoms if rng.random() < 0.35)
        return Domain("t", TYPES, predicates, operators), Problem("t", "t", objects, initial, goal)

    def atom(self, names: list[str]) -> Atom:
        predicate = self.rng.choice(sorted(ARITY)) if names else "z"
        return Atom(predicate, tuple(self.rng.choice(names) for _ in range(ARITY[predicate])))

    def expression(self, depth: int, names: list[str], *, condition: bool) -> Formula:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            atom = self.atom(names)
            if condition and names and rng.random() < 0.1:
                atom = Atom("=", (rng.choice(names), rng.choice(names)))
            return Not(atom) if rng.random() < 0.4 else atom
        kinds = ["and", "and", "or", "not", "imply", "all", "some"]
        kind = rng.choice(kinds if condition else ["and", "and", "and", "when", "all"])
        if kind in ("and", "or"):
            parts = tuple(
                self.expression(depth - 1, names, condition=condition)
                for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, 3))
            )
            return And(parts) if kind == "and" else Or(parts)
        if kind == "not":
            return Not(self.expression(depth - 1, names, condition=True))
        if kind == "imply":
            left = self.expression(depth - 1, names, condition=True)
            return Implies(left, self.expression(depth - 1, names, condition=True))
        if kind == "when":
            left = self.expression(depth - 1, names, condition=True)
            return When(left, self.expression(0, names, condition=False))
        variables = []
        for _ in range(rng.randint(1, 2)):
            name = rng.choice(["?a", "?u"]) if rng.random() < 0.05 else f"?k{next(self.numbers)}"
            if name not in [v.name for v in variables]:
                unknown = rng.random() < 0.03
                variables.append(Parameter(name, "nothing" if unknown else rng.choice(KINDS)))
        body = self.expression(
            depth - 1, [*names, *(v.name for v in variables)], condition=condition
        )
        return Quantification("forall" if kind == "all" else "exists", tuple(variables), body)
