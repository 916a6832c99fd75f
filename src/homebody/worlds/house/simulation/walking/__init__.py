"""Walking: free space, paths, doors in the way, and who gives way to whom."""
