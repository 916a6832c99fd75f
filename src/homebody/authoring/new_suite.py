"""Creates a package with a working example suite, from which users start their own."""

from __future__ import annotations

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Final

from homebody.core import HomebodyError
from homebody.core.ground.files import make_folder, write_whole
from homebody.suites import list_suites

TEMPLATE: Final = Path(__file__).parent / "suite_template"
NAME: Final = "kitchen.washing_up"
"""The name of the suite in the template."""
FILES: Final = {
    "pyproject.txt": "pyproject.toml",
    "readme.txt": "README.md",
    "suite.txt": "{module}/__init__.py",
    "tasks.json": "{module}/tasks.json",
    "test_suite.txt": "tests/test_{module}.py",
}
"""File of the template -> path in the new package."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)*")
MAX_NAME: Final = 50


def module_of(name: str) -> str:
    """Return the module name of a new suite. Raises HomebodyError if the name is too long or
    malformed, or if a suite or module of that name exists."""
    if len(name) > MAX_NAME or not _NAME.fullmatch(name):
        raise HomebodyError(
            f"a suite cannot be called {name[:80]!r}",
            f"use small letters, digits and _, at most {MAX_NAME}, such as {NAME}",
        )
    module = name.replace(".", "_")
    if module in [other.replace(".", "_") for other in list_suites()]:
        raise HomebodyError(f"a suite named {name} exists already", "give yours another name")
    if iskeyword(module) or find_spec(module) is not None:
        raise HomebodyError(f"a module named {module} exists already", f"for example: my.{name}")
    return module


def write_suite(name: str, folder: Path) -> Path:
    """Write a package with a suite of that name into a new folder inside a folder.

    Returns:
        The new folder, which has the name of the package.

    Raises:
        HomebodyError: the name cannot be used, or the new folder exists already.
    """
    module = module_of(name)
    package = folder / module
    make_folder(folder)
    try:
        package.mkdir()
    except FileExistsError:
        raise HomebodyError(f"{package} exists already", "nothing is overwritten") from None
    for source, target in FILES.items():
        text = (TEMPLATE / source).read_text(encoding="utf-8")
        text = text.replace(NAME, name).replace(NAME.replace(".", "_"), module)
        path = package / target.format(module=module)
        make_folder(path.parent)
        write_whole(path, text)
    return package
