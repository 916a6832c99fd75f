"""Parquet beside the lines, and SQL that can read nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from homebody.core import HomebodyError, SampleError, Suite
from homebody.core.score import Usage
from homebody.results import store
from homebody.results.store import COLUMNS, NAME, query
from results.runs import kept

pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

EVIL = "<script>alert(1)</script>\x1b[31m =cmd() \ud800 'quoted'; DROP TABLE samples"


def test_samples_stand_in_parquet(suite: Suite[str], tmp_path: Path) -> None:
    lost = SampleError("t4", 1, "agent_error", EVIL)
    run = kept(suite, tmp_path, "m", {"t1": ["yes"], "t2": [EVIL]}, [lost], usage=Usage(1, 2, 3.0))
    table = parquet.read_table(run.folder / NAME)
    assert table.column_names == list(COLUMNS)
    first, second, error = table.to_pylist()
    assert (first["task"], first["success"], first["valid"]) == ("t1", True, True)
    assert dict(first["metrics"]) == {"success": 1.0, "length": 0.3}
    assert (first["input_tokens"], first["seconds"], first["cost"]) == (1, 3.0, None)
    assert json.loads(first["record"])["identifier"] == "t1"
    assert second["explanation"].startswith("t2 was answered with <script>")
    assert (error["success"], error["valid"], error["seconds"]) == (None, False, None)
    assert error["error"].startswith("agent_error: <script>")


def test_storing_samples_does_not_import_pandas(suite: Suite[str], tmp_path: Path) -> None:
    folder = kept(suite, tmp_path, "m", {"t1": ["yes"], "t2": ["a\nb"], "t3": [""]}).folder
    written = (folder / NAME).read_bytes()
    program = """
import sys, pathlib
from homebody.results.store import store
store(pathlib.Path(sys.argv[1]))
sys.exit("pandas" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True)
    assert (folder / NAME).read_bytes() == written


def test_a_run_without_samples_is_an_empty_table(suite: Suite[str], tmp_path: Path) -> None:
    folder = kept(suite, tmp_path, "m", {}).folder
    assert query([folder], "SELECT count(*) AS n FROM samples") == (["n"], [(0,)])


def test_runs_are_asked_by_sql(suite: Suite[str], tmp_path: Path) -> None:
    folders = [
        kept(suite, tmp_path, name, {"t1": ["yes"], "t2": [answer]}).folder
        for name, answer in (("a", "yes"), ("b", "no"))
    ]
    asked = "SELECT model, avg(success::INT) AS s FROM samples GROUP BY model ORDER BY model"
    assert query(folders, asked) == (["model", "s"], [("a", 1.0), ("b", 0.5)])
    for each in folders:  # without Parquet, or with that of another time, it is the same
        (each / NAME).unlink()
    assert query(folders, asked)[1] == [("a", 1.0), ("b", 0.5)]
    (folders[0] / NAME).write_bytes(b"PAR1 but not really")
    assert query(folders, asked)[1] == [("a", 1.0), ("b", 0.5)]


def test_parquet_that_is_older_than_the_lines_is_not_believed(
    suite: Suite[str], tmp_path: Path
) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    other = kept(suite, tmp_path, "other", {"t1": ["no"]})
    (run.folder / NAME).write_bytes((other.folder / NAME).read_bytes())
    os.utime(run.folder / NAME, (1, 1))
    assert query([run.folder], "SELECT success FROM samples")[1] == [(True,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY samples TO '{folder}/stolen.csv'",
        "ATTACH '{folder}/x.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM nothing",
        "the query is wrong",
        "",
    ],
)
def test_a_query_reads_nothing_else(suite: Suite[str], tmp_path: Path, sql: str) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    before = sorted(path.name for path in tmp_path.rglob("*"))
    if sql:
        with pytest.raises(HomebodyError, match="the query is wrong"):
            query([run.folder], sql.format(folder=tmp_path))
    else:
        assert query([run.folder], sql) == ([], [])
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_without_pyarrow_nothing_is_stored(
    suite: Suite[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    assert (run.folder / NAME).exists()
    monkeypatch.setattr(store, "can_store", lambda: False)
    kept(suite, tmp_path, "m", {"t1": ["yes"]})
    assert not (run.folder / NAME).exists()
