import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    ForPairs,
    Implies,
    Not,
    Or,
    Parameter,
)
from homebody.goals.bddl import (
    BDDLError,
    condition_text,
    parse_condition,
    parse_problem,
    problem_text,
    rename_objects,
)
from homebody.goals.bddl.problem import MAX_DEPTH, MAX_LENGTH

PROBLEM = """
(define (problem setting_the_Table_0)   ; names are lower case
    (:domain igibson)
    (:objects
        fork.n.01_1 fork.n.01_2 - fork.n.01
        table.n.02_1 table.n.02_* - table.n.02  ; (
        thing
    )
    (:init (ontop fork.n.01_1 table.n.02_1) (not (dusty table.n.02_1))
           (inroom table.n.02_1 kitchen))
    (:goal (and (forall (?fork.n.01 - fork.n.01) (ontop ?fork.n.01 ?table.n.02_1))
                (not (dusty table.n.02_1)))))
"""


def test_problem() -> None:
    problem = parse_problem(PROBLEM)
    assert problem.name == "setting_the_table_0"
    assert problem.domain == "igibson"
    assert list(problem.objects.items()) == [
        ("fork.n.01_1", "fork.n.01"),
        ("fork.n.01_2", "fork.n.01"),
        ("table.n.02_1", "table.n.02"),
        ("table.n.02_*", "table.n.02"),
        ("thing", "object"),
    ]
    assert problem.initial == (
        Atom("ontop", ("fork.n.01_1", "table.n.02_1")),
        Not(Atom("dusty", ("table.n.02_1",))),
        Atom("inroom", ("table.n.02_1", "kitchen")),
    )
    assert problem.conditions == (
        Forall("?fork.n.01", Atom("ontop", ("?fork.n.01", "table.n.02_1")), "fork.n.01"),
        Not(Atom("dusty", ("table.n.02_1",))),
    )
    assert problem.goal == And(problem.conditions)
    assert parse_problem(problem_text(problem)) == problem


def test_a_goal_without_and_is_one_condition() -> None:
    text = PROBLEM.replace("(and (forall", "(or (forall")
    assert [type(c) for c in parse_problem(text).conditions] == [Or]


def test_a_name_is_a_variable_only_where_it_is_bound() -> None:
    read = parse_condition("(or (exists (?cup_1 - cup) (dusty cup_1)) (dusty ?cup_1))")
    assert read == Or(
        (
            Exists("?cup_1", Atom("dusty", ("?cup_1",)), "cup"),
            Atom("dusty", ("cup_1",)),
        )
    )


X, Y = Parameter("?x", "a.n.01"), Parameter("?y", "b.n.01")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(forn (2) (?x - a.n.01) (p ?x))", Exactly(2, X.name, Atom("p", ("?x",)), X.type)),
        (
            "(forpairs (?x - a.n.01) (?y - b.n.01) (p ?x ?y))",
            ForPairs(X, Y, Atom("p", ("?x", "?y"))),
        ),
        (
            "(fornpairs (3) (?x - a.n.01) (?y - b.n.01) (p ?y))",
            ForPairs(X, Y, Atom("p", ("?y",)), 3),
        ),
        ("(imply (p a) (q b))", Implies(Atom("p", ("a",)), Atom("q", ("b",)))),
        ("(AND)", And(())),
    ],
)
def test_conditions(text: str, expected: object) -> None:
    assert parse_condition(text) == expected


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("", 1, 1, "found nothing"),
        ("(p a)\n  (q b)", 2, 3, "end of the text"),
        ("(and\n (p a)", 1, 1, "never closed"),
        ("(p a))", 1, 6, "unexpected ')'"),
        ("(p é)", 1, 4, "unexpected character"),
        ("(and\n p)", 2, 2, "a condition in parentheses, found 'p'"),
        ("(not (p a) (q a))", 1, 1, "'not' takes 1 parts, found 2"),
        ("(and (= a))", 1, 6, "'=' is not a predicate"),
        ("(forall (?x) (p ?x))", 1, 9, "a variable such as"),
        ("(forall (x - c) (p x))", 1, 9, "a variable such as"),
        ("(forn 2 (?x - c) (p ?x))", 1, 7, "a number in parentheses"),
        ("(forn (-1) (?x - c) (p ?x))", 1, 7, "expected a number"),
        ("(forn (99999999) (?x - c) (p ?x))", 1, 7, "expected a number"),
        ("(forpairs (?x - c) (?x - d) (p ?x))", 1, 20, "twice"),
        ("(p (q a))", 1, 4, "found a group"),
        ("(p ??a)", 1, 4, "an object or a variable"),
        ("()", 1, 1, "a connective or a predicate"),
        ("(" * (MAX_DEPTH + 1), 1, MAX_DEPTH + 1, "inside one another"),
        (" " * (MAX_LENGTH + 1), 1, MAX_LENGTH + 1, "longer than"),
    ],
)
def test_faults_of_conditions(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(BDDLError, match=r"line \d+, column \d+: ") as caught:
        parse_condition(text)
    assert problem in caught.value.problem
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("?fork.n.01 ?table.n.02_1", "?fork.n.02 ?table.n.02_1", "there is no object 'fork.n.02'"),
        ("fork.n.01_2 -", "fork.n.01_1 -", "object 'fork.n.01_1' appears twice"),
        ("(:domain igibson)", "", "'(:domain' is missing"),
        ("(:domain igibson)", "(:domain a) (:domain b)", "':domain' appears twice"),
        ("(:domain igibson)", "(:other)", "expected a block"),
        ("(:goal (and", "(:goal (p) (and", "':goal' takes 1 parts, found 2"),
        ("thing", "thing -", "a category after '-'"),
        ("(inroom table", "(inroom (table)", "found a group"),
    ],
)
def test_faults_of_problems(old: str, new: str, problem: str) -> None:
    assert old in PROBLEM
    with pytest.raises(BDDLError) as caught:
        parse_problem(PROBLEM.replace(old, new))
    assert problem in caught.value.problem


@given(st.text(alphabet="()?-.;: \nabforndet123", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        condition = parse_condition(text)
    except BDDLError:
        return
    assert parse_condition(condition_text(condition)) == condition


@given(st.integers(0, len(PROBLEM) - 1), st.sampled_from("()?-. x:"))
def test_damaged_problems_are_read_or_refused(at: int, character: str) -> None:
    try:
        problem = parse_problem(PROBLEM[:at] + character + PROBLEM[at + 1 :])
    except BDDLError:
        return
    assert parse_problem(problem_text(problem)) == problem


def test_renamed_keeps_categories_rooms_and_variables() -> None:
    problem = parse_problem(PROBLEM)
    back = {"fork_0": "fork.n.01_1", "table_3": "table.n.02_1"}
    there = rename_objects(problem, {old: new for new, old in back.items()})
    assert there.objects["fork_0"] == "fork.n.01"
    assert "fork.n.01_1" not in there.objects
    assert Atom("inroom", ("table_3", "kitchen")) in there.initial
    assert condition_text(there.conditions[0]).count("table_3") == 1
    assert "?fork.n.01 - fork.n.01" in condition_text(there.conditions[0])
    assert rename_objects(there, back) == problem
    with pytest.raises(ValueError, match="same name"):
        rename_objects(problem, {"fork.n.01_1": "fork.n.01_2"})
