"""Path-traced pictures, by Blender's Cycles in a program of its own."""
