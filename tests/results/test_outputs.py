"""Files in the published formats: found, read (whatever is in them) and written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import HomebodyError, SampleError
from homebody.results import outputs
from homebody.results.outputs import Output, find_outputs, read_outputs, safe_name, write_outputs

NAME = "toy.world.quiz"


def file_with(folder: Path, text: str | bytes, name: str = "m_outputs.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def entry(identifier: Any = "t1", llm_output: Any = "yes") -> dict[str, Any]:
    return {"identifier": identifier, "llm_output": llm_output}


def read_entries(folder: Path, *entries: Any) -> list[Output | SampleError]:
    return read_outputs(file_with(folder, json.dumps(list(entries))))


# --- Finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "model"),
    [("gpt-4o_outputs.json", "gpt-4o"), ("answers.json", "answers"), ("answers", "answers")],
)
def test_one_file_is_one_model(file: str, model: str, tmp_path: Path) -> None:
    path = file_with(tmp_path, "[]", file)
    assert find_outputs(path, NAME) == {model: path}


@pytest.mark.parametrize("where", [".", "world/quiz"])
def test_a_folder_holds_a_file_per_model(where: str, tmp_path: Path) -> None:
    b = file_with(tmp_path / where, "[]", "b_outputs.json")
    a = file_with(tmp_path / where, "[]", "a_outputs.json")
    file_with(tmp_path / where, "[]", "notes.json")
    found = find_outputs(tmp_path, NAME)
    assert found == {"a": a, "b": b}
    assert list(found) == ["a", "b"]


@pytest.mark.parametrize(
    ("files", "models"),
    [
        (["m_outputs.json", "m.json_outputs.json"], ["m.json", "m"]),
        (
            ["a_outputs.json", "m_outputs.json", "m.json_outputs.json"],
            ["a", "m.json", "m"],
        ),
        (
            ["m.json_outputs.json", "m_outputs.json", "m_outputs.json.json_outputs.json"],
            ["m.json", "m", "m_outputs_json"],
        ),
        (
            ["a_outputs.json", "a_.json_outputs.json", "a.json_outputs.json", "a__outputs.json"],
            None,
        ),
    ],
)
def test_names_that_would_be_the_same_are_told_apart(
    files: list[str], models: list[str] | None, tmp_path: Path
) -> None:
    """By names of folders that are none of a file beside them."""
    paths = {file_with(tmp_path, "[]", file) for file in files}
    found = find_outputs(tmp_path, NAME)
    assert list(found) == (models or list(found))
    assert set(found.values()) == paths
    assert not any(name.endswith("_outputs.json") for name in found)


def test_files_of_other_suites_are_not_taken(tmp_path: Path) -> None:
    file_with(tmp_path / "world" / "other_quiz", "[]")
    with pytest.raises(HomebodyError, match=r"has no \*_outputs\.json file") as caught:
        find_outputs(tmp_path, NAME)
    assert "<model>_outputs.json" in caught.value.hint


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"file or folder not found: .*nowhere"):
        find_outputs(tmp_path / "nowhere", NAME)


@pytest.mark.parametrize("name", ["._m_outputs.json", ".._outputs.json", "_outputs.json"])
def test_hidden_and_nameless_files_are_no_model(name: str, tmp_path: Path) -> None:
    """Archives made on macOS hold ``._*`` files; a model ``..`` would write outside of --out."""
    model = file_with(tmp_path, "[]", "m_outputs.json")
    file_with(tmp_path, "[]", name)
    assert find_outputs(tmp_path, NAME) == {"m": model}


# --- Reading --------------------------------------------------------------------------------------


def test_outputs_are_read_in_order_and_repeats_are_kept(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry("t2", "no"), entry("t1"), entry("t2", "yes")) == [
        Output("t2", "no"),
        Output("t1", "yes"),
        Output("t2", "yes"),
    ]


@pytest.mark.parametrize("keys", [{"prompt": "Say yes."}, {"ability": None, "gold": [1]}])
def test_other_keys_are_passed_over(keys: dict[str, Any], tmp_path: Path) -> None:
    assert read_entries(tmp_path, {**entry(), **keys}) == [Output("t1", "yes")]


@pytest.mark.parametrize("value", [{"WALK": ["table", 9]}, ["yes"], [], True, 1.5])
def test_an_output_that_is_no_text_becomes_text(value: Any, tmp_path: Path) -> None:
    (output,) = read_entries(tmp_path, entry(llm_output=value))
    assert isinstance(output, Output)
    assert json.loads(output.text) == value


def test_no_output_is_an_empty_text(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry(llm_output=None)) == [Output("t1", "")]


def test_a_number_as_identifier_becomes_text(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry(27)) == [Output("27", "yes")]


def test_an_empty_list_is_no_output(tmp_path: Path) -> None:
    assert read_entries(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[", '[{"identifier": "t1"}', b"\xff\xfe\x00", b"\x00" * 100]
)
def test_what_is_not_json(text: str | bytes, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"m_outputs\.json is not JSON"):
        read_outputs(file_with(tmp_path, text))


@pytest.mark.parametrize("text", ["{}", "null", '"text"', "1", '{"identifier": "t1"}'])
def test_json_that_is_no_list(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="is not a list") as caught:
        read_outputs(file_with(tmp_path, text))
    assert '"llm_output"' in caught.value.hint


@pytest.mark.parametrize(
    "broken", [None, 1, "t1", [], {}, {"identifier": "t1"}, {"llm_output": "yes"}]
)
def test_an_entry_that_is_no_output_is_named(broken: Any, tmp_path: Path) -> None:
    """It costs itself; the others are read."""
    first, second, third = read_entries(tmp_path, entry(), entry(), broken)
    assert first == second == Output("t1", "yes")
    assert isinstance(third, SampleError)
    assert third.kind == "agent_error"
    assert re.fullmatch("no (identifier|llm_output): entry 2 of the file", third.reason)
    with pytest.raises(HomebodyError, match="entry 0 is not an output") as caught:
        read_entries(tmp_path, broken, broken)
    assert '"llm_output"' in caught.value.hint


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "m_outputs.json").mkdir()
    with pytest.raises(HomebodyError, match="cannot read"):
        read_outputs(tmp_path / "m_outputs.json")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "MAX_BYTES", 1 << 20)
    with pytest.raises(HomebodyError, match="is larger than 1 MiB"):
        read_outputs(file_with(tmp_path, b" " * ((1 << 20) + 1)))


def test_what_other_programs_write_as_json(tmp_path: Path) -> None:
    """Python's json module writes these, and the published evaluators read them."""
    text = json.dumps([entry("t1", "\ud800"), entry("t2", float("nan")), entry("t3", 10**400)])
    assert [output.identifier for output in read_outputs(file_with(tmp_path, text))] == [
        "t1",
        "t2",
        "t3",
    ]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    text = json.dumps([entry()]).encode("utf-8-sig")
    assert read_outputs(file_with(tmp_path, text)) == [Output("t1", "yes")]


@pytest.mark.parametrize("depth", [99, 100, 300, 1_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_deep_nesting_costs_nothing(depth: int, opening: str, closing: str, tmp_path: Path) -> None:
    """What is nested too deep to be read is the text that it is."""
    deep = opening * depth + '"]"' + closing * depth
    text = f'[{{"identifier": "t1", "llm_output": {deep}}}, {json.dumps(entry("t2", [1]))}]'
    for content in (text, text.encode("utf-16")):
        assert read_outputs(file_with(tmp_path, content)) == [
            Output("t1", deep),
            Output("t2", "[1]"),
        ]


@pytest.mark.parametrize("text", ["[" * 1_000, "[" * 1_000 + "]" * 1_000, '[{"a": ' * 1_000])
def test_what_is_nested_too_deep_elsewhere_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"is not JSON|is not an output"):
        read_outputs(file_with(tmp_path, text))


@pytest.mark.parametrize("digits", [19, 20, 400, 5_000, 100_000])
def test_a_number_of_any_length_costs_nothing(digits: int, tmp_path: Path) -> None:
    number = "9" * digits
    text = f'[{{"identifier": {number}, "llm_output": {number}}}, {json.dumps(entry())}]'
    first, second = read_outputs(file_with(tmp_path, text))
    assert second == Output("t1", "yes")
    assert isinstance(first, Output)
    assert first.text == first.identifier
    if digits > 310:  # more than a float has
        assert first.text == number


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries({}, optional={"identifier": json_values, "llm_output": json_values})


@given(content=st.binary() | st.lists(json_values | entries, max_size=4).map(json.dumps))
def test_any_file_is_read_or_refused(
    content: bytes | str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = file_with(tmp_path_factory.mktemp("any"), content)
    try:
        found = read_outputs(path)
    except HomebodyError:
        return
    assert all(isinstance(output.identifier, str) for output in found)
    assert all(isinstance(o, SampleError) or isinstance(o.text, str) for o in found)


def test_names_of_models_as_those_of_files() -> None:
    assert safe_name("openai/gpt-4o (p=0.1)") == "openai_gpt-4o_p=0.1_"
    assert safe_name("../..") == "_.."
    assert safe_name("...") == "model"
    assert safe_name("x" * 200) == "x" * 200
    for letter in ("x", "ü", "厨", "\udcff"):
        names = {safe_name(letter * 300 + end) for end in ("", "1", "2")}
        assert len(names) == 3
        assert all(len(name.encode()) <= 200 for name in names)


def test_written_outputs_are_read_back(tmp_path: Path) -> None:
    made = [Output("t1", 'a "plan"\n'), Output("t1", ""), Output("t2", "é\x00\u2028")]
    path = tmp_path / "new" / "m_outputs.json"
    write_outputs(path, made)
    assert read_outputs(path) == made
    assert set(json.loads(path.read_text("utf-8"))[0]) == {"identifier", "llm_output"}
