"""Few numbers out of many: the catalogue of stats and the kernels that measure them."""
