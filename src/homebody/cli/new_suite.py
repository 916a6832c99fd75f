"""`homebody new-suite`: write a package with a working suite."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import app
from homebody.cli.command import OUTPUT, Argument, Option
from homebody.cli.printing import say


@app.command("new-suite")
def new_suite(
    name: Annotated[
        str, Argument(help="Name of the suite, such as kitchen.washing_up.", metavar="NAME")
    ],
    out: Annotated[
        Path, Option("-o", metavar="DIR", panel=OUTPUT, help="Folder to make the package in.")
    ] = Path(),
) -> None:
    """Write a package with a working suite, as a start for your own."""
    from homebody.authoring.new_suite import write_suite

    package = write_suite(name, out)
    say(f"{package} is a package with the suite {name}; next:")
    say(f"    pip install -e {package}", f"    homebody check {name}")
    say(f"    homebody run {name} --agent oracle --agent idle")
