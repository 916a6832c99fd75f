"""Support for files, text from outside, seeds and work in processes."""
