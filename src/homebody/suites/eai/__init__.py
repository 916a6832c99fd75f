"""EAI: the Embodied Agent Interface benchmark."""
