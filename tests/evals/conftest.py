"""All tests of models ask a server on loopback, and nobody else."""

from model_server import inspect_home, isolated, server

__all__ = ["inspect_home", "isolated", "server"]
