"""Runs as tables: each run's samples as Parquet beside ``samples.jsonl``, and SQL over them.

A row for each sample, with these columns (:data:`COLUMNS` has their types):

    run, folder          what its folder is called, and where that is
    suite, protocol      what was asked, and how it was judged
    model, seed          who was asked: a model, an agent; with which seed
    homebody, data       versions: of homebody, and of what the tasks were made of
    task, epoch, cluster the task, which try at it, and what it shares with others
    success              the verdict; null where the suite knows none, or nobody knows
    metrics              name -> number
    valid                whether it counts
    error                whose fault it is that there is no score, and why; empty if there is one
    explanation          why it failed, or what it did
    input_tokens, output_tokens, seconds, cost
                         what it took; null if no model was asked, or nobody knows
    record               the whole line of samples.jsonl, as JSON
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homebody.core import HomebodyError
from homebody.core.ground.files import write_whole
from homebody.results.filters import USED
from homebody.results.samples import SampledRun, read_run

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

NAME: Final = "samples.parquet"
EXTRA: Final = "pip install 'homebody[results]'"
COLUMNS: Final[Mapping[str, str]] = {
    "run": "string",
    "folder": "string",
    "suite": "string",
    "protocol": "string",
    "model": "string",
    "seed": "int64",
    "homebody": "string",
    "data": "string",
    "task": "string",
    "epoch": "int32",
    "cluster": "string",
    "success": "bool",
    "metrics": "map",
    "valid": "bool",
    "error": "string",
    "explanation": "string",
    "input_tokens": "int64",
    "output_tokens": "int64",
    "seconds": "float64",
    "cost": "float64",
    "record": "string",
}
"""Column -> its type, as Arrow calls it; ``map`` is one of texts to numbers."""


def can_store() -> bool:
    """Whether what writes Parquet is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def store(folder: Path) -> None:
    """Write the samples of a folder of results as Parquet beside them, if that can be written;
    else there is none of another run.

    Raises:
        HomebodyError: they cannot be read, or it cannot be written.
    """
    if not can_store():
        (folder / NAME).unlink(missing_ok=True)
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    stored = pa.BufferOutputStream()
    pq.write_table(to_table(read_run(folder)), stored, compression="zstd")
    write_whole(folder / NAME, stored.getvalue().to_pybytes())


def to_table(run: SampledRun) -> pa.Table:
    """The samples of a run as an Arrow table."""
    import pyarrow as pa

    data = ", ".join(f"{name} {version}" for name, version in run.about.data.items())
    rows = [
        {
            "run": run.name,
            "folder": str(run.folder),
            "suite": run.about.suite,
            "protocol": run.about.protocol,
            "model": run.model,
            "seed": run.seed,
            "homebody": run.about.homebody,
            "data": data,
            "task": sample.identifier,
            "epoch": sample.epoch,
            "cluster": sample.cluster,
            "success": sample.success,
            "metrics": list(sample.metrics.items()),
            "valid": sample.valid,
            "error": sample.error,
            "explanation": sample.explanation,
            **(dict.fromkeys(USED) if sample.usage is None else asdict(sample.usage)),
            "record": json.dumps(sample.record),
        }
        for sample in run.samples
    ]
    return pa.Table.from_pylist([_utf8(row) for row in rows], schema=_schema())


def _utf8(row: dict[str, Any]) -> dict[str, Any]:
    """A row without lone surrogates, which a model's text may hold and UTF-8 may not."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in row.items()
    }


def _schema() -> pa.Schema:
    import pyarrow as pa

    def type_of(name: str) -> pa.DataType:
        return pa.map_(pa.string(), pa.float64()) if name == "map" else pa.type_for_alias(name)

    return pa.schema([(column, type_of(name)) for column, name in COLUMNS.items()])


@contextmanager
def open_samples(folders: Sequence[Path]) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with the view ``samples`` over some folders of results, which can read nothing else:
    no file, no network.

    Raises:
        HomebodyError: DuckDB is not installed, or results cannot be read.
    """
    try:
        import duckdb
        import pyarrow as pa
    except ImportError:
        raise HomebodyError("DuckDB and PyArrow are not installed", EXTRA) from None
    samples = pa.concat_tables([_read_stored(folder) for folder in folders])
    connection = duckdb.connect(":memory:", config={"enable_external_access": "false"})
    try:
        connection.register("samples", samples)
        connection.execute("SET lock_configuration = true")
        yield connection
    finally:
        connection.close()


def _read_stored(folder: Path) -> pa.Table:
    """The samples of a folder: of its Parquet file if it is as new as they are, else of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept, lines = folder / NAME, folder / "samples.jsonl"
    try:
        if kept.stat().st_mtime_ns >= lines.stat().st_mtime_ns:
            table = pq.read_table(pa.BufferReader(kept.read_bytes()))
            if table.schema.equals(_schema()):
                return table
    except (OSError, pa.ArrowException):
        pass  # nothing is lost: it is made of the lines
    return to_table(read_run(folder))


def query(folders: Sequence[Path], sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """What a query of the view ``samples`` gives: names of columns, and rows.

    Raises:
        HomebodyError: DuckDB is not installed, results cannot be read, or the query is wrong.
    """
    with open_samples(folders) as connection:
        import duckdb

        try:
            connection.execute(sql)
            rows = connection.fetchall() if connection.description else []
            return [column[0] for column in connection.description or ()], rows
        except duckdb.Error as error:
            raise HomebodyError(
                f"that is no query: {str(error).splitlines()[0]}",
                "for example: SELECT model, avg(success::INT) FROM samples GROUP BY model",
            ) from error
