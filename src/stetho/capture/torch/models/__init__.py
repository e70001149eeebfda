"""The models of the program: their layers, parameters and names, how they are wired, and where they were made."""
