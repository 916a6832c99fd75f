"""Published packages that are read as data: downloaded with pip, checked, never run.

pip does the downloading, so that the user's own index, proxy and credentials apply. For a source
distribution pip asks a build backend for the metadata; it is given one that only repeats the name
and the version, so that nothing in the distribution is executed. pip compares the sha256 before
it unpacks anything.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tarfile
import textwrap
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from homebody.core.ground.files import sha256
from homebody.core.ground.progress import Progress
from homebody.core.ground.user_errors import HomebodyError

TIMEOUT = 600.0
"""Seconds after which a download is given up."""
MAX_MEMBER = 64 * 2**20
"""Bytes: the largest file that is read out of an archive."""
MAX_UNPACKED = 256 * 2**20
"""Bytes: how much of a source distribution is unpacked before it is refused."""


@dataclass(frozen=True, slots=True)
class Package:
    """One file of a package index.

    Attributes:
        name: As the index has it.
        version: The pinned one.
        sha256: Of the file, in hexadecimal.
        kind: ``wheel`` or ``sdist`` (a source distribution, ``.tar.gz``).
        size: Of the file, in MB, to be told.
        fetch: What follows ``homebody data fetch`` to give it the file: the data set and the
            option, ``"eai --wheel"``.
    """

    name: str
    version: str
    sha256: str
    kind: Literal["wheel", "sdist"]
    size: float
    fetch: str

    @property
    def requirement(self) -> str:
        """Name and version, as pip takes them."""
        return f"{self.name}=={self.version}"


def obtain(package: Package, given: Path | None, into: Path, report: Progress) -> Path:
    """The checked file of ``package``: the one given, or else downloaded to ``into``.

    Raises:
        HomebodyError: it cannot be read or downloaded, or is another file.
    """
    path = given if given is not None else download(package, into, report)
    check(package, path, "" if given is not None else "check pip's index settings")
    return path


def check(package: Package, path: Path, hint: str = "") -> None:
    """Make sure that ``path`` is the official file.

    Raises:
        HomebodyError: it is not, or cannot be read.
    """
    found = sha256(path)
    if found != package.sha256:
        raise HomebodyError(
            f"{path.name} is not the official {package.requirement} {package.kind}:"
            f" its sha256 is {found}, expected {package.sha256}",
            hint,
        )


def download(package: Package, into: Path, report: Progress) -> Path:
    """Fetch the file with pip; return where it is.

    Raises:
        HomebodyError: there is no pip or no network, or the index has another file.
    """
    report(f"downloading {package.requirement} ({package.size:g} MB)", 0, 0)
    target = into / f"{package.name}-{package.kind}"
    target.mkdir()
    wanted = target / "requirements.txt"
    # pip prepares a source distribution, so it must know first that it is the right one; of a
    # wheel nothing is run, and ``check`` can say better what is wrong with it
    pin = f" --hash=sha256:{package.sha256}" if package.kind == "sdist" else ""
    wanted.write_text(f"{package.requirement}{pin}\n", encoding="utf-8")
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "-q", "-d", str(target)]
    environment = dict(os.environ)
    if package.kind == "wheel":
        command += ["--only-binary=:all:"]
    else:
        command += ["--no-binary=:all:", "--no-build-isolation", "--use-pep517"]
        environment["PYTHONPATH"] = os.pathsep.join(
            [str(_backend(package, target)), *filter(None, [os.environ.get("PYTHONPATH")])]
        )
    try:
        done = subprocess.run(
            [*command, "-r", str(wanted)],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env=environment,
            timeout=TIMEOUT,
        )
        problem = done.stderr if done.returncode else ""
    except subprocess.TimeoutExpired:
        problem = f"ERROR: no answer within {TIMEOUT:g} seconds"
    files = sorted(target.glob("*.whl" if package.kind == "wheel" else "*.tar.gz"))
    if problem or not files:
        raise _failure(package, problem)
    return files[0]


def _failure(package: Package, problem: str) -> HomebodyError:
    at_hand = f"homebody data fetch {package.fetch} FILE"
    failed = f"could not download {package.requirement}"
    if "No module named pip" in problem:
        return HomebodyError(
            f"{failed}: No module named pip in this environment",
            f"install pip, or get the {package.kind} and run: {at_hand}",
        )
    lines = [line.strip() for line in problem.splitlines() if line.startswith("ERROR")]
    reason = lines[-1].removeprefix("ERROR: ") if lines else " ".join(problem.split())[-300:]
    return HomebodyError(
        f"{failed} with pip: {reason or 'pip saved no file'}",
        f"with a network, run: {at_hand.partition(' --')[0]};"
        f" with the {package.kind} at hand: {at_hand}",
    )


def literal(source: str, name: str) -> str:
    """The string that a module assigns to ``name``, without running the module.

    Raises:
        ValueError: it assigns none.
    """
    for node in ast.parse(source).body:
        if (
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            return node.value.value
    raise ValueError(f"no {name} where a text was expected")


_BACKEND = '''
"""What pip asks for the metadata of a source distribution that is only downloaded."""
import os
import sys


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = "{name}-{version}.dist-info"
    os.mkdir(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return folder


__legacy__ = sys.modules[__name__]
'''


def _backend(package: Package, scratch: Path) -> Path:
    """A folder whose ``setuptools`` builds nothing: pip's default for what names no backend."""
    module = scratch / "backend" / "setuptools"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("", encoding="utf-8")
    source = _BACKEND.format(name=package.name, version=package.version)
    (module / "build_meta.py").write_text(textwrap.dedent(source), encoding="utf-8")
    return module.parent


def read_sdist(path: Path, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """The wanted files of a source distribution, by their path below its top folder.

    Nothing is unpacked to disk. Links and anything else that is no plain file are skipped.

    Raises:
        HomebodyError: it is no gzipped tar file, or unreasonably large.
    """
    files: dict[str, bytes] = {}
    unpacked = 0
    try:
        with tarfile.open(path, "r:gz") as archive:
            for member in archive:
                unpacked += member.size
                if unpacked > MAX_UNPACKED:
                    raise HomebodyError(f"{path.name} unpacks to more than it should")
                name = member.name.partition("/")[2]
                if not member.isreg() or not wanted(name):
                    continue
                if member.size > MAX_MEMBER:
                    raise HomebodyError(f"{path.name}: {name} is larger than it should be")
                content = archive.extractfile(member)
                assert content is not None  # a plain file
                files[name] = content.read()
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise HomebodyError(f"cannot read {path.name}: {error}") from error
    return files
