"""Checks by rules of an instruction against its evaluation function.

:func:`.lint.lint` finds the failure modes of table 8 of the PARTNR paper. :mod:`.reference` has the
rules about references of nouns, :mod:`.case` the input of all rules.
"""
