#include "known.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8, FEWEST_SLOTS = 256 };

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static const char *layout_end(const struct layout *layout)
{
    int64_t last = 0;
    for (int at = 0; at < layout->ndim; at++)
        last += (layout->size[at] - 1) * layout->stride[at];
    return layout->data + (last + 1) * layout->item;
}

static uint64_t layout_hash(const struct layout *layout)
{
    uint64_t hash = mixed((uint64_t)(uintptr_t)layout->data, (uint64_t)layout->kind);
    hash = mixed(hash, (uint64_t)layout->repeats);
    for (int at = 0; at < layout->ndim; at++)
        hash = mixed(mixed(hash, (uint64_t)layout->size[at]), (uint64_t)layout->stride[at]);
    return hash;
}

/* Elements along the diagonal of the tensor. */
static uint64_t layout_sample(const struct layout *layout)
{
    uint64_t hash = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        uint64_t element = 0;
        int64_t offset = 0;
        for (int at = 0; at < layout->ndim; at++)
            offset += (layout->size[at] - 1) * sample / (SAMPLES - 1) * layout->stride[at];
        memcpy(&element, layout->data + offset * layout->item, (size_t)layout->item);
        hash = mixed(hash, element);
    }
    return hash;
}

/* The slot of that layout, or the empty one where it would go. */
static int64_t slot_of(const struct known *known, uint64_t layout)
{
    int64_t slot = (int64_t)(layout >> 7) & (known->slots - 1);
    while (known->table[slot] != NOTHING && known->places[known->table[slot]].layout != layout)
        slot = (slot + 1) & (known->slots - 1);
    return slot;
}

int64_t known_find(const struct known *known, const struct layout *layout)
{
    if (known->slots == 0)
        return NOTHING;
    int64_t at = known->table[slot_of(known, layout_hash(layout))];
    if (at == NOTHING || known->places[at].number == NOTHING)
        return NOTHING;
    return known->places[at].sample == layout_sample(layout) ? known->places[at].number : NOTHING;
}

static int grow(struct known *known)
{
    int64_t slots = known->slots ? 2 * known->slots : FEWEST_SLOTS, room = slots / 2;
    int64_t *table = malloc((size_t)slots * sizeof *table);
    struct place *places = table ? realloc(known->places, (size_t)room * sizeof *places) : NULL;
    if (places == NULL) {
        free(table);
        return 0;
    }
    free(known->table);
    known->table = table;
    known->places = places;
    known->slots = slots;
    known->room = room;
    memset(table, 0xFF, (size_t)slots * sizeof *table);
    for (int64_t at = 0; at < known->count; at++)
        table[slot_of(known, places[at].layout)] = at;
    return 1;
}

int known_add(struct known *known, const struct layout *layout, int64_t number)
{
    if (known->count == known->room && !grow(known))
        return 0;
    uint64_t hash = layout_hash(layout);
    int64_t slot = slot_of(known, hash);
    if (known->table[slot] == NOTHING)
        known->table[slot] = known->count++;
    struct place place = {layout->data, layout_end(layout), hash, layout_sample(layout), number};
    known->places[known->table[slot]] = place;
    return 1;
}

void known_written(struct known *known, const struct layout *layout)
{
    const char *begin = layout->data, *end = layout_end(layout);
    for (struct place *place = known->places; place != known->places + known->count; place++)
        if (place->begin < end && begin < place->end)
            place->number = NOTHING;
}

void known_clear(struct known *known)
{
    known->count = 0;
    if (known->slots)
        memset(known->table, 0xFF, (size_t)known->slots * sizeof *known->table);
}

void known_free(struct known *known)
{
    free(known->table);
    free(known->places);
}
