"""Files of episodes: what is written is read, and nothing else is believed."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from authoring.partnr import fake_maker
from homebody.core import HomebodyError
from homebody.goals.partnr import Episode, EvaluationError, write_episode
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.tasks import load


@pytest.fixture
def some() -> list[Episode]:
    return [fake_maker.make("val", 18, index)[0] for index in range(5)]


@pytest.mark.parametrize("name", ["some.jsonl", "some.jsonl.gz"])
def test_what_is_written_is_read(tmp_path: Path, some: list[Episode], name: str) -> None:
    assert files.write_file(tmp_path / name, iter(some)) == 5
    assert list(files.read_file(tmp_path / name)) == some
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert files.find(tmp_path / name, some[3].id) == some[3]
    first = (tmp_path / name).read_bytes()
    files.write_file(tmp_path / name, some)
    assert (tmp_path / name).read_bytes() == first


def test_published_files_are_read(tmp_path: Path, some: list[Episode]) -> None:
    raw = {"episodes": [write_episode(one) for one in some]}
    (tmp_path / "some.json.gz").write_bytes(gzip.compress(orjson.dumps(raw)))
    assert list(files.read_file(tmp_path / "some.json.gz")) == some


def test_an_error_while_writing_leaves_nothing(tmp_path: Path, some: list[Episode]) -> None:
    def two() -> object:
        yield from some[:2]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        files.write_file(tmp_path / "some.jsonl.gz", two())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_what_is_damaged_is_refused_where_it_is(tmp_path: Path, some: list[Episode]) -> None:
    path = tmp_path / "some.jsonl"
    files.write_file(path, some)
    path.write_bytes(path.read_bytes().replace(b'"episode_id":"val-18-3"', b'"episode_id":[]'))
    reading = files.read_file(path)
    assert [next(reading) for _ in range(3)] == some[:3]
    with pytest.raises(HomebodyError, match=r"some\.jsonl, line 4: episode_id is not a string"):
        next(reading)


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb", 1) as file:
        for _ in range(64):
            file.write(bytes(1024**2))
    assert os.path.getsize(tmp_path / "bomb.jsonl.gz") < 1024**2
    with pytest.raises(HomebodyError, match="has a line of more than"):
        list(files.read_file(tmp_path / "bomb.jsonl.gz"))


def test_empty_lines_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINES", 1_000)
    path = tmp_path / "lines.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * 999 + b"{}"))
    with pytest.raises(HomebodyError, match="1000 lines or more"):
        list(files.read_lines(path))
    path.write_bytes(gzip.compress(b"\n" * 998 + b"{}"))
    assert list(files.read_lines(path)) == [b"{}"]


def test_the_suites_have_files_of_their_own() -> None:
    path = files.find_own_file("partnr.test")
    assert path is not None
    assert next(files.read_file(path)).id == load("test")[0].id
    assert files.find_own_file("eai.behavior") is None
    assert files.find_own_file("../val") is None


@given(st.binary(max_size=200))
def test_any_line_is_an_episode_or_an_error(line: bytes) -> None:
    try:
        files.decode(line)
    except EvaluationError:
        return
    pytest.fail("random bytes were an episode")
