"""What happens in a house: walls, walking, relations, skills on one clock, what agents know."""
