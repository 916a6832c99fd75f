"""Options, counts and the best option against plain enumeration."""

import tracemalloc
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, permutations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Literal,
    Not,
    Or,
    Parameter,
    negation,
)
from homebody.goals.bddl import (
    TooLargeError,
    Universe,
    best_option,
    count_options,
    evaluate,
    ground,
    options,
    parse_condition,
    published_goal_options,
    published_options,
)
from homebody.goals.bddl.assignment import assign
from homebody.goals.bddl.counting import contradictions


def universe_of(**sizes: int) -> Universe:
    objects = {f"{c}{i}": c for c, size in sizes.items() for i in range(size)}
    return Universe(tuple(objects), lambda name, category: objects[name] == category)


@dataclass(frozen=True)
class Facts:
    """A structure of given facts."""

    true: frozenset[Atom]

    @property
    def names(self) -> Iterable[str]:
        raise AssertionError("goals range over their universe, not over the state")

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        return Atom(predicate, args) in self.true

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        raise AssertionError("not needed")


# --- The plain way ----------------------------------------------------------------------------

Options = list[tuple[Literal, ...]]


def plain_options(c: Formula, over: Universe, positive: bool, binding: dict[str, str]) -> Options:
    """All options, contradictory ones too, by lists of lists."""

    def inner(body: Formula, sign: bool, **more: str) -> Options:
        return plain_options(body, over, sign, binding | {f"?{k}": v for k, v in more.items()})

    def every(lists: Iterable[Options]) -> Options:
        lists = list(lists)
        if prod(map(len, lists)) > 20 * MOST:  # of a part that another one makes impossible
            raise TooLargeError("the parts have too many options to list")
        return [tuple(chain(*parts)) for parts in product(*lists)]

    match c:
        case Atom(predicate, args):
            atom = Atom(predicate, tuple(binding.get(a, a) for a in args))
            return [(atom if positive else Not(atom),)]
        case Not(body):
            return inner(body, not positive)
        case And(parts) | Or(parts):
            lists = [inner(part, positive) for part in parts]
            if isinstance(c, And) == positive:
                return every(lists)
            return list(chain(*lists))
        case Implies(left, right):
            lists = [inner(left, not positive), inner(right, positive)]
            return list(chain(*lists)) if positive else every(lists)
        case Forall(x, body, category) | Exists(x, body, category):
            lists = [inner(body, positive, **{x[1:]: n}) for n in over.of(category)]
            if isinstance(c, Forall) == positive:
                return every(lists)
            return list(chain(*lists))
        case Exactly(count, x, body, category):
            names = over.of(category)
            result: Options = []
            for signs in product([True, False], repeat=len(names)):
                if (sum(signs) == count) == positive:
                    result += every(
                        [inner(body, s, **{x[1:]: n}) for n, s in zip(names, signs, strict=True)]
                    )
            return result
        case ForPairs(x, y, body, wanted):
            rows, columns = over.of(x.type), over.of(y.type)
            size = min(len(rows), len(columns)) if wanted is None else wanted
            pair = [x.name[1:], y.name[1:]]
            if positive:
                return list(
                    chain(
                        *(
                            every(
                                [
                                    inner(body, True, **dict(zip(pair, (a, b), strict=True)))
                                    for a, b in zip(some, order, strict=True)
                                ]
                            )
                            for some in combinations(rows, size)
                            for order in permutations(columns, size)
                        )
                    )
                )
            result = []
            for lines, flip in ((rows, False), (columns, True)):
                others = rows if flip else columns
                unpaired = len(lines) - size + 1
                for some in combinations(lines, unpaired) if unpaired >= 0 else [()]:
                    result += every(
                        [
                            inner(
                                body,
                                False,
                                **dict(zip(pair, (o, n) if flip else (n, o), strict=True)),
                            )
                            for n in some
                            for o in others
                        ]
                    )
            return result


def consistent(found: Options) -> Options:
    return [option for option in found if not any(negation(x) in option for x in option)]


def plain_truth(c: Formula, over: Universe, true: frozenset[Atom], b: dict[str, str]) -> bool:
    match c:
        case Atom(predicate, args):
            return Atom(predicate, tuple(b.get(a, a) for a in args)) in true
        case Not(body):
            return not plain_truth(body, over, true, b)
        case And(parts):
            return all(plain_truth(part, over, true, b) for part in parts)
        case Or(parts):
            return any(plain_truth(part, over, true, b) for part in parts)
        case Implies(left, right):
            return not plain_truth(left, over, true, b) or plain_truth(right, over, true, b)
        case Forall(x, body, category):
            return all(plain_truth(body, over, true, b | {x: n}) for n in over.of(category))
        case Exists(x, body, category):
            return any(plain_truth(body, over, true, b | {x: n}) for n in over.of(category))
        case Exactly(count, x, body, category):
            found = [plain_truth(body, over, true, b | {x: n}) for n in over.of(category)]
            return found.count(True) == count
        case ForPairs(x, y, body, wanted):
            rows, columns = over.of(x.type), over.of(y.type)
            pairs = {
                (n, m)
                for n in rows
                for m in columns
                if plain_truth(body, over, true, b | {x.name: n, y.name: m})
            }
            size = min(len(rows), len(columns)) if wanted is None else wanted
            return len({n for n, _ in pairs}) >= size and len({m for _, m in pairs}) >= size


# --- Random conditions --------------------------------------------------------------------------


def conditions(bound: tuple[tuple[str, str], ...] = (), depth: int = 3) -> st.SearchStrategy:
    """Conditions over categories a and b; ``bound``: variables with their categories."""
    terms = st.sampled_from([name for name, _ in bound] + ["a0", "b0"])
    atoms = st.one_of(
        st.builds(lambda t: Atom("p", (t,)), terms),
        st.builds(lambda s, t: Atom("r", (s, t)), terms, terms),
    )
    if depth == 0:
        return atoms
    inner = conditions(bound, depth - 1)

    def under(**variables: str) -> st.SearchStrategy:
        more = tuple((f"?{k}", v) for k, v in variables.items())
        return conditions(bound + more, depth - 1)

    name = f"x{depth}"
    x, y = Parameter(f"?{name}", "a"), Parameter(f"?y{depth}", "b")
    parts = st.lists(inner, min_size=0, max_size=3).map(tuple)
    body = under(**{name: "a"})
    both = under(**{name: "a", f"y{depth}": "b"})
    quantified = st.one_of(
        st.builds(Forall, st.just(x.name), body, st.sampled_from("ab")),
        st.builds(Exists, st.just(x.name), body, st.sampled_from("ab")),
        st.builds(Exactly, st.integers(0, 3), st.just(x.name), body, st.sampled_from("ab")),
        st.builds(lambda b: ForPairs(x, y, b), both),
        st.builds(lambda n, b: ForPairs(x, y, b, n), st.integers(0, 2), both),
    )
    return st.one_of(
        atoms,
        atoms.map(Not),
        inner.map(Not),
        st.builds(And, parts),
        st.builds(Or, parts),
        st.builds(Implies, inner, inner),
        quantified,
        st.tuples(quantified, quantified).map(And),
        st.tuples(quantified, quantified.map(Not)).map(And),
    )


SMALL = st.builds(universe_of, a=st.integers(0, 3), b=st.integers(0, 3))
MOST = 3_000


def states(draw_from: Iterable[Atom]) -> st.SearchStrategy[frozenset[Atom]]:
    return st.sets(st.sampled_from(sorted(draw_from, key=str))).map(frozenset)


ATOMS = [Atom("p", (n,)) for n in ("a0", "a1", "a2", "b0", "b1", "b2")]
ATOMS += [Atom("r", pair) for pair in product(("a0", "a1", "a2", "b0", "b1", "b2"), repeat=2)]


def listed(condition: Formula, over: Universe) -> Options | None:
    """The plain options, or None if there are too many to list."""
    tree = ground(condition, over)
    if len(contradictions(tree)) > 8:
        return None
    try:
        if count_options(tree, contradictory=True) > MOST:
            return None
        return plain_options(condition, over, True, {})
    except TooLargeError:
        return None


@settings(max_examples=300)
@given(conditions(), SMALL)
def test_options_and_their_number(condition: Formula, over: Universe) -> None:
    everything = listed(condition, over)
    if everything is None:
        return
    expected = consistent(everything)
    tree = ground(condition, over)
    found = list(options(tree))
    assert Counter(tuple(sorted(o, key=str)) for o in found) == Counter(
        tuple(sorted(o, key=str)) for o in expected
    )
    assert count_options(tree) == len(expected)


@pytest.mark.slow
@settings(max_examples=400)
@given(conditions(), SMALL, states(ATOMS))
def test_the_best_option_is_the_best(
    condition: Formula, over: Universe, true: frozenset[Atom]
) -> None:
    everything = listed(condition, over)
    if everything is None:
        return

    def met(literal: Literal) -> bool:
        return literal in true if isinstance(literal, Atom) else literal.body not in true

    expected = consistent(everything)
    best = best_option(ground(condition, over), lambda atom: atom in true)
    if not best.exact:
        return
    if not expected:
        assert best.option is None
        assert best.share == 0
        return
    assert best.option is not None
    assert tuple(sorted(best.option, key=str)) in {tuple(sorted(o, key=str)) for o in expected}
    assert best.met == sum(map(met, best.option))
    shares = [Fraction(sum(map(met, o)), len(o)) if o else Fraction(1) for o in expected]
    assert best.share == float(max(shares))


@settings(max_examples=300)
@given(conditions(), SMALL, states(ATOMS))
def test_truth_and_options_agree(condition: Formula, over: Universe, true: frozenset[Atom]) -> None:
    truth = evaluate(condition, Facts(true), over)
    assert truth == plain_truth(condition, over, true, {})
    best = best_option(ground(condition, over), lambda atom: atom in true)
    if best.share == 1:
        assert truth
    if truth and "ForPairs" not in repr(condition):  # pairs are stricter than their truth
        assert best.share == 1


# --- Pairs and counts -----------------------------------------------------------------------------

PAIRS = parse_condition("(forpairs (?x - a) (?y - b) (r ?x ?y))")


def relation(*pairs: str) -> Facts:
    return Facts(frozenset(Atom("r", (f"a{p[0]}", f"b{p[1]}")) for p in pairs))


@pytest.mark.parametrize(
    ("a", "b", "pairs", "truth", "share"),
    [
        (2, 2, ("00", "11"), True, 1),
        (2, 2, ("00", "01"), False, 1 / 2),
        (2, 3, ("00", "12"), True, 1),
        (2, 3, ("00", "10"), False, 1 / 2),
        (3, 2, ("00", "11"), True, 1),
        (3, 3, ("00", "01", "02", "10", "20"), True, 2 / 3),  # true, but no pairing
        (0, 2, (), True, 1),
        (2, 0, (), True, 1),
    ],
)
def test_pairs_are_true_by_cover_and_options_by_pairing(
    a: int, b: int, pairs: tuple[str, ...], truth: bool, share: float
) -> None:
    over, facts = universe_of(a=a, b=b), relation(*pairs)
    assert evaluate(PAIRS, facts, over) is truth
    best = best_option(ground(PAIRS, over), lambda atom: atom in facts.true)
    assert best.share == pytest.approx(share)


def test_pairs_of_one_category_leave_one_object_over() -> None:
    over = universe_of(a=3)
    pairs = parse_condition("(forpairs (?x - a) (?y - a) (r ?x ?y))")
    assert {len(option) for option in options(ground(pairs, over))} == {2}
    assert all(x.args[0] != x.args[1] for o in options(ground(pairs, over)) for x in o)
    assert evaluate(
        pairs, Facts(frozenset({Atom("r", ("a0", "a1")), Atom("r", ("a1", "a2"))})), over
    )
    assert not evaluate(pairs, Facts(frozenset({Atom("r", ("a0", "a0"))})), over)


def test_more_pairs_than_objects_cannot_be() -> None:
    pairs = parse_condition("(fornpairs (3) (?x - a) (?y - b) (r ?x ?y))")
    over = universe_of(a=2, b=4)
    everything = relation(*(f"{i}{j}" for i in range(2) for j in range(4)))
    assert not evaluate(pairs, everything, over)
    assert list(options(ground(pairs, over))) == []
    assert evaluate(Not(pairs), everything, over)
    negated = ground(Not(pairs), over)
    assert next(options(negated)) == ()  # fewer than 3 rows have a pair, come what may
    assert count_options(negated) == 1 + 6  # or 2 of 4 columns have none


def test_no_pairs_without_objects() -> None:
    pairs = parse_condition("(fornpairs (2) (?x - a) (?y - b) (r ?x ?y))")
    for over in (universe_of(a=0, b=2), universe_of(a=2, b=0)):
        assert not evaluate(pairs, relation(), over)
        assert list(options(ground(pairs, over))) == []
        assert set(options(ground(Not(pairs), over))) == {()}


@pytest.mark.parametrize(("wanted", "true"), [(0, False), (1, False), (2, True), (3, False)])
def test_forn_is_exact(wanted: int, true: bool) -> None:
    over = universe_of(a=3)
    condition = parse_condition(f"(forn ({wanted}) (?x - a) (p ?x))")
    facts = Facts(frozenset({Atom("p", ("a0",)), Atom("p", ("a2",))}))
    assert evaluate(condition, facts, over) is true
    loose = best_option(ground(condition, over, exact=False), lambda atom: atom in facts.true)
    assert loose.share == pytest.approx({0: 1, 1: 1, 2: 1, 3: 2 / 3}[wanted])
    assert len(loose.option or ()) == wanted
    strict = best_option(ground(condition, over), lambda atom: atom in facts.true)
    assert strict.share == pytest.approx({0: 1 / 3, 1: 2 / 3, 2: 1, 3: 2 / 3}[wanted])


def test_a_taxonomy_widens_categories() -> None:
    over = Universe(
        ("apple1", "cup1"),
        lambda name, category: category in ("food", "apple")[: 2 * (name == "apple1")],
    )
    condition = parse_condition("(forall (?x - food) (p ?x))")
    assert list(options(ground(condition, over))) == [(Atom("p", ("apple1",)),)]


def test_contradictory_options_are_left_out() -> None:
    over = universe_of(a=2, b=1)
    goal = parse_condition("(and (exists (?x - a) (p ?x)) (exists (?x - a) (not (p ?x))))")
    tree = ground(goal, over)
    p0, p1 = Atom("p", ("a0",)), Atom("p", ("a1",))
    assert list(options(tree)) == [(p0, Not(p1)), (p1, Not(p0))]
    assert count_options(tree) == 2
    assert count_options(tree, contradictory=True) == 4
    assert best_option(tree, lambda atom: atom == p0).option == (p0, Not(p1))
    # met one at a time, never together: the best option must not mix them
    assert best_option(tree, lambda atom: True).share == 1 / 2


def test_a_search_that_is_cut_short_says_so() -> None:
    over = universe_of(a=6)
    goal = parse_condition(
        "(and (forall (?x - a) (or (p ?x) (q ?x))) (forall (?x - a) (not (p ?x))))"
    )
    tree = ground(goal, over)

    def true(atom: Atom) -> bool:
        return atom.predicate == "p"

    assert best_option(tree, true).exact
    assert best_option(tree, true).share == 0
    assert not best_option(tree, true, branches=2).exact


@pytest.mark.slow
def test_too_much_is_refused() -> None:
    over = universe_of(a=70, b=1)
    deep = parse_condition("(forall (?x - a) (forall (?y - a) (forall (?z - a) (r ?x ?y ?z))))")
    with pytest.raises(TooLargeError):
        ground(deep, over)
    clashing = parse_condition(
        "(and (forall (?x - a) (or (p ?x) (q ?x))) (exists (?x - a) (and (not (p ?x)) (q ?x)))"
        " (forall (?x - a) (forall (?y - a) (or (p ?x) (not (p ?y))))))"
    )
    with pytest.raises(TooLargeError):
        count_options(ground(clashing, over))


def test_astronomical_numbers_of_options_stay_flat() -> None:
    over = universe_of(a=20, b=20)
    tree = ground(And((PAIRS,) * 3), over)
    assert count_options(tree) == 2432902008176640000**3
    tracemalloc.start()
    try:
        drawn = sum(1 for _ in islice(options(tree), 3_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert drawn == 3_000
    assert peak < 2_000_000
    facts = relation(*(f"{i}{i}" for i in range(10)), *(f"{i}0" for i in range(10)))
    best = best_option(tree, lambda atom: atom in facts.true)
    assert best.exact
    assert best.met == 30


def test_a_longer_option_can_be_better() -> None:
    goal = parse_condition("(or (and (p a0) (p b0)) (and (q a0) (q b0) (q c0) (q d0) (q e0)))")
    true = {Atom("p", ("a0",)), *(Atom("q", (n,)) for n in ("a0", "b0", "c0"))}
    best = best_option(ground(goal, universe_of()), true.__contains__)
    assert (best.met, best.share) == (3, 3 / 5)  # though the other lacks only one


def test_the_best_objects_are_chosen_wherever_they_are() -> None:
    condition = parse_condition("(forn (1) (?x - a) (p ?x))")
    for place in range(4):
        true = {Atom("p", (f"a{place}",))}
        best = best_option(ground(condition, universe_of(a=4), exact=False), true.__contains__)
        assert best.option == tuple(true)


def test_categories_that_overlap_pair_no_object_with_itself() -> None:
    kinds = {"n0": "a", "n1": "ab", "n2": "b", "n3": "b"}
    over = Universe(tuple(kinds), lambda name, category: category in kinds[name])
    tree = ground(PAIRS, over)
    found = [{x.args for x in option if isinstance(x, Atom)} for option in options(tree)]
    expected = [
        {("n0", first), ("n1", second)}
        for first, second in permutations(("n1", "n2", "n3"), 2)
        if second != "n1"
    ]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    assert count_options(tree) == len(expected) == 4
    assert evaluate(PAIRS, Facts(frozenset(x for o in options(tree) for x in o)), over)  # type: ignore[arg-type]


def test_unlike_pairs_are_counted() -> None:
    over = universe_of(a=3, b=3)
    body = "(or (r ?x ?y) (and (p ?x) (exists (?z - a) (r ?z ?y))))"
    tree = ground(parse_condition(f"(forpairs (?x - a) (?y - b) {body})"), over)
    assert count_options(tree) == 6 * 4**3 == sum(1 for _ in options(tree))


VALUES = st.integers(1, 4).flatmap(
    lambda columns: st.lists(
        st.lists(st.one_of(st.none(), st.integers(-9, 9)), min_size=columns, max_size=columns),
        min_size=1,
        max_size=4,
    )
)


@given(VALUES, st.integers(0, 4))
def test_assignment(values: list[list[int | None]], size: int) -> None:
    best: int | None = None
    for rows in combinations(range(len(values)), size):
        for columns in permutations(range(len(values[0])), size):
            cells = [values[r][c] for r, c in zip(rows, columns, strict=True)]
            if None not in cells:
                total = sum(cell for cell in cells if cell is not None)
                best = total if best is None else max(best, total)
    found = assign(values, size)
    if best is None:
        assert found is None
        return
    assert found is not None
    assert len({r for r, _ in found}) == len({c for _, c in found}) == len(found) == size
    assert sum(values[r][c] or 0 for r, c in found) == best
    assert None not in [values[r][c] for r, c in found]


# --- What is published ----------------------------------------------------------------------------


def texts(found: Iterable[tuple[Literal, ...]]) -> Iterator[str]:
    for option in found:
        yield " ".join(
            "".join(x.args) if isinstance(x, Atom) else "-" + "".join(x.body.args)  # type: ignore[union-attr]
            for x in option
        )


@pytest.mark.parametrize(
    ("text", "a", "b", "expected"),
    [
        ("(forn (2) (?x - a) (p ?x))", 3, 0, ["a0 a1", "a0 a2", "a1 a2"]),
        ("(forn (2) (?x - a) (p ?x))", 1, 0, []),
        ("(forpairs (?x - a) (?y - b) (r ?x ?y))", 2, 1, ["a0b0", "a1b0"]),
        ("(fornpairs (1) (?x - a) (?y - b) (r ?x ?y))", 2, 2, ["a0b0", "a0b1"]),
        # by the sum of places, and only those that exist
        (
            "(forall (?x - a) (exists (?y - b) (r ?x ?y)))",
            2,
            2,
            ["a0b0 a1b0", "a0b0 a1b1", "a0b1 a1b0", "a0b1 a1b1"],
        ),
        ("(not (or (p a0) (and (p b0) (q b0))))", 1, 1, ["-a0 -b0", "-a0 -b0"]),
        ("(imply (p a0) (q b0))", 1, 1, ["-a0", "b0"]),
    ],
)
def test_published_options(text: str, a: int, b: int, expected: list[str]) -> None:
    assert list(texts(published_options(parse_condition(text), universe_of(a=a, b=b)))) == expected


def test_published_options_stop_early() -> None:
    found = published_options(PAIRS, universe_of(a=4, b=4))
    assert len(found) == 10
    assert len(set(found)) == 10
    condition = parse_condition("(forall (?x - a) (exists (?y - b) (r ?x ?y)))")
    # 1 + 3 + 6 tries of sums 0 to 2, then 10 of sum 3, three of which have a place too many
    assert len(published_options(condition, universe_of(a=3, b=3))) == 20 - 3
    assert count_options(ground(condition, universe_of(a=3, b=3))) == 27


def test_published_goal_options_leave_contradictions_out() -> None:
    over = universe_of(a=2)
    goal = [parse_condition("(exists (?x - a) (p ?x))"), parse_condition("(not (p a0))")]
    assert list(texts(published_goal_options(goal, over))) == ["a1 -a0"]
