#include "elements.h"

#include <string.h>

#include "instructions.h"

static float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float from_bf16(uint16_t bits)
{
    return from_bits((uint32_t)bits << 16);
}

static float from_f16(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
    /* The exponent of 32 bits counts from another zero; a product moves it, also for numbers below the normal ones. */
    uint32_t moved;
    float scaled = from_bits(magnitude) * 0x1p112f;
    memcpy(&moved, &scaled, sizeof moved);
    uint32_t special = magnitude | 0x7f800000;
    return from_bits(sign | ((half & 0x7c00) == 0x7c00 ? special : moved));
}

#define CONVERT(type, value) \
    do { \
        const type *x = from; \
        for (int64_t at = 0; at < count; at++) \
            to[at] = (value); \
    } while (0)

void elements_to_f32(float *to, enum kind kind, const void *from, int64_t count)
{
    if (kind == BF16)
        CONVERT(uint16_t, from_bf16(x[at]));
    else
        instructions->widen_f16(to, from, count);
}

void widen_f16(float *to, const uint16_t *from, int64_t count)
{
    CONVERT(uint16_t, from_f16(x[at]));
}

void elements_to_f64(double *to, enum kind kind, const void *from, int64_t count)
{
    switch (kind) {
    case F32: CONVERT(float, x[at]); break;
    case F64: memcpy(to, from, (size_t)count * sizeof *to); break;
    case F16: CONVERT(uint16_t, from_f16(x[at])); break;
    case BF16: CONVERT(uint16_t, from_bf16(x[at])); break;
    case I8: CONVERT(int8_t, x[at]); break;
    case I16: CONVERT(int16_t, x[at]); break;
    case I32: CONVERT(int32_t, x[at]); break;
    case I64: CONVERT(int64_t, (double)x[at]); break;
    case U16: CONVERT(uint16_t, x[at]); break;
    case U32: CONVERT(uint32_t, x[at]); break;
    case U64: CONVERT(uint64_t, (double)x[at]); break;
    case BOOL: CONVERT(uint8_t, x[at] != 0); break;
    default: CONVERT(uint8_t, x[at]); break;
    }
}
