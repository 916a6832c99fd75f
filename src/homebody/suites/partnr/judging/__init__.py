"""How a session is judged and measured.

:mod:`.house_atoms` is what holds in a house, :mod:`.simulation_judge` the judge that watches it,
:mod:`.measures` what a run cost and who did what in it, :mod:`.scoring` the record of all that.
"""
