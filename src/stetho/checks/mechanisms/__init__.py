"""Single ways in which a fault comes about, one a file, each asked for by the one check that names it."""
