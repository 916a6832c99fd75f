from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.planning import sexpr
from homebody.planning.sexpr import (
    MAX_DEPTH,
    MAX_LENGTH,
    Fault,
    Group,
    Item,
    Notation,
    Word,
    as_group,
    as_name,
    as_word,
    cut,
    place,
    read,
)
from patience import calls

TOKENS = sexpr.tokens(word=r"[!-'*-:<-~]+", skipped=r"\s+|;[^\n]*")
PLAIN = Notation(TOKENS, "nothing to close")
WHOLE = Notation(TOKENS, "nothing to close", whole=True)


def printed(item: Item) -> str:
    if isinstance(item, Word):
        return item.text
    return f"({' '.join(map(printed, item.items))})"


def every(item: Item) -> list[Item]:
    inner = item.items if isinstance(item, Group) else ()
    return [item, *(one for part in inner for one in every(part))]


def fault(text: str, notation: Notation = PLAIN) -> Fault:
    with pytest.raises(Fault) as caught:
        read(text, notation)
    return caught.value


def test_words_and_groups_have_their_places() -> None:
    assert read("Go (to ?X\n()) ; (not this\nend", PLAIN) == (
        Word("go", 0),
        Group((Word("to", 4), Word("?x", 7), Group((), 10)), 3),
        Word("end", 26),
    )


def test_nothing_is_nothing() -> None:
    assert read("", PLAIN) == read(" ; (a\n", PLAIN) == ()


def test_a_notation_says_what_is_a_word() -> None:
    split = Notation(sexpr.tokens(word=r"\?[a-z]*|[a-z]+", skipped=" "), "nothing to close")
    assert [printed(item) for item in read("a?b ??", split)] == ["a", "?b", "?", "?"]
    assert [printed(item) for item in read("a?b ??", PLAIN)] == ["a?b", "??"]
    assert fault("a\n", split).at == 1


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("(a", 0, "never closed"),
        ("(a) (b (c)", 4, "never closed"),
        ("(a (b)\n(c", 7, "never closed"),
        ("a)", 1, "unexpected ')'; nothing to close"),
        ("(a))(", 3, "unexpected ')'; nothing to close"),
        ("(a é)", 3, r"unexpected character '\xe9'"),
        ("(a\0", 2, r"unexpected character '\x00'"),
    ],
)
@pytest.mark.parametrize("notation", [PLAIN, WHOLE])
def test_faults_say_where_and_what(text: str, at: int, problem: str, notation: Notation) -> None:
    found = fault(text, notation)
    assert problem in found.problem
    assert found.at == at


def test_a_text_beyond_the_bound_is_reported_where_it_is_passed_or_begins() -> None:
    longest = " " * (MAX_LENGTH - 1) + "a"
    assert read(longest, PLAIN) == read(longest, WHOLE) == (Word("a", MAX_LENGTH - 1),)
    assert fault(longest + " ").at == MAX_LENGTH
    assert fault(longest + " ", WHOLE).at == 0


def nested(depth: int) -> str:
    return "(" * depth + ")" * depth


def test_a_group_beyond_the_bound_is_reported_where_it_is_passed_or_begins() -> None:
    deepest = f"({'a' + nested(MAX_DEPTH - 1)} b {nested(MAX_DEPTH - 1)})"
    assert printed(read(deepest, PLAIN)[0]) == printed(read(deepest, WHOLE)[0])
    for more in range(1, 4):
        text = "x " + nested(MAX_DEPTH + more)
        assert fault(text).at == 2 + MAX_DEPTH
        assert fault(text, WHOLE).at == 2 + more - 1  # the first that is closed with too many
    assert "inside one another" in fault("(" * (MAX_DEPTH + 1)).problem
    assert "never closed" in fault("(" * (MAX_DEPTH + 1), WHOLE).problem


def test_the_depth_of_a_group_is_that_of_its_deepest_part() -> None:
    beside = f"(a {nested(MAX_DEPTH)} (b) ())"
    assert fault(beside, WHOLE).at == 0
    assert fault(f"(c) {beside}", WHOLE).at == 4
    assert len(read(nested(MAX_DEPTH) * 3 + "(a (b))", WHOLE)) == 4


@pytest.mark.sampled
@pytest.mark.parametrize("text", ["(" * MAX_LENGTH, ")" * MAX_LENGTH, "(a" * (MAX_LENGTH // 2)])
def test_hostile_text_is_refused_in_linear_time(text: str) -> None:
    for notation in (PLAIN, WHOLE):
        assert calls(partial(fault, text, notation)) < 10 * len(text)


ITEMS = st.recursive(
    st.text("ab?-:", min_size=1, max_size=4),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=20,
)


@given(st.lists(ITEMS, max_size=4), st.sampled_from([" ", "\n", "\t ; x (\n"]))
def test_what_is_written_is_read(items: list[str], between: str) -> None:
    text = between.join(items)
    found = read(text, PLAIN)
    assert read(text, WHOLE) == found
    assert [printed(item) for item in found] == items
    for top in found:
        for item in every(top):
            begins = "(" if isinstance(item, Group) else item.text
            assert text.startswith(begins, item.at)


@given(st.text("()ab?; \né", max_size=40))
def test_any_text_is_read_or_refused_inside_it(text: str) -> None:
    places = []
    for notation in (PLAIN, WHOLE):
        try:
            read(text, notation)
        except Fault as found:
            places.append(found.at)
    assert all(0 <= at < len(text) for at in places)


@given(st.text("a\n\r", max_size=30), st.data())
def test_places_count_lines_and_columns_from_one(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    line, column = place(text, at)
    lines = text.split("\n")
    assert sum(len(before) + 1 for before in lines[: line - 1]) + column - 1 == at
    assert 1 <= column <= len(lines[line - 1]) + 1


def test_heads() -> None:
    heads = [item.head for item in read("(and a) ((b)) ()", PLAIN) if isinstance(item, Group)]
    assert heads == ["and", "", ""]


def test_what_was_expected_is_said() -> None:
    word, group = read("some ()", PLAIN)
    assert as_group(group, "a goal") is group
    assert as_word(word, "a name") == as_name(word, "a name") == "some"
    for wrong, item, problem in (
        (as_group, word, "expected a goal, found 'some'"),
        (as_word, group, "expected a goal, found a group"),
        (as_name, group, "expected a goal, found a group"),
    ):
        with pytest.raises(Fault) as caught:
            wrong(item, "a goal")
        assert (caught.value.problem, caught.value.at) == (problem, item.at)


@pytest.mark.parametrize("text", ["?x", ":goal", "-"])
def test_some_words_are_no_names(text: str) -> None:
    (item,) = read(text, PLAIN)
    assert as_word(item, "a name") == text
    with pytest.raises(Fault, match="expected a name, found"):
        as_name(item, "a name")


def test_long_words_are_cut_where_they_are_quoted() -> None:
    assert cut("a" * 40) == "a" * 40
    assert cut("a" * 41) == "a" * 39 + "…"
