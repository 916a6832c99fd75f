"""Run the notebooks of docs/notebooks; write their outputs with ``python tests/notebooks.py``.

Their outputs are committed, so that the site, a repository's page and a reader without Python show
them. ``test_notebooks.py`` runs them again and compares.
"""

from __future__ import annotations

import sys
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

from places import DOCS

NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
SECONDS = 120
"""Limit of one cell, on a busy machine."""


def run(notebook: Any) -> None:
    """Run a notebook's cells in a folder of its own, but for those with the tag ``install``."""
    cells = [cell for cell in notebook.cells if "install" not in cell.metadata.get("tags", ())]
    runnable = nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)
    with TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(
            runnable,
            timeout=SECONDS,
            resources=resources,
            record_timing=False,
            coalesce_streams=True,
            kernel_name="python3",
        )
        client.execute()
    for cell in cells:
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                output.data.pop("image/jpeg", None)  # Pillow gives both


def outputs(notebook: Any) -> list[list[dict[str, Any]]]:
    """Return what each cell shows: texts as they are, and of pictures that there is one."""
    return [
        [
            {"text": each["text"]}
            if each["output_type"] == "stream"
            else {
                kind: "a picture" if kind.startswith("image/") else content
                for kind, content in each.get("data", {}).items()
            }
            for each in cell.get("outputs", ())
        ]
        for cell in notebook.cells
    ]


def main(names: list[str]) -> None:
    for path in NOTEBOOKS:
        if not names or path.stem in names:
            notebook = nbformat.read(path, as_version=4)
            run(notebook)
            notebook.metadata.pop("language_info", None)  # it has the version of Python
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    cell.execution_count = None
                    for output in cell.outputs:
                        if "execution_count" in output:
                            output["execution_count"] = None
            nbformat.write(notebook, path)


if __name__ == "__main__":
    main(sys.argv[1:])
