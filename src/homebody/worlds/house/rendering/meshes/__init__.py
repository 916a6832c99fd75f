"""Meshes of everything in a house, in files by subject."""
