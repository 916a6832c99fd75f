"""Results: gone through, printed, shown in a notebook, saved, and made a data frame."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from homebody.core import CORRECTED, HomebodyError, Protocol, SampleError, Suite
from homebody.results.outputs import read_outputs
from homebody.results.results import Results

HOSTILE = "<script>alert(1)</script>&\"'"


def failed(identifier: str, reason: str) -> SampleError:
    return SampleError(identifier, 1, "agent_error", reason)


def results(suite: Suite[str], *outputs: str, name: str = "me", **changes: Any) -> Results:
    tasks = suite.tasks.load(CORRECTED)
    scores = tuple(suite.score(t, text) for t, text in zip(tasks, outputs, strict=False))
    return Results(name, suite, CORRECTED, scores, outputs, **changes)


def test_they_are_gone_through_and_counted(suite: Suite[str]) -> None:
    some = results(suite, "yes", "no!")
    assert [score.identifier for score in some] == ["t1", "t2"]
    assert len(some) == 2
    assert some.summary == {"rates": {"right": 50.0, "wrong": 50.0}}
    assert some.row.values["Slips"] == 1
    assert "score" not in repr(some)


def test_they_are_printed_as_the_command_line_does(
    suite: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = str(results(suite, "yes", "no!"))
    title, *lines = text.splitlines()
    assert title == "toy.world.quiz, in %, corrected protocol"
    assert ["me", "2", "50.0", "50.0", "1"] in [line.split() for line in lines]
    assert text == "\n".join(line.rstrip() for line in text.strip().splitlines())
    both = results(suite, "yes", name="a").table(results(suite, "no", name="b"))
    assert [line.split()[0] for line in both.splitlines()[-2:]] == ["a", "b"]


def test_a_table_has_no_colours_even_if_a_notebook_asks_for_them(
    suite: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in results(suite, "yes").table()


def test_others_are_of_the_same_version_of_the_data(suite: Suite[str]) -> None:
    mine = results(suite, "yes")
    later = replace(suite, tasks=replace(suite.tasks, data=lambda: {"toys": "2"}))
    other = Results("b", later, mine.protocol, mine.scores, mine.outputs)
    with pytest.raises(HomebodyError, match=r"other data \(toys 2\) and cannot be compared"):
        mine.table(other)


def test_others_are_of_the_same_suite_and_protocol(suite: Suite[str]) -> None:
    mine = results(suite, "yes")
    other = Results("b", suite, Protocol("published"), mine.scores, mine.outputs)
    with pytest.raises(HomebodyError, match="published protocol and cannot be compared"):
        mine.table(other)


def test_they_are_taken_by_their_place(suite: Suite[str]) -> None:
    some = results(suite, "yes", "no!", "yes")
    assert some[0] is some.scores[0]
    assert some[-1].identifier == "t3"
    assert some[1:] == some.scores[1:]
    with pytest.raises(IndexError):
        _ = some[3]


def test_they_say_what_they_are(suite: Suite[str]) -> None:
    some = results(suite, "yes", "no!")
    assert repr(some) == "<Results: me on toy.world.quiz, corrected protocol, 2 outputs>"
    some = results(suite, "yes", "no!", "yes", errors=(failed("t4", "x"),))
    assert "3 of 4 outputs" in repr(some)
    assert "3 of 4" in some.table()
    assert "3 of 4" in some._repr_html_()


def test_what_failed_is_told(suite: Suite[str]) -> None:
    some = results(suite, "yes", errors=(failed("t2", "ValueError: no"), failed("t3", "x")))
    why = "ValueError (1), x (1); the first, t2: ValueError: no (agent_error)"
    why = f"2 of 3 samples failed and are excluded: {why}"
    assert str(some).splitlines()[-1] == why
    assert why in some._repr_html_()


class Page(HTMLParser):
    """The cells and styles of a page, which has to close what it opens."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.styles: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.styles += [value or "" for name, value in attrs if name == "style"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_notebook_shows_a_table(suite: Suite[str]) -> None:
    lost = (failed(HOSTILE, HOSTILE),)
    page = Page(results(suite, "yes", "no!", name=HOSTILE, errors=lost)._repr_html_())
    assert page.rows == [
        ["", HOSTILE],
        ["Tasks", "2 of 3"],
        ["Right answers", "50.0 ± 50.0"],
        ["Wrong", "50.0 ± 50.0"],
        ["Slips", "1"],
    ]
    assert "script" not in page.tags


def test_names_and_reasons_do_not_steer_what_shows_them(suite: Suite[str]) -> None:
    escape = "\x1b]0;t\x07\u202e\n\udcff"
    some = results(suite, "yes", name=escape, errors=(failed("t3", f"t2: {escape * 1000}"),))
    for text in (repr(some), str(some), some._repr_html_()):
        assert r"\x1b]0;t\x07\u202e\n\udcff" in text.replace("\n", "")  # a table folds a name
        assert not set(text) & set("\x1b\x07\u202e\udcff")
        assert len(text) < 5_000


def test_it_is_right_on_light_and_dark_ground(suite: Suite[str]) -> None:
    """Text has the page's colour, and lines a grey that is seen on both."""
    for style in Page(results(suite, "yes")._repr_html_()).styles:
        assert not re.search(r"(^|[; ])(color|background[\w-]*):", style)
        for colour in re.findall(r"rgba?\([^)]*\)|#\w+", style):
            assert colour == "rgba(128, 128, 128, 0.4)"


def test_they_are_saved_as_the_command_line_does(suite: Suite[str], tmp_path: Path) -> None:
    results(suite, "yes", "no\ud800", name="openai/gpt-4o").save(tmp_path)
    folder = tmp_path / "openai_gpt-4o"
    assert json.loads((folder / "summary.json").read_text()) == {
        "rates": {"right": 50.0, "wrong": 50.0}
    }
    records = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    assert [record["identifier"] for record in records] == ["t1", "t2"]
    saved = read_outputs(tmp_path / "openai_gpt-4o_outputs.json")
    assert [(output.identifier, output.text) for output in saved] == [
        ("t1", "yes"),
        ("t2", "no\ud800"),
    ]


def test_they_are_not_saved_over_those_of_another_run(suite: Suite[str], tmp_path: Path) -> None:
    mine = replace(results(suite, "yes", name="m"), run={"model": "m", "limit": 1})
    mine.save(tmp_path)
    mine.save(tmp_path)
    with pytest.raises(HomebodyError, match="limit 1 there, none here"):
        replace(mine, run={"model": "m", "limit": None}).save(tmp_path)
    with pytest.raises(HomebodyError, match=r"suite toy\.world\.quiz there, toy\.other here"):
        replace(mine, suite=replace(suite, name="toy.other")).save(tmp_path)


def test_outputs_that_were_scored_are_not_lost(suite: Suite[str], tmp_path: Path) -> None:
    results(suite, "yes").save(tmp_path)
    results(suite, "yes").save(tmp_path)
    with pytest.raises(HomebodyError, match="has other outputs"):
        results(suite, "no").save(tmp_path)


def test_each_line_says_which_task_it_is_of(suite: Suite[str], tmp_path: Path) -> None:
    """Also where a suite's records do not."""
    some = results(suite, "yes")
    record = {key: value for key, value in some[0].record.items() if key != "identifier"}
    replace(some, scores=(replace(some[0], record=record),)).save(tmp_path)
    (line,) = (tmp_path / "me" / "samples.jsonl").read_text().splitlines()
    own = {"metrics": {"right": 1.0}, "cluster": "t1", "protocol": "corrected"}
    assert json.loads(line) == {"identifier": "t1", "epoch": 1, **record, **own}


def test_a_sample_without_a_score_is_saved_with_its_reason(
    suite: Suite[str], tmp_path: Path
) -> None:
    results(suite, "yes", errors=(failed("t2", "too long"),)).save(tmp_path)
    _, lost = map(json.loads, (tmp_path / "me" / "samples.jsonl").read_text().splitlines())
    assert lost == {
        "identifier": "t2",
        "epoch": 1,
        "error": {"kind": "agent_error", "reason": "too long", "traceback": ""},
        "protocol": "corrected",
    }


@pytest.mark.parametrize("name", ["../up", "", "..", "/", "a\x00b"])
def test_a_name_stays_in_the_folder(suite: Suite[str], tmp_path: Path, name: str) -> None:
    results(suite, "yes", name=name).save(tmp_path / "in")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert len(list((tmp_path / "in").iterdir())) == 2


def test_a_data_frame_has_a_row_for_each_score(
    suite: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """pandas is none of homebody's packages: what it is given is looked at."""
    frame = SimpleNamespace(from_records=lambda rows: rows)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=frame))
    first, second = results(suite, "yes", "no!").to_pandas()
    assert first == {
        "id": "t1", "epoch": 1, "identifier": "t1", "right": 1.0, "slips": 0, "output": "yes"
    }  # fmt: skip
    assert (second["id"], second["right"], second["output"]) == ("t2", 0.0, "no!")


def test_without_pandas_it_is_said_what_to_install(
    suite: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(HomebodyError, match="pandas is not installed") as caught:
        results(suite, "yes").to_pandas()
    assert caught.value.hint == "pip install pandas"
