"""Pictures of houses, and the visibility of objects to agents. Both use ray casting."""
