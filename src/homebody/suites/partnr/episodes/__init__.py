"""Episodes as data: their houses, their files and their types."""
