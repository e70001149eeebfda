/* Copies of tensors, one after the other in one buffer. It is kept from step to step: asking the system for memory costs
 * more than the copies. */
#ifndef STETHO_COPIES_H
#define STETHO_COPIES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "changes.h"

struct copies {
    int64_t most; /* elements of a copy; a larger tensor is sampled */
    char *buffer;
    int64_t capacity;
    int64_t used;
};

/* Copy a tensor and measure it. 1: done; 0: none of the tensors that we can copy; -1: an exception. */
int copies_keep(struct copies *copies, PyObject *tensor, struct moments *moments);

/* The copy at a place in the buffer; of none where there is nothing. */
const struct kept *copies_at(const struct copies *copies, int64_t place);

/* Measure a tensor less its copy. 1: done; 0: not copied, or no longer of that form; -1: an exception. */
int copies_change(const struct copies *copies, const struct kept *kept, PyObject *tensor, struct moments *moments);

#endif
