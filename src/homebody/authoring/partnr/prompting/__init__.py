"""Tasks that a model writes: stages (a) and (d) of appendix A.3 of the PARTNR paper.

:mod:`.generate` runs everything. :mod:`.sources` provides authors of drafts. :mod:`.tasks` requests
tasks, and :mod:`.evaluation` requests their evaluation functions in three steps (written as
:mod:`.propositions`). :mod:`.records` stores the results, and :mod:`.descriptions` writes houses as
text. The caller passes a function that queries a model.
"""
