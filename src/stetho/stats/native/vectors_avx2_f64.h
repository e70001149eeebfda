/* Four 64-bit lanes. */
#define V __m256d
#define C __m256i
#define LANE double
#define LANES 4
#define v_load(p) _mm256_loadu_pd(p)
#define v_set(s) _mm256_set1_pd(s)
#define v_store(p, x) _mm256_storeu_pd(p, x)
#define v_add(a, b) _mm256_add_pd(a, b)
#define v_sub(a, b) _mm256_sub_pd(a, b)
#define v_multiply_add(a, b, c) _mm256_fmadd_pd(a, b, c)
#define v_min(a, b) _mm256_min_pd(a, b)
#define v_max(a, b) _mm256_max_pd(a, b)
#define COUNTER int64_t
#define c_none() _mm256_setzero_si256()
#define c_store(p, c) _mm256_storeu_si256((__m256i *)(p), c)
#define c_zeros(c, x) _mm256_sub_epi64(c, _mm256_castpd_si256(_mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_EQ_OQ)))
