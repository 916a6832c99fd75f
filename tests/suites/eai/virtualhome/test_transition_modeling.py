"""Transition modeling: what is read, what is matched, what is planned with, and each quirk."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, HomebodyError, Protocol, Score
from homebody.planning.pddl import parse_operators
from homebody.planning.solver import fast_downward
from homebody.suites import get_suite
from homebody.suites.eai import parsing
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling import planning as operator_planning
from homebody.suites.eai.transition_modeling import sensitivity
from homebody.suites.eai.transition_modeling.operators import Prediction, TransitionTask
from homebody.suites.eai.transition_modeling.operators import read as read_as
from homebody.suites.eai.transition_modeling.planning import breaks_planner
from homebody.suites.eai.transition_modeling.published import (
    TextOperator,
    UnreadableLogic,
    compare,
    maximum_matching,
    parse,
    predicates,
    with_question_marks,
)
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome import operator_audit
from homebody.suites.eai.virtualhome.protocol import DIFFERENCES, PUBLISHED
from homebody.suites.eai.virtualhome.transition_modeling import (
    CATEGORIES,
    NAME,
    SUITE,
    load_transition_tasks,
    prompt,
    reference,
)
from places import DOCS

pytestmark = pytest.mark.usefixtures("eai_data")

GRAB, LAMP = "491_2", "125_2"  # ask for walk_towards and grab; plug_in, walk_towards, switch_on


def task(identifier: str) -> TransitionTask:
    return next(one for one in load_transition_tasks() if one.id == identifier)


def read(output: str, protocol: Protocol) -> dict[str, Prediction]:
    return read_as(output, protocol, reference())


def blocks(identifier: str, changed: Mapping[str, Mapping[str, str] | None] = {}) -> list[str]:
    """The annotated operators of a task, with some pieces of text changed, or left out."""
    found = []
    for name in task(identifier).asked:
        new = changed.get(name, {})
        if new is not None:
            text = reference().texts[name]
            pieces = {key: getattr(text, key) for key in ("parameters", "precondition", "effect")}
            found.append(str(TextOperator(name, **{**pieces, **new})))
    return found


def answer(identifier: str, /, **changed: Mapping[str, str] | None) -> str:
    return operator_agents.render(blocks(identifier, changed))


def counts(found: Score) -> list[int]:
    """Predicates right, wrong and missed, over everything."""
    parts = found.record["counts"].values()
    return [sum(row[at] for part in parts for row in part.values()) for at in range(3)]


# -- tasks -----------------------------------------------------------------------------------------


def test_296_tasks_with_categories() -> None:
    tasks = load_transition_tasks()
    assert len(tasks) == len({one.id for one in tasks}) == 296
    assert all(1 <= len(one.categories) <= 2 for one in tasks)
    assert {category for one in tasks for category in one.categories} == set(CATEGORIES)
    assert len(reference().operators) == 33


def test_prompts_hold_the_problem_and_the_heads_of_the_operators() -> None:
    one = task(GRAB)
    text = prompt(one)
    assert one.problem_text in text
    assert "<problem_file>" not in text
    assert "(:action grab\n  :parameters (?char - character ?obj - object)\n" in text


# -- reading ---------------------------------------------------------------------------------------

GOOD = "(:action grab :parameters (?c - character ?o - object) :precondition (near ?c ?o))"
WALK = "(:action walk_towards\n  :parameters () ; where\n  :effect (here))"


@pytest.mark.parametrize(
    "output",
    [
        json.dumps({"output": f"{GOOD}\n{WALK}"}),
        "```json\n" + json.dumps({"output": f"{GOOD}\n{WALK}"}, indent=2) + "\n```",
        "Sure, here it is:\n" + json.dumps({"output": f"{GOOD}{WALK}"}) + "\nDone.",
        "<think>(:action grab :parameters (</think>" + json.dumps({"output": f"{GOOD}{WALK}"}),
        f"<think>{GOOD.replace('near', 'far')}</think>```pddl\n{GOOD}\n{WALK}\n```",
        f'{{"output": "{GOOD}\n{WALK}"}}',
        f"{{'output': '{GOOD}\n{WALK}'}}",
        json.dumps({"output": f"{GOOD}\\n{WALK}".replace("\n", "\\n")}),
        f"{GOOD.upper()}\n{WALK}",
        json.dumps([{"output": f"{GOOD}{WALK}"}]),
        f"{GOOD.replace('near', 'far')}\nNo, wait:\n{WALK}\n{GOOD}",
    ],
)
def test_operators_are_found_in_any_wrapping(output: str) -> None:
    found = read(output, CORRECTED)
    assert {name: one.operator for name, one in found.items()} == {
        "grab": parse_operators(GOOD)[0],
        "walk_towards": parse_operators(WALK)[0],
    }


def test_a_broken_operator_does_not_take_the_others_along() -> None:
    cut = "(:action open :parameters (?c) :precondition (and (a ?c)"
    found = read(json.dumps({"output": f"{cut}\n{GOOD}\n{WALK[:-9]}"}), CORRECTED)
    assert found["grab"].operator is not None
    assert found["open"].operator is found["walk_towards"].operator is None
    assert "never closed" in found["open"].problem


PARENTHESIS = "(:action open :parameters (?c ?o) :precondition (and (a ?o)) :effect (b ?o))"


@pytest.mark.parametrize(
    ("written", "lost"),
    [
        (PARENTHESIS.replace("(a ?o))", "(a ?o)))"), ":effect"),
        (PARENTHESIS.replace("(a ?o))", "(a ?o))) (c ?o))\n; then\n"), ":effect"),
        (PARENTHESIS.replace("(a ?o))", "))) (a ?o))"), ":effect"),
        (PARENTHESIS.replace("?o) :pre", "?o)) :PRE"), ":precondition"),
        (PARENTHESIS.replace("open", "open)"), ":parameters"),
    ],
)
def test_a_parenthesis_that_closes_an_operator_early_is_a_problem(written: str, lost: str) -> None:
    """What comes after it is not lost in silence, and the other operators are."""
    for output in (json.dumps({"output": f"{written}\n{GOOD}"}), f"{GOOD}\n{written}\nDone."):
        found = read(output, CORRECTED)
        assert found["open"].operator is None
        assert found["open"].problem == f"it closes before its {lost}"
        assert found["grab"].operator is not None


@pytest.mark.parametrize(
    "after",
    [
        ")",
        "))\n```",
        ")\n; :effect",
        " Note: the :effect (b ?o) is all.",
        "\n(see :effect (b))",
        "",
    ],
)
def test_what_comes_after_a_whole_operator_does_not_matter(after: str) -> None:
    expected = parse_operators(PARENTHESIS)[0]
    for output in (f"{PARENTHESIS}{after}\n{GOOD}", f"{GOOD}\n{PARENTHESIS}{after}"):
        assert read(output, CORRECTED)["open"].operator == expected


def test_an_early_end_costs_what_it_hides() -> None:
    """One `)` too many in switch_on, as answers have it: its effect is not read as empty."""
    whole = answer(LAMP)
    precondition = reference().texts["switch_on"].precondition
    early = answer(LAMP, switch_on={"precondition": f"{precondition})"})
    assert whole != early
    found = score(task(LAMP), early, CORRECTED)
    assert found.record["problems"] == {"switch_on": "it closes before its :effect"}
    assert found.record["operators"]["switch_on"] == {
        "precondition": [0, 0, 4],
        "effect": [0, 0, 2],
    }
    assert not found.record["success"]


@pytest.mark.parametrize("output", ["", "I cannot do that.", "{}", '{"output": ["x"]}', "null"])
def test_outputs_without_operators_are_format_errors(output: str) -> None:
    with pytest.raises(parsing.ParsingError):
        read(output, CORRECTED)
    found = score(task(GRAB), output, CORRECTED)
    assert found.valid
    assert found.metrics["format_error"] == 1
    assert found.metrics["recall"] == found.metrics["success"] == 0
    assert counts(found)[2] > 0


def test_outputs_longer_than_any_answer_are_format_errors() -> None:
    for protocol in (CORRECTED, PUBLISHED):
        with pytest.raises(parsing.ParsingError):
            read(GOOD + " " * parsing.MAX_CHARACTERS, protocol)


# -- scoring ---------------------------------------------------------------------------------------


def test_official_operators_are_perfect_under_both_protocols() -> None:
    suite = get_suite(NAME)
    for protocol in suite.protocols.values():
        scores = [
            suite.score(one, operator_agents.annotated(one), protocol)
            for one in suite.load(protocol)
        ]
        summary = suite.summarise(scores)
        assert list(summary) == [*CATEGORIES, "overall"]
        assert {value for row in summary.values() for value in row.values()} == {100.0}
        assert all(found.record["plan"] for found in scores)


def test_renaming_and_reordering_cost_nothing() -> None:
    """The predicted operator is written with other names, in another order."""
    grab = reference().texts["grab"]
    new = {
        key: getattr(grab, key).replace("?obj", "?o").replace("?char", "?robot")
        for key in ("parameters", "precondition", "effect")
    }
    output = operator_agents.render(blocks(GRAB, {"grab": new})[::-1])
    assert score(task(GRAB), output, CORRECTED).metrics["f1"] == 1


def test_an_or_too_many_costs_only_itself() -> None:
    """It used to cost the whole precondition, several times over."""
    text = reference().texts["switch_on"].precondition
    pairs = [("on", "open"), ("open", "closed"), ("clean", "dirty"), ("movable", "has_plug")]
    ors = [f"(or ({one} ?obj) ({other} ?obj))" for one, other in pairs]
    for count in range(len(ors) + 1):
        new = {"precondition": f"{text[:-1]} {' '.join(ors[:count])})"}
        record = score(task(LAMP), answer(LAMP, switch_on=new), CORRECTED).record
        assert record["operators"]["switch_on"]["precondition"] == [4, 2 * count, 0]


def test_wrong_missed_and_hallucinated() -> None:
    output = json.dumps(
        {
            "output": "(:action grab :parameters (?char - character ?obj - object)"
            " :precondition (and (grabbable ?obj) (has_switch ?obj) (shiny ?obj)) :effect ())"
            "(:action fly :parameters () :precondition () :effect ())"
        }
    )
    found = score(task(GRAB), output, CORRECTED)
    record = found.record
    assert record["missing"] == ["walk_towards"]
    assert record["hallucinated"] == ["fly"]
    assert record["counts"]["precondition"]["object_affordance"] == [1, 1, 0]
    assert record["counts"]["precondition"]["unknown"] == [0, 1, 0]
    assert record["operators"]["grab"]["precondition"][:2] == [1, 2]
    assert record["operators"]["walk_towards"]["precondition"] == [0, 0, 2]
    assert "unknown predicate 'shiny'" in record["problems"]["grab"]
    assert not record["success"]
    assert "shiny" in record["explanation"]


def test_a_problem_is_told_once_and_where_it_is() -> None:
    output = answer(LAMP, switch_on={"effect": "(and (on ?obj) (nor (off ?obj)))"}, plug_in=None)
    record = score(task(LAMP), output, CORRECTED).record
    assert " of the operator: " in record["problems"]["switch_on"]
    assert record["explanation"].count(record["problems"]["switch_on"]) == 1
    assert record["explanation"].startswith("no plan: switch_on: line ")
    two = answer(LAMP, switch_on={"effect": "(shiny ?obj)"}, walk_towards={"effect": "(dull ?obj)"})
    explanation = score(task(LAMP), two, CORRECTED).record["explanation"]
    assert (explanation.count("shiny ?obj"), explanation.count("dull ?obj")) == (1, 1)


def test_odd_types_are_hinted_at_and_cost_nothing() -> None:
    odd = answer(GRAB, grab={"parameters": "(?char - agent ?obj - object)"})
    whole = score(task(GRAB), answer(GRAB), CORRECTED)
    assert "hint" not in whole.record["explanation"]
    found = score(task(GRAB), odd, CORRECTED)
    assert found.record["counts"] == whole.record["counts"]
    assert found.metrics["invalid_operator"] == 0
    assert "hint: grab: unknown type 'agent' of ?char" in found.record["explanation"]


def test_planning_needs_the_asked_operators_only() -> None:
    whole = score(task(GRAB), answer(GRAB), CORRECTED)
    assert whole.record["plan"][0].startswith("walk_towards character")
    assert not score(task(GRAB), answer(GRAB, walk_towards=None), CORRECTED).record["success"]
    extra = answer(GRAB)[:-2] + "(:action cheat :parameters () :effect (nonsense))" + '"}'
    assert score(task(GRAB), extra, CORRECTED).record["success"]


def test_two_operators_that_differ_in_case_only() -> None:
    """A planner reads both; so do we."""
    output = answer(GRAB)[:-2] + GOOD.replace("grab", "Grab").replace("near", "next_to") + '"}'
    assert score(task(GRAB), output, PUBLISHED).record["success"]


def test_fast_downward_reads_what_would_break_it() -> None:
    """The effect in a form that it reads, for the problems that are left to it."""
    (operator,) = parse_operators(
        str(TextOperator("switch_on", "(?char - character ?obj - object)", "()", **CONDITIONAL))
    )
    assert breaks_planner(operator)
    operators = {**reference().operators, "switch_on": operator}
    domain = operator_planning.domain_of(tuple(operators.values()), reference())
    problem = task(LAMP).problem
    answered = fast_downward.ask(domain, problem, seconds=30, memory_mb=2048)
    assert answered.verdict == "solved"


def test_success_rates_by_category() -> None:
    suite = get_suite(NAME)
    solved = task(GRAB)
    unsolved = next(
        one
        for one in load_transition_tasks()
        if len(set(one.categories) & set(solved.categories)) == 1
    )
    scores = [
        suite.score(unsolved, "", CORRECTED),
        suite.score(solved, operator_agents.annotated(solved), CORRECTED),
    ]
    summary = suite.summarise(scores)
    for category in CATEGORIES:
        tried = [category in unsolved.categories, category in solved.categories]
        rate = 100 * tried[1] / sum(tried) if any(tried) else 0
        assert summary[category]["planner_success_rate"] == rate
    assert summary["overall"]["planner_success_rate"] == 50


texts = st.text("()?:;{}\"'\\ \nandorwhegbxisp_-", max_size=60)


@given(texts, texts, st.integers(0, 295))
def test_any_text_gets_a_score(head: str, inside: str, at: int) -> None:
    one = load_transition_tasks()[at]
    name = one.asked[0]
    text = f"{head}(:action {name} :parameters (?char - character) :precondition ({inside}"
    for protocol in (CORRECTED, PUBLISHED):
        found = score(one, text + ") :effect ())", protocol)
        assert all(0 <= value <= 1 for value in found.metrics.values())
        assert json.loads(json.dumps(found.record)) == found.record


# -- agents ----------------------------------------------------------------------------------------


def agent_scores(name: str, protocol: Protocol = CORRECTED) -> list[Score]:
    generator = np.random.default_rng(3)
    suite = get_suite(NAME)
    return [
        suite.score(one, suite.agent(name)(one, generator), protocol)
        for one in suite.load(protocol)
    ]


def test_the_oracle_solves_all_but_the_audited_tasks() -> None:
    scores = agent_scores("oracle")
    failed = {found.identifier for found in scores if not found.record["success"]}
    audited = operator_audit.audit_operators()
    assert failed == {found.task for found in audited}
    assert len(failed) == 54
    by_operator = {found.task for found in audited if found.reason.startswith("grab")}
    assert by_operator == {"688_1"}
    assert all("has no plug" in f.reason for f in audited if f.task not in by_operator)
    assert all(not found.record["problems"] for found in scores)


def test_the_oracle_has_the_figures_of_the_page() -> None:
    page = (DOCS / "eai-protocols.md").read_text()
    overall = get_suite(NAME).summarise(agent_scores("oracle"))["overall"]
    precision, recall, f1, solved = (f"{value:.1f} %" for value in overall.values())
    assert (
        f"a precision of {precision}, a recall of {recall}, an F1 of {f1} and a planner success"
        f" rate of {solved}."
    ) in " ".join(page.split())


def test_random_and_empty_are_near_zero() -> None:
    for name in ("random", "empty"):
        found = agent_scores(name)
        assert not any(one.record["problems"] for one in found)  # wrong, but well formed
        assert np.mean([one.metrics["success"] for one in found]) < 0.03
        assert np.mean([one.metrics["f1"] for one in found]) < 0.06
    assert [s.record for s in agent_scores("random")] == [s.record for s in agent_scores("random")]


def test_every_difference_from_the_official_operators_has_a_reason() -> None:
    page = (DOCS / "eai-protocols.md").read_text()
    found = operator_audit.compare_operators()
    assert len(found) == 33
    for one in found:
        assert (one.precondition < 1 or one.effect < 1) == bool(one.reason), one
        if one.reason:
            row = (
                f"| `{one.operator}` | {100 * one.precondition:.0f} | {100 * one.effect:.0f} |"
                f" {one.reason} |"
            )
            assert row in page, row


# -- sensitivity -----------------------------------------------------------------------------------


def test_annotated_operators_are_never_to_blame() -> None:
    outputs = [(one.id, operator_agents.annotated(one)) for one in load_transition_tasks()[:20]]
    found = sensitivity.sensitivity(SUITE, outputs)
    assert {rate.success_rate for rate in found} == {1.0}
    overall = {r.operator: r.tried for r in found if r.category == "overall"}
    assert sum(overall.values()) == sum(len(one.asked) for one in load_transition_tasks()[:20])


def test_one_operator_is_to_blame() -> None:
    """Each is tried among annotated ones, so that a broken one does not spoil the others."""
    broken = answer(GRAB, grab={"effect": "()"}, walk_towards={"effect": "(shiny ?obj)"})
    trials = sensitivity.try_each(SUITE, [(GRAB, broken), (LAMP, answer(LAMP, plug_in=None))])
    found = {(trial.task, trial.operator): (trial.solved, trial.reason) for trial in trials}
    assert found[GRAB, "grab"][0] is found[GRAB, "walk_towards"][0] is False
    assert "shiny" in found[GRAB, "walk_towards"][1]
    assert found[LAMP, "switch_on"] == (True, "")
    assert found[LAMP, "plug_in"] == (False, "it was not predicted")
    rates = sensitivity.rates(SUITE, trials)
    walking = next(r for r in rates if (r.operator, r.category) == ("walk_towards", "overall"))
    assert (walking.solved, walking.tried) == (1, 2)
    rows = {row["operator"]: row for row in sensitivity.records(SUITE, rates)}
    assert list(rows["grab"])[:4] == ["operator", "tasks", "overall", "object states"]
    assert (rows["walk_towards"]["tasks"], rows["walk_towards"]["overall"]) == (2, 50.0)
    assert rows["grab"]["object orientation"] is None


def test_sensitivity_is_among_the_operators_asked_for() -> None:
    """A lamp that must be faced: only `turn_to` could help, which the task does not ask for."""
    text = reference().texts["switch_on"].precondition
    output = answer(LAMP, switch_on={"precondition": f"{text[:-1]} (facing ?char ?obj))"})
    for protocol, solved in ((CORRECTED, False), (PUBLISHED, True)):
        trials = sensitivity.try_each(SUITE, [(LAMP, output)], protocol)
        found = {trial.operator: trial.solved for trial in trials}
        assert found == {"plug_in": True, "walk_towards": True, "switch_on": solved}
        assert score(task(LAMP), output, protocol).record["success"] == solved


def test_sensitivity_of_unreadable_outputs_and_unknown_tasks() -> None:
    trials = sensitivity.try_each(SUITE, [(GRAB, "no")])
    assert [trial.solved for trial in trials] == [False, False]
    with pytest.raises(HomebodyError):
        sensitivity.try_each(SUITE, [("0_0", "no")])


# -- the published reading and matching ------------------------------------------------------------


def test_published_trees() -> None:
    assert parse("(and (a ?x) (not (b)) ())") == ("and", "a ?x", ("not", "b"), "()")
    for text in ("(not (a) (b))", "(a (and (b)))", "((a)", "(a))", ""):
        with pytest.raises(UnreadableLogic):
            parse(text)
    with pytest.raises(UnreadableLogic):
        parse("(not " * 500 + "(a)" + ")" * 500)
    assert list(predicates([parse("(when (a ?x) (forall (?o - object) (and (b ?o) ())))")])) == [
        "a",
        "b",
    ]


@given(st.lists(st.lists(st.integers(0, 5), unique=True).map(sorted), max_size=6))
def test_maximum_matching_is_one_and_the_largest(edges: list[list[int]]) -> None:
    found = maximum_matching(edges, 6)
    pairs = [(row, column) for row, column in enumerate(found) if column >= 0]
    assert all(column in edges[row] for row, column in pairs)
    assert len({column for _, column in pairs}) == len(pairs)

    def best(row: int, taken: frozenset[int]) -> int:
        if row == len(edges):
            return 0
        options = [1 + best(row + 1, taken | {c}) for c in edges[row] if c not in taken]
        return max([best(row + 1, taken), *options])

    assert len(pairs) == best(0, frozenset())


def test_published_planner_takes_any_word_for_a_quantified_variable() -> None:
    text = "(and (p box) (forall (box ?o - object) (when (q box ?o) (p box))))"
    marked = "(and (p box) (forall (?box ?o - object) (when (q ?box ?o) (p ?box))))"
    assert with_question_marks(text) == marked
    assert with_question_marks(marked) == marked
    assert with_question_marks("(forall (box) (p") == "(forall (box) (p"


def test_published_comparison_of_a_condition_with_itself() -> None:
    for text in reference().texts.values():
        for condition in (text.precondition, text.effect):
            found = compare(condition, condition)
            assert (list(found.wrong), list(found.missed)) == ([], [])


# -- a case for every difference -------------------------------------------------------------------

CONDITIONAL = {
    "effect": "(when (off ?obj) (and (on ?obj) (not (off ?obj))"
    " (forall (?o - object) (not (facing ?char ?o)))))"
}
FULL_HANDS = (
    "(not (and (exists (?obj3 - object) (holds_lh ?char ?obj3))"
    " (exists (?obj4 - object) (holds_rh ?char ?obj4)) (shiny ?obj)))"
)


def cases() -> dict[str, tuple[str, str, tuple[str, ...], str]]:
    """Quirk -> (task, output, quirks mended beforehand, what must change in the record)."""
    commented = answer(LAMP).replace("\\n:effect", " ; then\\n:effect")
    return {
        "operators_read_by_brackets": (
            LAMP,
            "\n".join(blocks(LAMP)).replace(":effect", "; then\n:effect"),
            (),
            "counts",
        ),
        "unreadable_outputs_left_out": (LAMP, '{"output": []}', (), "valid"),
        "missing_operators_cost_nothing": (LAMP, answer(LAMP, plug_in=None), (), "counts"),
        "conditions_compared_as_text": (
            LAMP,
            answer(
                LAMP,
                switch_on={
                    "parameters": "(?c - character ?o - object)",
                    "precondition": "(and (has_switch ?o) (off ?o) (plugged_in ?o)"
                    " (next_to ?c ?o))",
                    "effect": "(and (on ?o) (not (off ?o)))",
                },
            ),
            (),
            "counts",
        ),
        "unreadable_conditions_cost_nothing": (
            LAMP,
            answer(LAMP, switch_on={"precondition": "(not (on ?obj) (off ?obj))"}),
            (),
            "counts",
        ),
        "matched_rows_misread": (
            LAMP,
            answer(
                LAMP,
                switch_on={
                    "precondition": "(and (next_to ?char ?obj) (clean ?obj) (off ?obj))",
                },
            ),
            (),
            "counts",
        ),
        "parts_of_clauses_suffice": (
            GRAB,
            answer(GRAB, grab={"precondition": f"(and {FULL_HANDS.replace('shiny', 'clean')})"}),
            (),
            "counts",
        ),
        "predicates_counted_once": (LAMP, answer(LAMP), (), "counts"),
        "unknown_predicates_cost_nothing": (
            GRAB,
            answer(GRAB, grab={"precondition": f"(and (grabbable ?obj) {FULL_HANDS})"}),
            (),
            "published_crash",
        ),
        "tools_apart": (
            LAMP,
            answer(LAMP, switch_on={"precondition": "(recipient ?obj)"}),
            (),
            "counts",
        ),
        "domain_completed_with_ground_truth": (LAMP, "I cannot.", (), "success"),
        "quantified_parts_refused": (LAMP, answer(LAMP, switch_on=CONDITIONAL), (), "success"),
        "hallucinated_operators_planned_with": (
            LAMP,
            commented[:-2] + "(:action fly :parameters () :precondition () :effect (shiny))" + '"}',
            (),
            "success",
        ),
    }


QUIRKS = [d.name for d in DIFFERENCES if d.module == "transition_modeling"]


def test_every_quirk_has_a_case() -> None:
    assert sorted(cases()) == sorted(QUIRKS)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_mending_one_quirk_changes_the_published_verdict(quirk: str) -> None:
    identifier, output, mended, key = cases()[quirk]
    base = PUBLISHED.without(*mended)

    def verdict(protocol: Protocol) -> Any:
        found = score(task(identifier), output, protocol)
        return {**found.record, "valid": found.valid}.get(key)

    assert verdict(base) != verdict(base.without(quirk))


def test_without_quirks_it_is_the_corrected_protocol() -> None:
    mended = Protocol("mended", PUBLISHED.quirks).without(*PUBLISHED.quirks)
    outputs = [output for _, output, _, _ in cases().values()]
    for identifier in (GRAB, LAMP):
        for output in outputs:
            expected = score(task(identifier), output, CORRECTED)
            assert score(task(identifier), output, mended) == expected


def test_right_answers_in_the_cases_are_right_when_corrected() -> None:
    renamed = score(task(LAMP), cases()["conditions_compared_as_text"][1], CORRECTED)
    assert (renamed.metrics["f1"], renamed.record["success"]) == (1, True)
    commented = score(task(LAMP), cases()["operators_read_by_brackets"][1], CORRECTED)
    assert (commented.metrics["f1"], commented.record["success"]) == (1, True)
    refusal = score(task(LAMP), "I cannot.", CORRECTED)
    assert (refusal.metrics["f1"], refusal.record["success"]) == (0, False)
    assert re.match("the output has no", refusal.record["explanation"])
