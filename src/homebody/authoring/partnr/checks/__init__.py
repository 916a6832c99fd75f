"""What an instruction says, held against its evaluation function by rules.

:func:`.lint.lint` finds the failure modes of table 8 of the PARTNR paper; `nouns` finds what a text
names, `order_words` whether it says an order.
"""
