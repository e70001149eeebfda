"""Experiments on copies of the model, for questions that looking on cannot answer."""
