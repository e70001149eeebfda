"""The zoo: small training programs with a known fault, or none, and how well stetho tells which."""
