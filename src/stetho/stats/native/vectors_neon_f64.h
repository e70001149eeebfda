/* Two 64-bit lanes: every 64-bit ARM machine. */
#define V float64x2_t
#define C uint64x2_t
#define LANE double
#define LANES 2
#define v_load(p) vld1q_f64(p)
#define v_set(s) vdupq_n_f64(s)
#define v_store(p, x) vst1q_f64(p, x)
#define v_add(a, b) vaddq_f64(a, b)
#define v_sub(a, b) vsubq_f64(a, b)
#define v_multiply_add(a, b, c) vfmaq_f64(c, a, b)
#define v_min(a, b) vminq_f64(a, b)
#define v_max(a, b) vmaxq_f64(a, b)
#define COUNTER uint64_t
#define c_none() vdupq_n_u64(0)
#define c_store(p, c) vst1q_u64(p, c)
#define c_zeros(c, x) vsubq_u64(c, vceqzq_f64(x))
