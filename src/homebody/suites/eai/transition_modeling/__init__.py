"""Transition modeling: reads predicted operators, compares them with annotated operators, and plans
with them (EAI paper, 3.4)."""
