/* The loops for the best instructions that this processor has. */
#ifndef STETHO_INSTRUCTIONS_H
#define STETHO_INSTRUCTIONS_H

#include <stdint.h>

struct sums {
    double total;
    double power; /* sum of squares */
    double low;
    double high;
    int64_t zeros;
};

struct instructions {
    const char *name;
    void (*sums_f32)(const float *, int64_t, struct sums *);
    void (*sums_f64)(const double *, int64_t, struct sums *);
    void (*deviations_f32)(const float *, int64_t, double, struct sums *);
    void (*deviations_f64)(const double *, int64_t, double, struct sums *);
    double (*squares_f32)(const float *, int64_t);
    double (*squares_f64)(const double *, int64_t);
    void (*widen_f16)(float *, const uint16_t *, int64_t);
};

/* In use; the best at first. */
extern const struct instructions *instructions;

/* Use those of that name; 0 when this processor or this build does not have them. */
int instructions_choose(const char *name);

/* Use the best. */
void instructions_choose_best(void);

#endif
