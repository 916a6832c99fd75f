"""Tasks that a model writes: stages (a) and (d) of appendix A.3 of the PARTNR paper.

:mod:`.with_model` runs it all; `author` asks for tasks, `evaluation` for their evaluation functions
in three steps (`proposition_text`, `packing`), `drafting` says who is asked for what, `log` keeps
it. No model library is used here: whoever calls gives a function that asks.
"""
