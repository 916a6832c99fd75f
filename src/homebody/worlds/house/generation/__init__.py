"""Generates houses from a seed, and checks them with independent code."""
