"""The release checklist: runs each check and prints "ok" or "FAILED"; exits with 1 if one failed.

    python .ci/release.py --quick       what holds for every commit; CI runs it
    python .ci/release.py --out dist    all of a release; needs uv and a package index

With --out it keeps what is to be published: wheel, source distribution, SBOM and checksums.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import uuid
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOT_SHIPPED = {"dev", "docs"}
"""Extras for those who work on homebody."""
HINT = re.compile(r"homebody\[([\w,-]+)\]")
THREE = "src/homebody/worlds/house/browser"


class Problem(Exception):
    """A check failed; its text says why, and what to do."""


@dataclass
class Release:
    """A checkout, and a scratch folder for what is built from it."""

    root: Path
    scratch: Path
    out: Path | None = None
    """The folder of what is kept."""

    def read(self, path: str) -> str:
        """Return a text of the checkout."""
        return (self.root / path).read_text("utf-8")

    def run(self, *command: str, **options: Any) -> str:
        """Run a command in the checkout and return what it prints; raises Problem if it fails."""
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, **options)
        if done.returncode:
            raise Problem((done.stderr or done.stdout).strip()[-2000:])
        return done.stdout

    @cached_property
    def project(self) -> dict[str, Any]:
        """The table `project` of pyproject.toml."""
        return tomllib.loads(self.read("pyproject.toml"))["project"]

    @property
    def version(self) -> str:
        """The version that the package says it has."""
        return re.findall(r'__version__ = "(.*)"', self.read("src/homebody/_version.py"))[0]

    @cached_property
    def epoch(self) -> str:
        """The time of the commit, in seconds."""
        return self.run("git", "log", "-1", "--format=%ct").strip()

    def build(self, source: Path, kind: str, folder: str) -> Path:
        """Build a wheel or sdist (`kind`), and return its path."""
        out = self.scratch / folder
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": self.epoch}
        done = subprocess.run(command, cwd=source, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise Problem(done.stderr[-2000:])
        (built,) = out.iterdir()
        return built

    @cached_property
    def wheel(self) -> Path:
        """The wheel that is built from the checkout."""
        return self.build(self.root, "wheel", "wheel")

    @cached_property
    def sdist(self) -> Path:
        """The source distribution."""
        return self.build(self.root, "sdist", "sdist")

    @cached_property
    def wheel_from_sdist(self) -> Path:
        """The wheel that is built elsewhere from the source distribution."""
        with tarfile.open(self.sdist) as archive:
            archive.extractall(self.scratch / "unpacked", filter="data")
        (source,) = (self.scratch / "unpacked").iterdir()
        return self.build(source, "wheel", "wheel-from-sdist")

    @cached_property
    def metadata(self) -> bytes:
        """The metadata of the wheel."""
        with zipfile.ZipFile(self.wheel) as archive:
            return archive.read(f"homebody-{self.version}.dist-info/METADATA")


def sha256(path: Path) -> str:
    """Return the sha256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_versions(release: Release) -> None:
    """Version: the same in the package, changelog, citation and README."""
    found = {
        "CHANGELOG.md": re.search(r"^## (\S+)", release.read("CHANGELOG.md"), re.MULTILINE),
        "CITATION.cff": re.search(r"^version: (\S+)", release.read("CITATION.cff"), re.MULTILINE),
        "README.md": re.search(r"version = \{(.*)\}", release.read("README.md")),
    }
    wrong = [name for name, match in found.items() if not match or match[1] != release.version]
    if wrong:
        raise Problem(f"{', '.join(wrong)} do not say {release.version} (_version.py)")


def check_hints(release: Release) -> None:
    """Extras: each that a message or page tells to install exists."""
    extras = set(release.project["optional-dependencies"])
    paths = [*(release.root / "src").rglob("*.py"), *release.root.glob("docs/**/*.md")]
    unknown = [
        f"{path.relative_to(release.root)} names {', '.join(sorted(missing))}"
        for path in (*paths, release.root / "README.md", release.root / "pyproject.toml")
        for names in HINT.findall(path.read_text("utf-8"))
        if (missing := set(names.split(",")) - extras)
    ]
    if unknown:
        raise Problem("; ".join(unknown))


def check_reproducible(release: Release) -> None:
    """Wheel: built from the checkout and from the sdist, it has the same sha256."""
    first, second = sha256(release.wheel), sha256(release.wheel_from_sdist)
    if first != second:
        raise Problem(f"{first} from the checkout, {second} from the sdist")


def check_content(release: Release) -> None:
    """Wheel: it has all licences, the mark of its types, all suites and data."""
    with zipfile.ZipFile(release.wheel) as archive:
        names = set(archive.namelist())
        points = archive.read(f"homebody-{release.version}.dist-info/entry_points.txt").decode()
    tracked = release.run("git", "ls-files", "src/homebody").splitlines()
    licences = ["LICENSE", *(path for path in tracked if path.endswith("LICENSE"))]
    wanted = {f"homebody-{release.version}.dist-info/licenses/{path}" for path in licences}
    wanted |= {path.removeprefix("src/") for path in tracked} | {"homebody/py.typed"}
    if missing := sorted(wanted - names):
        raise Problem(f"it lacks {', '.join(missing[:5])}")
    suites = release.project["entry-points"]["homebody.suites"]
    if lost := [name for name in suites if f"{name} = " not in points]:
        raise Problem(f"its entry points lack {', '.join(lost)}")


def check_metadata(release: Release) -> None:
    """Metadata: valid, and the README renders as on the package index."""
    from packaging.metadata import Metadata
    from readme_renderer.markdown import render

    try:
        text = Metadata.from_email(release.metadata).description
    except ExceptionGroup as error:
        raise Problem("; ".join(map(str, error.exceptions))) from error
    rendered = render(text or "")
    if not rendered or "<table>" not in rendered:
        raise Problem("the README does not render")
    relative = re.findall(r'(?:href|src)="(?!https?:|#)([^"]*)"', rendered)
    if relative and "urls" in release.project:
        raise Problem(f"links of the README lead nowhere on the index: {', '.join(relative[:3])}")


def check_clean(release: Release) -> None:
    """Commit: no file differs from it."""
    if changed := release.run("git", "status", "--porcelain").strip():
        raise Problem(f"commit or remove:\n{changed[:1000]}")


def check_tag(release: Release) -> None:
    """Commit: its tag is the version."""
    if f"v{release.version}" not in release.run("git", "tag", "--points-at", "HEAD").split():
        raise Problem(f"run: git tag -a v{release.version} -m 'homebody {release.version}'")


def check_changelog(release: Release) -> None:
    """Changelog: the version has a date."""
    heading = rf"^## {re.escape(release.version)} \(\d{{4}}-\d\d-\d\d\)$"
    if not re.search(heading, release.read("CHANGELOG.md"), re.MULTILINE):
        raise Problem(f"write its heading as: ## {release.version} (YYYY-MM-DD)")


def check_address(release: Release) -> None:
    """Address: pyproject.toml and the citation say where the source is."""
    source = release.project.get("urls", {}).get("Source")
    if not source:
        raise Problem('set it: urls = { Source = "https://..." } below [project] in pyproject.toml')
    if f"repository-code: {source}\n" not in release.read("CITATION.cff"):
        raise Problem(f"add to CITATION.cff: repository-code: {source}")


def check_site(release: Release) -> None:
    """Site: it builds strictly, and the wheel has it."""
    release.run(".ci/build_site")
    with zipfile.ZipFile(release.wheel) as archive:
        if "homebody/_site/index.html" not in archive.namelist():
            raise Problem("the wheel lacks homebody/_site/index.html")


def check_extras(release: Release) -> None:
    """Extras: the wheel with each of them can be installed."""
    for extra in release.project["optional-dependencies"]:
        resolve(release, [extra])


def resolve(release: Release, extras: list[str], *options: str) -> list[str]:
    """Return the pinned packages that the wheel with these extras installs; raises Problem."""
    if not shutil.which("uv"):
        raise Problem("install uv: pip install uv")
    wanted = f"homebody[{','.join(extras)}] @ {release.wheel.as_uri()}"
    command = ["uv", "pip", "compile", "-", "--quiet", "--no-annotate", "--no-header", *options]
    lines = release.run(*command, "--python", sys.executable, input=wanted).splitlines()
    return [line for line in lines if line and not line.startswith("homebody")]


def make_bom(release: Release) -> dict[str, Any]:
    """Return what the wheel contains and installs, as CycloneDX describes it."""
    shipped = sorted(set(release.project["optional-dependencies"]) - NOT_SHIPPED)
    pins = resolve(release, shipped, "--universal", "--constraint", "requirements.lock")
    three = re.findall(r"three\.js (0\.\d+)", release.read(f"{THREE}/README.md"))[0]
    built = [{"alg": "SHA-256", "content": sha256(release.wheel)}]
    mit = [{"license": {"id": "MIT"}}]
    components = [
        describe_component("npm", "three", f"{three}.0", licenses=mit, scope="required"),
        *(describe_component("pypi", *pin.split(" ")[0].split("==")) for pin in pins),
    ]
    unique = {each["bom-ref"]: each for each in components}  # a pin may differ between versions
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, sha256(release.wheel))}",
        "version": 1,
        "metadata": {
            "component": describe_component(
                "pypi", "homebody", release.version, licenses=mit, hashes=built
            )
        },
        "components": list(unique.values()),
    }


def describe_component(kind: str, name: str, version: str, **fields: Any) -> dict[str, Any]:
    """Return a package as CycloneDX describes it."""
    link = f"pkg:{kind}/{name}@{version}"
    component = {"type": "library", "bom-ref": link, "name": name, "version": version}
    return {**component, **fields, "purl": link}


def keep(release: Release) -> None:
    """Kept: wheel, sdist, SBOM and checksums."""
    out = release.out or release.scratch / "kept"
    out.mkdir(parents=True, exist_ok=True)
    files = [Path(shutil.copy(path, out)) for path in (release.wheel, release.sdist)]
    files.append(out / f"homebody-{release.version}.cdx.json")
    files[-1].write_text(json.dumps(make_bom(release), indent=1) + "\n", encoding="utf-8")
    sums = "".join(f"{sha256(path)}  {path.name}\n" for path in files)
    (out / "SHA256SUMS").write_text(sums, encoding="utf-8")


QUICK = (check_versions, check_hints, check_reproducible, check_content, check_metadata)
"""What holds for every commit."""
FULL = (
    *(check_clean, check_tag, check_changelog, check_address),
    check_site,  # before the wheel is built
    *QUICK,
    check_extras,
)
"""What holds for a release, or needs a package index."""


def holds(check: Callable[[Release], None], release: Release) -> bool:
    """Run a check, print how it ended, and return whether it succeeded."""
    title = (check.__doc__ or "").rstrip(".")
    try:
        check(release)
    except Problem as error:
        print(f"FAILED  {title}\n        {error}", flush=True)
        return False
    print(f"ok      {title}", flush=True)
    return True


def main() -> None:
    """Run the checks."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        release = Release(ROOT, Path(scratch), chosen.out)
        results = [holds(check, release) for check in (QUICK if chosen.quick else FULL)]
        if not chosen.quick and all(results):
            results.append(holds(keep, release))
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
