"""Conformance: the rules that every suite must keep, as checks that anybody can run.

    homebody check pantry.put_away                     print(hb.check_suite(SUITE))

A check is a function ``check(case)`` that yields one sentence per problem: what is wrong, and what
to do about it. The name of the function is the name of the check, and the first sentence of its
docstring is the rule. ``session_checks`` has the rules of sessions, ``suite_checks`` has the rules
of outputs, scores and benchmarks, and ``fresh_process`` has the rule about another process;
``runner`` runs them all.
"""
