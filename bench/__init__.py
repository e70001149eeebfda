"""Measurements: what watching costs, next to others, and that nothing was left out."""
