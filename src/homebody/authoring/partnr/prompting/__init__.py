"""Tasks that a model writes: stages (a) and (d) of appendix A.3 of the PARTNR paper.

:mod:`.generate` runs everything. :mod:`.sources` provides authors of drafts, :mod:`.tasks` requests
tasks, :mod:`.evaluation` their evaluation functions in three steps (as :mod:`.propositions`),
:mod:`.records` keeps the results, and :mod:`.descriptions` writes houses as text. No model library
is used here: the caller passes a function that queries a model.
"""
