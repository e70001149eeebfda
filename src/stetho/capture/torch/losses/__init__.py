"""Losses: the calls of known functions, the graph between a loss and the model, and what is right by them."""
