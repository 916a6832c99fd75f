"""Folders that tests look into."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SHARED = ROOT.parent / "shared"
"""Published data that may lie beside the checkout; tests that need it skip where it is absent."""
