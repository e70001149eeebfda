/* Elements of all other types as 32-bit or 64-bit floating-point numbers. */
#ifndef STETHO_ELEMENTS_H
#define STETHO_ELEMENTS_H

#include "layout.h"

/* F16 and BF16: every value of theirs is one of 32 bits. */
void elements_to_f32(float *to, enum kind kind, const void *from, int64_t count);

/* F16 alone, on any machine. */
void widen_f16(float *to, const uint16_t *from, int64_t count);

/* Every kind; 64-bit integers are rounded. */
void elements_to_f64(double *to, enum kind kind, const void *from, int64_t count);

#endif
