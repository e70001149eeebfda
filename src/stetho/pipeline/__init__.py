"""The data that a model is fed: stepped through sample by sample, then in batches, with numbers of the whole set."""
