"""PARTNR: instructions for a human and a robot together, in the house world.

Source: the PARTNR paper. The goals are in :mod:`homebody.goals.partnr`, the houses in
:mod:`homebody.worlds.house`; this package has the tasks, agents and measures.
"""
