"""Making episodes: the four stages of appendix A.3 of the PARTNR paper.

Three authors write drafts (:mod:`.draft`): the built-in one (`grammar`), a model (`prompting`), and
one that adapts good tasks to other houses (`seeding`). :mod:`.instantiate` puts a draft's objects
into a house, :mod:`.verify` tells whether the episode is a task, `checks` whether its words fit.
:mod:`.make` makes the episode of a number, :mod:`.shards` makes them by the hundred thousand, with
:mod:`.splits` and :mod:`.counts`; :mod:`.statistics` says what a file of them is like.
"""
