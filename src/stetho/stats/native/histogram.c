#include "histogram.h"

#include <string.h>

#include "elements.h"

/* The sign and the exponent of a number are its first bits: 9 of 32, 12 of 64. They are counted without a branch, and
 * put into buckets in the end. */
enum { SHORT = 1 << 9, LONG = 1 << 12, TABLES = 4 /* several, so that equal neighbours do not wait for each other */ };

struct task {
    enum kind kind;
    int32_t zeros[2]; /* by sign; also counted with the numbers below the normal ones, which have the same first bits */
    int32_t by_short[TABLES][SHORT];
    int32_t by_long[LONG];
};

static void count_f32(struct task *task, const float *x, int64_t count)
{
    for (int64_t at = 0; at < count; at++) {
        uint32_t bits;
        memcpy(&bits, x + at, sizeof bits);
        task->by_short[at % TABLES][bits >> 23]++;
        task->zeros[bits >> 31] += (bits & 0x7fffffff) == 0;
    }
}

static void count_f64(struct task *task, const double *x, int64_t count)
{
    for (int64_t at = 0; at < count; at++) {
        uint64_t bits;
        memcpy(&bits, x + at, sizeof bits);
        task->by_long[bits >> 52]++;
        task->zeros[bits >> 63] += (bits & 0x7fffffffffffffff) == 0;
    }
}

static void count_block(void *context, const void *elements, int64_t count)
{
    struct task *task = context;
    double wide[BLOCK];
    switch (task->kind) {
    case F32: count_f32(task, elements, count); break;
    case F64: count_f64(task, elements, count); break;
    default:
        elements_to_f64(wide, task->kind, elements, count);
        count_f64(task, wide, count);
    }
}

/* Numbers below the normal ones have the smallest exponent there is, and belong into the lowest bucket anyway. */
static void fill_buckets(int32_t *counts, const int32_t *by_bits, int codes, int bias)
{
    for (int code = 0; code < codes; code++) {
        int negative = code >= codes / 2, exponent = code - negative * codes / 2;
        if (exponent == codes / 2 - 1) /* not finite */
            continue;
        exponent -= bias;
        int place = (exponent < LOWEST ? LOWEST : exponent > HIGHEST ? HIGHEST : exponent) - LOWEST + 1;
        counts[negative ? SIDE - place : SIDE + place] += by_bits[code];
    }
}

void histogram_of(int32_t counts[BUCKETS], const struct layout *layout, int64_t step)
{
    struct task task = {.kind = layout->kind};
    memset(counts, 0, BUCKETS * sizeof *counts);
    layout_walk(layout, step, count_block, &task);
    if (layout->kind == F32)
        for (int table = 0; table < TABLES; table++)
            fill_buckets(counts, task.by_short[table], SHORT, 127);
    else
        fill_buckets(counts, task.by_long, LONG, 1023);
    counts[SIDE + 1] -= task.zeros[0];
    counts[SIDE - 1] -= task.zeros[1];
    counts[SIDE] = task.zeros[0] + task.zeros[1];
    for (int at = 0; at < BUCKETS; at++)
        counts[at] *= (int32_t)layout->repeats;
}
