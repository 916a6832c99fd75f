"""Generator of EmbodiedEval tasks from generated scenes."""
