"""What goal interpretation shares on both worlds."""
