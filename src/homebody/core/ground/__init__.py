"""Support that guards the edges: files, text from outside, seeds, work in processes."""
