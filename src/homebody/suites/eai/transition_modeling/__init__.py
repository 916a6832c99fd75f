"""Predicted operators: read, matched with the annotated, planned with (EAI paper, section 3.4)."""
