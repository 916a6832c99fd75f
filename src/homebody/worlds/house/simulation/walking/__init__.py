"""Walking in a house: obstacles, shortest paths, destinations, and right of way."""
