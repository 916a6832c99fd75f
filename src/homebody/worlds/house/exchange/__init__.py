"""Scenes of others as houses, and houses for other programs: docs/guides/other-simulators.md."""
