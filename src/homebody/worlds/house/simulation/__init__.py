"""The simulation of a house: walking, relations, skills on one clock, and what agents know."""
