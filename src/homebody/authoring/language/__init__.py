"""English names of the objects and places of a house, and functions that find them in a text.

:mod:`.names` has the names of all kinds of objects, :mod:`.mentions` finds them in a text,
:mod:`.exchange` replaces them, and :mod:`.order` finds the order that words state.
"""
