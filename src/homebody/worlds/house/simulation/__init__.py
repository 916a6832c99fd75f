"""The simulation of a house: walking, relations, skills on one clock, and the knowledge of
agents."""
