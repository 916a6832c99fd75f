"""Published data: where it comes from, how it is fetched, checked and cached."""
