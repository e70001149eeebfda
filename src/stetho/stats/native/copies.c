#include "copies.h"

#include <math.h>

#include "measuring.h"

static int reserve(struct copies *self, int64_t bytes)
{
    if (self->used + bytes <= self->capacity)
        return 0;
    int64_t capacity = 2 * (self->used + bytes);
    char *grown = PyMem_Realloc(self->buffer, (size_t)capacity);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->buffer = grown;
    self->capacity = capacity;
    return 0;
}

static int is_kept(const struct layout *layout)
{
    int is_floating = layout->kind == F32 || layout->kind == F64 || layout->kind == F16 || layout->kind == BF16;
    return is_floating && layout->repeats == 1;
}

int copies_keep(struct copies *self, PyObject *tensor, struct moments *moments)
{
    struct view view;
    int seen = view_open(&view, tensor);
    if (seen < 0)
        return -1;
    int kept = seen && is_kept(&view.layout);
    int64_t step = kept ? sample_step(&view.layout, self->most) : 1;
    struct kept head = {kept ? runs_size(&view.layout, step) : -1, kept ? view.layout.kind : UNKNOWN, NAN, 0};
    int failed = reserve(self, kept_bytes(&head)) < 0;
    if (!failed) {
        struct kept *place = (struct kept *)(self->buffer + self->used);
        *place = head;
        if (kept) {
            change_keep(place, &view.layout, step, moments);
            place->rms = moments_rms(moments);
        }
        self->used += kept_bytes(&head);
    }
    if (seen)
        view_close(&view);
    return failed ? -1 : kept;
}

int copies_change(const struct copies *self, const struct kept *kept, PyObject *tensor, struct moments *moments)
{
    struct view view;
    if (kept->count < 0)
        return 0;
    int seen = view_open(&view, tensor);
    if (seen != 1)
        return seen;
    int is_same = change_measure(moments, kept, &view.layout, sample_step(&view.layout, self->most));
    view_close(&view);
    return is_same;
}

const struct kept *copies_at(const struct copies *self, int64_t place)
{
    static const struct kept none = {-1, UNKNOWN, NAN, 0};
    return place < self->used ? (const struct kept *)(self->buffer + place) : &none;
}
