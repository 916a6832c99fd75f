"""Transition modeling on VirtualHome; see :mod:`homebody.suites.eai.transition_modeling`."""

from __future__ import annotations

from homebody.suites.eai.transition_modeling import SUITE

__all__ = ["SUITE"]
