"""Transcripts: what is written is read, whatever else is refused, and calls are found in texts."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Action, HomebodyError
from homebody.core.play.transcript import (
    FORMAT,
    MAX_CALL,
    MAX_NAME,
    MAX_TEXT,
    Transcript,
    TranscriptEntry,
    decode,
    find_call,
    is_writable,
    mark_unread,
    printable,
    read_call,
    write_call,
)

NAMES = st.text(max_size=30)
ENTRIES = st.builds(
    TranscriptEntry,
    clock=st.integers(0, 2**40),
    role=NAMES,
    call=st.text(max_size=60),
    cycle=st.integers(0, 99),
    planner=NAMES,
)


# -- whole transcripts ----------------------------------------------------------------------------


@given(
    st.dictionaries(NAMES, NAMES, max_size=3),
    st.integers(-(2**63), 2**63 - 1),
    st.lists(ENTRIES, max_size=5),
)
def test_what_is_encoded_is_decoded(
    settings: dict[str, str], seed: int, entries: list[TranscriptEntry]
) -> None:
    transcript = Transcript(settings, seed, tuple(entries))
    assert decode(transcript.encode()) == transcript


def test_the_name_that_transcripts_had_at_first_is_read_too() -> None:
    transcript = Transcript(
        {"team": "single"}, 3, (TranscriptEntry(0, "human", "Pick[cup_0]", 1, "human"),)
    )
    text = transcript.encode()
    assert json.loads(text)["format"] == FORMAT == "homebody-transcript"
    assert decode(text.replace(FORMAT, "partnr-run")) == transcript


ENTRY: list[Any] = [0, "robot", "Pick[cup_0]", 1, "robot"]


def document(**changed: Any) -> str:
    made = {"format": FORMAT, "version": 1, "settings": {}, "seed": 0, "entries": [ENTRY]}
    return orjson.dumps(made | changed).decode()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        (" " * (MAX_TEXT + 1), "at most"),
        ("[]", f"its format is not {FORMAT}"),
        ("null", f"its format is not {FORMAT}"),
        (document(format="other"), f"its format is not {FORMAT}"),
        (document(version=2), "version 2 cannot be read"),
        (document(version="x" * 1_000), "version x{20} cannot"),
        (document(settings=[]), "map names to strings"),
        (document(settings={"team": 1}), "map names to strings"),
        (document(seed=True), "whole number"),
        (document(seed=1.0), "whole number"),
        (document(entries={}), "list of entries"),
        (document(entries=[ENTRY] * 4), "at most 3 entries"),
        *((document(entries=[raw]), "an entry of a transcript must be") for raw in (
            None, [], ENTRY[:4], [*ENTRY, 0, 0], [*ENTRY, "0"], [1.0, *ENTRY[1:]],
            [True, *ENTRY[1:]], [*ENTRY[:3], "1", "robot"], [0, None, *ENTRY[2:]],
        )),
    ],
)  # fmt: skip
def test_what_is_no_transcript_is_refused(text: str, why: str) -> None:
    with pytest.raises(HomebodyError, match=why):
        decode(text, max_entries=3)


def test_entries_are_bounded() -> None:
    (entry,) = decode(document(entries=[[0, "r" * 999, "c" * 999, 0, "p" * 999]])).entries
    assert (len(entry.role), len(entry.call), len(entry.planner)) == (MAX_NAME, MAX_CALL, MAX_NAME)


# -- calls ----------------------------------------------------------------------------------------


@given(NAMES, st.lists(NAMES, max_size=6))
def test_a_call_that_is_written_is_read_as_itself_for_good(name: str, args: list[str]) -> None:
    call = write_call(Action(name, tuple(args)))
    assert len(call) <= MAX_CALL
    assert printable(call) == call
    read = read_call(call)
    if read is not None:
        assert read_call(write_call(read)) == read
        assert write_call(read) == call
    long = Action("Pick", ("y[,] " * 200,))
    assert write_call(read_call(write_call(long)) or long) == write_call(long)
    usual = Action("Place", ("cup_0", "on", "table_1", "next_to", "plate_2"))
    assert read_call(write_call(usual)) == usual


@given(st.text(max_size=400))
def test_what_could_not_be_read_is_kept_and_never_a_call(text: str) -> None:
    kept = mark_unread(text)
    assert len(kept) <= MAX_CALL
    assert printable(kept) == kept
    assert read_call(kept) is None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Pick[cup_0]", Action("Pick", ("cup_0",))),
        ("Wait[]", Action("Wait")),
        ("I should go there.\nNavigate[table_0]", Action("Navigate", ("table_0",))),
        ("I think " + "a lot " * 200 + "so Pick[b]", Action("Pick", ("b",))),
        ("Pick[a] is wrong, so\nAction: Pick [b]\n", Action("Pick", ("b",))),
        (
            "Place[cup_0, on, table_1, next_to, plate_2]",
            Action("Place", ("cup_0", "on", "table_1", "next_to", "plate_2")),
        ),
        (
            "Place[cup_0,on,table_1,None,None]",
            Action("Place", ("cup_0", "on", "table_1", "None", "None")),
        ),
    ],
)
def test_actions_are_found_as_they_are_written(text: str, action: Action) -> None:
    assert find_call(text) == action
    assert find_call(write_call(action)) == action


@pytest.mark.parametrize("text", ["", "no action", "[cup]", "Pick[", "x" * 100_000, "[" * 5000])
def test_text_without_an_action(text: str) -> None:
    with pytest.raises(HomebodyError, match="no action"):
        find_call(text)


@pytest.mark.parametrize("name", ["Take2", "_go", "x" * 50, "A1b_2"])
def test_names_are_the_same_in_calls_and_in_texts(name: str) -> None:
    action = Action(name, ("cup",))
    assert read_call(f"{name}[cup]") == find_call(f"I think: {name}[cup]") == action
    assert is_writable(action)


@pytest.mark.parametrize(
    "action",
    [
        Action(""), Action("2"), Action("x" * 51), Action("Take it"), Action("Pick", ("cup, red",)),
        Action("Pick", ("cup[0]",)), Action("Pick", (" cup",)), Action("Pick", ("",)),
        Action("Pick", ("x" * 300,)), Action("Pick", ("\n",)),
    ],
)  # fmt: skip
def test_what_cannot_be_written_as_a_call(action: Action) -> None:
    assert not is_writable(action)


def test_whose_name_has_no_code_is_written_without_it() -> None:
    entry = TranscriptEntry(0, "\ud800", "Done[]", 1, "a\udfff")
    (read,) = decode(Transcript({}, 0, (entry,)).encode()).entries
    assert (read.role, read.planner) == ("?", "a?")
