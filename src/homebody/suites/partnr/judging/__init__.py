"""The judging and measuring of a session.

:mod:`.house_atoms` defines the atoms that hold in a house, :mod:`.simulation_judge` feeds a judge
from a simulation, :mod:`.measures` computes the costs and contributions of a run,
:mod:`.failures` has the facts from which failures are labelled, and :mod:`.scoring` makes the
score."""
