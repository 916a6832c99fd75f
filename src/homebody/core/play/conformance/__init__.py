"""Conformance: what every suite must keep, as checks that anybody can run on their own.

    homebody check pantry.put_away                     print(hb.check_suite(SUITE))

A check is a function ``check(case, generator)`` that yields one sentence per problem, which tells
the author of a suite what is wrong and what to do about it. The function's name is that of the
check, and its docstring the rule. ``sessions`` has the rules of sessions, ``benchmark`` those of
outputs and scores and what everyone assumes of a benchmark; ``checking`` runs them all.
"""
