"""Path-traced pictures, by Blender's Cycles in a separate program."""
