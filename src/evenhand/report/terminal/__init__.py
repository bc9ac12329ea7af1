"""What a person reads at a terminal."""
