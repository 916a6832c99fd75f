"""The annotation text: what people write is read, and nothing of it is run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.goals.partnr import (
    Annotation,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    EvaluationError,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    groups_of_order,
    order_of_groups,
    read_annotation,
    write_annotation,
)

TEXT = '''
# type: ignore

instruction = """
Put two mugs on a table,
  then  the lamp next to them.
"""

propositions = [
    is_on_top(['mug_0', 'mug_1'], ["table_0", "table_4"], number=2, is_same_receptacle=True),
    is_next_to(['lamp_0'],
               ['mug_0'], l2_threshold=0.75),  # over two lines
    is_clustered(['a_0', 'a_1'], ['b_0'], number=[2, 1]),
    is_powered_on(object_handles=["lamp_0"]),
    is_in_room(["lamp_0"], ["hall_0"], arg_match=True),
]

temporal_groups = [
    [0],
    [1, 2],
    [3, 4],
]

tie_constraints = [
    SameArgConstraint([1, 3], [0, 0]),
    DifferentArgConstraint([0, 2], [0, 1]),
    SameArgConstraint(proposition_indices=[1, 3], arg_names=["entity_handles_a", "object_handles"]),
    SameArgConstraint([0, 4], 1),
]

dependencies = [
    WhileSatisfied([1], depends_on=[0]),
    AfterUnsatisfied([2, 3], [0, 1], "any"),
    PropositionDependency([3], [1], "after_satisfied"),
]

exclude_final_constraint = [1]
skip_episode = True
reason = "one mug is not there"
'''


def test_reading() -> None:
    found = read_annotation(TEXT)
    assert found.instruction == "Put two mugs on a table, then the lamp next to them."
    assert (found.skip, found.reason) == (True, "one mug is not there")
    assert found.evaluation == Evaluation(
        (
            Proposition("is_on_top", (("mug_0", "mug_1"), ("table_0", "table_4")), (2,), True),
            Proposition("is_next_to", (("lamp_0",), ("mug_0",)), threshold=0.75),
            Proposition("is_clustered", (("a_0", "a_1"), ("b_0",)), (2, 1)),
            Proposition("is_powered_on", (("lamp_0",),)),
            Proposition("is_in_room", (("lamp_0",), ("hall_0",)), same=True),
        ),
        (
            Dependency((1,), (0,), "while_satisfied"),
            Dependency((2, 3), (0, 1), "after_unsatisfied", "any"),
            Dependency((3,), (1,), "after_satisfied"),
        ),
        (
            TemporalConstraint(((0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 4))),
            SameArgConstraint((1, 3), ("entity_handles_a", "object_handles")),
            DifferentArgConstraint((0, 2), ("object_handles", "*args_1")),
            SameArgConstraint((1, 3), ("entity_handles_a", "object_handles")),
            SameArgConstraint((0, 4), ("receptacle_handles", "room_ids")),
            TerminalSatisfactionConstraint((0, 2, 3, 4)),
        ),
    )


def test_writing_and_reading_back() -> None:
    found = read_annotation(TEXT)
    assert read_annotation(write_annotation(found)) == found


def test_empty_sections() -> None:
    found = read_annotation("propositions = [is_clean(['a'])]")
    assert found == Annotation(
        "",
        Evaluation(
            (Proposition("is_clean", (("a",),)),), (), (TerminalSatisfactionConstraint((0,)),)
        ),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("propositions = [is_clean(['a'])", "line 1"),
        ("import os", "only `name = value`"),
        ("a = b = 3", "unknown or repeated section"),
        ("reason = ''\nreason = ''", "line 2"),
        ("other = []", "unknown or repeated section"),
        ("propositions = [__import__('os').system('true')]", "not a call"),
        ("propositions = [is_clean([open('x')])]", "neither a list"),
        ("propositions = [is_clean(['a' + 'b'])]", "neither a list"),
        ("propositions = [is_clean(['a'], *[1])]", "neither a list"),
        ("propositions = [is_clean(['a'], **{})]", "unknown or repeated argument"),
        ("propositions = [is_clean([[[[[['a']]]]]])]", "too deep"),
        ("propositions = [is_clean([1])]", "not a string"),
        ("propositions = [is_clean('a')]", "not a list"),
        ("propositions = [is_clean(['a'], number=True)]", "an integer"),
        ("propositions = [is_clean(['a'], number=1.0)]", "an integer"),
        ("propositions = [is_clean(['a'], ['b'], 1, 1)]", "at most"),
        ("propositions = [is_heavy(['a'])]", "unknown predicate"),
        ("propositions = [is_clean(['a'], l2_threshold=1)]", "unknown or repeated argument"),
        ("propositions = [is_clean(['a'])]\ntemporal_groups = [[0], [0]]", "two temporal groups"),
        ("propositions = [is_clean(['a'])]\ntemporal_groups = [[0], [1]]", "no proposition 1"),
        (
            "propositions = [is_clean(['a'])]\ntie_constraints = [OtherArg([0], [0])]",
            "unknown argument constraint",
        ),
        (
            "propositions = [is_clean(['a'])]\ntie_constraints = [SameArgConstraint([0], [1])]",
            "no argument",
        ),
        (
            "propositions = [is_clean(['a'])]\ntie_constraints = [SameArgConstraint([3], [0])]",
            "no proposition 3",
        ),
        (
            "propositions = [is_clean(['a'])]\ndependencies = [Whenever([0], [0])]",
            "unknown dependency",
        ),
        ("exclude_final_constraint = [2]", "unknown proposition"),
        ("skip_episode = 1", "must be True"),
        ("x" * 200_001, "characters"),
        ("reason = " + "(" * 5_000 + ")" * 5_000, "line 1|parsed"),
        ("reason = " + "-" * 100_000 + "1", "line 1|parsed"),
        ("reason = 'a\x00b'", "null|parsed"),
        ("exclude_final_constraint = [0x" + "f" * 9_000 + "]", "too large"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        read_annotation(text)


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_text_is_read_or_refused(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT)))
    end = data.draw(st.integers(start, min(start + 40, len(TEXT))))
    text = TEXT[:start] + data.draw(st.text(max_size=8)) + TEXT[end:]
    try:
        found = read_annotation(text)
    except EvaluationError:
        return
    assert isinstance(found, Annotation)


@given(st.permutations(range(8)), st.sets(st.integers(1, 7)))
def test_groups_and_orders(order: list[int], cuts: set[int]) -> None:
    ends = [0, *sorted(cuts), 8]
    groups = [tuple(sorted(order[a:b])) for a, b in zip(ends, ends[1:], strict=False)]  # noqa: RUF007
    found = groups_of_order(order_of_groups(groups), 8)
    assert found == (groups if len(groups) > 1 else [tuple(range(8))])


def test_an_order_that_is_not_of_groups() -> None:
    assert groups_of_order(TemporalConstraint(((0, 1), (2, 3))), 4) is None
    assert order_of_groups([[0], [], [1]]) == TemporalConstraint(((0, 1),))
