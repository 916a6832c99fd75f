"""Rules that compare an instruction with its evaluation function.

:func:`.lint.lint` finds the failure modes of table 8 of the PARTNR paper. :mod:`.reference` has the
rules about the meaning of nouns, and :mod:`.case` the input of all rules.
"""
