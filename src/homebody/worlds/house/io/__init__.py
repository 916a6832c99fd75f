"""Houses and episodes as files, checked against their schemas."""
