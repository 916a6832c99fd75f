"""How a navigation graph is drawn: what is wanted, where points are, which are joined."""
