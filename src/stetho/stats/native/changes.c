#include "changes.h"

#include <string.h>

#include "elements.h"

static int64_t item_of(int64_t kind)
{
    return kind == F64 ? 8 : kind == F32 ? 4 : 2;
}

int64_t kept_bytes(const struct kept *kept)
{
    int64_t bytes = kept->count > 0 ? kept->count * item_of(kept->kind) : 0;
    return (int64_t)sizeof *kept + (bytes + 15) / 16 * 16;
}

struct copying {
    char *to;
    int item;
    enum kind kind;
    struct moments *moments;
};

static void copy_block(void *context, const void *elements, int64_t count)
{
    struct copying *copying = context;
    memcpy(copying->to, elements, (size_t)(count * copying->item));
    copying->to += count * copying->item;
}

static void copy_and_measure(void *context, const void *elements, int64_t count)
{
    struct copying *copying = context;
    copy_block(context, elements, count);
    moments_add(copying->moments, copying->kind, elements, count);
}

void change_keep(struct kept *kept, const struct layout *layout, int64_t step, struct moments *moments)
{
    struct copying copying = {(char *)(kept + 1), layout->item, layout->kind, moments};
    if (step > 1) {
        moments_of(moments, layout); /* first: then what is copied lies in the cache */
        layout_walk_runs(layout, step, copy_block, &copying);
    } else {
        *moments = NO_MOMENTS;
        layout_walk(layout, step, copy_and_measure, &copying);
    }
}

struct comparing {
    struct moments *moments;
    const char *before;
    enum kind kind;
    int item;
};

static void compare_f32(struct comparing *comparing, const float *now, const float *before, int64_t count)
{
    float change[BLOCK];
    for (int64_t at = 0; at < count; at++)
        change[at] = now[at] - before[at];
    moments_add_f32(comparing->moments, change, count);
}

static void compare_f64(struct comparing *comparing, const double *now, const double *before, int64_t count)
{
    double change[BLOCK];
    for (int64_t at = 0; at < count; at++)
        change[at] = now[at] - before[at];
    moments_add_f64(comparing->moments, change, count);
}

static void compare_halves(struct comparing *comparing, const void *now, int64_t count)
{
    float wide_now[BLOCK], wide_before[BLOCK];
    elements_to_f32(wide_now, comparing->kind, now, count);
    elements_to_f32(wide_before, comparing->kind, comparing->before, count);
    compare_f32(comparing, wide_now, wide_before, count);
}

static void compare_block(void *context, const void *now, int64_t count)
{
    struct comparing *comparing = context;
    switch (comparing->kind) {
    case F32: compare_f32(comparing, now, (const float *)comparing->before, count); break;
    case F64: compare_f64(comparing, now, (const double *)comparing->before, count); break;
    default: compare_halves(comparing, now, count); break;
    }
    comparing->before += count * comparing->item;
}

int change_measure(struct moments *moments, const struct kept *kept, const struct layout *layout, int64_t step)
{
    if (kept->count != runs_size(layout, step) || kept->kind != (int64_t)layout->kind)
        return 0;
    *moments = NO_MOMENTS;
    struct comparing comparing = {moments, (const char *)(kept + 1), layout->kind, layout->item};
    layout_walk_runs(layout, step, compare_block, &comparing);
    return 1;
}
