"""The notebooks run, and show what is committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from places import DOCS

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

from notebooks import NOTEBOOKS, outputs, run  # noqa: E402

READ = [pytest.param(path, id=path.stem) for path in NOTEBOOKS]


@pytest.mark.slow
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("path", READ)
def test_a_notebook_shows_what_it_showed(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    shown = outputs(notebook)
    for cell in notebook.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    run(notebook)
    assert outputs(notebook) == shown


@pytest.mark.parametrize("path", READ)
def test_a_notebook_has_a_title_and_shows_a_picture_or_table(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.startswith("# ")
    kinds = {kind for cell in outputs(notebook) for each in cell for kind in each}
    assert kinds & {"image/png", "text/html"}
    assert not [each for cell in notebook.cells for each in cell.get("outputs", ()) if is_bad(each)]


def is_bad(output: dict[str, str]) -> bool:
    return output["output_type"] == "error" or output.get("name") == "stderr"


def test_the_site_has_all_notebooks() -> None:
    index = (DOCS / "notebooks/index.md").read_text()
    site = (DOCS.parent / "mkdocs.yml").read_text()
    for path in NOTEBOOKS:
        assert f"({path.stem}.md)" in index
        assert f"- notebooks/{path.stem}.md" in site
        assert json.loads(path.read_text())["nbformat"] == 4
