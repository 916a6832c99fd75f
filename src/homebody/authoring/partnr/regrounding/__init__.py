"""Adapts tasks to other houses: stage (c) of appendix A.3 of the PARTNR paper.

:mod:`.adapt` moves an episode to another house (`correspondence`), and :mod:`.from_seeds` makes
episodes that way. :mod:`.published` reads published seed tasks (`template`, `counterparts`).
"""
