"""Predicted operators are read, matched with annotated ones and planned with (EAI paper, 3.4)."""
