"""Making houses from a seed, and checking them with code of its own."""
