/* Four 32-bit lanes: every 64-bit ARM machine. */
#define V float32x4_t
#define C uint32x4_t
#define LANE float
#define LANES 4
#define v_load(p) vld1q_f32(p)
#define v_set(s) vdupq_n_f32(s)
#define v_store(p, x) vst1q_f32(p, x)
#define v_add(a, b) vaddq_f32(a, b)
#define v_sub(a, b) vsubq_f32(a, b)
#define v_multiply_add(a, b, c) vfmaq_f32(c, a, b)
#define v_min(a, b) vminq_f32(a, b)
#define v_max(a, b) vmaxq_f32(a, b)
#define COUNTER uint32_t
#define c_none() vdupq_n_u32(0)
#define c_store(p, c) vst1q_u32(p, c)
#define c_zeros(c, x) vsubq_u32(c, vceqzq_f32(x))
