"""Makes tasks of EmbodiedEval out of scenes."""
