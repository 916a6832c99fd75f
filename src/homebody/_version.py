"""The version of homebody, where everything can import it: the package itself imports the most."""

__version__ = "0.1.0"
