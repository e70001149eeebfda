/* The part of the DLPack interface, version 1, that we read. Written after its specification: we need no header of
 * torch, so one build serves every torch. */
#ifndef STETHO_DLPACK_H
#define STETHO_DLPACK_H

#include <stdint.h>

enum { DEVICE_CPU = 1 };

enum { CODE_INT = 0, CODE_UINT = 1, CODE_FLOAT = 2, CODE_BFLOAT = 4, CODE_BOOL = 6 };

struct dl_device {
    int32_t type;
    int32_t index;
};

struct dl_type {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};

struct dl_tensor {
    void *data;
    struct dl_device device;
    int32_t ndim;
    struct dl_type type;
    int64_t *shape;
    int64_t *strides; /* counted in elements; NULL when the tensor is in one piece */
    uint64_t byte_offset;
};

/* What a capsule named "dltensor" holds. */
struct dl_managed {
    struct dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *);
};

struct dl_exchange_header {
    uint32_t major;
    uint32_t minor;
    struct dl_exchange_header *previous;
};

/* The table of functions behind `__dlpack_c_exchange_api__`. Only `borrow` is called. */
struct dl_exchange {
    struct dl_exchange_header header;
    void *allocate;
    void *own;
    void *give;
    int (*borrow)(void *object, struct dl_tensor *out);
    void *stream;
};

#endif
