"""People play: sessions of any played suite behind an HTTP server, for browsers and programs.

An adapter on :class:`homebody.core.Session` that knows no suite. Needs the extra ``web``.
"""
