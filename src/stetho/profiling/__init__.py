"""Where the time and the memory of a training step go: by layer, by operation, by line, and what would change it."""
