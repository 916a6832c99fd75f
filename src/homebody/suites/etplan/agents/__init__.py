"""Agents without a model, and the paper's agent, which queries one."""
