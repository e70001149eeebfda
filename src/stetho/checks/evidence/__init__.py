"""Questions that several checks ask of a run: how its loss went, what the loss was made of, how good the model is."""
