"""Meshes of everything that can stand in a house, by what a person would look for."""
