"""Submissions from anybody: archives and folders, hostile ones too."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homebody.core import HomebodyError
from homebody.results import submission_reading as submitted
from homebody.results.outputs import Output, encode_outputs
from homebody.results.submission_reading import is_archive, read_submission

FILE = "behavior_action_sequencing_outputs.json"
SUITE = "eai.behavior.action_sequencing"
CONTENT = encode_outputs([Output("a", "1"), Output("b", "2")])


def archive(path: Path, *members: tuple[str, str], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        for name, content in members:
            made.writestr(name, content)
    return path


@pytest.mark.parametrize("name", [FILE, f"mine/{FILE}"])
def test_an_archive_is_read(tmp_path: Path, name: str) -> None:
    more = (f"__MACOSX/{FILE}", "junk"), ("readme.txt", "hello")
    path = archive(tmp_path / "s.zip", (name, CONTENT), *more)
    assert is_archive(path)
    assert read_submission(path) == {SUITE: [Output("a", "1"), Output("b", "2")]}


def test_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(CONTENT)
    assert list(read_submission(tmp_path)) == [SUITE]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a\\..\\x", "c:x", "a/../../x"])
def test_names_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "s.zip", (name, "x"), (FILE, CONTENT))
    with pytest.raises(HomebodyError, match="outside the archive"):
        read_submission(path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [(FILE, FILE), (f"a/{FILE}", f"b/{FILE}")])
def test_two_of_a_name_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    path = archive(tmp_path / "s.zip", *((name, CONTENT) for name in names))
    with pytest.raises(HomebodyError, match="two files"):
        read_submission(path)


def flagged(path: Path, offset: int, mark: bytes, value: int) -> Path:
    """An archive with a 16-bit field of each header of a kind set to another value."""
    data = bytearray(path.read_bytes())
    at = data.find(mark)
    while at >= 0:
        struct.pack_into("<H", data, at + offset, value)
        at = data.find(mark, at + 4)
    path.write_bytes(data)
    return path


def test_what_is_encrypted_is_refused(tmp_path: Path) -> None:
    path = flagged(archive(tmp_path / "s.zip", (FILE, CONTENT)), 8, b"PK\x01\x02", 1)
    with pytest.raises(HomebodyError, match="encrypted"):
        read_submission(path)


def test_another_way_of_packing_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "s.zip", (FILE, CONTENT), method=zipfile.ZIP_LZMA)
    with pytest.raises(HomebodyError, match="unsupported compression"):
        read_submission(path)


def test_a_link_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo(FILE)
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "s.zip", "w") as made:
        made.writestr(info, "/etc/passwd")
    with pytest.raises(HomebodyError, match="is a link"):
        read_submission(tmp_path / "s.zip")


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submitted, "MAX_MEMBER", 1 << 20)
    path = archive(tmp_path / "s.zip", (FILE, " " * (2 << 20)))
    with pytest.raises(HomebodyError, match="larger than 1 MiB"):
        read_submission(path)
    # one that says that it is small is not unpacked further than that
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.find(b"PK\x01\x02") + 24, 100)
    path.write_bytes(data)
    with pytest.raises(HomebodyError):
        read_submission(path)


def test_many_files_and_large_archives_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path / "s.zip", *((f"{at}.txt", "") for at in range(20)), (FILE, CONTENT))
    monkeypatch.setattr(submitted, "MAX_MEMBERS", 10)
    with pytest.raises(HomebodyError, match="more than 10 files"):
        read_submission(path)
    monkeypatch.setattr(submitted, "MAX_ARCHIVE", 100)
    with pytest.raises(HomebodyError, match="larger than"):
        read_submission(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s.zip")
    with pytest.raises(HomebodyError, match="it is not a file"):
        read_submission(tmp_path / "s.zip")


def test_an_archive_of_something_else_is_told(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="no file of outputs"):
        read_submission(archive(tmp_path / "s.zip", ("x.json", "[]")))


@pytest.fixture(scope="module")
def sound() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(FILE, CONTENT * 20)
    return made.getvalue()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_bytes_are_read_or_refused(tmp_path: Path, sound: bytes, data: st.DataObject) -> None:
    changed = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 6))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(changed)))
    path = tmp_path / "s.zip"
    path.write_bytes(changed[:end])
    with suppress(HomebodyError):
        read_submission(path)
