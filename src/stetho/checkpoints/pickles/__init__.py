"""Pickles read without running anything in them: known weights become tensors, everything else stays opaque."""
