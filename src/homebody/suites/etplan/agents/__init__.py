"""Who plays without a model, and how the paper's agent has a model play."""
