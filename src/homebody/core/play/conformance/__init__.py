"""Conformance: the rules that every suite must keep, as checks that anybody can run.

    homebody check pantry.put_away                     print(hb.check_suite(SUITE))

A check is a function ``check(case)`` that yields one sentence per problem: what is wrong, and what
to do about it. Its name is that of the check, and the first sentence of its docstring the rule.
``session_checks`` has the rules of sessions, ``suite_checks`` those of outputs, scores and
benchmarks, ``fresh_process`` that of another process; ``runner`` runs them all.
"""
