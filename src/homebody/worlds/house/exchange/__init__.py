"""Scenes of others as houses, and houses for other programs: docs/house-exchange.md."""
