"""Samples of runs as Parquet beside ``samples.jsonl``, and SQL queries over them.

A row for each sample, with these columns (:data:`COLUMNS` has their types):

    run, folder          name and path of its folder
    suite, protocol      names of the suite and the protocol
    model, seed          name of the model or agent, and the seed
    homebody, data       versions of homebody and of the tasks' data
    task, epoch, cluster id of the task, epoch from 1, and name of the task's cluster
    success              the verdict; null if the suite has none or it is unknown
    metrics              name -> number
    valid                true if metrics include it
    error                kind and reason of a missing score; empty if there is one
    labels               labels of a failed run, separated by commas; empty without any
    explanation          explanation of the score
    input_tokens, output_tokens, seconds, cost
                         usage; null if no model was queried or it is unknown
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

import orjson

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
    "labels": "string",
    "explanation": "string",
    "input_tokens": "int64",
    "output_tokens": "int64",
    "seconds": "float64",
    "cost": "float64",
    "record": "string",
}
"""Column -> its Arrow type; ``map`` is a map from strings to numbers."""


def can_store() -> bool:
    """Return whether PyArrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def store(folder: Path) -> None:
    """Write the samples of a folder of results as Parquet beside them.

    Without PyArrow, an existing file, which may be of another run, is removed.

    Raises:
        HomebodyError: The samples cannot be read, or the file cannot be written.
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
    """Return the samples of a run as an Arrow table."""
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
            "metrics": [{"key": key, "value": value} for key, value in sample.metrics.items()],
            "valid": sample.valid,
            "error": sample.error,
            "labels": sample.labels,
            "explanation": sample.explanation,
            **(dict.fromkeys(USED) if sample.usage is None else asdict(sample.usage)),
            "record": json.dumps(sample.record),
        }
        for sample in run.samples
    ]
    return _read_rows([_utf8(row) for row in rows])


def _read_rows(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows as a table, through JSON: ``pa.array`` imports pandas if it is installed."""
    import pyarrow as pa
    import pyarrow.json as pj

    schema = _schema()
    if not rows:
        return schema.empty_table()
    at = schema.get_field_index("metrics")
    entries = pa.list_(pa.struct([("key", pa.string()), ("value", pa.float64())]))
    lines = b"\n".join(map(orjson.dumps, rows))
    table = pj.read_json(
        pa.BufferReader(lines),
        pj.ReadOptions(block_size=len(lines) + 1),
        pj.ParseOptions(explicit_schema=schema.set(at, pa.field("metrics", entries))),
    )
    listed = table.column(at).combine_chunks()
    keys, values = listed.flatten().flatten()
    metrics = pa.MapArray.from_arrays(listed.offsets, keys, values)
    return table.set_column(at, schema.field(at), metrics)


def _utf8(row: dict[str, Any]) -> dict[str, Any]:
    """Replace lone surrogates, which UTF-8 cannot encode, in a row."""
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
    """Open DuckDB with the view ``samples`` over results, without file or network access.

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
    """Read the samples of a folder, from its Parquet file if it is up to date."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kept, lines = folder / NAME, folder / "samples.jsonl"
    try:
        if kept.stat().st_mtime_ns >= lines.stat().st_mtime_ns:
            table = pq.read_table(pa.BufferReader(kept.read_bytes()))
            if table.schema.equals(_schema()):
                return table
    except (OSError, pa.ArrowException):
        pass  # read the lines instead
    return to_table(read_run(folder))


def query(folders: Sequence[Path], sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Run a query on the view ``samples``; return names of columns, and rows.

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
                f"the query is wrong: {str(error).splitlines()[0]}",
                "for example: SELECT model, avg(success::INT) FROM samples GROUP BY model",
            ) from error
