/* Eight 32-bit lanes. */
#define V __m256
#define C __m256i
#define LANE float
#define LANES 8
#define v_load(p) _mm256_loadu_ps(p)
#define v_set(s) _mm256_set1_ps(s)
#define v_store(p, x) _mm256_storeu_ps(p, x)
#define v_add(a, b) _mm256_add_ps(a, b)
#define v_sub(a, b) _mm256_sub_ps(a, b)
#define v_multiply_add(a, b, c) _mm256_fmadd_ps(a, b, c)
#define v_min(a, b) _mm256_min_ps(a, b)
#define v_max(a, b) _mm256_max_ps(a, b)
#define COUNTER int32_t
#define c_none() _mm256_setzero_si256()
#define c_store(p, c) _mm256_storeu_si256((__m256i *)(p), c)
#define c_zeros(c, x) _mm256_sub_epi32(c, _mm256_castps_si256(_mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_EQ_OQ)))
