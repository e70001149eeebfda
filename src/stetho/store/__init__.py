"""A run on disk: an open columnar data set, written while the program trains and read back without a framework."""
