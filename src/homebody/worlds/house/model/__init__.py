"""The model of a house: rooms, furniture, objects, agents, their catalogue, and their state."""
