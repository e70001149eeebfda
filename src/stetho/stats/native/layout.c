#include "layout.h"

#include <string.h>

static enum kind kind_of(struct dl_type type)
{
    if (type.lanes != 1)
        return UNKNOWN;
    switch (type.code << 8 | type.bits) {
    case CODE_FLOAT << 8 | 32: return F32;
    case CODE_FLOAT << 8 | 64: return F64;
    case CODE_FLOAT << 8 | 16: return F16;
    case CODE_BFLOAT << 8 | 16: return BF16;
    case CODE_INT << 8 | 8: return I8;
    case CODE_INT << 8 | 16: return I16;
    case CODE_INT << 8 | 32: return I32;
    case CODE_INT << 8 | 64: return I64;
    case CODE_UINT << 8 | 8: return U8;
    case CODE_UINT << 8 | 16: return U16;
    case CODE_UINT << 8 | 32: return U32;
    case CODE_UINT << 8 | 64: return U64;
    case CODE_BOOL << 8 | 8: return BOOL;
    default: return UNKNOWN;
    }
}

/* Insert a dimension before those of smaller stride, so that a walk follows the memory. */
static void insert_dimension(struct layout *layout, int64_t size, int64_t stride)
{
    int at = layout->ndim++;
    for (; at > 0 && layout->stride[at - 1] < stride; at--) {
        layout->size[at] = layout->size[at - 1];
        layout->stride[at] = layout->stride[at - 1];
    }
    layout->size[at] = size;
    layout->stride[at] = stride;
}

/* Two dimensions that follow each other without a gap are one. */
static void join_dimensions(struct layout *layout)
{
    int last = 0;
    for (int next = 1; next < layout->ndim; next++) {
        if (layout->stride[last] == layout->stride[next] * layout->size[next]) {
            layout->size[last] *= layout->size[next];
            layout->stride[last] = layout->stride[next];
        } else {
            last++;
            layout->size[last] = layout->size[next];
            layout->stride[last] = layout->stride[next];
        }
    }
    if (layout->ndim > 0)
        layout->ndim = last + 1;
}

int layout_read(struct layout *layout, const struct dl_tensor *tensor)
{
    layout->kind = kind_of(tensor->type);
    if (layout->kind == UNKNOWN || tensor->device.type != DEVICE_CPU || tensor->ndim > DIMENSIONS)
        return 0;
    layout->item = tensor->type.bits / 8;
    layout->ndim = 0;
    layout->count = layout->repeats = 1;
    int64_t dense = 1; /* the stride of the next dimension when the tensor is in one piece */
    for (int at = tensor->ndim - 1; at >= 0; at--) {
        int64_t size = tensor->shape[at];
        int64_t stride = tensor->strides ? tensor->strides[at] : dense;
        dense *= size;
        layout->count *= size;
        if (size == 1)
            continue;
        if (stride < 0)
            return 0;
        if (stride == 0)
            layout->repeats *= size;
        else
            insert_dimension(layout, size, stride);
    }
    if (layout->count == 0)
        return 1;
    if (tensor->data == NULL) /* a tensor of zeros that torch never stored */
        return 0;
    layout->data = (const char *)tensor->data + tensor->byte_offset;
    if ((uintptr_t)layout->data % (uintptr_t)layout->item != 0) /* from a foreign buffer */
        return 0;
    join_dimensions(layout);
    return 1;
}

int64_t layout_distinct(const struct layout *layout)
{
    return layout->count == 0 ? 0 : layout->count / layout->repeats;
}

int64_t sample_step(const struct layout *layout, int64_t most)
{
    int64_t distinct = layout_distinct(layout);
    return distinct > most ? (distinct + most - 1) / most : 1;
}

int64_t runs_size(const struct layout *layout, int64_t step)
{
    int64_t distinct = layout_distinct(layout), group = RUN * step, rest = distinct % group;
    return distinct / group * RUN + (rest < RUN ? rest : RUN);
}

static void copy_strided(char *to, const char *from, int64_t count, int64_t stride, int item)
{
    if (stride == 1) {
        memcpy(to, from, (size_t)(count * item));
        return;
    }
    int64_t bytes = stride * item;
    switch (item) {
    case 1: for (int64_t i = 0; i < count; i++) to[i] = from[i * bytes]; break;
    case 2: for (int64_t i = 0; i < count; i++) memcpy(to + 2 * i, from + i * bytes, 2); break;
    case 4: for (int64_t i = 0; i < count; i++) memcpy(to + 4 * i, from + i * bytes, 4); break;
    default: for (int64_t i = 0; i < count; i++) memcpy(to + 8 * i, from + i * bytes, 8); break;
    }
}

/* Move to the next row: like the hands of a clock, the last dimension but the innermost goes first. */
static const char *next_row(const struct layout *layout, int64_t *index, const char *row)
{
    for (int at = layout->ndim - 2; at >= 0; at--) {
        row += layout->stride[at] * layout->item;
        if (++index[at] < layout->size[at])
            return row;
        row -= layout->size[at] * layout->stride[at] * layout->item;
        index[at] = 0;
    }
    return NULL;
}

static void walk_rows(const struct layout *layout, int64_t step, receiver receive, void *context)
{
    _Alignas(64) char block[BLOCK * 8];
    int64_t index[DIMENSIONS] = {0};
    int64_t width = layout->size[layout->ndim - 1], stride = layout->stride[layout->ndim - 1];
    int64_t filled = 0, at = 0; /* `at`: where in the row the next element of the sample is */
    for (const char *row = layout->data; row != NULL; row = next_row(layout, index, row)) {
        while (at < width) {
            int64_t left = (width - at + step - 1) / step;
            int64_t count = left < BLOCK - filled ? left : BLOCK - filled;
            const char *from = row + at * stride * layout->item;
            copy_strided(block + filled * layout->item, from, count, stride * step, layout->item);
            at += count * step;
            filled += count;
            if (filled == BLOCK) {
                receive(context, block, filled);
                filled = 0;
            }
        }
        at -= width;
    }
    if (filled > 0)
        receive(context, block, filled);
}

void layout_walk(const struct layout *layout, int64_t step, receiver receive, void *context)
{
    if (layout->count == 0)
        return;
    if (layout->ndim == 0) {
        receive(context, layout->data, 1);
        return;
    }
    if (layout->ndim > 1 || layout->stride[0] * step != 1) {
        walk_rows(layout, step, receive, context);
        return;
    }
    for (int64_t at = 0; at < layout->size[0]; at += BLOCK) {
        int64_t left = layout->size[0] - at;
        receive(context, layout->data + at * layout->item, left < BLOCK ? left : BLOCK);
    }
}

struct runs {
    receiver receive;
    void *context;
    int item;
    int64_t group;
    int64_t at; /* place of the next element in its group */
    int64_t filled;
    _Alignas(64) char block[BLOCK * 8];
};

static int64_t smaller(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static void pick_runs(void *context, const void *elements, int64_t count)
{
    struct runs *runs = context;
    const char *from = elements;
    while (count > 0) {
        int64_t passed = smaller(count, runs->group - runs->at);
        if (runs->at < RUN) {
            passed = smaller(smaller(passed, RUN - runs->at), BLOCK - runs->filled);
            memcpy(runs->block + runs->filled * runs->item, from, (size_t)(passed * runs->item));
            runs->filled += passed;
        }
        if (runs->filled == BLOCK) {
            runs->receive(runs->context, runs->block, BLOCK);
            runs->filled = 0;
        }
        runs->at = (runs->at + passed) % runs->group;
        from += passed * runs->item;
        count -= passed;
    }
}

void layout_walk_runs(const struct layout *layout, int64_t step, receiver receive, void *context)
{
    if (step == 1) {
        layout_walk(layout, 1, receive, context);
        return;
    }
    struct runs runs;
    runs.receive = receive;
    runs.context = context;
    runs.item = layout->item;
    runs.group = RUN * step;
    runs.at = runs.filled = 0;
    if (layout->ndim == 1 && layout->stride[0] == 1)
        pick_runs(&runs, layout->data, layout->size[0]); /* what lies between the runs is not touched */
    else
        layout_walk(layout, 1, pick_runs, &runs);
    if (runs.filled > 0)
        receive(context, runs.block, runs.filled);
}
