"""homebody: evaluate embodied decision making in homes.

The ideas are in :mod:`homebody.core`; the command line is ``homebody --help``.
"""

__version__ = "0.1.0"
