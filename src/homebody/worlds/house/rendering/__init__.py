"""Pictures of houses and what agents see, both by ray casting."""
