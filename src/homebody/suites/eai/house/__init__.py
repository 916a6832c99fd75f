"""The EAI abilities in rooms of generated homes, from pictures or from their scene graph."""
