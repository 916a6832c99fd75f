"""Import and export of houses for other simulators: docs/guides/other-simulators.md."""
