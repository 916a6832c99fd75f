"""Sessions: the contract of what is played, and its body."""
