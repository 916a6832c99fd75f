"""Tasks that a model writes: stages (a) and (d) of appendix A.3 of the PARTNR paper.

:mod:`.generate` runs it all: :mod:`.sources` says who writes drafts, :mod:`.tasks` asks for tasks,
:mod:`.evaluation` for their evaluation functions in three steps (as :mod:`.propositions`), and
:mod:`.records` keeps what came of each. :mod:`.descriptions` has houses as text. No model library
is used here: whoever calls gives a function that asks.
"""
