"""Results: outputs in the published formats, summaries, uncertainty and tables."""
