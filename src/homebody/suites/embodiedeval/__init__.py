"""EmbodiedEval: multimodal models act and answer from first-person images."""
