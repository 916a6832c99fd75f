"""`homebody new-suite`: a package to begin a suite of one's own with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import app
from homebody.cli.command import Argument, Option
from homebody.cli.printing import say


@app.command("new-suite")
def new_suite(
    name: Annotated[str, Argument(help="Of the suite, such as kitchen.washing_up", metavar="NAME")],
    out: Annotated[
        Path, Option("--out", "-o", metavar="DIR", help="Where the package's folder is made")
    ] = Path(),
) -> None:
    """Write a package with a working suite, to begin one's own with."""
    from homebody.authoring.new_suite import write_suite

    package = write_suite(name, out)
    say(f"{package} is a package with the suite {name}; now:")
    say(f"    pip install -e {package}", f"    homebody check {name}")
    say(f"    homebody run {name} --agent oracle --agent idle")
