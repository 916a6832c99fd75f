"""Generation of episodes in the four stages of appendix A.3 of the PARTNR paper.

Three authors write drafts (:mod:`.draft`): the built-in author (`grammar`), a model (`prompting`),
and an author that adapts good tasks to other houses (`regrounding`). :mod:`.instantiate` puts a
draft's objects into a house, :mod:`.verify` checks that the episode can be solved, and `checks`
compares its words with its goal. :mod:`.make` makes one episode by number, :mod:`.shards` many,
with :mod:`.splits` and :mod:`.counts`. :mod:`.statistics` describes a file of episodes.
"""
