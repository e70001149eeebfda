/* Four 32-bit lanes: every 64-bit x86 machine. */
#define V __m128
#define C __m128i
#define LANE float
#define LANES 4
#define v_load(p) _mm_loadu_ps(p)
#define v_set(s) _mm_set1_ps(s)
#define v_store(p, x) _mm_storeu_ps(p, x)
#define v_add(a, b) _mm_add_ps(a, b)
#define v_sub(a, b) _mm_sub_ps(a, b)
#define v_multiply_add(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define v_min(a, b) _mm_min_ps(a, b)
#define v_max(a, b) _mm_max_ps(a, b)
#define COUNTER int32_t
#define c_none() _mm_setzero_si128()
#define c_store(p, c) _mm_storeu_si128((__m128i *)(p), c)
#define c_zeros(c, x) _mm_sub_epi32(c, _mm_castps_si128(_mm_cmpeq_ps(x, _mm_setzero_ps())))
