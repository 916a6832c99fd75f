"""The page that shows runs, and its documents."""
