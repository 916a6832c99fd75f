"""The construction of a navigation graph: wanted targets, points and edges."""
