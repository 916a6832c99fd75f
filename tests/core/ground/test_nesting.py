"""How deep texts are nested: the same whatever the interpreter can do."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.ground.nesting import (
    MAX_DEPTH,
    MAX_DIGITS,
    TooDeep,
    check_depth,
    groups,
    groups_at,
    read_json,
)


def nested(depth: int, inner: str = "1") -> str:
    return (
        '[{"a":' * (depth // 2)
        + "[" * (depth % 2)
        + inner
        + "]" * (depth % 2)
        + "}]" * (depth // 2)
    )


@pytest.mark.parametrize("depth", [1, 2, MAX_DEPTH - 1, MAX_DEPTH])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_what_is_nested_less_is_read(depth: int, encoding: str) -> None:
    text = nested(depth, '"[[{\\\\\\"[["')
    check_depth(text)
    check_depth(text.encode())
    assert read_json(text) == read_json(text.encode(encoding)) == json.loads(text)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 900, 3_000, 200_000])
@pytest.mark.parametrize(
    "text", ["{}", "{} [1]", '["\\\\", {}]', "[{}", '["\U00012200", {}', "\ud800{}", "{}]]]["]
)
def test_what_is_nested_more_is_refused(depth: int, text: str) -> None:
    text = text.replace("{}", nested(depth))
    for data in (text, text.encode("utf-8", "replace")):
        with pytest.raises(TooDeep, match=f"more than {MAX_DEPTH} levels"):
            check_depth(data)
    with pytest.raises(ValueError, match=f"more than {MAX_DEPTH} levels"):
        read_json(text)


def test_brackets_in_texts_are_no_nesting() -> None:
    value = ["[" * 500, '"[' * 500, "\\" * 501 + '"' + "{" * 300, {"[" * 400: "\U0001f600["}]
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        check_depth(text)
        check_depth(text.encode())
        assert read_json(text) == value


@given(
    st.recursive(
        st.text(alphabet='[]{}"\\,é\u2200', max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    )
)
def test_the_bound_is_exact(value: object) -> None:
    def levels(value: object) -> int:
        inside = (
            value.values() if isinstance(value, dict) else value if type(value) is list else None
        )
        return 0 if inside is None else 1 + max(map(levels, inside), default=0)

    depth = levels(value)
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        check_depth(text, depth)
        if depth:
            with pytest.raises(TooDeep):
                check_depth(text, depth - 1)
            assert groups(text)[0] == (depth, len(text))


def test_numbers_too_long_to_be_any_are_texts() -> None:
    digits = "9" * MAX_DIGITS
    assert read_json(digits) == int(digits)
    assert read_json(f'[-1, {"9" * 5_000}, {{"a": {digits}0}}]') == [
        -1,
        "9" * 5_000,
        {"a": f"{digits}0"},
    ]


def test_groups_that_are_closed() -> None:
    text = '[1, {"a": []}, "]", [2]] ['
    assert groups(text) == {0: (3, 24), 4: (2, 13), 10: (1, 12), 20: (1, 23)}
    assert groups("[[1], [") == {0: (0, 0), 1: (1, 4), 6: (0, 0)}
    assert groups('[{"a]}') == {0: (0, 0), 1: (0, 0)}


def test_groups_that_open_at_a_depth() -> None:
    text = '[{"a": [1]}, "[", [[2]], 3]'
    assert [text[a:b] for a, b in groups_at(text, 1)] == [text]
    assert [text[a:b] for a, b in groups_at(text, 2)] == ['{"a": [1]}', "[[2]]"]
    assert [text[a:b] for a, b in groups_at(text, 3)] == ["[1]", "[2]"]
    assert list(groups_at("[[1", 1)) == []
