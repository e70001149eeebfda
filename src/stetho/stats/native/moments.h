/* The few numbers of a tensor, added up block by block. */
#ifndef STETHO_MOMENTS_H
#define STETHO_MOMENTS_H

#include "layout.h"

struct moments {
    int64_t elements;
    int64_t nans;
    int64_t infs;
    int64_t zeros;
    double low; /* extremes, mean and squared deviations are of the finite elements */
    double high;
    double mean;
    double squares;
};

/* Nothing measured yet. */
extern const struct moments NO_MOMENTS;

/* Add at most BLOCK elements. */
void moments_add(struct moments *moments, enum kind kind, const void *elements, int64_t count);
void moments_add_f32(struct moments *moments, const float *elements, int64_t count);
void moments_add_f64(struct moments *moments, const double *elements, int64_t count);

/* Measure a whole tensor. */
void moments_of(struct moments *moments, const struct layout *layout);

/* Put the moments of other elements to these. */
void moments_join(struct moments *moments, const struct moments *others);

/* Sum of the squares of some elements; NaN or infinite when one of them is. */
double moments_power(const struct moments *moments);

/* The same of a whole tensor, measuring nothing else: twice as fast in the cache. */
double power_of(const struct layout *layout);

#endif
