/* Where the elements of a tensor lie, brought into the shortest form, and a walk over them in blocks. */
#ifndef STETHO_LAYOUT_H
#define STETHO_LAYOUT_H

#include "dlpack.h"

enum {
    BLOCK = 2048, /* elements: what is summed in 32 bits before it is added up in 64, and stays in the first cache */
    DIMENSIONS = 32,
    RUN = 64, /* elements side by side in a sample of a copy: a few lines of the cache */
};

enum kind { F32, F64, F16, BF16, I8, I16, I32, I64, U8, U16, U32, U64, BOOL, UNKNOWN };

struct layout {
    const char *data;
    enum kind kind;
    int item;        /* bytes of an element */
    int64_t count;   /* of all elements */
    int64_t repeats; /* how often every one of the elements below is there: expanded dimensions */
    int ndim;        /* dimensions that are left, largest stride first */
    int64_t size[DIMENSIONS];
    int64_t stride[DIMENSIONS];
};

/* Called with elements that lie side by side, at most BLOCK of them. */
typedef void (*receiver)(void *context, const void *elements, int64_t count);

/* Read a tensor's layout; 0 when it is none that we can walk over. */
int layout_read(struct layout *layout, const struct dl_tensor *tensor);

/* Give every `step`th element, in the order of memory, to the receiver; repeats are not repeated. */
void layout_walk(const struct layout *layout, int64_t step, receiver receive, void *context);

/* How many elements a walk gives. */
int64_t layout_distinct(const struct layout *layout);

/* Every how manyth element is in the sample of a tensor, so that it has at most `most` elements. */
int64_t sample_step(const struct layout *layout, int64_t most);

/* Give the first RUN of every RUN * step elements, in the order of memory. */
void layout_walk_runs(const struct layout *layout, int64_t step, receiver receive, void *context);

/* How many elements are in these runs. */
int64_t runs_size(const struct layout *layout, int64_t step);

#endif
