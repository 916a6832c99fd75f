"""English names of the things and places of a house, and how to find them in a text.

:mod:`.names` has the names of all kinds of things, :mod:`.mentions` finds them in a text,
:mod:`.exchange` replaces them, and :mod:`.order` understands words of time.
"""
