"""`homebody docs`: the documentation that is part of an installed homebody."""

from __future__ import annotations

import webbrowser
from pathlib import Path

from homebody.cli.app import app
from homebody.cli.printing import say_text
from homebody.core import HomebodyError

SITE = Path(__file__).parents[1] / "_site"
"""The place where a release keeps its built site, which `.ci/build_site` makes."""


@app.command()
def docs() -> None:
    """Open the documentation in a browser, offline."""
    page = SITE / "index.html"
    if not page.is_file():
        raise HomebodyError(
            "this homebody was installed without its documentation",
            "in a checkout, run: pip install -e '.[docs]' && mkdocs serve",
        )
    say_text(page.as_uri())
    webbrowser.open(page.as_uri())
