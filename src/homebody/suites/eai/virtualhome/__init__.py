"""The Embodied Agent Interface on VirtualHome: 342 tasks with goals in LTL."""
