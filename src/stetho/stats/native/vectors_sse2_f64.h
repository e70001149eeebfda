/* Two 64-bit lanes: every 64-bit x86 machine. */
#define V __m128d
#define C __m128i
#define LANE double
#define LANES 2
#define v_load(p) _mm_loadu_pd(p)
#define v_set(s) _mm_set1_pd(s)
#define v_store(p, x) _mm_storeu_pd(p, x)
#define v_add(a, b) _mm_add_pd(a, b)
#define v_sub(a, b) _mm_sub_pd(a, b)
#define v_multiply_add(a, b, c) _mm_add_pd(_mm_mul_pd(a, b), c)
#define v_min(a, b) _mm_min_pd(a, b)
#define v_max(a, b) _mm_max_pd(a, b)
#define COUNTER int64_t
#define c_none() _mm_setzero_si128()
#define c_store(p, c) _mm_storeu_si128((__m128i *)(p), c)
#define c_zeros(c, x) _mm_sub_epi64(c, _mm_castpd_si128(_mm_cmpeq_pd(x, _mm_setzero_pd())))
