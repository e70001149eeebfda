"""Where a value that is no number was born: the failing step replayed, one operation at a time."""
