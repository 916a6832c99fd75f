"""The Embodied Agent Interface on BEHAVIOR: 100 activities with goals in BDDL."""
