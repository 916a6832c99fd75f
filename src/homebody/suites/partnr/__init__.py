"""PARTNR: instructions for a human and a robot together, in the house world.

Source: the PARTNR paper. What is judged is in :mod:`homebody.goals.partnr`, where it happens in
:mod:`homebody.worlds.house`; here are the tasks, who plays them, and what is measured.
"""
