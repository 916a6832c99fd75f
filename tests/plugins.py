"""Packages that are installed for a test."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, package: str, points: dict[str, str], **modules: str) -> None:
    """What pip leaves of a package in a folder: its metadata and its modules."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (info / "entry_points.txt").write_text("[homebody.suites]\n" + "".join(lines))
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
