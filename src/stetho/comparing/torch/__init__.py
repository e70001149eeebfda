"""What models do and compute, made plain for a comparison: torch code only."""
