"""The attack: valid inputs of every format that is read, mutated with a seed, and what must hold.

`python benchmarks/attack.py` runs it at length; a small share of it is a test.
"""
