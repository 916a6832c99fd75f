"""Runs to be looked at: the documents that a page shows, and the page itself."""
