"""The making of episodes: the four stages of appendix A.3 of the PARTNR paper.

Three authors write drafts (:mod:`.draft`): the built-in one (`grammar`), a model (`prompting`), and
one that adapts good tasks to other houses (`regrounding`). :mod:`.instantiate` puts a draft's
objects into a house, :mod:`.verify` checks that the episode is a task, `checks` that its words fit.
:mod:`.make` makes an episode by number and :mod:`.shards` many of them, with :mod:`.splits` and
:mod:`.counts`; :mod:`.statistics` describes a file of episodes.
"""
