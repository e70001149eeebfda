"""Calls of models and layers: what went in, what came out, and the gradient that comes back."""
