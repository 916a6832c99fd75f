"""Published data: its sources, and how it is fetched, checked and cached."""
