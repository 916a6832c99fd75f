"""What a house is: rooms, furniture, things, agents, their catalogue, and what changes of them."""
