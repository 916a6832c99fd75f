"""Houses and scenarios as files, checked against their schemas."""
