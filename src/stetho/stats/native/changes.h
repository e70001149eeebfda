/* What changed in tensors: copies of them, or of a regular sample, in one buffer, and the moments of the difference. */
#ifndef STETHO_CHANGES_H
#define STETHO_CHANGES_H

#include "moments.h"

/* Before every copy in the buffer. */
struct kept {
    int64_t count; /* elements in the copy; -1: the tensor was not copied */
    int64_t kind;
    double rms; /* of the whole tensor */
    int64_t unused; /* what follows is aligned as the buffer is */
};

/* Bytes that a copy takes with what stands before it, so that the next is aligned as well. */
int64_t kept_bytes(const struct kept *kept);

/* Write a copy behind `kept`, and measure the whole tensor while it is read. */
void change_keep(struct kept *kept, const struct layout *layout, int64_t step, struct moments *moments);

/* Measure the tensor less its copy; 0 when the tensor is of another form than the copy. */
int change_measure(struct moments *moments, const struct kept *kept, const struct layout *layout, int64_t step);

#endif
