"""Two implementations of one model: which places of one are which of the other, and where they first differ."""
