#include "moments.h"

#include <math.h>

#include "elements.h"
#include "instructions.h"

const struct moments NO_MOMENTS = {0, 0, 0, 0, INFINITY, -INFINITY, 0, 0};

/* Up to this ratio of mean square to variance the variance is the difference of two sums; beyond, rounding eats it. */
static const double FAR_FROM_ZERO = 4;

/* Squares of 32-bit numbers below 1e-38 lose digits. A sum of squares above this does not notice. */
static const double NEAR_UNDERFLOW = 1e-28;

/* Put the moments of some finite elements to those before (Chan, Golub and LeVeque's rule). */
static void merge(struct moments *moments, int64_t count, double mean, double squares, const struct sums *sums)
{
    double before = (double)(moments->elements - moments->nans - moments->infs);
    double after = before + (double)count;
    double apart = mean - moments->mean;
    if (before == 0) {
        moments->mean = mean;
        moments->squares = squares;
    } else {
        moments->mean += apart * ((double)count / after);
        moments->squares += squares + apart * apart * (before * (double)count / after);
    }
    moments->elements += count;
    moments->zeros += sums->zeros;
    moments->low = sums->low < moments->low ? sums->low : moments->low;
    moments->high = sums->high > moments->high ? sums->high : moments->high;
}

/* What the sums about a center say about a block. */
static void merge_sums(struct moments *moments, int64_t count, double center, const struct sums *sums)
{
    double shift = sums->total / (double)count;
    double squares = sums->power - sums->total * shift;
    merge(moments, count, center + shift, squares > 0 ? squares : 0, sums);
}

static int is_near_zero(int64_t count, const struct sums *sums)
{
    return sums->power - sums->total * sums->total / (double)count >= sums->power / FAR_FROM_ZERO;
}

static void add_finite_f64(struct moments *moments, const double *x, int64_t count, struct sums *sums)
{
    if (sums->low == sums->high) { /* fresh biases and norms, gradients of dead units */
        merge(moments, count, sums->low, 0, sums);
        return;
    }
    double center = 0;
    if (isfinite(sums->power) && !is_near_zero(count, sums)) {
        center = sums->total / (double)count;
        instructions->deviations_f64(x, count, center, sums);
    }
    merge_sums(moments, count, center, sums);
}

/* Count a value that is not finite; 1 when it is finite. */
static int is_finite(struct moments *moments, double value)
{
    if (isfinite(value))
        return 1;
    int64_t *which = isnan(value) ? &moments->nans : &moments->infs;
    ++*which;
    moments->elements++;
    return 0;
}

/* The careful way, for blocks with values that are not finite or whose squares leave the range of 32 bits. */
static void add_carefully(struct moments *moments, double *x, int64_t count)
{
    int64_t kept = 0;
    for (int64_t at = 0; at < count; at++)
        if (is_finite(moments, x[at]))
            x[kept++] = x[at];
    if (kept == 0)
        return;
    struct sums sums;
    instructions->sums_f64(x, kept, &sums);
    add_finite_f64(moments, x, kept, &sums);
}

static void add_carefully_f32(struct moments *moments, const float *x, int64_t count)
{
    double wide[BLOCK];
    elements_to_f64(wide, F32, x, count);
    add_carefully(moments, wide, count);
}

void moments_add_f32(struct moments *moments, const float *x, int64_t count)
{
    struct sums sums;
    double center = 0;
    instructions->sums_f32(x, count, &sums);
    /* Any NaN or infinity shows in the sum. */
    int is_safe = isfinite(sums.total) && isfinite(sums.power);
    if (is_safe && sums.low == sums.high) {
        merge(moments, count, sums.low, 0, &sums);
        return;
    }
    if (is_safe && !is_near_zero(count, &sums)) {
        center = (float)(sums.total / (double)count);
        instructions->deviations_f32(x, count, center, &sums);
    }
    /* Squares of deviations may leave the range although those of the values did not. */
    if (is_safe && sums.power >= NEAR_UNDERFLOW && isfinite(sums.power))
        merge_sums(moments, count, center, &sums);
    else
        add_carefully_f32(moments, x, count);
}

void moments_add_f64(struct moments *moments, const double *x, int64_t count)
{
    struct sums sums;
    instructions->sums_f64(x, count, &sums);
    if (isfinite(sums.total)) {
        add_finite_f64(moments, x, count, &sums);
        return;
    }
    double copy[BLOCK];
    elements_to_f64(copy, F64, x, count);
    add_carefully(moments, copy, count);
}

void moments_add(struct moments *moments, enum kind kind, const void *elements, int64_t count)
{
    union {
        float f32[BLOCK];
        double f64[BLOCK];
    } wide;
    switch (kind) {
    case F32: moments_add_f32(moments, elements, count); break;
    case F64: moments_add_f64(moments, elements, count); break;
    case F16:
    case BF16:
        elements_to_f32(wide.f32, kind, elements, count);
        moments_add_f32(moments, wide.f32, count);
        break;
    default:
        elements_to_f64(wide.f64, kind, elements, count);
        moments_add_f64(moments, wide.f64, count);
    }
}

struct task {
    struct moments *moments;
    enum kind kind;
};

static void add_block(void *context, const void *elements, int64_t count)
{
    struct task *task = context;
    moments_add(task->moments, task->kind, elements, count);
}

void moments_of(struct moments *moments, const struct layout *layout)
{
    *moments = NO_MOMENTS;
    struct task task = {moments, layout->kind};
    layout_walk(layout, 1, add_block, &task);
    moments->elements *= layout->repeats;
    moments->nans *= layout->repeats;
    moments->infs *= layout->repeats;
    moments->zeros *= layout->repeats;
    moments->squares *= (double)layout->repeats;
}

/* Twin of Summary.merged in stats/summary.py. */
void moments_join(struct moments *moments, const struct moments *others)
{
    double mine = (double)(moments->elements - moments->nans - moments->infs);
    double theirs = (double)(others->elements - others->nans - others->infs);
    if (mine == 0) {
        moments->mean = others->mean;
        moments->squares = others->squares;
    } else if (theirs > 0) {
        double apart = others->mean - moments->mean;
        moments->mean += apart * theirs / (mine + theirs);
        moments->squares += others->squares + apart * apart * mine * theirs / (mine + theirs);
    }
    moments->elements += others->elements;
    moments->nans += others->nans;
    moments->infs += others->infs;
    moments->zeros += others->zeros;
    moments->low = others->low < moments->low ? others->low : moments->low;
    moments->high = others->high > moments->high ? others->high : moments->high;
}

double moments_power(const struct moments *moments)
{
    if (moments->nans > 0)
        return NAN;
    if (moments->infs > 0)
        return INFINITY;
    return moments->squares + (double)moments->elements * moments->mean * moments->mean;
}

struct powers {
    enum kind kind;
    double total;
};

static void add_power(void *context, const void *elements, int64_t count)
{
    struct powers *powers = context;
    double power = powers->kind == F32   ? instructions->squares_f32(elements, count)
                   : powers->kind == F64 ? instructions->squares_f64(elements, count)
                                         : 0;
    /* Too large or too small for 32 bits, or not finite: the careful way tells which. */
    if (!(power >= NEAR_UNDERFLOW && isfinite(power))) {
        struct moments moments = NO_MOMENTS;
        moments_add(&moments, powers->kind, elements, count);
        power = moments_power(&moments);
    }
    powers->total += power;
}

double power_of(const struct layout *layout)
{
    struct powers powers = {layout->kind, 0};
    layout_walk(layout, 1, add_power, &powers);
    return powers.total * (double)layout->repeats;
}
