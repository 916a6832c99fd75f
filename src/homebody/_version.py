"""The version of homebody. It has its own module because importing the package would take
longer."""

__version__ = "0.1.0"
