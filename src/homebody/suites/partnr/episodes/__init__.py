"""Episodes of homebody's as data: the houses that they are in, their files, and of what type they
are."""
