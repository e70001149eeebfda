/* Which memory was measured, in which layout, and where its numbers are; until somebody writes to it. */
#ifndef STETHO_KNOWN_H
#define STETHO_KNOWN_H

#include "layout.h"

enum { NOTHING = -1 };

struct place {
    const char *begin; /* the bytes that the tensor lies in */
    const char *end;
    uint64_t layout; /* hash of all that decides which bytes are its elements */
    uint64_t sample; /* hash of a few elements: memory may come to hold another tensor without a word to us */
    int64_t number;  /* of what was measured; NOTHING since it was written to */
};

struct known {
    struct place *places;
    int64_t count;
    int64_t room;
    int64_t *table; /* open addressing: places by the hash of their layout, NOTHING where there is none */
    int64_t slots;  /* a power of two, more than twice as many as places; 0 at first */
};

/* The number of a tensor with elements, or NOTHING. */
int64_t known_find(const struct known *known, const struct layout *layout);

/* From now on that is its number; 0 without memory. */
int known_add(struct known *known, const struct layout *layout, int64_t number);

/* What overlaps with the tensor is no longer known. */
void known_written(struct known *known, const struct layout *layout);

void known_clear(struct known *known);

void known_free(struct known *known);

#endif
