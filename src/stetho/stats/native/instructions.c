#include "instructions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "elements.h"

#if defined(__SSE2__) || defined(_M_X64)
#define HAS_SSE2
#if defined(__GNUC__)
#define HAS_AVX2
#include <immintrin.h>
#else
#include <emmintrin.h>
#endif
#elif defined(__aarch64__) || defined(_M_ARM64)
#define HAS_NEON
#include <arm_neon.h>
#endif

/* The processor's own foresight ends with a page, and our loop with a block: ask for what comes in the next one, into
 * the second cache, which can wait for more at once than the first. Addresses that do not exist are passed over. */
enum { AHEAD = 8192 };
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch((const void *)((uintptr_t)(address) + AHEAD), 0, 2)
#else
#define PREFETCH(address) ((void)0)
#endif

#define TABLE(set, widen) \
    static const struct instructions set = {#set, sums_##set##_f32, sums_##set##_f64, deviations_##set##_f32, \
                                            deviations_##set##_f64, squares_##set##_f32, \
                                            squares_##set##_f64, widen};

#define TARGET
#define REAL float
#define NAMED(loop) loop##_scalar_f32
#include "vectors_scalar.h"
#include "loops.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(loop) loop##_scalar_f64
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
TABLE(scalar, widen_f16)

#ifdef HAS_SSE2
#define REAL float
#define NAMED(loop) loop##_sse2_f32
#include "vectors_sse2_f32.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(loop) loop##_sse2_f64
#include "vectors_sse2_f64.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
TABLE(sse2, widen_f16)
#endif

#ifdef HAS_NEON
#define REAL float
#define NAMED(loop) loop##_neon_f32
#include "vectors_neon_f32.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(loop) loop##_neon_f64
#include "vectors_neon_f64.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
TABLE(neon, widen_f16)
#endif

#undef TARGET
#ifdef HAS_AVX2
#define TARGET __attribute__((target("avx2,fma")))
#define REAL float
#define NAMED(loop) loop##_avx2_f32
#include "vectors_avx2_f32.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED
#define REAL double
#define NAMED(loop) loop##_avx2_f64
#include "vectors_avx2_f64.h"
#include "loops.h"
#include "vectors_end.h"
#undef REAL
#undef NAMED

__attribute__((target("avx2,f16c"))) static void widen_f16_avx2(float *to, const uint16_t *from, int64_t count)
{
    int64_t at = 0;
    for (; at + 8 <= count; at += 8)
        _mm256_storeu_ps(to + at, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + at))));
    widen_f16(to + at, from + at, count - at);
}

TABLE(avx2, widen_f16_avx2)

static int has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}
#endif

const struct instructions *instructions = &scalar;

int instructions_choose(const char *name)
{
    const struct instructions *found = NULL;
    if (strcmp(name, "scalar") == 0)
        found = &scalar;
#ifdef HAS_SSE2
    if (strcmp(name, "sse2") == 0)
        found = &sse2;
#endif
#ifdef HAS_NEON
    if (strcmp(name, "neon") == 0)
        found = &neon;
#endif
#ifdef HAS_AVX2
    if (strcmp(name, "avx2") == 0 && has_avx2())
        found = &avx2;
#endif
    if (found != NULL)
        instructions = found;
    return found != NULL;
}

void instructions_choose_best(void)
{
    const char *best_first[] = {"avx2", "sse2", "neon", "scalar"};
    for (int at = 0; at < 4; at++)
        if (instructions_choose(best_first[at]))
            return;
}
