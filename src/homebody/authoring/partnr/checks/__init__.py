"""What an instruction says, held against its evaluation function by rules.

:func:`.lint.lint` finds the failure modes of table 8 of the PARTNR paper; :mod:`.reference` has the
rules about what nouns refer to, :mod:`.case` what all rules look at.
"""
