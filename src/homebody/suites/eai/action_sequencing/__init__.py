"""What action sequencing shares on both worlds."""
