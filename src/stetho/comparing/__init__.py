"""Two of a kind side by side: where they differ first, by how much, and why. One module or package for each kind."""
