/* How many elements lie in each power of two, by sign: the buckets of stats/histogram.py. */
#ifndef STETHO_HISTOGRAM_H
#define STETHO_HISTOGRAM_H

#include "layout.h"

enum { LOWEST = -64, HIGHEST = 63, SIDE = HIGHEST - LOWEST + 1, BUCKETS = 2 * SIDE + 1 };

/* Count every `step`th element of a tensor; values that are not finite are left out. */
void histogram_of(int32_t counts[BUCKETS], const struct layout *layout, int64_t step);

#endif
