"""What a house looks like and what agents see of it, by ray casting."""
