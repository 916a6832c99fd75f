"""EAI's tasks played step by step: sessions in symbolic worlds."""
